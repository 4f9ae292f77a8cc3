// The kept part of a population MCMC run, and the estimates made from it.
#pragma once

#include <cstddef>
#include <vector>

#include "baseline/population_mcmc.hpp"
#include "baseline/rung_tally.hpp"

namespace evident {

class LadderRecord {
 public:
  LadderRecord(std::vector<double> alphas, std::size_t ladders, std::size_t iterations);

  /// Log likelihood of one chain at kept iteration `t`.
  void add(std::size_t t, std::size_t ladder, std::size_t rung, double log_likelihood);
  /// Fills in moments, estimates and standard error, and the trace.
  void finish(PopulationMcmcRun& run) const;

 private:
  using Rungs = std::vector<RungTally>;
  Trace trace(const Rungs& rungs) const;
  Rungs merged(std::size_t batch_from, std::size_t batch_to, std::size_t ladder_from, std::size_t ladder_to) const;
  double standard_error(const PopulationMcmcRun& run) const;

  std::vector<double> alphas_;
  std::size_t ladders_, iterations_, batches_;
  std::vector<RungTally> tallies_;  ///< [batch][ladder][rung]
};

}  // namespace evident
