// All the runs of a comparison that has a run of its own for each model.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <vector>

#include "compare/islands.hpp"
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
  std::optional<PlanOfPilot> pilot = {};
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
  void run();
  /// Some models begin again with twice the particles, as far as they may; then rounds go on.
  void double_particles(const std::vector<bool>& wanted);
  std::vector<ModelRuns>& models() { return models_; }

  std::size_t rounds() const { return rounds_; }
  Context context(std::size_t k, std::size_t r, const Executor& executor, Team& team = Team::alone()) const;
  /// Where something of model k is kept.
  Keeping keeping(std::size_t k, const std::string& what) const;
  const Executor& executor() const { return executor_; }
  Team& team() const { return team_; }

 private:
  using Further = std::vector<std::size_t>;  // runs of each model
  void make_pilots(const std::vector<bool>& wanted);
  void add(const Further& further);
  void go_on();
  std::vector<ModelProgress> progress() const;
  unsigned threads_of_all() const;
  void begin(const RoundPlan& plan);
  struct Job {
    std::size_t model, run;
  };
  using Results = std::vector<std::optional<runs::Finished>>;
  void pilot(std::size_t k, const Executor& executor, Team& team);
  Keeping keeping(Job job) const;
  /// What was done before, and the observer hears of it.
  Results find_done(const std::vector<Job>& jobs);
  void tell_done(Job job, const Replicate& replicate) const;
  std::optional<runs::Finished> one(Job job, const Executor& executor, Team& team);
  Results run_here(const std::vector<Job>& jobs);
  Results run_dealt(const std::vector<Job>& jobs);
  const Executor& inside(std::size_t jobs) const;
  double now() const { return options_.now ? options_.now() : seconds_since(Clock::time_point()); }
  /// Clocks differ between ranks; that of rank 0 counts wherever all of them must do the same.
  double elapsed(Team& team) const;
  bool late(Team& team) const;
  template <class F>
  void guarded(std::size_t k, const F& f) const;

  const std::vector<Candidate>& candidates_;
  const CompareOptions& options_;
  CompareObserver* observer_;
  std::stop_token stop_;
  Team& team_;
  const Executor executor_;
  const Executor alone_{1};
  const double start_ = now();
  std::size_t rounds_ = 1;
  std::vector<ModelRuns> models_;
};

}  // namespace evident
