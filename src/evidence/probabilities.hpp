// Posterior model probabilities with intervals, from log evidences with standard errors.
//
//   const std::vector<WeightedEvidence> e = {{.log_evidence = {-10.2, 0.1}}, {.log_evidence = {-11.0, 0.3}}};
//   const ModelProbabilities p = model_probabilities(e);
//   p.probability[0].value; p.interval[0].lower; p.bayes_factor(0, 1).interval.upper;
//
// The errors of the log evidences are taken as independent, normal, or Student's t when few runs gave them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/estimate.hpp"

namespace evident {

struct WeightedEvidence {
  Estimate log_evidence = {};
  double weight = 1;  ///< prior weight of the model; weights need not add up to 1
};

/// The interval is that of the difference of two log evidences, whatever their degrees of freedom.
struct LogBayesFactor {
  Estimate estimate = {};
  Interval interval = {};
};

struct ModelProbabilities {
  std::vector<Estimate> probability;  ///< at the estimates of the log evidences themselves
  std::vector<Interval> interval;     ///< of each probability
  /// How much of the summed variance of all the probabilities is due to the error of each model's evidence; they add
  /// up to 1. Further work lowers the error most where share / cost is largest. NaN when an error is not known, 0 for
  /// all when there is no error.
  std::vector<double> error_share;
  std::vector<WeightedEvidence> evidence;  ///< as given

  LogBayesFactor bayes_factor(std::size_t i, std::size_t j) const;
};

/// Draws for the intervals: the ends are known to about 1 % of the standard error.
inline constexpr std::size_t kProbabilityDraws = 65536;

/// Intervals come from kProbabilityDraws draws with a fixed seed, so equal input gives equal output. Throws InputError
/// when a weight is negative or all are zero, or when a standard error is negative.
ModelProbabilities model_probabilities(std::span<const WeightedEvidence> evidence);

/// The probabilities averaged over the errors: a model that is ahead by less than its error is not sure to be. For many
/// small comparisons: 3 points of Gauss and Hermite for each model, 3^models in all, take the place of the draws. They
/// are within 0.001 of the average for errors of up to 1, within 0.00001 up to 0.3. Errors are taken as normal, and as
/// 0 where they are not known. A model without a finite log evidence has probability 0; if none has one, all are NaN.
std::vector<double> mean_probabilities(std::span<const WeightedEvidence> evidence);

}  // namespace evident
