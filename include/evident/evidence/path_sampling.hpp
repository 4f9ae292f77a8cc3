// Path sampling: log Z = integral of E_alpha[log likelihood] over alpha in (0, 1), from the trace of a run.
//
// Rules of increasing order on the sampled grid and on grids two, four and eight times finer; the extra points come
// from reweighting the particles of the step before, so they cost no likelihood evaluation (paper, table pet-bias).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "evident/path/trace.hpp"

namespace evident {

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
};

PathSampling path_sampling(const Trace& trace);

/// The standard estimator (DS): product over t = 1..T of the mean incremental weights.
double standard_estimate(const Trace& trace);

}  // namespace evident
