// Ready-made priors for the models of a family.
//
//   ListedModels({{1, 1.0}, {2, 1.0}})          // models with weights
//   CountPrior::parse("poisson(mean=3)")        // a number of components, 1, 2, ...
#pragma once

#include <map>
#include <vector>

#include "evident/model/family.hpp"

namespace evident {

/// A finite list. Weights are 0 or more and need not add up to 1.
class ListedModels final : public ModelPrior {
 public:
  explicit ListedModels(const std::map<ModelIndex, double>& weights);
  double log_probability(ModelIndex k) const override;
  ModelIndex draw(Stream& random) const override;

 private:
  std::map<ModelIndex, double> log_;
};

/// A number of components, 1, 2, ..., without an upper limit of its own.
class CountPrior final : public ModelPrior {
 public:
  static CountPrior uniform(ModelIndex lowest, ModelIndex highest);
  static CountPrior poisson(double mean);       ///< k = 1, 2, ...: the Poisson law without its zero
  static CountPrior geometric(double success);  ///< p (1-p)^(k-1), k = 1, 2, ...
  /// "uniform(1, 10)", "poisson(3)" or "poisson(mean=3)", "geometric(0.5)"; throws InputError with the forms that are
  /// known.
  static CountPrior parse(std::string_view text);

  double log_probability(ModelIndex k) const override;
  ModelIndex draw(Stream& random) const override;

 private:
  enum class Law { uniform, poisson, geometric };
  CountPrior(Law law, double a, double b) : law_(law), a_(a), b_(b) {}
  Law law_;
  double a_, b_;
};

}  // namespace evident
