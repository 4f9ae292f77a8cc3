// All the runs of a comparison that has a run of its own for each model.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <vector>

#include "compare/next_round.hpp"
#include "compare/runs/run.hpp"
#include "evident/compare/compare.hpp"
#include "evident/smc/frozen.hpp"

namespace evident {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

/// The runs of one model.
struct ModelRuns {
  SmcOptions smc = {};
  std::size_t full = 0;   ///< particles that were asked for
  std::size_t first = 0;  ///< number of the first run that counts: those before had fewer particles
  std::optional<PilotRun> pilot = {};
  std::vector<runs::Finished> finished = {};
  std::size_t earlier_evaluations = 0;
  bool dropped = false;
};

/// Each run is keyed by (seed, data set, model, replicate), so any order and any thread gives the same numbers.
class AllRuns {
 public:
  AllRuns(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
          std::stop_token stop);

  /// Replicates, or a pilot and rounds of islands.
  std::vector<ModelRuns> run();

  std::size_t rounds() const { return rounds_; }
  Context context(std::size_t k, std::size_t r, const Executor& executor) const;
  const Executor& executor() const { return executor_; }

 private:
  using Jobs = std::vector<std::size_t>;  // further runs of each model
  void make_pilots(const std::vector<bool>& wanted);
  void add(const Jobs& further);
  RoundPlan plan_round() const;
  void begin(const RoundPlan& plan);
  void pilot(std::size_t k, const Executor& executor);
  std::optional<runs::Finished> one(std::size_t k, std::size_t r, const Executor& executor);
  const Executor& inside(std::size_t jobs) const;
  bool late() const;
  template <class F>
  void guarded(std::size_t k, const F& f) const;

  const std::vector<Candidate>& candidates_;
  const CompareOptions& options_;
  CompareObserver* observer_;
  std::stop_token stop_;
  const Executor executor_;
  const Executor alone_{1};
  const Clock::time_point start_ = Clock::now();
  std::size_t rounds_ = 1;
  std::vector<ModelRuns> models_;
};

}  // namespace evident
