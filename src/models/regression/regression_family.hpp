// Which covariates belong in a linear regression: model k is the subset whose bits are set in k.
//
//   const RegressionFamily family(data, {});            // each covariate in with probability 1/2
//   family.name(0b101);                                 // "x1 + x3"
//   family.regression(0b101).exact_log_evidence();
//
// Jumps: add or remove one covariate, and swap one that is in for one that is out; docs/jumps.md derives them.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "evident/model/family.hpp"
#include "models/regression/linear_regression.hpp"

namespace evident {

/// Each of p covariates is in with probability q, independently.
class InclusionPrior final : public ModelPrior {
 public:
  /// Throws InputError unless 0 < q < 1 and there are at most RegressionData::kMaxCovariates covariates.
  explicit InclusionPrior(std::size_t covariates, double probability = 0.5);
  double log_probability(ModelIndex k) const override;
  ModelIndex draw(Stream& random) const override;

 private:
  std::size_t covariates_;
  double probability_;
};

class RegressionFamily final : public ModelFamily {
 public:
  /// Without a prior each covariate is in with probability 1/2.
  RegressionFamily(std::shared_ptr<const RegressionData> data, const RegressionOptions& options,
                   std::shared_ptr<const ModelPrior> prior = nullptr);

  const Model& model(ModelIndex k) const override { return regression(k); }
  const LinearRegression& regression(ModelIndex k) const;
  const RegressionData& data() const { return *data_; }
  std::string name(ModelIndex k) const override;
  const ModelPrior& prior() const override { return *prior_; }
  const std::vector<std::unique_ptr<Jump>>& jumps() const override { return jumps_; }

 private:
  std::shared_ptr<const RegressionData> data_;
  RegressionOptions options_;
  std::shared_ptr<const ModelPrior> prior_;
  std::vector<std::unique_ptr<Jump>> jumps_;
  mutable std::shared_mutex mutex_;  ///< guards `made_`
  mutable std::map<ModelIndex, std::unique_ptr<const LinearRegression>> made_;
};

}  // namespace evident
