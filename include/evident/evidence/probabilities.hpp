// Posterior model probabilities with intervals, from log evidences with standard errors.
//
//   const std::vector<EvidenceEstimate> e = {{.log_evidence = -10.2, .standard_error = 0.1},
//                                            {.log_evidence = -11.0, .standard_error = 0.3}};
//   const ModelProbabilities p = model_probabilities(e);
//   p.probability[0]; p.interval[0].lower; p.bayes_factor(0, 1).interval.upper;
//
// The errors of the log evidences are taken as independent, normal, or Student's t when few runs gave them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/base/log_math.hpp"

namespace evident {

struct EvidenceEstimate {
  double log_evidence = 0;
  double standard_error = 0;  ///< of the log evidence; NaN when it is not known
  double degrees = kInf;      ///< degrees of freedom of the standard error: runs - 1; infinity: it is exact
  double weight = 1;          ///< prior weight of the model; weights need not add up to 1
};

/// 95 %. Both ends are NaN when an error that matters is not known.
struct Interval {
  double lower = kNaN, upper = kNaN;
};

struct LogBayesFactor {
  double value = 0;
  double standard_error = kNaN;
  Interval interval{};
};

struct ModelProbabilities {
  std::vector<double> probability;     ///< at the estimates themselves
  std::vector<Interval> interval;      ///< of each probability
  std::vector<double> standard_error;  ///< of each probability
  /// How much of the summed variance of all the probabilities is due to the error of each model's evidence; they add
  /// up to 1. Further work lowers the error most where share / cost is largest. NaN when an error is not known, 0 for
  /// all when there is no error.
  std::vector<double> error_share;
  std::vector<EvidenceEstimate> evidence;  ///< as given

  LogBayesFactor bayes_factor(std::size_t i, std::size_t j) const;
};

/// Draws for the intervals: the ends are known to about 1 % of the standard error.
inline constexpr std::size_t kProbabilityDraws = 65536;

/// Intervals come from kProbabilityDraws draws with a fixed seed, so equal input gives equal output. Throws InputError
/// when a weight is negative or all are zero, or when a standard error is negative.
ModelProbabilities model_probabilities(std::span<const EvidenceEstimate> evidence);

}  // namespace evident
