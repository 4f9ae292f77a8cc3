// Runs of models: pilots, islands, adaptive runs, whatever the method. Each is keyed by (seed, data set, model, run),
// so that any order, any thread and any rank gives the same numbers.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "base/option.hpp"
#include "base/team.hpp"
#include "compare/model_runs.hpp"
#include "compare/next_round.hpp"
#include "evident/base/context.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

/// How long to look for the modes of a model whose islands have these options.
ScoutOptions scout_options(const SmcOptions& smc, const CompareOptions& options);

/// FNV-1a. A name is an identity: random numbers stay the same when other models come or go.
std::uint32_t identity(std::string_view name);

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

/// Runs f; its errors name whose they are.
template <class F>
void name_errors(const std::string& whose, const F& f) {
  try {
    f();
  } catch (const InputError& e) {
    throw InputError(whose + ": " + e.message());
  } catch (const std::exception& e) {
    throw RunError(whose + ": " + message_of(e));
  }
}

class Runner {
 public:
  Runner(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
         std::stop_token stop);

  /// Looks for the modes of models that get islands.
  void scout_modes(std::vector<ModelRuns>& models) const;
  /// Makes the plans of the models that lack one and get islands.
  void make_pilots(const RoundPlan& round, std::vector<ModelRuns>& models) const;
  /// Adds the runs of a round. Islands that would begin after the time is up are left out, if there are some already.
  void add_runs(const RoundPlan& round, std::vector<ModelRuns>& models) const;

  Context context(std::size_t model, std::size_t run, const Executor& threads, Team& team) const;
  /// Where something of a model is kept.
  CheckpointSlot slot(std::size_t model, const std::string& what) const;
  const Candidate& candidate(std::size_t model) const { return candidates_[model]; }
  const CompareOptions& options() const { return options_; }
  CompareObserver* observer() const { return observer_; }
  const std::stop_token& stop() const { return stop_; }
  Team& team() const { return team_; }
  const Executor& executor() const { return executor_; }
  unsigned threads_of_all() const { return static_cast<unsigned>(team_.threads_of_all(executor_.threads())); }
  /// Seconds since the comparison began, those before it was stopped included. Clocks differ between ranks; that of
  /// rank 0 counts wherever all of them must do the same.
  double elapsed(Team& team) const;

 private:
  struct Job {
    std::size_t model, run;
  };
  PlanOfPilot pilot(std::size_t model, const ModelRuns& runs, const Executor& threads, Team& team) const;
  std::optional<runs::Finished> run(Job job, const ModelRuns& runs, const Executor& threads, Team& team) const;
  CheckpointSlot slot(Job job, const ModelRuns& runs) const;
  bool is_late(Team& team) const;
  double now() const { return options_.now ? options_.now() : seconds_since(Clock::time_point()); }

  const std::vector<Candidate>& candidates_;
  const CompareOptions& options_;
  CompareObserver* observer_;
  std::stop_token stop_;
  Team& team_;
  const Executor executor_;
  const double start_ = now();
};

}  // namespace evident
