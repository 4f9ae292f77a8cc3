// Mixtures of normal distributions with an unknown number of components: model k has k of them.
//
//   const MixtureFamily family({}, observations, std::make_shared<CountPrior>(CountPrior::uniform(1, 10)));
//   family.name(4);                          // "4 components"
//   family.model(4).parameters().names();    // made at the first call, with the priors of GaussianMixture
//
// Jumps: split one component into two that keep its weight, mean and variance, or combine two neighbours (Richardson
// and Green 1997); and birth of a component from the prior, or death of one. docs/jumps.md derives both.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "evident/model/family.hpp"
#include "models/mixture/gaussian_mixture.hpp"

namespace evident {

class MixtureFamily final : public ModelFamily {
 public:
  /// `options.components` is ignored. Throws InputError as GaussianMixture does, or when there is no prior.
  MixtureFamily(const GaussianMixtureOptions& options, std::vector<double> observations,
                std::shared_ptr<const ModelPrior> prior);

  const Model& model(ModelIndex k) const override { return mixture(k); }
  const GaussianMixture& mixture(ModelIndex k) const;
  std::string name(ModelIndex k) const override;
  const ModelPrior& prior() const override { return *prior_; }
  const std::vector<std::unique_ptr<Jump>>& jumps() const override { return jumps_; }

 private:
  std::shared_ptr<const ModelPrior> prior_;
  GaussianMixture one_;  ///< model 1; its options have the defaults filled in
  std::vector<std::unique_ptr<Jump>> jumps_;
  mutable std::shared_mutex mutex_;  ///< guards `made_`
  mutable std::map<ModelIndex, std::unique_ptr<const GaussianMixture>> made_;
};

}  // namespace evident
