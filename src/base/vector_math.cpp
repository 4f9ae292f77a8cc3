#include "base/vector_math.hpp"

#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/vector_math.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

void Exp(const double* x, double* out, std::size_t n) {
  const D d;
  const V top = hn::Set(d, 709.7), inf = hn::Set(d, __builtin_inf());
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V v = hn::Load(d, x + i);
    hn::Store(hn::IfThenElse(hn::Gt(v, top), inf, fast::FastExp(d, v)), d, out + i);
  }
}

void Log(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::Store(fast::FastLog(d, hn::Load(d, x + i)), d, out + i);
}

HWY_INLINE V LoadBound(D d, const double* p, std::size_t step, std::size_t i) {
  return step == 0 ? hn::Set(d, *p) : hn::LoadU(d, p + i);
}

void Logistic(const double* z, const Bounds& b, double* theta, double* log_jacobian, std::size_t n) {
  const D d;
  const V one = hn::Set(d, 1.0);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V x = hn::Load(d, z + i), size = hn::Abs(x);
    const V e = fast::FastExpBounded(d, hn::Neg(size));  // exp(-|z|)
    const V upper_share = hn::Div(one, hn::Add(one, e));
    const V share = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(e, upper_share), upper_share);
    const V low = LoadBound(d, b.lower, b.lower_step, i), high = LoadBound(d, b.upper, b.upper_step, i);
    const V width = hn::Sub(high, low);
    hn::Store(hn::MulAdd(width, share, low), d, theta + i);
    // log(dtheta/dz) = log(width) - |z| - 2 log(1 + exp(-|z|)), in one logarithm.
    const V shrink = hn::Mul(width, hn::Mul(upper_share, upper_share));
    const V jacobian = hn::Sub(fast::FastLog(d, shrink), size);
    if (i + hn::Lanes(d) <= n) {
      hn::StoreU(hn::Add(hn::LoadU(d, log_jacobian + i), jacobian), d, log_jacobian + i);
    } else {  // the caller's memory may end at n
      alignas(64) double tail[8];
      hn::Store(jacobian, d, tail);
      for (std::size_t j = 0; i + j < n; ++j) log_jacobian[i + j] += tail[j];
    }
  }
}

// Lanes past n get weight 0.
HWY_INLINE V WeightAt(D d, const double* w, std::size_t i, std::size_t n) { return fast::LoadOr(d, w, i, n, 0.0); }

void WeightedMean(const double* w, const double* const* x, std::size_t rows, std::size_t n, double* mean) {
  const D d;
  for (std::size_t a = 0; a < rows; ++a) {
    V sum = hn::Zero(d), more = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 * hn::Lanes(d) <= n; i += 2 * hn::Lanes(d)) {
      sum = hn::MulAdd(hn::Load(d, w + i), hn::Load(d, x[a] + i), sum);
      more = hn::MulAdd(hn::Load(d, w + i + hn::Lanes(d)), hn::Load(d, x[a] + i + hn::Lanes(d)), more);
    }
    for (; i < n; i += hn::Lanes(d)) sum = hn::MulAdd(WeightAt(d, w, i, n), hn::Load(d, x[a] + i), sum);
    mean[a] = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum, more)));
  }
}

// kCount rows from kFirst on against all rows up to their own: up to eleven sums stay in registers, and each difference
// is made once.
template <std::size_t kFirst, std::size_t kCount>
HWY_INLINE void SecondMoments(const double* w, const double* const* x, const double* centre, std::size_t rows,
                              std::size_t n, double* second) {
  constexpr std::size_t kSums = kCount * kFirst + kCount * (kCount + 1) / 2;
  const D d;
  V sum[kSums];
#pragma GCC unroll 16
  for (std::size_t s = 0; s < kSums; ++s) sum[s] = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V weight = WeightAt(d, w, i, n);
    V off[kFirst + kCount];
    for (std::size_t b = 0; b < kFirst + kCount; ++b) off[b] = hn::Sub(hn::Load(d, x[b] + i), hn::Set(d, centre[b]));
    for (std::size_t a = 0, s = 0; a < kCount; ++a) {
      const V weighted = hn::Mul(weight, off[kFirst + a]);
      for (std::size_t b = 0; b <= kFirst + a; ++b, ++s) sum[s] = hn::MulAdd(weighted, off[b], sum[s]);
    }
  }
  for (std::size_t a = 0, s = 0; a < kCount; ++a)
    for (std::size_t b = 0; b <= kFirst + a; ++b, ++s)
      second[(kFirst + a) * rows + b] = hn::GetLane(hn::SumOfLanes(d, sum[s]));
}

// One row against up to four others at a time: each product w (x_a - c_a) is used four times.
template <std::size_t kCount>
HWY_INLINE void RowMoments(const double* w, const double* xa, double ca, const double* const* xb, const double* cb,
                           std::size_t n, double* out) {
  const D d;
  const V centre = hn::Set(d, ca);
  V sum[kCount], other[kCount];
  for (std::size_t b = 0; b < kCount; ++b) {
    sum[b] = hn::Zero(d);
    other[b] = hn::Set(d, cb[b]);
  }
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V wx = hn::Mul(WeightAt(d, w, i, n), hn::Sub(hn::Load(d, xa + i), centre));
    for (std::size_t b = 0; b < kCount; ++b) sum[b] = hn::MulAdd(wx, hn::Sub(hn::Load(d, xb[b] + i), other[b]), sum[b]);
  }
  for (std::size_t b = 0; b < kCount; ++b) out[b] = hn::GetLane(hn::SumOfLanes(d, sum[b]));
}

void WeightedSecond(const double* w, const double* const* x, const double* centre, std::size_t rows, std::size_t n,
                    double* second) {
  std::size_t a = 0;
  if (rows >= 4)
    SecondMoments<0, 4>(w, x, centre, rows, n, second), a = 4;
  else if (rows >= 2)
    SecondMoments<0, 2>(w, x, centre, rows, n, second), a = 2;
  if (rows >= 6) SecondMoments<4, 2>(w, x, centre, rows, n, second), a = 6;
  for (; a < rows; ++a) {
    std::size_t b = 0;
    double* out = second + a * rows;
    for (; b + 4 <= a + 1; b += 4) RowMoments<4>(w, x[a], centre[a], x + b, centre + b, n, out + b);
    for (; b + 2 <= a + 1; b += 2) RowMoments<2>(w, x[a], centre[a], x + b, centre + b, n, out + b);
    for (; b <= a; ++b) RowMoments<1>(w, x[a], centre[a], x + b, centre + b, n, out + b);
  }
}

HWY_INLINE std::uint64_t BitOfNan(const double* x, std::size_t i) {
  return static_cast<std::uint64_t>(x[i] != x[i] ? 1 : 0) << i;
}

Dropped DropNan(double* x, std::size_t n) {
  const D d;
  const V nothing = hn::Set(d, -__builtin_inf());
  Dropped out{0, 0, 0};
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const V v = hn::LoadU(d, x + i);
    const auto possible = hn::Gt(v, nothing);  // not for NaN
    if (HWY_LIKELY(hn::AllTrue(d, possible))) continue;
    if (const std::size_t nan = hn::CountTrue(d, hn::IsNaN(v)); nan > 0) {
      out.nan += nan;
      for (std::size_t k = i; k < std::min<std::size_t>(i + hn::Lanes(d), 64); ++k) out.which |= BitOfNan(x, k);
    }
    out.impossible += hn::Lanes(d) - hn::CountTrue(d, possible);
    hn::StoreU(hn::IfThenElse(possible, v, nothing), d, x + i);
  }
  for (; i < n; ++i) {
    if (x[i] > -__builtin_inf()) continue;
    out.nan += x[i] != x[i] ? 1 : 0;
    if (i < 64) out.which |= BitOfNan(x, i);
    out.impossible += 1;
    x[i] = -__builtin_inf();
  }
  return out;
}

HWY_INLINE V RatioAt(D d, const Densities& proposed, const Densities& now, double alpha, std::size_t i) {
  const V power = hn::Set(d, alpha);
  const V prior = hn::Sub(hn::Load(d, proposed.log_prior + i), hn::Load(d, now.log_prior + i));
  const V likelihood = hn::Sub(hn::Load(d, proposed.log_likelihood + i), hn::Load(d, now.log_likelihood + i));
  return hn::Add(prior, hn::Mul(power, likelihood));
}

void TemperedRatio(const Densities& proposed, const Densities& now, double alpha, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::Store(RatioAt(d, proposed, now, alpha, i), d, out + i);
}

SumAndSquares OfSumAndSquares(const double* x, std::size_t n) {
  const D d;
  V sum[2] = {hn::Zero(d), hn::Zero(d)}, squares[2] = {hn::Zero(d), hn::Zero(d)};
  for (std::size_t i = 0; i < n; i += 2 * hn::Lanes(d))
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t at = i + k * hn::Lanes(d);
      if (at >= n) break;
      const V v = fast::LoadOr(d, x, at, n, 0.0);
      sum[k] = hn::Add(sum[k], v);
      squares[k] = hn::MulAdd(v, v, squares[k]);
    }
  return {hn::GetLane(hn::SumOfLanes(d, hn::Add(sum[0], sum[1]))),
          hn::GetLane(hn::SumOfLanes(d, hn::Add(squares[0], squares[1])))};
}

// The ratio of TemperedRatio and the decision of Accept in one pass.
std::size_t AcceptTempered(const Densities& proposed, const Densities& now, double alpha, const double* u, double* mask,
                           std::size_t n) {
  const D d;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto yes = hn::Lt(fast::FastLogPositive(d, hn::Load(d, u + i)), RatioAt(d, proposed, now, alpha, i));
    if (i + hn::Lanes(d) > n) yes = hn::And(yes, hn::FirstN(d, n - i));
    hn::Store(hn::VecFromMask(d, yes), d, mask + i);
    count += hn::CountTrue(d, yes);
  }
  return count;
}

std::size_t Accept(const double* u, const double* log_ratio, double* mask, std::size_t n) {
  const D d;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto yes = hn::Lt(fast::FastLogPositive(d, hn::Load(d, u + i)), hn::Load(d, log_ratio + i));
    if (i + hn::Lanes(d) > n) yes = hn::And(yes, hn::FirstN(d, n - i));
    hn::Store(hn::VecFromMask(d, yes), d, mask + i);
    count += hn::CountTrue(d, yes);
  }
  return count;
}

HWY_INLINE void Blend(const double* mask, const double* from, double* to, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto yes = hn::MaskFromVec(hn::Load(d, mask + i));
    hn::Store(hn::IfThenElse(yes, hn::Load(d, from + i), hn::Load(d, to + i)), d, to + i);
  }
}

void BlendOne(const double* mask, const double* from, double* to, std::size_t n) { Blend(mask, from, to, n); }

void BlendRows(const double* mask, const double* const* from, double* const* to, std::size_t rows, std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r) Blend(mask, from[r], to[r], n);
}

template <std::size_t kRows>
HWY_INLINE double MaskedSquaresOf(const double* mask, const double* const* x, std::size_t rows, std::size_t n) {
  const D d;
  if constexpr (kRows > 0) rows = kRows;
  V all = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    V sum = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const V v = hn::Load(d, x[r] + i);
      sum = hn::MulAdd(v, v, sum);
    }
    all = hn::Add(all, hn::And(hn::Load(d, mask + i), sum));
  }
  return hn::GetLane(hn::SumOfLanes(d, all));
}

double MaskedSquares(const double* mask, const double* const* x, std::size_t rows, std::size_t n) {
  switch (rows) {
    case 2:
      return MaskedSquaresOf<2>(mask, x, rows, n);
    case 4:
      return MaskedSquaresOf<4>(mask, x, rows, n);
    case 6:
      return MaskedSquaresOf<6>(mask, x, rows, n);
    default:
      return MaskedSquaresOf<0>(mask, x, rows, n);
  }
}

}  // namespace evident::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::vector_math {

HWY_EXPORT(Exp);
HWY_EXPORT(Log);
HWY_EXPORT(Logistic);
HWY_EXPORT(WeightedMean);
HWY_EXPORT(WeightedSecond);
HWY_EXPORT(DropNan);
HWY_EXPORT(TemperedRatio);
HWY_EXPORT(OfSumAndSquares);
HWY_EXPORT(AcceptTempered);
HWY_EXPORT(Accept);
HWY_EXPORT(BlendOne);
HWY_EXPORT(BlendRows);
HWY_EXPORT(MaskedSquares);

void exp(const double* x, double* out, std::size_t n) { HWY_DYNAMIC_DISPATCH(Exp)(x, out, n); }
void log(const double* x, double* out, std::size_t n) { HWY_DYNAMIC_DISPATCH(Log)(x, out, n); }
void logistic(const double* z, const Bounds& bounds, double* theta, double* log_jacobian, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Logistic)(z, bounds, theta, log_jacobian, n);
}
void weighted_mean(const double* w, const double* const* x, std::size_t rows, std::size_t n, double* mean) {
  HWY_DYNAMIC_DISPATCH(WeightedMean)(w, x, rows, n, mean);
}
void weighted_second(const double* w, const double* const* x, const double* centre, std::size_t rows, std::size_t n,
                     double* second) {
  HWY_DYNAMIC_DISPATCH(WeightedSecond)(w, x, centre, rows, n, second);
}

Dropped drop_nan(double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(DropNan)(x, n); }
void tempered_ratio(const Densities& proposed, const Densities& now, double alpha, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(TemperedRatio)(proposed, now, alpha, out, n);
}
SumAndSquares sum_and_squares(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(OfSumAndSquares)(x, n); }
std::size_t accept_tempered(const Densities& proposed, const Densities& now, double alpha, const double* u,
                            double* mask, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(AcceptTempered)(proposed, now, alpha, u, mask, n);
}
std::size_t accept(const double* u, const double* log_ratio, double* mask, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Accept)(u, log_ratio, mask, n);
}
void blend(const double* mask, const double* from, double* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(BlendOne)(mask, from, to, n);
}
void blend_rows(const double* mask, const double* const* from, double* const* to, std::size_t rows, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(BlendRows)(mask, from, to, rows, n);
}
double masked_squares(const double* mask, const double* const* x, std::size_t rows, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(MaskedSquares)(mask, x, rows, n);
}

}  // namespace evident::vector_math
#endif
