// Sequential Monte Carlo that starts from a density which knows the posterior's shape instead of from the prior: the
// target is tempered from q to the posterior along q^(1 - alpha) (prior x likelihood)^alpha. The path is short, so that
// a few steps do. The evidence is exact for every q that is normalised and leaves nothing out.
//
//   const FromDensity path(model, PriorAndModes(model, modes, 0.2));
//   const Run run = direct_evidence(path, options, context);
//   const Population x = path.particles_of_model(run.particles);
//
// Or from a mixture that importance sampling found too poor:
//
//   const ImportanceEvidence e = importance_evidence(model, particles, {}, context);
//   if (!e.usable) log_evidence = standard_estimate(from_density(model, *e.density, options, context).trace);
#pragma once

#include "evident/smc/sampler.hpp"
#include "proposal/importance.hpp"
#include "smc/start_density.hpp"

namespace evident {

/// The density as prior, and what is left of the posterior as likelihood. Its parameters are the coordinates z of the
/// model. Both must outlive it.
class FromDensity final : public Model {
 public:
  FromDensity(const Model& model, const StartDensity& start);
  const ParameterSpace& parameters() const override { return space_; }
  void draw_prior(const Streams& streams, std::uint32_t first, Block z) const override {
    start_.draw(streams, first, z);
  }
  void log_prior(ConstBlock z, std::span<double> out) const override { start_.log_density(z, out); }
  void log_likelihood(ConstBlock z, std::span<double> out) const override;

  const StartDensity& start() const { return start_; }
  /// Particles of this path as particles of the model: its own parameters, prior and likelihood.
  Population particles_of_model(Population x) const;

 private:
  const Model& model_;
  const StartDensity& start_;
  ParameterSpace space_;
};

/// The particles of the run live on the coordinates z of `model`, which are its theta, too.
Run from_density(const Model& model, const QuickMixture& density, const SmcOptions& options, const Context& context);

}  // namespace evident
