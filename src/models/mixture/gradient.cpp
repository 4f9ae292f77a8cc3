// The gradient of the mixture's log likelihood, lanes = particles.
//
// With the share r_ij = w_j density_ij / mixture_i: d/dmu_j = lambda_j sum_i r_ij (y_i - mu_j),
// d/dlambda_j = sum_i r_ij (1 / lambda_j - (y_i - mu_j)^2) / 2, d/dw_j = sum_i r_ij / w_j.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/mixture/gradient.cpp"  // NOLINT
#include <hwy/foreach_target.h>                           // must come before highway.h
#include <hwy/highway.h>

#include "models/mixture/density-inl.hpp"
#include "models/mixture/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::mixture {
namespace HWY_NAMESPACE {

/// Sums over observations, one vector per component: of density / mixture, and of that times t and t^2, t = y - mu.
struct Sums {
  PerComponent ratio, first, second;

  HWY_INLINE void Clear(std::size_t k) {
    for (std::size_t j = 0; j < k; ++j)
      for (PerComponent* p : {&ratio, &first, &second}) p->set(j, hn::Zero(D()));
  }

  HWY_INLINE void Add(const Components& c, const PerComponent& densities, std::size_t k, double y, double floor) {
    const D d;
    V mixture = hn::Set(d, floor);
    for (std::size_t j = 0; j < k; ++j) mixture = hn::MulAdd(c.weight[j], densities[j], mixture);
    const V inverse = hn::Div(hn::Set(d, 1.0), mixture);
    for (std::size_t j = 0; j < k; ++j) {
      const V t = hn::Sub(hn::Set(d, y), c.mu[j]), r = hn::Mul(densities[j], inverse), rt = hn::Mul(r, t);
      ratio.set(j, hn::Add(ratio[j], r));
      first.set(j, hn::Add(first[j], rt));
      second.set(j, hn::MulAdd(rt, t, second[j]));
    }
  }
};

void Gradient(const Likelihood& data, ConstBlock theta, Block out) {
  const D d;
  const std::size_t k = data.components, lanes = hn::Lanes(d);
  const V half = hn::Set(d, 0.5);
  for (std::size_t i = 0; i < theta.size(); i += lanes) {
    Components c;
    PerComponent log2_root, densities;
    Sums sums;
    c.Load(k, theta, i);
    SetLog2(c.root, k, log2_root);
    sums.Clear(k);
    for (const double y : data.y) {
      ComponentDensities(c, log2_root, k, y, data.floor > 0, densities.values);
      sums.Add(c, densities, k, y, data.floor);
    }
    for (std::size_t j = 0; j < k; ++j) {
      const V lambda = hn::Load(d, theta.row_data(k + j) + i), w = c.weight[j];
      const V of_lambda = hn::Sub(hn::Div(sums.ratio[j], lambda), sums.second[j]);
      hn::Store(hn::Mul(hn::Mul(w, lambda), sums.first[j]), d, out.row_data(j) + i);
      hn::Store(hn::Mul(hn::Mul(w, half), of_lambda), d, out.row_data(k + j) + i);
      if (k > 1) hn::Store(sums.ratio[j], d, out.row_data(2 * k + j) + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::mixture
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::mixture {

HWY_EXPORT(Gradient);

void gradient(const Likelihood& data, ConstBlock theta, Block out) {
  if (data.components > kMaxComponents) return gradient_each(data, theta, out);
  HWY_DYNAMIC_DISPATCH(Gradient)(data, theta, out);
}

}  // namespace evident::mixture
#endif  // HWY_ONCE
