#include "models/pet/prior_density.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/pet/prior_density.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"
#include "dist/special.hpp"
#include "evident/base/context.hpp"
#include "models/pet/prior.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::pet::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE void StoreFirst(D d, V v, std::span<double> out, std::size_t i) {
  if (HWY_LIKELY(i + hn::Lanes(d) <= out.size())) return hn::StoreU(v, d, out.data() + i);
  alignas(64) double tail[8];
  hn::Store(v, d, tail);
  for (std::size_t k = 0; i + k < out.size(); ++k) out[i + k] = tail[k];
}

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
    StoreFirst(d, value, out, i);
  }
}

void LogDensity(const PriorDensity& prior, ConstBlock p, std::span<double> out) {
  const auto density = prior.m > 1 ? (prior.has_precision ? Densities<true, true> : Densities<true, false>)
                                   : (prior.has_precision ? Densities<false, true> : Densities<false, false>);
  density(prior, p, out);
}

// The upper end itself may come out a little too large.
HWY_INLINE V Between(V share, V lower, V upper) {
  return hn::Min(hn::MulAdd(hn::Sub(upper, lower), share, lower), upper);
}

/// What is left of a block for the logarithms: product of 1 / (1 + exp(-|z|)), sum of -|z|, product of the widths.
struct Factors {
  alignas(64) double product[kBlockSize], distance[kBlockSize], width[kBlockSize];
};

// Two vectors at a time keep the units busy while one waits; rows are padded to 8 numbers, which they always divide.
HWY_INLINE void ExpOfMinusSize(const double* z, double* out, std::size_t n) {
  const D d;
  const V log2_e = hn::Set(d, 1.44269504088896341), sign = hn::SignBit(d);
  for (std::size_t i = 0; i < n; i += 2 * hn::Lanes(d)) {
    V e[2];
    for (std::size_t k = 0; k < 2; ++k) e[k] = hn::Mul(hn::Or(hn::Load(d, z + i + k * hn::Lanes(d)), sign), log2_e);
    fast::FastExp2Clamped(d, e);
    for (std::size_t k = 0; k < 2; ++k) hn::Store(e[k], d, out + i + k * hn::Lanes(d));
  }
}

// theta comes with exp(-|z|). kCompartments is 0 when it is known at run time only.
template <std::size_t kCompartments>
HWY_INLINE void ThetaOf(const PriorDensity& prior, ConstBlock z, Block theta, Factors& out) {
  const D d;
  const std::size_t m = kCompartments > 0 ? kCompartments : prior.m;
  const V one = hn::Set(d, 1.0), sign = hn::SignBit(d);
  const auto share = [](V at, V e, V larger)
                         HWY_ATTR { return hn::IfNegativeThenElse(at, hn::Mul(e, larger), larger); };
  for (std::size_t i = 0; i < z.size(); i += hn::Lanes(d)) {
    V product = one, distance = hn::Zero(d), width = one, before = hn::Zero(d);  // the first follows none
    for (std::size_t j = 0; j < m; ++j) {
      const V phi = hn::Load(d, z.row_data(j) + i), rate = hn::Load(d, z.row_data(m + j) + i);
      const V e = hn::Load(d, theta.row_data(j) + i), e_rate = hn::Load(d, theta.row_data(m + j) + i);
      distance = hn::Add(distance, hn::Add(hn::Or(phi, sign), hn::Or(rate, sign)));
      // phi and rate share a division.
      const V first = hn::Add(one, e), second = hn::Add(one, e_rate);
      const V both = hn::Div(one, hn::Mul(first, second));
      product = hn::Mul(product, both);
      const V share_of_phi = share(phi, e, hn::Mul(both, second)),
              share_of_rate = share(rate, e_rate, hn::Mul(both, first));
      hn::Store(Between(share_of_phi, hn::Set(d, prior.phi[j].lower), hn::Set(d, prior.phi[j].upper)), d,
                theta.row_data(j) + i);
      const V upper = hn::Set(d, prior.theta[j].upper);
      const V lower = prior.follows[j] != 0 ? before : hn::Set(d, prior.theta[j].lower);
      if (j > 0) width = hn::Mul(width, hn::Sub(upper, lower));
      before = Between(share_of_rate, lower, upper);
      hn::Store(before, d, theta.row_data(m + j) + i);
    }
    hn::Store(product, d, out.product + i);
    hn::Store(distance, d, out.distance + i);
    hn::Store(width, d, out.width + i);
  }
}

// One after another for a whole block: exponentials, theta, logarithms. Each is a long chain of operations, and only
// its own next turns fit beside it.
template <std::size_t kCompartments>
void ConstrainSome(const PriorDensity& prior, ConstBlock z, Block theta, std::span<double> log_prior,
                   std::span<double> log_jacobian) {
  const D d;
  Factors f;
  for (std::size_t j = 0; j < 2 * prior.m; ++j) ExpOfMinusSize(z.row_data(j), theta.row_data(j), z.size());
  ThetaOf<kCompartments>(prior, z, theta, f);
  const V nothing = hn::Set(d, -__builtin_inf()), smallest = hn::Set(d, 2.2250738585072014e-308);
  const V constant = hn::Set(d, prior.log_constant);
  for (std::size_t i = 0; i < z.size(); i += hn::Lanes(d)) {
    // Each factor is dtheta/dz over the width: exp(-|z|) / (1 + exp(-|z|))^2.
    const V product = hn::Load(d, f.product + i), width = hn::Load(d, f.width + i);
    const V density = hn::Add(fast::FastLogPositive(d, hn::Mul(product, product)), hn::Load(d, f.distance + i));
    const V of_theta = kCompartments == 1 ? constant : hn::Sub(constant, fast::FastLogPositive(d, width));
    // No room left for a rate, or a z that is no number: outside.
    const auto inside = hn::And(hn::Ge(width, smallest), hn::Gt(density, nothing));
    StoreFirst(d, hn::IfThenElse(inside, density, nothing), log_prior, i);
    StoreFirst(d, hn::IfThenElse(inside, hn::Sub(density, of_theta), nothing), log_jacobian, i);
  }
}

void Constrain(const PriorDensity& prior, ConstBlock z, Block theta, std::span<double> log_prior,
               std::span<double> log_jacobian) {
  const auto constrain = prior.m == 1   ? ConstrainSome<1>
                         : prior.m == 2 ? ConstrainSome<2>
                         : prior.m == 3 ? ConstrainSome<3>
                                        : ConstrainSome<0>;
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    constrain(prior, z.columns(first, n), theta.columns(first, n), log_prior.subspan(first, n),
              log_jacobian.subspan(first, n));
  }
}

}  // namespace evident::pet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::pet {

HWY_EXPORT(LogDensity);
HWY_EXPORT(Constrain);

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
    follows.push_back(rate_follows(options, d) ? 1 : 0);
  }
  log_constant -= std::log(theta[0].upper - theta[0].lower);
  if (has_precision) log_constant -= dist::log_gamma(shape) + shape * std::log(scale);
  if (has_nu) log_constant += std::log(2.0);
}

void log_density(const PriorDensity& prior, ConstBlock parameters, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(LogDensity)(prior, parameters, out);
}

bool constrains_in_one_pass(const PetOptions& options) {
  const bool logit = options.scale == Scale::logit || options.scale == Scale::automatic;
  return logit && options.marginal_precision && raised_bounds(options).empty();
}

void constrain(const PriorDensity& prior, ConstBlock z, Block theta, std::span<double> log_prior,
               std::span<double> log_jacobian) {
  HWY_DYNAMIC_DISPATCH(Constrain)(prior, z, theta, log_prior, log_jacobian);
}

}  // namespace evident::pet
#endif
