// Samplers as the paper sets them: estimates of a run, the hand-set kernels, a schedule of a wanted length.
#pragma once

#include <functional>
#include <vector>

#include "evident/smc/sampler.hpp"
#include "settings.hpp"

namespace zhou2016 {

/// The estimates of one run.
struct Estimates {
  double standard = 0;      ///< DS
  double path = 0;          ///< PS: trapezoid rule over the sampled alphas, from 0 on
  double path_guarded = 0;  ///< the same from the first alpha at which it can be trusted (evidence/estimate.hpp)
  std::size_t steps = 0, evaluations = 0;
};
Estimates estimates(const evident::Trace& trace);

/// Replicates of direct evidence on one model.
std::vector<Estimates> direct_runs(const Settings& settings, std::size_t count, evident::RunIdentity identity,
                                   const evident::Model& model, const evident::SmcOptions& options);

using Member = double Estimates::*;
std::vector<double> values(const std::vector<Estimates>& runs, Member member);
double mean_steps(const std::vector<Estimates>& runs);

/// One pass a step with hand-set scales.
evident::KernelOptions manual_kernel(std::function<double(std::size_t, double)> scale, evident::Grouping grouping);

/// The CESS target with which a run takes about `steps` steps, found by short runs with fewer particles.
double cess_for_steps(const Settings& settings, const evident::Model& model, evident::SmcOptions options,
                      std::size_t steps);

}  // namespace zhou2016
