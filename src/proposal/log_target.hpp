// The log posterior density, up to the evidence, at many points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/context.hpp"
#include "evident/base/log_math.hpp"
#include "evident/path/target.hpp"

namespace evident {

class LogTarget {
 public:
  explicit LogTarget(const TemperedTarget& target)
      : target_(target), theta_(target.model().parameters().size(), kBlockSize), compact_(theta_) {}

  /// The likelihood is asked for only where the prior is positive.
  void evaluate(ConstBlock z, std::span<double> log_prior, std::span<double> out) {
    for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
      const std::size_t n = std::min(kBlockSize, z.size() - first);
      block(z.columns(first, n), log_prior.subspan(first, n), out.subspan(first, n));
    }
  }

 private:
  void block(ConstBlock z, std::span<double> log_prior, std::span<double> out) {
    const std::size_t n = z.size();
    const Block theta = theta_.block().columns(0, n);
    target_.prior(z, theta, log_prior, {log_jacobian_, n});
    std::size_t inside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      inside_[inside] = i;
      inside += log_prior[i] > -kInf ? 1 : 0;
    }
    std::fill(out.begin(), out.end(), -kInf);
    if (inside == 0) return;
    if (inside < n)
      for (std::size_t j = 0; j < theta.rows(); ++j)
        for (std::size_t k = 0; k < inside; ++k) compact_(j, k) = theta(j, inside_[k]);
    target_.likelihood(inside < n ? compact_.block().columns(0, inside) : theta, {log_likelihood_, inside});
    for (std::size_t k = 0; k < inside; ++k) out[inside_[k]] = log_prior[inside_[k]] + log_likelihood_[k];
  }

  TemperedTarget target_;
  BlockStorage theta_, compact_;
  std::size_t inside_[kBlockSize] = {};
  alignas(64) double log_jacobian_[kBlockSize] = {}, log_likelihood_[kBlockSize] = {};
};

}  // namespace evident
