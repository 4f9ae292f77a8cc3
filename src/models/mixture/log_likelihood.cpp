// The log likelihood of the mixture, lanes = particles: one exp2 per observation and component, one log per particle.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/mixture/log_likelihood.cpp"  // NOLINT
#include <hwy/foreach_target.h>                                 // must come before highway.h
#include <hwy/highway.h>

#include "evident/base/log_math.hpp"
#include "models/mixture/density-inl.hpp"
#include "models/mixture/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::mixture {
namespace HWY_NAMESPACE {

/// Densities of kCount observations from y on, times weight and summed over components, plus the floor.
/// `kSafeFactors`: floor and weights are such that 2^-1022 may stand for 0.
template <bool kSafeFactors, std::size_t kCount>
HWY_INLINE void Densities(const double* y, std::size_t k, const Components& c, const PerComponent& factor, double floor,
                          V (&f)[kCount]) {
  constexpr std::size_t kTogether = kCount % 2 == 0 ? 2 : 1;
  const D d;
  for (V& v : f) v = hn::Set(d, floor);
  for (std::size_t j = 0; j < k; ++j) {
    const V mu = c.mu[j], s = c.s[j], a = factor[j];
    for (std::size_t m = 0; m < kCount; m += kTogether) {
      V x[kTogether];
      for (std::size_t q = 0; q < kTogether; ++q) x[q] = Exponent(hn::Set(d, y[m + q]), mu, s);
      if (kSafeFactors) {
        FastExp2Clamped(d, x);
      } else {
        for (V& v : x) v = FastExp2Bounded(d, v);
      }
      for (std::size_t q = 0; q < kTogether; ++q) f[m + q] = hn::MulAdd(a, x[q], f[m + q]);
    }
  }
}

/// With a floor: the sum of logs is the log of a product. `kSafeFactors`: powers of two need to be taken out only now
/// and then.
template <bool kSafeFactors>
HWY_INLINE V WithFloor(const Likelihood& data, const Components& c, const PerComponent& factor) {
  constexpr std::size_t kGroup = 10;
  static_assert(kPeriod % kGroup == 0);
  const std::size_t n = data.y.size(), k = data.components;
  LogProduct<D> product{D()};
  std::size_t i = 0, since = 0;
  for (; i + kGroup <= n; i += kGroup) {
    V f[kGroup];
    Densities<kSafeFactors>(data.y.data() + i, k, c, factor, data.floor, f);
    for (V v : f) kSafeFactors ? product.MultiplyUnchecked(v) : product.Multiply(v);
    if (kSafeFactors && (since += kGroup) == kPeriod) {
      product.Renormalise();
      since = 0;
    }
  }
  product.Renormalise();
  for (; i < n; ++i) {
    V f[1];
    Densities<kSafeFactors>(data.y.data() + i, k, c, factor, data.floor, f);
    kSafeFactors ? product.MultiplyUnchecked(f[0]) : product.Multiply(f[0]);
  }
  return product.Log();
}

/// Without a floor the largest exponent of each observation is taken out first.
HWY_INLINE V WithoutFloor(const Likelihood& data, const Components& c, const PerComponent& factor) {
  const D d;
  const std::size_t k = data.components;
  PerComponent log2_factor, densities;
  SetLog2(factor, k, log2_factor);
  LogProduct<D> product(d);
  V largest_sum = hn::Zero(d);
  for (const double y : data.y) {
    largest_sum = hn::Add(largest_sum, ComponentDensities(c, log2_factor, k, y, false, densities.values));
    V f = hn::Zero(d);
    for (std::size_t j = 0; j < k; ++j) f = hn::Add(f, densities[j]);
    product.Multiply(f);
  }
  return hn::MulAdd(largest_sum, hn::Set(d, kLn2), product.Log());
}

void LogLikelihood(const Likelihood& data, ConstBlock theta, double* out) {
  const D d;
  const std::size_t k = data.components, lanes = hn::Lanes(d);
  const V constant = hn::Set(d, -0.5 * kLog2Pi * static_cast<double>(data.y.size()));
  for (std::size_t i = 0; i < theta.size(); i += lanes) {
    Components c;
    PerComponent factor;
    c.Load(k, theta, i);
    V top = hn::Zero(d);
    for (std::size_t j = 0; j < k; ++j) {
      factor.set(j, hn::Mul(c.weight[j], c.root[j]));
      top = hn::Add(top, factor[j]);
    }
    V sum;
    if (data.floor <= 0) {
      sum = WithoutFloor(data, c, factor);
    } else if (SafeProduct(data.floor, top)) {
      sum = WithFloor<true>(data, c, factor);
    } else {
      sum = WithFloor<false>(data, c, factor);
    }
    StoreSome(hn::Add(sum, constant), out + i, theta.size() - i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::mixture
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::mixture {

HWY_EXPORT(LogLikelihood);

void log_likelihood(const Likelihood& data, ConstBlock theta, std::span<double> out) {
  if (data.components > kMaxComponents) return log_likelihood_each(data, theta, out);
  HWY_DYNAMIC_DISPATCH(LogLikelihood)(data, theta, out.data());
}

}  // namespace evident::mixture
#endif  // HWY_ONCE
