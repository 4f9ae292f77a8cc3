// The jumps between regressions, and the proposal for a new coefficient that they share.
#pragma once

#include <bit>
#include <memory>
#include <span>

#include "evident/model/family.hpp"
#include "models/regression/linear_regression.hpp"

namespace evident::regression {

/// Add a covariate or remove one.
std::unique_ptr<Jump> make_add(std::shared_ptr<const RegressionData> data, const RegressionOptions& options);
/// One covariate in for one out.
std::unique_ptr<Jump> make_swap(std::shared_ptr<const RegressionData> data, const RegressionOptions& options);

inline CovariateSet bit(std::size_t j) { return CovariateSet{1} << j; }
inline std::size_t size(CovariateSet set) { return static_cast<std::size_t>(std::popcount(set)); }
/// Where covariate j stands in theta of the model `set`, or would stand.
inline std::size_t place(CovariateSet set, std::size_t j) { return 2 + size(set & (bit(j) - 1)); }

void insert_value(std::span<const double> from, std::size_t place, double value, std::span<double> to);
void erase_value(std::span<const double> from, std::size_t place, std::span<double> to);

/// The law from which a coefficient is proposed: half its full conditional given everything else, which is right at the
/// posterior, and half its prior, which keeps ratios bounded when the likelihood is tempered.
class CoefficientProposal {
 public:
  /// For covariate j given theta of model `rest`, which is without j.
  CoefficientProposal(const RegressionData& data, const RegressionOptions& options, CovariateSet rest, std::size_t j,
                      std::span<const double> theta);
  double draw(Stream& random) const;
  double log_density(double x) const;

 private:
  double mean_, sd_, prior_sd_;
};

}  // namespace evident::regression
