#include "base/vector_math.hpp"

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

// One row against up to four others at a time: each product w (x_a - c_a) is used four times.
template <std::size_t kCount>
HWY_INLINE void SecondMoments(const double* w, const double* xa, double ca, const double* const* xb, const double* cb,
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
  for (std::size_t a = 0; a < rows; ++a) {
    std::size_t b = 0;
    double* out = second + a * rows;
    for (; b + 4 <= a + 1; b += 4) SecondMoments<4>(w, x[a], centre[a], x + b, centre + b, n, out + b);
    for (; b + 2 <= a + 1; b += 2) SecondMoments<2>(w, x[a], centre[a], x + b, centre + b, n, out + b);
    for (; b <= a; ++b) SecondMoments<1>(w, x[a], centre[a], x + b, centre + b, n, out + b);
  }
}

void AddTriangular(const double* const* from, const double* lower, const double* const* noise, const double* factor,
                   std::size_t rows, std::size_t n, double* const* out) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    for (std::size_t r = 0; r < rows; ++r) {
      V sum = hn::Zero(d);
      for (std::size_t c = 0; c <= r; ++c)
        sum = hn::MulAdd(hn::Set(d, lower[r * rows + c]), hn::Load(d, noise[c] + i), sum);
      if (factor != nullptr) sum = hn::Mul(sum, hn::Load(d, factor + i));
      hn::Store(hn::Add(hn::Load(d, from[r] + i), sum), d, out[r] + i);
    }
  }
}

void MultiplyTransposed(const double* lower, const double* const* x, std::size_t rows, std::size_t n,
                        double* const* out) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    for (std::size_t c = 0; c < rows; ++c) {
      V sum = hn::Zero(d);
      for (std::size_t r = c; r < rows; ++r)
        sum = hn::MulAdd(hn::Set(d, lower[r * rows + c]), hn::Load(d, x[r] + i), sum);
      hn::Store(sum, d, out[c] + i);
    }
  }
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

void Blend(const double* mask, const double* from, double* to, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto yes = hn::MaskFromVec(hn::Load(d, mask + i));
    hn::Store(hn::IfThenElse(yes, hn::Load(d, from + i), hn::Load(d, to + i)), d, to + i);
  }
}

double MaskedSquares(const double* mask, const double* x, std::size_t n) {
  const D d;
  V sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V v = hn::And(hn::Load(d, mask + i), hn::Load(d, x + i));
    sum = hn::MulAdd(v, v, sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
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
HWY_EXPORT(AddTriangular);
HWY_EXPORT(MultiplyTransposed);
HWY_EXPORT(Accept);
HWY_EXPORT(Blend);
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

void add_triangular(const double* const* from, const double* lower, const double* const* noise, const double* factor,
                    std::size_t rows, std::size_t n, double* const* out) {
  HWY_DYNAMIC_DISPATCH(AddTriangular)(from, lower, noise, factor, rows, n, out);
}
void multiply_transposed(const double* lower, const double* const* x, std::size_t rows, std::size_t n,
                         double* const* out) {
  HWY_DYNAMIC_DISPATCH(MultiplyTransposed)(lower, x, rows, n, out);
}
std::size_t accept(const double* u, const double* log_ratio, double* mask, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Accept)(u, log_ratio, mask, n);
}
void blend(const double* mask, const double* from, double* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Blend)(mask, from, to, n);
}
double masked_squares(const double* mask, const double* x, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(MaskedSquares)(mask, x, n);
}

}  // namespace evident::vector_math
#endif
