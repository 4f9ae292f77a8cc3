// What a model, or several weighed together, would observe anew, beside what was observed.
//
//   const PredictiveSource source{.model = model.get(), .draws = &result.draws, .streams = Streams({.seed = 7})};
//   const Predictive p = predictive({&source, 1}, executor);
//   p.series[0].band.q95[i];          // of new observations in the place of observation i
//   p.checks[0].p_value;              // share of new data sets whose mean is larger than that of the data
//
// Draws are picked from the weighted posterior draws with equal weights; the result is the same for any number of
// threads. A model without observations (Model::observed) has no series.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/compare/compare.hpp"

namespace evident::report {

struct PredictiveOptions {
  std::size_t draws = 1000;          ///< new data sets; fewer when there are very many observations
  std::size_t replicates = 10;       ///< of them, kept as they are
  std::size_t most_rows = 1000;      ///< observations that are kept of a series, evenly
  std::size_t most_cells = 4000000;  ///< observations times data sets
};

/// Quantiles of each of several numbers; NaN where there is none.
struct Band {
  std::vector<double> q05 = {}, q25 = {}, q50 = {}, q75 = {}, q95 = {};
};

/// Counts in intervals, for data that have no axis. Values of new data sets that lie outside are not counted.
struct PredictedHistogram {
  std::vector<double> edges = {};     ///< one more than counts
  std::vector<double> observed = {};  ///< counts
  Band band = {};                     ///< of the counts of new data sets
};

struct PredictedSeries {
  Observed observed = {};         ///< the rows that are kept
  std::size_t count = 0;          ///< of observations, before any was left out
  std::vector<double> mean = {};  ///< of Model::predict
  std::vector<double> mean_q05 = {}, mean_q95 = {};
  Band band = {};                                    ///< of new observations
  std::vector<std::vector<double>> replicates = {};  ///< some new data sets
  PredictedHistogram histogram = {};
};

/// A number that tells something of a data set, in the data and in new data sets.
struct PredictiveCheck {
  std::string observed = {};  ///< name of the series
  std::string statistic = {};
  double value = kNaN, q05 = kNaN, q50 = kNaN, q95 = kNaN;
  double p_value = kNaN;  ///< share of new data sets in which it is larger; half of those in which it is equal
};

struct Predictive {
  std::size_t draws = 0;
  std::vector<PredictedSeries> series = {};
  std::vector<PredictiveCheck> checks = {};
};

struct PredictiveSource {
  const Model* model = nullptr;
  const Draws* draws = nullptr;  ///< rows begin with the parameters of the model
  double share = 1;              ///< of the new data sets; shares need not add up to 1
  Streams streams = Streams(RunIdentity{});
};

/// All sources must have the same observations. Throws RunError when draws and models do not belong together, when no
/// draw has a weight, or when there are more than a million observations.
Predictive predictive(std::span<const PredictiveSource> sources, const Executor& executor,
                      const PredictiveOptions& options = {});

/// Do two models observe the same? Names and values count, not what they are drawn against.
bool same_observations(const Model& a, const Model& b);

}  // namespace evident::report
