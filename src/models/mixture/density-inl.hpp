// Vector code shared by the kernels of the mixture: component parameters in the form that the inner loops want.
// Compiled once per SIMD target.
//
// A density is taken as c exp2(-((y - mu) s)^2) with s = sqrt(lambda log2(e) / 2): base 2 spares the argument reduction
// of exp, and scaling before squaring keeps extreme precisions finite.
#if defined(EVIDENT_MODELS_MIXTURE_DENSITY_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_MODELS_MIXTURE_DENSITY_INL_HPP_
#undef EVIDENT_MODELS_MIXTURE_DENSITY_INL_HPP_
#else
#define EVIDENT_MODELS_MIXTURE_DENSITY_INL_HPP_
#endif

#include <algorithm>
#include <cstddef>

#include "base/simd_math-inl.hpp"
#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "hwy/highway.h"
#include "models/mixture/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::mixture {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using evident::HWY_NAMESPACE::FastExp2Bounded;
using evident::HWY_NAMESPACE::FastExp2Clamped;
using evident::HWY_NAMESPACE::FastExpBounded;
using evident::HWY_NAMESPACE::FastLog;
using evident::HWY_NAMESPACE::LogProduct;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

inline constexpr double kHalfLog2E = 0.72134752044448170368;
inline constexpr double kLn2 = 0.69314718055994530942;
/// Products of this many factors within [1/kSafe, kSafe] neither over- nor underflow.
inline constexpr std::size_t kPeriod = 20;
inline constexpr double kSafe = 1e15;

/// One value per component and lane.
struct PerComponent {
  HWY_ALIGN double values[kMaxComponents * kLane];
  HWY_INLINE V operator[](std::size_t j) const { return hn::Load(D(), values + j * hn::Lanes(D())); }
  HWY_INLINE void set(std::size_t j, V v) { hn::Store(v, D(), values + j * hn::Lanes(D())); }
};

struct Components {
  PerComponent mu, s, root, weight;  ///< root = sqrt(lambda)

  HWY_INLINE void Load(std::size_t k, ConstBlock theta, std::size_t i) {
    const D d;
    for (std::size_t j = 0; j < k; ++j) {
      const V lambda = hn::Load(d, theta.row_data(k + j) + i);
      mu.set(j, hn::Load(d, theta.row_data(j) + i));
      s.set(j, hn::Sqrt(hn::Mul(lambda, hn::Set(d, kHalfLog2E))));
      root.set(j, hn::Sqrt(lambda));
      weight.set(j, k == 1 ? hn::Set(d, 1.0) : hn::Load(d, theta.row_data(2 * k + j) + i));
    }
  }
};

/// -((y - mu) s)^2.
HWY_INLINE V Exponent(V y, V mu, V s) {
  const V t = hn::Mul(hn::Sub(y, mu), s);
  return hn::NegMulAdd(t, t, hn::Zero(D()));
}

/// Component densities (times (2 pi)^(1/2), weights left out) of one observation. With a floor they are kept as they
/// are; without one they are relative to the largest, which is returned as its log2, so that a far observation does not
/// underflow.
HWY_INLINE V ComponentDensities(const Components& c, const PerComponent& log2_root, std::size_t k, double observation,
                                bool has_floor, double* out) {
  const D d;
  const V y = hn::Set(d, observation);
  const std::size_t lanes = hn::Lanes(d);
  if (has_floor) {
    for (std::size_t j = 0; j < k; ++j)
      hn::Store(hn::Mul(c.root[j], FastExp2Bounded(d, Exponent(y, c.mu[j], c.s[j]))), d, out + j * lanes);
    return hn::Zero(d);
  }
  V largest = hn::Set(d, -kInf);
  for (std::size_t j = 0; j < k; ++j) {
    const V e = hn::Add(log2_root[j], Exponent(y, c.mu[j], c.s[j]));
    hn::Store(e, d, out + j * lanes);
    largest = hn::IfThenElse(hn::Gt(e, largest), e, largest);
  }
  const V shift = hn::IfThenZeroElse(hn::Lt(largest, hn::Set(d, -1e308)), largest);
  for (std::size_t j = 0; j < k; ++j)
    hn::Store(FastExp2Bounded(d, hn::Sub(hn::Load(d, out + j * lanes), shift)), d, out + j * lanes);
  return largest;
}

HWY_INLINE void SetLog2(const PerComponent& x, std::size_t k, PerComponent& out) {
  const D d;
  for (std::size_t j = 0; j < k; ++j) out.set(j, hn::Mul(FastLog(d, x[j]), hn::Set(d, 2 * kHalfLog2E)));
}

/// Are the factors floor + (something at most `top`) safe to multiply kPeriod at a time, in every lane? Whether a
/// neighbour is not cannot be seen in the result: it only changes when powers of two are taken out.
HWY_INLINE bool SafeProduct(double floor, V top) {
  const D d;
  return floor >= 1 / kSafe && hn::AllFalse(d, hn::Gt(hn::Add(hn::Set(d, floor), top), hn::Set(d, kSafe)));
}

HWY_INLINE V LoadSome(const double* p, std::size_t count) {
  const D d;
  if (count >= hn::Lanes(d)) return hn::LoadU(d, p);
  HWY_ALIGN double buffer[kLane] = {};
  std::copy_n(p, count, buffer);
  return hn::Load(d, buffer);
}

HWY_INLINE void StoreSome(V v, double* p, std::size_t count) {
  const D d;
  if (count >= hn::Lanes(d)) return hn::StoreU(v, d, p);
  HWY_ALIGN double buffer[kLane];
  hn::Store(v, d, buffer);
  std::copy_n(buffer, count, p);
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::mixture
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
