// What a run records: one Step per tempering parameter. Every evidence estimate is a fold over the trace.
//
//   class Printer final : public Observer {
//     void on_step(const Trace& trace, const Population&) override { std::cout << trace.steps.back().alpha << '\n'; }
//   };
//   Printer printer;
//   const Run run = direct_evidence(*model, {}, context, &printer);
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "evident/particles/population.hpp"

namespace evident {

/// Points inside an interval of the path at which the mean log likelihood is also known, by reweighting.
inline constexpr std::size_t kFinest = 8;

struct Step {
  double alpha = 0;      ///< alpha_t
  double log_ratio = 0;  ///< log of the estimate of Z_t / Z_{t-1}
  double mean = 0;       ///< U_t: weighted mean log likelihood after the move
  double variance = 0;   ///< its weighted variance
  double ess = 0;        ///< before resampling, as a share of N
  double cess = 0;       ///< as a share of N
  bool resampled = false;
  double acceptance = 0;        ///< share of proposals accepted in the move
  double scale = 1;             ///< factor on the calibrated proposal scale
  double jump = 0;              ///< mean squared jump in units of the posterior's variance, per coordinate
  std::size_t passes = 0;       ///< of the kernel over all its groups, in the move
  std::size_t evaluations = 0;  ///< likelihood evaluations of this step
  double seconds = 0;           ///< since the run began
  /// Mean log likelihood at alpha_{t-1} + j (alpha_t - alpha_{t-1}) / 8, j = 1..7, by reweighting the particles of t-1.
  std::array<double, kFinest - 1> finer{};
  double impossible = 0;  ///< share of the particles, not of their weight, whose log likelihood is -inf
  TwoGroups groups{};     ///< of the log likelihoods after the move
  double chains = 0;      ///< waste-free runs: relative variance of the ratio, from its chains
};

/// How the first particles were drawn. Where most draws are impossible there are more draws than particles.
struct FirstDraws {
  std::size_t made = 0;      ///< 0: not recorded
  std::size_t possible = 0;  ///< draws whose log likelihood is above -inf
  double share = 1;          ///< of the draws that are possible: an unbiased estimate (docs/impossible.md)
  /// Variance of the share over its square, as far as the particles' own weights do not show it: those count as draws.
  double hidden_variance(std::size_t particles) const;
};

struct Trace {
  std::vector<Step> steps;  ///< steps[0] is the initial population, alpha = 0
  /// Log of the mean of prior / nu at the start, 0 when nu is the prior. And of what turns the share of possible
  /// particles into that of possible draws, where impossible draws were replaced.
  double log_initial = 0;
  FirstDraws first = {};
  std::size_t particles = 0;
  std::size_t evaluations = 0;
  std::size_t nan_evaluations = 0;
  std::vector<std::vector<double>> nan_points = {};  ///< a few parameter vectors at which the likelihood was NaN
  std::size_t gradients = 0;                         ///< not among the evaluations
  /// Families of the particles, one entry per resampling and one for the end. Empty for samplers that keep none.
  std::vector<Generation> generations;
  std::size_t waste_free = 0;  ///< states of a chain in a waste-free run; 0 in other runs
  std::size_t resamplings() const;
  double mean_acceptance() const;  ///< over the steps after the first
};

/// Sees each step of a run: progress, checkpoints, anything that should not make the loop grow.
class Observer {
 public:
  virtual ~Observer() = default;
  /// After step t was recorded; trace.steps.back() is it. The first call is for the initial population, alpha = 0.
  virtual void on_step(const Trace& trace, const Population& particles) = 0;
};

}  // namespace evident
