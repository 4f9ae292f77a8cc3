#include "models/pet/prior_density.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/pet/prior_density.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"
#include "dist/special.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::pet::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE M Inside(V x, V lower, V upper) { return hn::And(hn::Ge(x, lower), hn::Le(x, upper)); }

// The widths left to the ordered rates are multiplied, so that they need one logarithm together. What the prior fixes
// is template argument or constant of the loop, which is as hot as the likelihood's.
template <bool kOrdered, bool kPrecision>
void Densities(const PriorDensity& prior, ConstBlock p, std::span<double> out) {
  const D d;
  const std::size_t m = prior.m;
  const V nothing = hn::Set(d, -__builtin_inf()), constant = hn::Set(d, prior.log_constant), zero = hn::Zero(d);
  const V smallest = hn::Set(d, 2.2250738585072014e-308);
  const V first_lower = hn::Set(d, prior.theta[0].lower), first_upper = hn::Set(d, prior.theta[0].upper);
  const V power = hn::Set(d, prior.shape - 1), rate_of_precision = hn::Set(d, 1 / prior.scale);
  for (std::size_t i = 0; i < p.size(); i += hn::Lanes(d)) {
    V before = hn::Load(d, p.row_data(m) + i), value = constant;
    M inside = Inside(before, first_lower, first_upper);
    for (std::size_t j = 0; j < m; ++j)
      inside = hn::And(inside, Inside(hn::Load(d, p.row_data(j) + i), hn::Set(d, prior.phi[j].lower),
                                      hn::Set(d, prior.phi[j].upper)));
    if constexpr (kOrdered) {
      V width = hn::Set(d, 1.0);
      for (std::size_t j = 1; j < m; ++j) {
        const V rate = hn::Load(d, p.row_data(m + j) + i), upper = hn::Set(d, prior.theta[j].upper);
        const V lower = hn::Max(before, hn::Set(d, prior.theta[j].lower));
        inside = hn::And(inside, Inside(rate, lower, upper));
        width = hn::Mul(width, hn::Sub(upper, lower));
        before = rate;
      }
      inside = hn::And(inside, hn::Ge(width, smallest));  // no room left for a rate: outside
      value = hn::Sub(value, fast::FastLogPositive(d, width));
    }
    std::size_t row = 2 * m;
    if constexpr (kPrecision) {
      const V lambda = hn::Load(d, p.row_data(row++) + i);
      inside = hn::And(inside, hn::Gt(lambda, zero));
      value = hn::MulAdd(power, fast::FastLog(d, lambda), value);
      value = hn::NegMulAdd(lambda, rate_of_precision, value);
    }
    if (prior.has_nu) inside = hn::And(inside, Inside(hn::Load(d, p.row_data(row) + i), zero, hn::Set(d, 0.5)));
    value = hn::IfThenElse(inside, value, nothing);
    if (HWY_LIKELY(i + hn::Lanes(d) <= out.size())) {
      hn::StoreU(value, d, out.data() + i);
    } else {
      alignas(64) double tail[8];
      hn::Store(value, d, tail);
      for (std::size_t k = 0; i + k < out.size(); ++k) out[i + k] = tail[k];
    }
  }
}

void LogDensity(const PriorDensity& prior, ConstBlock p, std::span<double> out) {
  const auto density = prior.m > 1 ? (prior.has_precision ? Densities<true, true> : Densities<true, false>)
                                   : (prior.has_precision ? Densities<false, true> : Densities<false, false>);
  density(prior, p, out);
}

}  // namespace evident::pet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::pet {

HWY_EXPORT(LogDensity);

PriorDensity::PriorDensity(const PetOptions& options)
    : m(options.compartments),
      has_precision(!options.marginal_precision),
      has_nu(options.noise == PetNoise::student),
      shape(options.precision_shape),
      scale(options.precision_scale),
      log_constant(0) {
  for (std::size_t d = 0; d < m; ++d) {
    phi.push_back(options.phi_bounds(d));
    theta.push_back(options.theta_bounds(d));
    log_constant -= std::log(phi[d].upper - phi[d].lower);
  }
  log_constant -= std::log(theta[0].upper - theta[0].lower);
  if (has_precision) log_constant -= dist::log_gamma(shape) + shape * std::log(scale);
  if (has_nu) log_constant += std::log(2.0);
}

void log_density(const PriorDensity& prior, ConstBlock parameters, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(LogDensity)(prior, parameters, out);
}

}  // namespace evident::pet
#endif
