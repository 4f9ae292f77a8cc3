// One attempted step of every lane; the plain twin with the same order of operations is scalar.cpp.
// Included once per Highway target, hence the toggled guard.
#if defined(EVIDENT_GOODWIN_STEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_GOODWIN_STEP_INL
#undef EVIDENT_GOODWIN_STEP_INL
#else
#define EVIDENT_GOODWIN_STEP_INL
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "models/goodwin/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::goodwin::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;

template <Power P>
HWY_INLINE V power(const Feedback& f, V v) {
  const D d;
  if constexpr (P == Power::ten) {
    const V v2 = hn::Mul(v, v), v4 = hn::Mul(v2, v2);
    return hn::Mul(v2, hn::Mul(v4, v4));
  } else if constexpr (P == Power::integer) {
    V result = hn::Set(d, 1.0), square = v;
    for (unsigned n = f.integer_rho; n != 0; n >>= 1) {
      if (n & 1U) result = hn::Mul(result, square);
      square = hn::Mul(square, square);
    }
    return result;
  } else {
    return hn::Exp(d, hn::Mul(hn::Set(d, f.rho), hn::Log(d, v)));
  }
}

template <Power P>
HWY_INLINE V feedback(const Feedback& f, V v) {
  const D d;
  const V one = hn::Set(d, 1.0);
  const V clamped = hn::Min(hn::Max(v, hn::Set(d, f.low)), hn::Set(d, f.high));
  return hn::Div(one, hn::Add(one, power<P>(f, clamped)));
}

/// exp(-x) and exp(x) from the even and odd Taylor parts up to x^13.
HWY_INLINE void exponentials(V x, V& down, V& up) {
  const D d;
  const V y = hn::Mul(x, x);
  V c = hn::Set(d, 1.0 / 479001600), s = hn::Set(d, 1.0 / 6227020800);
  for (const double k : {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1.0})
    c = hn::MulAdd(y, c, hn::Set(d, k));
  for (const double k : {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0})
    s = hn::MulAdd(y, s, hn::Set(d, k));
  const V odd = hn::Mul(x, s);
  down = hn::Sub(c, odd);
  up = hn::Add(c, odd);
}

/// About x^(-1/16), from the bits.
HWY_INLINE V inverse_root16(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  constexpr std::uint64_t one = 0x3FF0000000000000ULL;
  return hn::BitCast(d, hn::Sub(hn::Set(du, one + (one >> 4)), hn::ShiftRight<4>(hn::BitCast(du, x))));
}

/// M components (0: as the plan says) and one way to compute the power.
template <std::size_t M, Power P>
struct Stepper {
  const GoodwinProblem::Plan& plan;
  const std::size_t m;
  V v[M ? M : kMaxM], next[M ? M : kMaxM], power_of_h[(M ? M : kMaxM) + 1];
  V e[kNodes], q[kNodes], at[kNodes];
  V b, decay, g, h;

  explicit Stepper(const GoodwinProblem::Plan& p) : plan(p), m(M ? M : p.m) {}

  HWY_INLINE void collocate() {
    const D d;
    const Collocation& t = plan.table;
    const V x = hn::Mul(hn::Mul(hn::Set(d, 0.5), h), decay), one = hn::Set(d, 1.0);
    for (std::size_t k = 0; k < 3; ++k) exponentials(hn::Mul(x, hn::Set(d, t.ratio[k])), e[k], e[kNodes - 1 - k]);
    e[3] = one;
    power_of_h[0] = one;
    V volume = b;
    for (std::size_t k = 1; k <= m; ++k) {
      power_of_h[k] = hn::Mul(hn::Mul(power_of_h[k - 1], h), hn::Set(d, 1.0 / static_cast<double>(k)));
      volume = hn::Mul(volume, h);
    }
    q[0] = hn::Mul(e[0], g);
    const V last = v[m - 1];
    const V growth = hn::Div(hn::Sub(v[m - 2], hn::Mul(decay, last)), hn::Max(last, hn::Set(d, plan.feedback.low)));
    const V slope = hn::Mul(hn::Mul(hn::Mul(hn::Set(d, plan.feedback.rho), g), hn::Sub(one, g)), growth);
    const V a0 = hn::Mul(volume, q[0]);
    const V a1 = hn::Mul(hn::Mul(volume, h), hn::Mul(e[0], hn::Sub(hn::Mul(decay, g), slope)));
    V term[M ? M : kMaxM], base[kNodes];
    for (std::size_t k = 0; k < m; ++k) term[k] = hn::Mul(v[m - 1 - k], power_of_h[k]);
    for (std::size_t j = 1; j < kNodes; ++j) {
      const V c = hn::Set(d, t.node[j]);
      V sum = term[m - 1];
      for (std::size_t k = m - 1; k-- > 0;) sum = hn::MulAdd(sum, c, term[k]);
      base[j] = hn::Mul(sum, e[0]);
      const V guess = hn::MulAdd(hn::Set(d, t.start_value[j]), a0, base[j]);
      at[j] = hn::Mul(hn::MulAdd(hn::Set(d, t.start_slope[j]), a1, guess), e[kNodes - 1 - j]);
    }
    for (std::size_t sweep = 0;; ++sweep) {
      for (std::size_t j = 1; j < kNodes; ++j) q[j] = hn::Mul(e[j], feedback<P>(plan.feedback, at[j]));
      if (sweep + 1 == plan.sweeps) return;
      V sum[kNodes];
      for (std::size_t j = 1; j < kNodes; ++j) sum[j] = hn::Mul(hn::Set(d, t.inner[0][j]), q[0]);
      for (std::size_t l = 1; l < kNodes; ++l)
        for (std::size_t j = 1; j < kNodes; ++j) sum[j] = hn::MulAdd(hn::Set(d, t.inner[l][j]), q[l], sum[j]);
      for (std::size_t j = 1; j < kNodes; ++j) at[j] = hn::Mul(hn::MulAdd(volume, sum[j], base[j]), e[kNodes - 1 - j]);
    }
  }

  /// The states after the step, and the error in units of the tolerance.
  HWY_INLINE V end(V floor) {
    const D d;
    const Collocation& t = plan.table;
    V bh = b;
    for (std::size_t i = 0; i < m; ++i) {
      bh = hn::Mul(bh, h);
      V drive = hn::Mul(hn::Set(d, t.end[i][0]), q[0]);
      for (std::size_t l = 1; l < kNodes; ++l) drive = hn::MulAdd(hn::Set(d, t.end[i][l]), q[l], drive);
      V sum = v[i];
      for (std::size_t k = 1; k <= i; ++k) sum = hn::MulAdd(power_of_h[k], v[i - k], sum);
      next[i] = hn::Mul(hn::MulAdd(bh, drive, hn::Mul(e[0], sum)), e[0]);
    }
    V top = hn::Mul(hn::Set(d, t.top[0]), q[0]), below = hn::Mul(hn::Set(d, t.below_top[0]), q[0]), largest = q[0];
    for (std::size_t l = 1; l < kNodes; ++l) {
      top = hn::MulAdd(hn::Set(d, t.top[l]), q[l], top);
      below = hn::MulAdd(hn::Set(d, t.below_top[l]), q[l], below);
      largest = hn::Max(largest, q[l]);
    }
    const V size = hn::Max(hn::Abs(top), hn::Mul(hn::Set(d, kRatio), hn::Abs(below)));
    const V lost = hn::Mul(size, hn::Div(size, largest)), last = next[m - 1];
    const V moved = hn::Div(hn::Abs(hn::Sub(last, at[kNodes - 1])), hn::Max(last, hn::Mul(hn::Set(d, 0.5), floor)));
    const V rate = hn::Max(hn::Div(hn::Mul(b, h), hn::Add(floor, next[0])),
                           hn::Div(hn::Mul(b, power_of_h[m]), hn::Add(floor, last)));
    const V error = hn::MulAdd(hn::Set(d, plan.sweep_weight), moved, lost);
    return hn::Mul(error, hn::Mul(rate, hn::Set(d, 1 / kTolerance)));
  }

  /// Moves the lanes of one vector, from lane `first`; bit i of the result is set when lane first + i needs attention.
  HWY_INLINE unsigned operator()(LaneState& s, std::size_t first) {
    const D d;
    for (std::size_t i = 0; i < m; ++i) v[i] = hn::Load(d, s.v[i] + first);
    b = hn::Load(d, s.b + first);
    decay = hn::Load(d, s.decay + first);
    g = hn::Load(d, s.g + first);
    const V wish = hn::Load(d, s.h + first), left = hn::Load(d, s.left + first), one = hn::Set(d, 1.0);
    const V half = hn::IfThenElse(hn::Gt(hn::Add(wish, wish), left), hn::Mul(hn::Set(d, 0.5), left), wish);
    h = hn::IfThenElse(hn::Ge(wish, left), left, half);
    collocate();
    const V error = end(hn::Load(d, s.floor + first));

    V change = hn::Min(hn::Max(error, hn::Set(d, 1e-20)), hn::Set(d, 1e20));
    change = hn::Mul(hn::Set(d, 0.9), inverse_root16(change));
    change = hn::IfThenElse(hn::Eq(error, error), change, hn::Set(d, 0.25));
    change = hn::Min(hn::Max(change, hn::Set(d, 0.25)), hn::Set(d, 4.0));
    const auto good = hn::Le(error, one);
    const V kept = hn::IfThenElseZero(hn::Lt(h, wish), hn::Mul(wish, hn::Min(change, one)));
    const V longer = hn::Min(hn::Max(kept, hn::Mul(h, change)), hn::Set(d, kMaxStep));
    const V shorter = hn::Mul(h, hn::Min(change, hn::Set(d, 0.8)));
    hn::Store(hn::IfThenElse(good, longer, shorter), d, s.h + first);
    hn::Store(hn::IfThenElse(good, feedback<P>(plan.feedback, next[m - 1]), g), d, s.g + first);
    for (std::size_t i = 0; i < m; ++i) {
      v[i] = hn::IfThenElse(good, next[i], v[i]);
      hn::Store(v[i], d, s.v[i] + first);
    }
    const V remaining = hn::IfThenElse(good, hn::Sub(left, h), left);
    hn::Store(remaining, d, s.left + first);
    const V steps = hn::Add(hn::Load(d, s.steps + first), one);
    hn::Store(steps, d, s.steps + first);

    const V outflow = hn::Mul(decay, v[m - 1]);
    const auto still = hn::Le(hn::Abs(hn::Sub(v[m - 2], outflow)), hn::Mul(hn::Set(d, kSteady), outflow));
    const auto over = hn::Ge(steps, hn::Set(d, plan.max_steps));
    const auto event = hn::Or(hn::Or(still, over), hn::Eq(remaining, hn::Zero(d)));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, event, bits);
    return bits[0];
  }
};

}  // namespace evident::goodwin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
