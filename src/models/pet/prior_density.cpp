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

// The widths left to the ordered rates are multiplied, so that they need one logarithm together.
void LogDensity(const PriorDensity& prior, ConstBlock p, std::span<double> out) {
  const D d;
  const std::size_t m = prior.m;
  const V nothing = hn::Set(d, -__builtin_inf()), constant = hn::Set(d, prior.log_constant);
  for (std::size_t i = 0; i < p.size(); i += hn::Lanes(d)) {
    M inside = hn::FirstN(d, hn::Lanes(d));
    for (std::size_t j = 0; j < m; ++j)
      inside = hn::And(inside, Inside(hn::Load(d, p.row_data(j) + i), hn::Set(d, prior.phi[j].lower),
                                      hn::Set(d, prior.phi[j].upper)));
    V before = hn::Load(d, p.row_data(m) + i), width = hn::Set(d, 1.0);
    inside = hn::And(inside, Inside(before, hn::Set(d, prior.theta[0].lower), hn::Set(d, prior.theta[0].upper)));
    for (std::size_t j = 1; j < m; ++j) {
      const V rate = hn::Load(d, p.row_data(m + j) + i), upper = hn::Set(d, prior.theta[j].upper);
      const V lower = hn::Max(before, hn::Set(d, prior.theta[j].lower));
      inside = hn::And(inside, Inside(rate, lower, upper));
      width = hn::Mul(width, hn::Sub(upper, lower));
      before = rate;
    }
    V value = constant;
    if (m > 1) value = hn::Sub(value, fast::FastLog(d, width));
    std::size_t row = 2 * m;
    if (prior.has_precision) {
      const V lambda = hn::Load(d, p.row_data(row++) + i);
      inside = hn::And(inside, hn::Gt(lambda, hn::Zero(d)));
      value = hn::MulAdd(hn::Set(d, prior.shape - 1), fast::FastLog(d, lambda), value);
      value = hn::NegMulAdd(lambda, hn::Set(d, 1 / prior.scale), value);
    }
    if (prior.has_nu) inside = hn::And(inside, Inside(hn::Load(d, p.row_data(row) + i), hn::Zero(d), hn::Set(d, 0.5)));
    value = hn::IfThenElse(inside, value, nothing);
    if (i + hn::Lanes(d) <= out.size()) {
      hn::StoreU(value, d, out.data() + i);
    } else {
      alignas(64) double tail[8];
      hn::Store(value, d, tail);
      for (std::size_t k = 0; i + k < out.size(); ++k) out[i + k] = tail[k];
    }
  }
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
