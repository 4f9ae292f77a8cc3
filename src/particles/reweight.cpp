#include "particles/reweight.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/reweight.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::reweighting::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE void StoreTo(D d, V v, double* p, std::size_t i, std::size_t n) {
  if (HWY_LIKELY(i + hn::Lanes(d) <= n)) return hn::StoreU(v, d, p + i);
  alignas(64) double tail[8];
  hn::Store(v, d, tail);
  for (std::size_t j = 0; i + j < n; ++j) p[i + j] = tail[j];
}

HWY_INLINE double Sum(D d, V v) { return hn::GetLane(hn::SumOfLanes(d, v)); }

// l - top; -inf, NaN and anything below -1e300 become -1e300, whose exponential vanishes for any useful step. Past the
// end l counts as top and the weight as 0.
HWY_INLINE V ShiftedAt(D d, const double* l, double top, std::size_t i, std::size_t n) {
  const V shifted = hn::Sub(fast::LoadOr(d, l, i, n, top), hn::Set(d, top)), low = hn::Set(d, -1e300);
  return hn::IfThenElse(hn::Gt(shifted, low), shifted, low);
}

template <bool kSquared>
HWY_INLINE ExpSums SumsOf(const double* w, const double* l, double top, double delta, std::size_t n) {
  const D d;
  const V step = hn::Set(d, delta * 1.44269504088896341), lowest = hn::Set(d, -1022.0);
  V s1 = hn::Zero(d), s2 = s1, t1 = s1, t2 = s1;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V weight = fast::LoadOr(d, w, i, n, 0.0), x = ShiftedAt(d, l, top, i, n);
    // A factor that underflowed must not meet a huge x.
    const V power = hn::Mul(x, step);
    const auto some = hn::Ge(power, lowest);
    const V e = hn::IfThenElseZero(some, fast::simd_math::Exp2InRange(d, power)), y = hn::IfThenElseZero(some, x);
    const V we = hn::Mul(weight, e), second = hn::Mul(we, kSquared ? we : e);
    s1 = hn::Add(s1, we);
    s2 = hn::Add(s2, second);
    t1 = hn::MulAdd(we, y, t1);
    t2 = hn::MulAdd(second, y, t2);
  }
  return {Sum(d, s1), Sum(d, s2), Sum(d, t1), Sum(d, t2)};
}

ExpSums Sums(const double* w, const double* l, double top, double delta, std::size_t n) {
  return SumsOf<false>(w, l, top, delta, n);
}
ExpSums SquaredSums(const double* w, const double* l, double top, double delta, std::size_t n) {
  return SumsOf<true>(w, l, top, delta, n);
}

PossibleSums OfPossible(const double* w, const double* l, std::size_t n) {
  const D d;
  const V nothing = hn::Set(d, -__builtin_inf());
  V sum = hn::Zero(d), squares = sum;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V v = fast::LoadOr(d, l, i, n, -__builtin_inf());
    const V weight = hn::IfThenElseZero(hn::Gt(v, nothing), fast::LoadOr(d, w, i, n, 0.0));
    sum = hn::Add(sum, weight);
    squares = hn::MulAdd(weight, weight, squares);
  }
  return {Sum(d, sum), Sum(d, squares)};
}

void FinerMeans(const double* w, const double* l, double top, double delta, std::size_t n, double* means) {
  const D d;
  const V eighth = hn::Set(d, delta / 8);
  V s[7], t[7];
  for (int j = 0; j < 7; ++j) s[j] = t[j] = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V x = ShiftedAt(d, l, top, i, n);
    const V e = fast::FastExpBounded(d, hn::Mul(x, eighth));
    const V y = hn::IfThenElseZero(hn::Gt(e, hn::Zero(d)), x);
    V we = fast::LoadOr(d, w, i, n, 0.0);
    for (int j = 0; j < 7; ++j) {
      we = hn::Mul(we, e);
      s[j] = hn::Add(s[j], we);
      t[j] = hn::MulAdd(we, y, t[j]);
    }
  }
  for (int j = 0; j < 7; ++j) means[j] = top + Sum(d, t[j]) / Sum(d, s[j]);
}

// Several at a time, because each comparison waits for the one before. NaN is never larger.
double Largest(const double* l, std::size_t n) {
  constexpr std::size_t kTogether = 4;
  const D d;
  const auto larger = [](V v, V top) HWY_ATTR { return hn::IfThenElse(hn::Gt(v, top), v, top); };
  V top[kTogether];
  for (V& t : top) t = hn::Set(d, -__builtin_inf());
  std::size_t i = 0;
  for (; i + kTogether * hn::Lanes(d) <= n; i += kTogether * hn::Lanes(d))
    for (std::size_t k = 0; k < kTogether; ++k) top[k] = larger(hn::LoadU(d, l + i + k * hn::Lanes(d)), top[k]);
  for (; i < n; i += hn::Lanes(d)) top[0] = larger(fast::LoadOr(d, l, i, n, -__builtin_inf()), top[0]);
  return hn::GetLane(hn::MaxOfLanes(d, larger(larger(top[0], top[1]), larger(top[2], top[3]))));
}

double Shift(const double* log_w, const double* l, double top, double delta, std::size_t n, double* out) {
  const D d;
  const V nothing = hn::Set(d, -__builtin_inf()), step = hn::Set(d, delta), t = hn::Set(d, top);
  V best = nothing;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V v = fast::LoadOr(d, l, i, n, -__builtin_inf());
    const V moved = hn::MulAdd(step, hn::Sub(v, t), fast::LoadOr(d, log_w, i, n, 0.0));
    const V x = hn::IfThenElse(hn::Gt(v, nothing), moved, nothing);
    best = hn::IfThenElse(hn::Gt(x, best), x, best);
    StoreTo(d, x, out, i, n);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

double ExpAndSum(double* x, double top, std::size_t n, double* e) {
  const D d;
  const V t = hn::Set(d, top);
  V sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V shifted = hn::Sub(fast::LoadOr(d, x, i, n, -__builtin_inf()), t);
    const V value = fast::FastExpBounded(d, shifted);
    sum = hn::Add(sum, value);
    StoreTo(d, shifted, x, i, n);
    StoreTo(d, value, e, i, n);
  }
  return Sum(d, sum);
}

// Second pass: x loses log(sum); w becomes e / sum and is compared with what it was.
Normalised Finish(double* x, const double* e, double* w, double sum, double log_sum, std::size_t n) {
  const D d;
  const V inverse = hn::Set(d, 1 / sum), shift = hn::Set(d, log_sum), zero = hn::Zero(d);
  V squares = zero, ratios = zero;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V value = hn::Mul(fast::LoadOr(d, e, i, n, 0.0), inverse), before = fast::LoadOr(d, w, i, n, 1.0);
    const V square = hn::Mul(value, value);
    squares = hn::Add(squares, square);
    ratios = hn::Add(ratios, hn::IfThenElseZero(hn::Gt(before, zero), hn::Div(square, before)));
    StoreTo(d, value, w, i, n);
    StoreTo(d, hn::Sub(fast::LoadOr(d, x, i, n, 0.0), shift), x, i, n);
  }
  return {Sum(d, squares), 1 / Sum(d, ratios)};
}

MeanVariance MomentsOf(const double* w, const double* l, std::size_t n) {
  const D d;
  const V zero = hn::Zero(d);
  V sum = zero;
  const auto positive = [&](V weight, V v) HWY_ATTR { return hn::IfThenElseZero(hn::Gt(weight, zero), v); };
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V weight = fast::LoadOr(d, w, i, n, 0.0);
    sum = hn::MulAdd(weight, positive(weight, fast::LoadOr(d, l, i, n, 0.0)), sum);
  }
  const double mean = Sum(d, sum);
  V squares = zero;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V weight = fast::LoadOr(d, w, i, n, 0.0);
    const V off = positive(weight, hn::Sub(fast::LoadOr(d, l, i, n, 0.0), hn::Set(d, mean)));
    squares = hn::MulAdd(weight, hn::Mul(off, off), squares);
  }
  return {mean, Sum(d, squares)};
}

}  // namespace evident::reweighting::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::reweighting {

HWY_EXPORT(Sums);
HWY_EXPORT(SquaredSums);
HWY_EXPORT(OfPossible);
HWY_EXPORT(FinerMeans);
HWY_EXPORT(Largest);
HWY_EXPORT(Shift);
HWY_EXPORT(ExpAndSum);
HWY_EXPORT(Finish);
HWY_EXPORT(MomentsOf);

ExpSums exp_sums(const double* w, const double* l, double top, double delta, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Sums)(w, l, top, delta, n);
}
ExpSums squared_exp_sums(const double* w, const double* l, double top, double delta, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(SquaredSums)(w, l, top, delta, n);
}
PossibleSums possible_sums(const double* w, const double* l, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(OfPossible)(w, l, n);
}
void finer_means(const double* w, const double* l, double top, double delta, std::size_t n, double* means) {
  HWY_DYNAMIC_DISPATCH(FinerMeans)(w, l, top, delta, n, means);
}
double largest(const double* l, std::size_t n) { return HWY_DYNAMIC_DISPATCH(Largest)(l, n); }
double shift(const double* log_w, const double* l, double top, double delta, std::size_t n, double* out) {
  return HWY_DYNAMIC_DISPATCH(Shift)(log_w, l, top, delta, n, out);
}
double exp_and_sum(double* x, double top, std::size_t n, double* e) {
  return HWY_DYNAMIC_DISPATCH(ExpAndSum)(x, top, n, e);
}
Normalised finish(double* x, const double* e, double* w, double sum, double log_sum, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Finish)(x, e, w, sum, log_sum, n);
}
MeanVariance moments(const double* w, const double* l, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(MomentsOf)(w, l, n);
}

}  // namespace evident::reweighting
#endif
