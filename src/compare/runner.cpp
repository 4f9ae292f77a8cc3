#include "compare/runner.hpp"

#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "base/run_kept.hpp"
#include "compare/island.hpp"
#include "compare/result_fields.hpp"

namespace evident {
namespace {

using runs::Finished;

/// Passes steps of one run on, with the run's place.
class Forward final : public Observer {
 public:
  Forward(CompareObserver* to, std::size_t model, std::size_t replicate)
      : to_(to), model_(model), replicate_(replicate) {}
  void on_step(const Trace& trace, const Population&) override {
    if (to_ != nullptr) to_->on_step(model_, replicate_, trace);
  }

 private:
  CompareObserver* to_;
  std::size_t model_, replicate_;
};

// An evidence that is no number would make every probability one.
void check_evidence(double log_evidence, const CompareOptions& options) {
  if (!(log_evidence < kInf))
    throw RunError("method " + std::string(info(options.method).name) + " gave no evidence (" +
                   (std::isnan(log_evidence) ? "NaN" : "infinity") + "); try direct");
}

}  // namespace

// A fiftieth of what the comparison will evaluate, and enough to look around at all. The quickest runs take 35
// evaluations a particle; where there are several modes, 100 and more. Small runs are checked by nested sampling, which
// takes more than they do: with several modes the smallest comparison takes half a million. Where it is not known that
// few modes are unseen, half of the particles begin at the prior, and runs take 500 evaluations a particle, the
// smallest comparison two million.
ScoutOptions scout_options(const SmcOptions& smc, const CompareOptions& options) {
  constexpr std::size_t kShare = 50, kFewest = 500, kOfOneMode = 35, kOfSeveral = 100, kFewestOfSeveral = 10'000;
  constexpr std::size_t kUntilEnough = 500, kFewestUntilEnough = 40'000;
  const std::size_t particles = (options.islands + 1) * smc.particles;
  return {.most = std::max(kFewest, kOfOneMode * particles / kShare),
          .most_of_several = std::max(kFewestOfSeveral, kOfSeveral * particles / kShare),
          .most_until_enough = std::max(kFewestUntilEnough, kUntilEnough * particles / kShare),
          .most_draws = smc.max_prior_draws};
}

std::uint32_t identity(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Runner::Runner(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
               std::stop_token stop)
    : candidates_(candidates),
      options_(options),
      observer_(observer),
      stop_(std::move(stop)),
      team_(options.team == nullptr ? team_of_one() : *options.team),
      executor_(options.threads, stop_) {}

Context Runner::context(std::size_t model, std::size_t run, const Executor& threads, Team& team) const {
  return {Streams({.seed = options_.seed,
                   .data_set = options_.data_set,
                   .model = identity(candidates_[model].name),
                   .replicate = static_cast<std::uint32_t>(run)}),
          threads, stop_, team};
}

CheckpointSlot Runner::slot(std::size_t model, const std::string& what) const {
  return CheckpointSlot{options_.checkpoint}.part(candidates_[model].name).part(what);
}

CheckpointSlot Runner::slot(Job job, const ModelRuns& runs) const {
  return slot(job.model, "run " + std::to_string(job.run) + " of " + std::to_string(runs.smc.particles));
}

double Runner::elapsed(Team& team) const {
  double seconds = now() - start_;
  if (options_.checkpoint != nullptr) seconds += options_.checkpoint->seconds_before();
  return from_rank_0(seconds, team);
}

bool Runner::is_late(Team& team) const { return options_.goal.seconds > 0 && elapsed(team) > options_.goal.seconds; }

void Runner::scout_modes(std::vector<ModelRuns>& models) const {
  if (!options_.with_islands() || models.front().modes) return;
  const auto look = [&](std::size_t k, const Executor& threads, Team&) {
    Scouted found;
    name_errors("model '" + candidates_[k].name + "'", [&] {
      found = scout(*candidates_[k].model, scout_options(models[k].smc, options_),
                    context(k, models[k].first, threads, team_of_one()));
    });
    return found;
  };
  auto found =
      run_kept<Scouted>({.count = models.size(), .slot = [&](std::size_t k) { return slot(k, "modes"); }, .run = look},
                        team_, executor_, stop_);
  for (std::size_t k = 0; k < models.size(); ++k) models[k].begin_at(std::move(*found[k]), *candidates_[k].model);
}

void Runner::make_pilots(const RoundPlan& round, std::vector<ModelRuns>& models) const {
  if (!options_.with_islands()) return;
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < models.size(); ++k)
    if (round.models[k].islands > 0 && !models[k].pilot) which.push_back(k);
  const auto slot_of = [&](std::size_t j) {
    const ModelRuns& m = models[which[j]];
    return slot(which[j], "pilot " + std::to_string(m.first) + " of " + std::to_string(m.smc.particles));
  };
  // To the observer the pilot is the beginning of the first island.
  const auto begun = [&](std::size_t j, const PlanOfPilot&) {
    if (observer_ != nullptr) observer_->on_start(which[j], models[which[j]].first);
  };
  const auto make = [&](std::size_t j, const Executor& threads, Team& team) {
    return pilot(which[j], models[which[j]], threads, team);
  };
  auto plans = run_kept<PlanOfPilot>(
      {.count = which.size(), .slot = slot_of, .run = make, .came_from_elsewhere = begun, .ranks_share_a_job = true},
      team_, executor_, stop_);
  for (std::size_t j = 0; j < which.size(); ++j) models[which[j]].pilot = std::move(*plans[j]);
}

PlanOfPilot Runner::pilot(std::size_t k, const ModelRuns& runs, const Executor& threads, Team& team) const {
  if (observer_ != nullptr) observer_->on_start(k, runs.first);
  Forward forward(observer_, k, runs.first);
  PlanOfPilot plan;
  name_errors("model '" + candidates_[k].name + "'", [&] {
    Context own = context(k, runs.first, threads, team);
    own.checkpoint = slot(k, "pilot " + std::to_string(runs.first) + " of " + std::to_string(runs.smc.particles));
    const Model& model = *candidates_[k].model;
    plan = run_pilot(model, runs.start.get(), runs.smc, own, &forward);
  });
  return plan;
}

void Runner::add_runs(const RoundPlan& round, std::vector<ModelRuns>& models) const {
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < models.size(); ++k)
    for (std::size_t i = 0; i < round.models[k].islands; ++i)
      jobs.push_back({k, models[k].first + models[k].finished.size() + i});
  const auto done_elsewhere = [&](std::size_t j, const Finished& finished) {
    if (observer_ == nullptr) return;
    observer_->on_start(jobs[j].model, jobs[j].run);
    observer_->on_finish(jobs[j].model, jobs[j].run, finished.replicate);
  };
  auto results =
      run_kept<Finished>({.count = jobs.size(),
                          .slot = [&](std::size_t j) { return slot(jobs[j], models[jobs[j].model]); },
                          .run = [&](std::size_t j, const Executor& threads,
                                     Team& team) { return run(jobs[j], models[jobs[j].model], threads, team); },
                          .came_from_elsewhere = done_elsewhere,
                          .ranks_share_a_job = true},
                         team_, executor_, stop_);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (!results[j]) continue;
    models[jobs[j].model].forget_judgement();
    models[jobs[j].model].finished.push_back(std::move(*results[j]));
  }
}

std::optional<Finished> Runner::run(Job job, const ModelRuns& runs, const Executor& threads, Team& team) const {
  const std::size_t k = job.model, r = job.run;
  const bool planned = runs.pilot.has_value();
  constexpr std::size_t kFewest = 4;  // islands that give an error
  if (planned && r >= runs.first + kFewest && is_late(team)) return std::nullopt;
  if (observer_ != nullptr && !(planned && r == runs.first)) observer_->on_start(k, r);
  Forward forward(observer_, k, r);
  Finished done;
  name_errors("model '" + candidates_[k].name + "'", [&] {
    const double start = elapsed(team);
    Context own = context(k, r, threads, team);
    if (options_.method == Method::direct || options_.method == Method::ais) own.checkpoint = slot(job, runs);
    done = planned ? run_island(*candidates_[k].model, runs.start.get(), *runs.pilot, runs.smc, own, &forward)
                   : runs::find(options_.method).model(candidates_[k], options_, own, &forward);
    done.replicate.seconds = elapsed(team) - start;
    check_evidence(done.replicate.log_evidence.value, options_);
    check_stop(stop_);
  });
  if (observer_ != nullptr) observer_->on_finish(k, r, done.replicate);
  return done;
}

}  // namespace evident
