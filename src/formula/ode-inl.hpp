// Solves a differential equation for a block of particles, each with steps of its own. Compiled once per SIMD target.
//
// Every lane holds a particle. All lanes attempt a step at once; then each keeps or repeats its own, so that nobody's
// solution depends on its neighbours. Lanes that are done are filled from the end, and fewer and fewer are at work.
#if defined(EVIDENT_FORMULA_ODE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_FORMULA_ODE_INL_HPP_
#undef EVIDENT_FORMULA_ODE_INL_HPP_
#else
#define EVIDENT_FORMULA_ODE_INL_HPP_
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/flush_to_zero.hpp"
#include "formula/ode_math-inl.hpp"
#include "formula/ode_program.hpp"
#include "formula/workspace.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

class Solver {
 public:
  Solver(const Program& p, Workspace& w, StepFunction step)
      : p_(p), o_(*p.ode), w_(w), r_(w.ode), step_(step), n_(o_.states), records_(p.backward != nullptr) {}

  void run() {
    r_.lay_out(o_);
    r_.tape.clear();
    r_.tape.parts.clear();
    begin();
    r_.tape.clear();  // who left before the first step is not to be met again
    go_on(o_.max_steps);
    while (active_ > 0) give_up(active_ - 1);
  }

  /// Part `which` of the tape once more, which is not the last one.
  void repeat(std::size_t which) {
    restore(r_.tape.parts[which]);
    r_.tape.clear();
    again_ = true;
    go_on(r_.tape.parts[which + 1].attempts);
  }

  /// The states at stages 1 .. 5 of an attempt.
  void make_again(const OdeTape::Attempt& a) {
    const double* from = r_.tape.numbers.data() + a.at;
    active_ = a.lanes;
    std::copy_n(from, a.lanes, r_.step);
    std::copy_n(from + a.lanes, a.lanes, r_.time);
    std::copy_n(r_.time, a.lanes, r_.slots + o_.time_slot() * kWidth);
    for (std::size_t k = 0; k < n_; ++k) std::copy_n(from + (2 + k) * a.lanes, a.lanes, r_.y + k * kWidth);
    rates(0);
    first_stages(std::make_index_sequence<4>());
    combine<4>(std::make_index_sequence<4>());
  }
  double* input(std::size_t j) const { return r_.slots + j * kWidth; }
  const double* states() const { return r_.y; }

 private:
  void go_on(std::size_t until) {
    for (; active_ > 0 && attempts_ < until; ++attempts_) {
      if (records_ && !again_) begin_part();
      stages();
      const std::uint64_t over = keep_or_repeat();
      for (std::size_t lane = active_; lane-- > 0;)
        if ((over >> lane & 1) != 0) leave(lane);
      if (records_) r_.tape.attempts.back().departures = r_.tape.departures.size();
    }
  }

  /// A new part of the tape when there is none, or the last is full.
  void begin_part() {
    OdeTape& tape = r_.tape;
    if (!tape.parts.empty() && tape.used + OdeTape::rows(n_) * lanes() <= OdeTape::most_numbers(n_)) return;
    tape.clear();
    OdeTape::Point& point = tape.parts.emplace_back();
    point = {attempts_, active_, r_.next, r_.particle, {}};
    rows_to_keep([&](double* row) { point.numbers.insert(point.numbers.end(), row, row + kWidth); });
  }

  void restore(const OdeTape::Point& point) {
    attempts_ = point.attempts;
    active_ = point.active;
    r_.next = point.next;
    r_.particle = point.particle;
    const double* from = point.numbers.data();
    rows_to_keep([&](double* row) {
      std::copy_n(from, kWidth, row);
      from += kWidth;
    });
  }

  /// All that a particle has from one attempt to the next.
  template <class F>
  void rows_to_keep(F f) {
    for (std::size_t j = 0; j < o_.inputs.size(); ++j) f(r_.slots + j * kWidth);
    for (std::size_t k = 0; k < n_; ++k) {
      f(r_.y + k * kWidth);
      f(rate(0, k));
    }
    for (double* row : {r_.time, r_.wish, r_.error, r_.next_time}) f(row);
  }

  std::size_t lanes() const {
    const std::size_t n = hn::Lanes(D());
    return (active_ + n - 1) / n * n;
  }
  double* rate(std::size_t stage, std::size_t k) const { return r_.rates + (stage * n_ + k) * kWidth; }
  double* state(std::size_t stage, std::size_t k) const { return r_.state(o_, stage, k); }
  double end() const { return o_.times.back(); }

  void rates(std::size_t stage) { run_rates(r_.placed.steps[stage], w_.room, step_, lanes()); }

  void begin() {
    active_ = w_.particles;
    const auto load = [&](const Operand& from, double* to) {
      const View v = *w_.view(p_, from);
      for (std::size_t i = 0; i < kWidth; ++i) to[i] = v.base[v.each ? std::min(i, active_ - 1) : 0];
    };
    for (std::size_t j = 0; j < o_.inputs.size(); ++j) load(o_.inputs[j], r_.slots + j * kWidth);
    for (std::size_t k = 0; k < n_; ++k) load(o_.starts[k], r_.y + k * kWidth);
    std::fill_n(r_.time, kWidth, o_.from);
    std::fill_n(r_.slots + o_.time_slot() * kWidth, kWidth, o_.from);
    std::fill_n(r_.error, kWidth, 1.0);
    std::size_t at_start = 0;
    while (at_start < o_.times.size() && o_.times[at_start] <= o_.from) ++at_start;
    for (std::size_t i = 0; i < active_; ++i) {
      r_.particle[i] = static_cast<std::uint32_t>(i);
      r_.next[i] = 0;
      w_.slots[p_.solved * kWidth + i] = 1;
      for (; r_.next[i] < at_start; ++r_.next[i])
        for (std::size_t c = 0; c < o_.curves.size(); ++c)
          r_.curve_at(o_, c, r_.next[i], i) = r_.y[o_.curves[c] * kWidth + i];
    }
    std::fill_n(r_.next_time, kWidth, at_start < o_.times.size() ? o_.times[at_start] : kInf);
    rates(0);
    first_steps();
    for (std::size_t i = active_; i-- > 0;) {
      bool good = true;
      for (std::size_t k = 0; k < n_; ++k) good = good && std::isfinite(r_.y[k * kWidth + i] + rate(0, k)[i]);
      if (!good)
        give_up(i);
      else if (at_start == o_.times.size())
        leave(i);
    }
  }

  /// A hundredth of the time in which a state would double; what is too long is found out soon.
  void first_steps() {
    const double span = end() - o_.from;
    for (std::size_t i = 0; i < active_; ++i) {
      double size = 0, speed = 0;
      for (std::size_t k = 0; k < n_; ++k) {
        const double y = std::abs(r_.y[k * kWidth + i]), scale = o_.absolute + o_.tolerance * y;
        size = std::max(size, y / scale);
        speed = std::max(speed, std::abs(rate(0, k)[i]) / scale);
      }
      r_.wish[i] = std::clamp(0.01 * size / std::max(speed, 1e-300), 1e-4 * span, 0.1 * span);
    }
  }

  /// The sum of kStage[S][j] rate_j, as an increment of the states.
  template <std::size_t S, std::size_t... J>
  HWY_INLINE void combine(std::index_sequence<J...>) {
    const D d;
    const std::size_t count = lanes();
    const std::size_t row = n_ * kWidth;
    for (std::size_t k = 0; k < n_; ++k) {
      const double *from = r_.rates + k * kWidth, *y = r_.y + k * kWidth;
      double* to = state(S + 1, k);
      for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        V sum = hn::Mul(hn::Set(d, tsitouras::kStage[S][0]), hn::Load(d, from + i));
        ((sum = hn::MulAdd(hn::Set(d, tsitouras::kStage[S][J + 1]), hn::Load(d, from + (J + 1) * row + i), sum)), ...);
        hn::Store(hn::MulAdd(hn::Load(d, r_.step + i), sum, hn::Load(d, y + i)), d, to + i);
      }
    }
    if (o_.rates.uses_time) {
      double* to = r_.slots + o_.time_slot() * kWidth;
      for (std::size_t i = 0; i < count; i += hn::Lanes(d))
        hn::Store(hn::MulAdd(hn::Load(d, r_.step + i), hn::Set(d, tsitouras::kTime[S + 1]), hn::Load(d, r_.time + i)),
                  d, to + i);
    }
  }

  template <std::size_t S>
  HWY_INLINE void stage() {
    combine<S>(std::make_index_sequence<S>());
    rates(S + 1);
  }
  template <std::size_t... S>
  HWY_INLINE void first_stages(std::index_sequence<S...>) {
    (stage<S>(), ...);
  }

  HWY_INLINE void stages() {
    const D d;
    for (std::size_t i = 0; i < lanes(); i += hn::Lanes(d)) {
      const V left = hn::Sub(hn::Set(d, end()), hn::Load(d, r_.time + i));
      hn::Store(hn::Min(hn::Load(d, r_.wish + i), left), d, r_.step + i);
    }
    if (records_) record();
    first_stages(std::make_index_sequence<6>());
  }

  /// The largest error of a state in units of what is allowed; NaN when one is not finite.
  HWY_INLINE V error(std::size_t i) {
    const D d;
    const std::size_t row = n_ * kWidth;
    const V h = hn::Load(d, r_.step + i), relative = hn::Set(d, o_.tolerance), absolute = hn::Set(d, o_.absolute);
    V worst = hn::Zero(d), odd = hn::Zero(d);
    for (std::size_t k = 0; k < n_; ++k) {
      const double* from = r_.rates + k * kWidth + i;
      V sum = hn::Mul(hn::Set(d, tsitouras::kError[0]), hn::Load(d, from));
      for (std::size_t j = 1; j < kOdeStages; ++j)
        sum = hn::MulAdd(hn::Set(d, tsitouras::kError[j]), hn::Load(d, from + j * row), sum);
      const V after = hn::Load(d, state(6, k) + i);
      const V size = hn::Max(hn::Abs(hn::Load(d, r_.y + k * kWidth + i)), hn::Abs(after));
      V part = hn::Div(hn::Abs(hn::Mul(h, sum)), hn::MulAdd(relative, size, absolute));
      odd = hn::Add(odd, hn::Sub(part, part));  // NaN once there is an infinite or an odd number
      worst = hn::Max(worst, part);
    }
    return hn::Add(worst, odd);
  }

  /// Bit i: lane i has reached the last time, or cannot go on. Three loops, so that the first has no branches and runs
  /// as fast as the arithmetic goes.
  std::uint64_t keep_or_repeat() {
    const D d;
    const std::size_t width = hn::Lanes(d), count = lanes();
    const std::uint64_t valid = ~std::uint64_t{0} >> (kWidth - active_);
    std::uint64_t kept = 0, hit = 0, over = 0;
    for (std::size_t i = 0; i < count; i += width) {
      const V t = hn::Load(d, r_.time + i), wish = hn::Load(d, r_.wish + i), last = hn::Set(d, end()), e = error(i);
      const auto good = hn::Le(e, One());
      const V target = hn::IfThenElse(hn::Ge(wish, hn::Sub(last, t)), last, hn::Add(t, hn::Load(d, r_.step + i)));
      const V now = hn::IfThenElse(good, target, t);
      V next_wish = resize(i, e, good);
      if (records_) next_wish = hn::Min(next_wish, longest(i));
      kept |= bits(good) << i;
      hit |= bits(hn::Le(hn::Load(d, r_.next_time + i), now)) << i;
      over |= bits(hn::Le(hn::Add(now, next_wish), now)) << i;
      hn::Store(next_wish, d, r_.wish + i);
      hn::Store(now, d, r_.after + i);
    }
    for (hit &= valid; hit != 0; hit = observe(hit)) {
    }
    if (records_) note(kept, valid);
    take(kept);
    for (std::size_t i = 0; i < active_; ++i)
      if (r_.next_time[i] == kInf) over |= std::uint64_t{1} << i;
    return over & valid;
  }

  /// Where no state moves slopes may, and nothing else would keep the steps from growing.
  HWY_INLINE V longest(std::size_t i) const {
    const D d;
    V speed = hn::Zero(d);
    for (std::size_t k = 0; k < n_; ++k) speed = hn::Max(speed, hn::Abs(hn::Load(d, rate(6, k) + i)));
    return hn::IfThenElse(hn::Eq(speed, hn::Zero(d)), hn::Set(d, 1e-3 * (end() - o_.from)), hn::Set(d, kInf));
  }

  void record() {
    const std::size_t count = lanes();
    record_ = r_.tape.add(OdeTape::rows(n_), count);
    std::copy_n(r_.step, count, record_);
    std::copy_n(r_.time, count, record_ + count);
    for (std::size_t k = 0; k < n_; ++k) std::copy_n(r_.y + k * kWidth, count, record_ + (2 + k) * count);
  }

  void note(std::uint64_t kept, std::uint64_t valid) {
    r_.tape.attempts.back().kept = kept & valid;
    for (std::uint64_t left = valid & ~kept; left != 0; left &= left - 1) record_[std::countr_zero(left)] = 0;
  }

  /// The lanes in `kept` are at the end of their step.
  HWY_INLINE void take(std::uint64_t kept) {
    const D d;
    const std::size_t width = hn::Lanes(d), count = lanes(), row = 6 * n_ * kWidth;
    std::copy_n(r_.after, count, r_.time);
    for (std::size_t i = 0; i < count; i += width) {
      const auto good = lanes_in(kept, i);
      for (std::size_t k = 0; k < n_; ++k) {
        double *y = r_.y + k * kWidth + i, *first = r_.rates + k * kWidth + i;
        hn::Store(hn::IfThenElse(good, hn::Load(d, state(6, k) + i), hn::Load(d, y)), d, y);
        hn::Store(hn::IfThenElse(good, hn::Load(d, first + row), hn::Load(d, first)), d, first);
      }
    }
  }

  /// The next step from the error of this one and of the last (a PI controller).
  HWY_INLINE V resize(std::size_t i, V e, hn::Mask<D> good) {
    const D d;
    const V size =
        hn::Min(hn::Max(hn::IfThenElse(hn::Eq(e, e), e, hn::Set(d, 1e9)), hn::Set(d, 1e-8)), hn::Set(d, 1e9));
    const V before = hn::Load(d, r_.error + i);
    const V change = hn::Mul(hn::Set(d, 0.9), powers(size, before));
    const V factor = hn::Min(hn::Max(change, hn::Set(d, 0.15)), hn::IfThenElse(good, hn::Set(d, 8.0), hn::Set(d, 0.8)));
    hn::Store(hn::IfThenElse(good, size, before), d, r_.error + i);
    return hn::Mul(hn::Load(d, r_.step + i), factor);
  }

  /// The states at the next time of the lanes in `hit`; those which go beyond another time are the result.
  std::uint64_t observe(std::uint64_t hit) {
    const D d;
    const std::size_t width = hn::Lanes(d);
    std::uint64_t more = 0;
    while (hit != 0) {
      const auto i = static_cast<std::size_t>(std::countr_zero(hit)) / width * width;
      const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << i;
      more |= observe(i, hit & mask);
      hit &= ~mask;
    }
    return more;
  }

  HWY_INLINE std::uint64_t observe(std::size_t i, const std::uint64_t hit) {
    const D d;
    const std::size_t row = n_ * kWidth;
    const V h = hn::Load(d, r_.step + i);
    V weight[kOdeStages];
    interpolant(hn::Div(hn::Sub(hn::Load(d, r_.next_time + i), hn::Load(d, r_.time + i)), h), h, weight);
    HWY_ALIGN double found[8];
    for (std::size_t c = 0; c < o_.curves.size(); ++c) {
      const std::size_t k = o_.curves[c];
      const double* from = r_.rates + k * kWidth + i;
      V sum = hn::Load(d, r_.y + k * kWidth + i);
      for (std::size_t j = 0; j < kOdeStages; ++j) sum = hn::MulAdd(weight[j], hn::Load(d, from + j * row), sum);
      hn::Store(sum, d, found);
      for (std::uint64_t left = hit; left != 0; left &= left - 1) {
        const auto l = static_cast<std::size_t>(std::countr_zero(left));
        r_.curve_at(o_, c, r_.next[l], r_.particle[l]) = found[l - i];
      }
    }
    std::uint64_t more = 0;
    for (std::uint64_t left = hit; left != 0; left &= left - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t next = ++r_.next[l];
      r_.next_time[l] = next < o_.times.size() ? o_.times[next] : kInf;
      if (r_.next_time[l] <= r_.after[l]) more |= std::uint64_t{1} << l;
    }
    return more;
  }

  /// A lane without a solution: its particle is impossible.
  void give_up(std::size_t lane) {
    const std::size_t who = r_.particle[lane];
    w_.slots[p_.solved * kWidth + who] = 0;
    for (std::size_t c = 0; c < o_.curves.size(); ++c)
      for (std::size_t j = r_.next[lane]; j < o_.times.size(); ++j) r_.curve_at(o_, c, j, who) = kNaN;
    r_.next_time[lane] = kInf;
    leave(lane);
  }

  void leave(std::size_t lane) {
    if (r_.next_time[lane] != kInf) return give_up(lane);
    const std::size_t last = --active_;
    if (records_) {
      r_.tape.departures.push_back({static_cast<std::uint32_t>(lane), r_.particle[lane], r_.next[lane]});
      for (std::size_t k = 0; k < n_; ++k) r_.tape.ends.push_back(r_.y[k * kWidth + lane]);
    }
    if (lane == last) return;
    rows_to_keep([&](double* row) { row[lane] = row[last]; });
    r_.next[lane] = r_.next[last];
    r_.particle[lane] = r_.particle[last];
  }

  const Program& p_;
  const OdeProgram& o_;
  Workspace& w_;
  OdeRoom& r_;
  StepFunction step_;
  std::size_t n_, active_ = 0, attempts_ = 0;
  bool records_, again_ = false;
  double* record_ = nullptr;  ///< of the attempt at work
};

void Solve(const Program& p, Workspace& w, StepFunction step) {
  const FlushToZero guard;
  Solver(p, w, step).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
