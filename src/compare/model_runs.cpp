#include "compare/model_runs.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "compare/islands.hpp"
#include "compare/replicates.hpp"
#include "compare/wire.hpp"
#include "evident/base/deal.hpp"
#include "evident/base/error.hpp"
#include "evident/base/problem.hpp"

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

// A run against the clock begins with a quarter of the particles: then there is an answer early, and a forecast.
std::size_t first_particles(const SmcOptions& smc, const Goal& goal) {
  constexpr std::size_t kShare = 4, kFewest = 200;
  return goal.seconds > 0 && smc.particles / kShare >= kFewest ? smc.particles / kShare : smc.particles;
}

std::vector<const Replicate*> replicates_of(const ModelRuns& m) {
  std::vector<const Replicate*> out;
  for (const Finished& f : m.finished) out.push_back(&f.replicate);
  return out;
}

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw RunError("stopped before the end");
}

// Among many islands one is far off by chance; then only what would change a conclusion counts.
bool doubtful(const std::vector<const Replicate*>& islands, std::size_t first_round) {
  const std::vector<Reason> reasons = disagreement(islands);
  return islands.size() <= 2 * first_round ? !reasons.empty() : verdict(reasons) == Verdict::do_not_trust;
}

}  // namespace

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

AllRuns::AllRuns(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
                 std::stop_token stop)
    : candidates_(candidates),
      options_(options),
      observer_(observer),
      stop_(std::move(stop)),
      team_(options.team == nullptr ? Team::alone() : *options.team),
      executor_(options.threads) {
  for (const Candidate& c : candidates) {
    ModelRuns& m = models_.emplace_back(ModelRuns{.smc = c.smc ? *c.smc : options.smc});
    m.full = m.smc.particles;
    if (options.with_islands()) m.smc.particles = first_particles(m.smc, options.goal);
  }
}

void AllRuns::run() {
  const Further first(candidates_.size(), options_.runs());
  if (options_.with_islands()) make_pilots(std::vector<bool>(candidates_.size(), true));
  add(first);
  go_on();
}

void AllRuns::go_on() {
  while (options_.with_islands() && options_.goal.asked()) {
    const RoundPlan plan = next_round(progress(), options_.goal, elapsed(team_), threads_of_all(), options_.islands);
    for (std::size_t k = 0; k < models_.size(); ++k) models_[k].dropped = plan.models[k].hopeless;
    if (!plan.more()) break;
    begin(plan);
  }
}

void AllRuns::double_particles(const std::vector<bool>& wanted) {
  const RoundPlan plan = doubled_particles(progress(), wanted, options_.goal, threads_of_all(), options_.islands);
  if (!plan.more()) return;
  begin(plan);
  go_on();
}

unsigned AllRuns::threads_of_all() const { return static_cast<unsigned>(team_.threads_of_all(executor_.threads())); }

std::vector<ModelProgress> AllRuns::progress() const {
  std::vector<ModelProgress> out;
  for (std::size_t k = 0; k < models_.size(); ++k) {
    const ModelRuns& m = models_[k];
    double evaluations = 0, seconds = 0;
    for (const Finished& f : m.finished) {
      evaluations += static_cast<double>(f.replicate.trace.evaluations);
      seconds += f.replicate.seconds;
    }
    const auto n = static_cast<double>(m.finished.size());
    const IslandsTogether all = together(replicates_of(m));
    out.push_back({.evidence = {all.best.value, all.best.error, all.best.degrees, candidates_[k].weight},
                   .island_sd = all.island_sd,
                   .doubtful = doubtful(replicates_of(m), options_.islands),
                   .islands = m.finished.size(),
                   .particles = m.smc.particles,
                   .full = m.full,
                   .cost = std::max(evaluations / n, 1.0),
                   .seconds = seconds / n});
  }
  return out;
}

void AllRuns::begin(const RoundPlan& plan) {
  std::vector<bool> again;
  Further further;
  RoundNotice notice{.round = ++rounds_, .models = {}, .forecast = plan.seconds};
  for (std::size_t k = 0; k < models_.size(); ++k) {
    ModelRuns& m = models_[k];
    const ModelPlan& next = plan.models[k];
    notice.models.push_back(
        {next.islands, m.smc.particles * next.factor, together(replicates_of(m)).best.error, m.dropped});
    again.push_back(next.factor > 1 && next.islands > 0);
    further.push_back(next.islands);
    if (!again[k]) continue;
    m.earlier_evaluations += m.pilot->replicate.trace.evaluations;
    for (const Finished& f : m.finished) m.earlier_evaluations += f.replicate.trace.evaluations;
    m.first += m.finished.size();
    m.finished.clear();
    m.smc.particles *= next.factor;
  }
  if (observer_ != nullptr) observer_->on_round(notice);
  make_pilots(again);
  add(further);
}

void AllRuns::make_pilots(const std::vector<bool>& wanted) {
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (wanted[k]) which.push_back(k);
  // A plan is needed by all ranks. They get it by making the pilot together.
  if (!team_.single()) {
    for (const std::size_t k : which) pilot(k, executor_, team_);
    return;
  }
  executor_.for_each(which.size(), [&](std::size_t i) { pilot(which[i], inside(which.size()), team_); });
}

// Islands that would begin after the time is up are left out, if there are some already.
void AllRuns::add(const Further& further) {
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < models_.size(); ++k)
    for (std::size_t i = 0; i < further[k]; ++i) jobs.push_back({k, models_[k].first + models_[k].finished.size() + i});
  Results done = find_done(jobs);
  std::vector<Job> open;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (!done[j]) open.push_back(jobs[j]);
  Results fresh = !team_.single() && open.size() >= team_.size() ? run_dealt(open) : run_here(open);
  auto next = fresh.begin();
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (!done[j]) done[j] = std::move(*next++);
    if (done[j]) models_[jobs[j].model].finished.push_back(std::move(*done[j]));
  }
}

AllRuns::Results AllRuns::find_done(const std::vector<Job>& jobs) {
  std::vector<Keeping> kept;
  for (const Job& job : jobs) kept.push_back(keeping(job));
  const std::vector<Keeper::Bytes> found = find_all(kept, team_);
  Results done(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (found[j].empty()) continue;
    done[j] = wire::unpack_finished(found[j]);
    tell_done(jobs[j], done[j]->replicate);
  }
  return done;
}

void AllRuns::tell_done(Job job, const Replicate& replicate) const {
  if (observer_ == nullptr) return;
  observer_->on_start(job.model, job.run);
  observer_->on_finish(job.model, job.run, replicate);
}

Keeping AllRuns::keeping(std::size_t k, const std::string& what) const {
  return Keeping{options_.keeper}.part(candidates_[k].name).part(what);
}

Keeping AllRuns::keeping(Job job) const {
  return keeping(job.model,
                 "run " + std::to_string(job.run) + " of " + std::to_string(models_[job.model].smc.particles));
}

// In the threads of this process; or by all ranks together, one run after the other.
AllRuns::Results AllRuns::run_here(const std::vector<Job>& jobs) {
  Results done(jobs.size());
  const auto run = [&](std::size_t j, const Executor& executor) {
    done[j] = one(jobs[j], executor, team_);
    if (const Keeping kept = keeping(jobs[j]); kept && done[j]) kept.keep(wire::pack(*done[j]));
  };
  if (team_.single())
    executor_.for_each(jobs.size(), [&](std::size_t j) { run(j, inside(jobs.size())); });
  else
    for (std::size_t j = 0; j < jobs.size(); ++j) run(j, executor_);
  return done;
}

// Whole runs, each by one rank.
AllRuns::Results AllRuns::run_dealt(const std::vector<Job>& jobs) {
  const bool many = jobs.size() >= team_.threads_of_all(executor_.threads());
  std::vector<std::atomic<bool>> own(jobs.size());
  const auto bytes = deal_to_all({.count = jobs.size(),
                                  .work =
                                      [&](std::size_t j) {
                                        own[j] = true;
                                        const auto done = one(jobs[j], many ? alone_ : executor_, Team::alone());
                                        return done ? wire::pack(*done) : std::vector<std::byte>();
                                      },
                                  .arrived =
                                      [&](std::size_t j, std::span<const std::byte> result) {
                                        if (result.empty()) return;
                                        keeping(jobs[j]).keep(result);
                                        if (observer_ != nullptr && !own[j])
                                          tell_done(jobs[j], wire::unpack_finished(result).replicate);
                                      }},
                                 team_, many ? executor_ : alone_, stop_);
  Results done(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (!bytes[j].empty()) done[j] = wire::unpack_finished(bytes[j]);
  return done;
}

Context AllRuns::context(std::size_t k, std::size_t r, const Executor& executor, Team& team) const {
  return {Streams({.seed = options_.seed,
                   .data_set = options_.data_set,
                   .model = identity(candidates_[k].name),
                   .replicate = static_cast<std::uint32_t>(r)}),
          executor, stop_, team};
}

// Whole runs are the best unit of work; the particles of a run are shared out too when there are fewer runs than
// threads (TBB balances both).
const Executor& AllRuns::inside(std::size_t jobs) const { return jobs >= executor_.threads() ? alone_ : executor_; }

double AllRuns::elapsed(Team& team) const {
  double seconds = seconds_since(start_);
  if (options_.keeper != nullptr) seconds += options_.keeper->seconds_before();
  const std::vector<std::byte> first = team.broadcast(std::as_bytes(std::span(&seconds, 1)));
  if (first.size() == sizeof seconds) std::memcpy(&seconds, first.data(), sizeof seconds);
  return seconds;
}

bool AllRuns::late(Team& team) const { return options_.goal.seconds > 0 && elapsed(team) > options_.goal.seconds; }

// To the observer the pilot is the beginning of the first island.
void AllRuns::pilot(std::size_t k, const Executor& executor, Team& team) {
  ModelRuns& m = models_[k];
  if (observer_ != nullptr) observer_->on_start(k, m.first);
  Forward forward(observer_, k, m.first);
  guarded(k, [&] {
    const Keeping kept = keeping(k, "pilot " + std::to_string(m.first) + " of " + std::to_string(m.smc.particles));
    if (const Keeper::Bytes found = find_all({kept}, team).front(); !found.empty()) {
      m.pilot = wire::unpack_pilot(found);
      return;
    }
    Context own = context(k, m.first, executor, team);
    own.keeping = kept;
    const Model& model = *candidates_[k].model;
    m.pilot = plan_of_pilot(model, evident::pilot(model, m.smc, own, &forward), own);
    if (kept) kept.keep(wire::pack(*m.pilot));
  });
}

std::optional<Finished> AllRuns::one(Job job, const Executor& executor, Team& team) {
  const auto [k, r] = job;
  const ModelRuns& m = models_[k];
  const bool planned = m.pilot.has_value();
  constexpr std::size_t kFewest = 4;  // islands that an error can be told from
  if (planned && r >= m.first + kFewest && late(team)) return std::nullopt;
  if (observer_ != nullptr && !(planned && r == m.first)) observer_->on_start(k, r);
  Forward forward(observer_, k, r);
  Finished done;
  guarded(k, [&] {
    const double start = elapsed(team);
    Context own = context(k, r, executor, team);
    if (options_.method == Method::direct || options_.method == Method::ais) own.keeping = keeping(job);
    done = planned ? run_island(candidates_[k], *m.pilot, m.smc, own, &forward)
                   : runs::find(options_.method).model(candidates_[k], options_, own, &forward);
    done.replicate.seconds = elapsed(team) - start;
    check_evidence(done.replicate.log_evidence, options_);
    check_stop(stop_);  // what was left out because of it must not be kept
  });
  if (observer_ != nullptr) observer_->on_finish(k, r, done.replicate);
  return done;
}

/// Errors name the model.
template <class F>
void AllRuns::guarded(std::size_t k, const F& f) const {
  try {
    f();
  } catch (const InputError& e) {
    throw InputError("model '" + candidates_[k].name + "': " + e.message());
  } catch (const std::exception& e) {
    throw RunError("model '" + candidates_[k].name + "': " + problem_of(e));
  }
}

}  // namespace evident
