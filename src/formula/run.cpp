#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "formula/run.cpp"  // NOLINT
#include <hwy/foreach_target.h>               // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "formula/folds-inl.hpp"
#include "formula/incomplete.hpp"
#include "formula/kernels-inl.hpp"
#include "formula/ode-inl.hpp"
#include "formula/ode_backward-inl.hpp"
#include "formula/run.hpp"
#include "formula/special.hpp"
#include "formula/view.hpp"
#include "formula/workspace.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

void OneArgument(Code code, const View& a, double* out, std::size_t rows, std::size_t lanes) {
  const D d;
  const auto unary = [&](auto f) { Unary(a, out, rows, lanes, f); };
  const auto by_number = [&](auto f) { ByNumber(a, out, rows, lanes, f); };
  switch (code) {
    case Code::neg:
      return unary([](V x) HWY_ATTR { return hn::Neg(x); });
    case Code::exp:
      return unary([](V x) HWY_ATTR { return Exp(x); });
    case Code::log:
      return unary([d](V x) HWY_ATTR { return FastLog(d, x); });
    case Code::log1p:
      return unary([](V x) HWY_ATTR { return Log1p(x); });
    case Code::expm1:
      return unary([](V x) HWY_ATTR { return Expm1(x); });
    case Code::sqrt:
      return unary([](V x) HWY_ATTR { return hn::Sqrt(x); });
    case Code::abs:
      return unary([](V x) HWY_ATTR { return hn::Abs(x); });
    case Code::sign:
      return unary([](V x) HWY_ATTR { return SignOf(x); });
    case Code::square:
      return unary([](V x) HWY_ATTR { return hn::Mul(x, x); });
    case Code::reciprocal:
      return unary([](V x) HWY_ATTR { return hn::Div(One(), x); });
    case Code::tanh:
      return unary([](V x) HWY_ATTR { return Tanh(x); });
    case Code::inv_logit:
      return unary([](V x) HWY_ATTR { return InvLogit(x); });
    case Code::log1p_exp:
      return unary([](V x) HWY_ATTR { return Log1pExp(x); });
    case Code::logical_not:
      return unary([d](V x) HWY_ATTR { return Truth(hn::Eq(x, hn::Zero(d))); });
    case Code::sin:
      return by_number([](double x) HWY_ATTR { return std::sin(x); });
    case Code::cos:
      return by_number([](double x) HWY_ATTR { return std::cos(x); });
    case Code::tan:
      return by_number([](double x) HWY_ATTR { return std::tan(x); });
    case Code::atan:
      return by_number([](double x) HWY_ATTR { return std::atan(x); });
    case Code::erf:
      return by_number([](double x) HWY_ATTR { return std::erf(x); });
    case Code::erfc:
      return by_number([](double x) HWY_ATTR { return std::erfc(x); });
    case Code::floor:
      return by_number([](double x) HWY_ATTR { return std::floor(x); });
    case Code::log_gamma:
      return by_number([](double x) HWY_ATTR { return log_gamma(x); });
    case Code::digamma:
      return by_number([](double x) HWY_ATTR { return digamma(x); });
    case Code::log_normal_cdf:
      return by_number([](double x) HWY_ATTR { return log_normal_cdf(x); });
    default:
      return;
  }
}

void TwoArguments(Code code, const View* x, Room& room, double* out, std::size_t rows, std::size_t lanes) {
  const auto binary = [&](auto f) { Binary(x, out, rows, lanes, f); };
  const auto two_numbers = [&](auto f) {
    const double* const* p = room.lanes_of(x, 2, rows);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < lanes; ++i) out[r * kWidth + i] = f(p[2 * r][i], p[2 * r + 1][i]);
  };
  switch (code) {
    case Code::add:
      return binary([](V a, V b) HWY_ATTR { return hn::Add(a, b); });
    case Code::sub:
      return binary([](V a, V b) HWY_ATTR { return hn::Sub(a, b); });
    case Code::mul:
      return binary([](V a, V b) HWY_ATTR { return hn::Mul(a, b); });
    case Code::div:
      return binary([](V a, V b) HWY_ATTR { return hn::Div(a, b); });
    case Code::min:
      return binary([](V a, V b) HWY_ATTR { return MinOf(a, b); });
    case Code::max:
      return binary([](V a, V b) HWY_ATTR { return MaxOf(a, b); });
    case Code::lt:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::Lt(a, b)); });
    case Code::le:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::Le(a, b)); });
    case Code::eq:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::Eq(a, b)); });
    case Code::ne:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::Ne(a, b)); });
    case Code::logical_and:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::And(IsTrue(a), IsTrue(b))); });
    case Code::logical_or:
      return binary([](V a, V b) HWY_ATTR { return Truth(hn::Or(IsTrue(a), IsTrue(b))); });
    case Code::exp_mul:
      return binary([](V a, V b) HWY_ATTR { return Exp(hn::Mul(a, b)); });
    case Code::pow:
      return two_numbers([](double a, double b) { return std::pow(a, b); });
    case Code::log_gamma_below:
      return two_numbers(log_gamma_below);
    case Code::log_gamma_above:
      return two_numbers(log_gamma_above);
    case Code::slope_gamma_below:
      return two_numbers(slope_gamma_below);
    case Code::slope_gamma_above:
      return two_numbers(slope_gamma_above);
    default:
      return;
  }
}

void Quadratic(const View* x, Room& room, double* out, std::size_t rows, std::size_t lanes) {
  if (x[0].each && x[3].each && (x[1].each || x[2].each)) {
    if (x[1].each && x[2].each) return QuadraticAs<true, true>(x, out, rows, lanes);
    return x[1].each ? QuadraticAs<true, false>(x, out, rows, lanes) : QuadraticAs<false, true>(x, out, rows, lanes);
  }
  const double* const* p = room.lanes_of(x, 4, rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const View row[4] = {{p[4 * r]}, {p[4 * r + 1]}, {p[4 * r + 2]}, {p[4 * r + 3]}};
    QuadraticAs<true, true>(row, out + r * kWidth, 1, lanes);
  }
}

template <class F>
void ThreeNumbers(const View* x, Room& room, double* out, std::size_t rows, std::size_t lanes, F f) {
  const double* const* p = room.lanes_of(x, 3, rows);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < lanes; ++i) out[r * kWidth + i] = f(p[3 * r][i], p[3 * r + 1][i], p[3 * r + 2][i]);
}

void Step(Code code, const View* x, std::size_t count, Room& room, double* out, std::size_t rows, std::size_t lanes) {
  switch (code) {
    case Code::where:
      return Ternary(x, out, rows, lanes, [](V c, V a, V b) HWY_ATTR { return hn::IfThenElse(IsTrue(c), a, b); });
    case Code::log_beta_below:
      return ThreeNumbers(x, room, out, rows, lanes, log_beta_below);
    case Code::slope_beta_below_a:
      return ThreeNumbers(x, room, out, rows, lanes, slope_beta_below_a);
    case Code::slope_beta_below_b:
      return ThreeNumbers(x, room, out, rows, lanes, slope_beta_below_b);
    case Code::mul_add:
      return Ternary(x, out, rows, lanes, [](V a, V b, V c) HWY_ATTR { return hn::MulAdd(a, b, c); });
    case Code::mul_sub:
      return Ternary(x, out, rows, lanes, [](V a, V b, V c) HWY_ATTR { return hn::MulSub(a, b, c); });
    case Code::neg_mul_add:
      return Ternary(x, out, rows, lanes, [](V a, V b, V c) HWY_ATTR { return hn::NegMulAdd(a, b, c); });
    case Code::quadratic:
      return Quadratic(x, room, out, rows, lanes);
    case Code::products:
      return Products(x, out, rows, lanes);
    case Code::log_sum_exp:
      return LogSumExp(x, count, room, out, rows, lanes);
    case Code::linear:
      return Linear(x, count, room, out, rows, lanes);
    case Code::copy:
      for (std::size_t i = 0; i < lanes; ++i) out[i] = x[0].base[x[0].each ? i : 0];
      return;
    default:
      break;
  }
  count == 1 ? OneArgument(code, x[0], out, rows, lanes) : TwoArguments(code, x, room, out, rows, lanes);
}

void Begin(const Reduction& r, double* slots) {
  const double start = r.fold == Fold::min ? kInf : r.fold == Fold::max ? -kInf : 0.0;
  std::fill_n(slots + r.out * kWidth, r.groups * kWidth, start);
  std::fill_n(slots + r.state * kWidth, kWidth, 1.0);  // a product and its exponent, and a sum
  std::fill_n(slots + (r.state + 1) * kWidth, 2 * kWidth, 0.0);
}

void Accumulate(const Reduction& r, const View* x, const std::uint32_t* group, Room& room, double* slots,
                std::size_t rows, std::size_t lanes) {
  const D d;
  double *out = slots + r.out * kWidth, *state = slots + r.state * kWidth;
  switch (r.fold) {
    case Fold::sum:
      return FoldOne(x[0], out, rows, lanes, [](V s, V a) HWY_ATTR { return hn::Add(s, a); });
    case Fold::sum_square:
      return FoldOne(x[0], out, rows, lanes, [](V s, V a) HWY_ATTR { return hn::MulAdd(a, a, s); });
    case Fold::sum_product:
      return FoldTwo(x, out, rows, lanes, [](V s, V a, V b) HWY_ATTR { return hn::MulAdd(a, b, s); });
    case Fold::sum_difference:
      return FoldTwo(x, out, rows, lanes, [](V s, V a, V b) HWY_ATTR {
        const V t = hn::Sub(a, b);
        return hn::MulAdd(t, t, s);
      });
    case Fold::min:
      return FoldOne(x[0], out, rows, lanes, [](V s, V a) HWY_ATTR { return MinOf(s, a); });
    case Fold::max:
      return FoldOne(x[0], out, rows, lanes, [](V s, V a) HWY_ATTR { return MaxOf(s, a); });
    case Fold::group:
      return FoldGroups(x[0], group, out, rows, lanes);
    case Fold::sum_log:
      return FoldProduct<false>(state, rows, lanes, [&](std::size_t k, std::size_t i, V&) HWY_ATTR {
        const V a = hn::Load(d, x[0].row(k) + i);
        return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Set(d, kNaN), a);  // or two of them would make a positive one
      });
    case Fold::sum_log1p_exp:
      return FoldProduct<true>(state, rows, lanes, [&](std::size_t k, std::size_t i, V& sum) HWY_ATTR {
        const V a = hn::Load(d, x[0].row(k) + i);
        return OnePlusExp(a, sum);
      });
    case Fold::sum_log_sum_exp:
      return FoldLogSumExp(x, r.count, room, state, rows, lanes);
    case Fold::store:
      return;
  }
}

void End(const Reduction& r, double* slots, std::size_t lanes) {
  if (r.fold == Fold::sum_log || r.fold == Fold::sum_log1p_exp || r.fold == Fold::sum_log_sum_exp)
    EndProduct(slots + r.state * kWidth, slots + r.out * kWidth, lanes);
}

/// Rows row .. row+rows-1 of output k.
void Store(const RowTarget& to, std::size_t k, const View& x, std::size_t row, std::size_t rows, std::size_t lanes) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double* from = x.row(r);
    double* out = to.out + (k * to.count + row + r - to.first) * to.stride;
    x.each ? std::copy_n(from, lanes, out) : std::fill_n(out, lanes, *from);
  }
}

void RunTile(const Program& p, const Sweep& sweep, Workspace& w, std::size_t row, std::size_t rows, std::size_t lanes) {
  const std::size_t tile = sweep.tile_rows * kWidth;
  double* slots = w.slots.data();
  for (const Instruction& in : sweep.steps)
    Step(in.code, w.views(p, in.first, in.count, row, sweep.tile_rows), in.count, w.room,
         w.tiles.data() + in.out * tile, rows, lanes);
  for (std::size_t k = 0; k < sweep.reductions.size(); ++k) {
    const Reduction& r = sweep.reductions[k];
    const View* x = w.views(p, r.first, r.count, row, sweep.tile_rows);
    if (sweep.stores) {
      Store(w.target, k, x[0], row, rows, lanes);
    } else {
      Accumulate(r, x, r.fold == Fold::group ? p.indices[r.index]->data() + row : nullptr, w.room, slots, rows, lanes);
    }
  }
}

/// All of a program, for the particles in the first `lanes` lanes.
void RunBlock(const Program& p, Workspace& w, std::size_t lanes) {
  double* slots = w.slots.data();
  for (std::size_t s = 0; s < p.stages.size(); ++s) {
    const Stage& stage = p.stages[s];
    for (const Instruction& in : stage.steps)
      Step(in.code, w.views(p, in.first, in.count, 0, 1), in.count, w.room, slots + in.out * kWidth, 1, lanes);
    if (p.ode && p.ode_stage == s) Solve(p, w, &Step);
    if (p.backward && p.backward_stage == s) GoBack(p, w, &Step);
    for (const Sweep& sweep : stage.sweeps) {
      if (sweep.stores) {
        const std::size_t end = w.target.first + w.target.count;
        for (std::size_t row = w.target.first; row < end; row += sweep.tile_rows)
          RunTile(p, sweep, w, row, std::min(sweep.tile_rows, end - row), lanes);
        continue;
      }
      for (const Reduction& r : sweep.reductions) Begin(r, slots);
      for (std::size_t row = 0; row < sweep.rows; row += sweep.tile_rows)
        RunTile(p, sweep, w, row, std::min(sweep.tile_rows, sweep.rows - row), lanes);
      for (const Reduction& r : sweep.reductions) End(r, slots, lanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::formula {

HWY_EXPORT(RunBlock);

namespace {

Workspace& workspace_for(const Program& p) {
  thread_local Workspace workspace;  // one a thread, and kept: a program is run thousands of times
  workspace.fit(p);
  return workspace;
}

void run_some(const Program& p, Workspace& workspace, ConstBlock theta, std::size_t first, std::size_t count) {
  for (const std::uint32_t j : p.used)
    std::copy_n(theta.row_data(j) + first, padded(count), workspace.slots.data() + j * kWidth);
  workspace.particles = count;
  HWY_DYNAMIC_DISPATCH(RunBlock)(p, workspace, padded(count));
}

}  // namespace

void run_rows(const Program& p, ConstBlock theta, std::size_t first, std::size_t count, Block out) {
  Workspace& workspace = workspace_for(p);
  for (std::size_t i = 0; i < theta.size(); i += kWidth) {
    workspace.target = {first, count, out.data() + i, out.stride()};
    run_some(p, workspace, theta, i, std::min(kWidth, theta.size() - i));
  }
}

void run(const Program& p, ConstBlock theta, std::span<double* const> rows) {
  Workspace& workspace = workspace_for(p);
  for (std::size_t first = 0; first < theta.size(); first += kWidth) {
    const std::size_t count = std::min(kWidth, theta.size() - first);
    run_some(p, workspace, theta, first, count);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const View from = *workspace.view(p, p.outputs[k]);
      for (std::size_t i = 0; i < count; ++i) rows[k][first + i] = from.base[from.each ? i : 0];
    }
  }
}

}  // namespace evident::formula
#endif  // HWY_ONCE
