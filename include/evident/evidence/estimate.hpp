// Estimates of an evidence, from the trace of one run or from several runs.
//
//   const Run run = direct_evidence(*model, {}, context);
//   standard_estimate(run.trace);                                // the log evidence
//   path_sampling(run.trace).best();                             // the same by another way
//   const std::vector<double> log_evidences = {-10.2, -10.4, -10.1};
//   const Estimate all = island_evidence(log_evidences);         // of runs that follow one plan, smc/sampler.hpp
//   all.interval().lower;                                        // 95 %
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "evident/base/estimate.hpp"

namespace evident {

struct Trace;  // path/trace.hpp

/// The log of the mean of several independent unbiased estimates of an evidence ("islands"). The mean is taken of the
/// evidences, not of their logarithms: an unbiased estimate has a logarithm that is too low by about half its variance.
/// src/evidence/islands.cpp says how its error is found.
/// `one_run_variances` is empty or as long as `log_evidences`; entries that are not finite are left out. Throws
/// InputError when there is no island, when the lengths differ, or when a log evidence is NaN or +inf.
Estimate island_evidence(std::span<const double> log_evidences, std::span<const double> one_run_variances = {});

/// Path sampling: log Z = integral of E_alpha[log likelihood] over alpha in (0, 1), by rules of increasing order, on
/// the sampled grid and on grids two, four and eight times finer. The extra points come from reweighting the particles
/// of the step before, so they cost no likelihood evaluation (paper, table pet-bias).
enum class Rule { trapezoid, simpson, simpson38, boole };
inline constexpr std::array<Rule, 4> kRules = {Rule::trapezoid, Rule::simpson, Rule::simpson38, Rule::boole};
inline constexpr std::array<std::size_t, 4> kRefinements = {1, 2, 4, 8};
std::string_view name(Rule rule);

/// Integrates y over increasing x with closed Newton-Cotes rules on unequal steps (degree 1, 2, 3 or 4); what is left
/// over at the end is done with a lower degree.
double integrate(Rule rule, std::span<const double> x, std::span<const double> y);

struct PathSampling {
  std::array<std::array<double, 4>, 4> estimate{};  ///< [rule][refinement], as in kRules and kRefinements
  double corrected = 0;  ///< trapezoid with the variance correction of Friel, Hurn and Wyse (2014)
  /// The integral starts at steps[start]: before it the mean log likelihood was -inf or too wild to integrate (its
  /// standard deviation times the step is above 10), and the standard estimator's increments are used instead.
  std::size_t start = 0;

  double best() const { return estimate[0][3]; }  ///< the one reported: trapezoid on the finest grid
  /// What the finest grid changed. The trapezoid rule's own error is a third of that, where the integrand is smooth.
  double error() const { return std::abs(estimate[0][3] - estimate[0][2]); }
};

PathSampling path_sampling(const Trace& trace);

/// The standard estimator (DS): product over t = 1..T of the mean incremental weights.
double standard_estimate(const Trace& trace);

/// What the fresh draws say about the fit and the population.
struct BridgeAgreement {
  Estimate importance = {};  ///< log evidence by importance sampling alone; its error as far as the weights show it
  double gap = 0;            ///< importance - log_evidence
  double halves = 0;         ///< log evidence by the first half's fit minus that by the second's; 0 without halves
  double pareto_k = 0;       ///< tail of the importance weights; above 0.7 they cannot be relied on
  double largest_share = 0;  ///< of one fresh draw in its importance estimate
  double efficiency = 0;     ///< effective share of the fresh draws: 1 when the fit is the posterior
};

/// The evidence by bridge sampling, from the last particles of a run and a density fitted to them.
struct BridgeEvidence {
  Estimate log_evidence = {};
  double effective = 0;         ///< independent draws that the particles are worth
  std::size_t components = 0;   ///< of the larger fit, the broad ones not counted
  std::size_t evaluations = 0;  ///< of the likelihood
  std::size_t nan_evaluations = 0;
  BridgeAgreement agreement = {};
  bool usable = false;
  std::string reason = {};  ///< why it is not usable
};

}  // namespace evident
