#include "compare/model_runs.hpp"

#include <cmath>
#include <utility>

#include "compare/islands.hpp"
#include "compare/replicates.hpp"
#include "evident/base/error.hpp"

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
      executor_(options.threads) {
  for (const Candidate& c : candidates) {
    ModelRuns& m = models_.emplace_back(ModelRuns{.smc = c.smc ? *c.smc : options.smc});
    m.full = m.smc.particles;
    if (options.with_islands()) m.smc.particles = first_particles(m.smc, options.goal);
  }
}

std::vector<ModelRuns> AllRuns::run() {
  const Jobs first(candidates_.size(), options_.runs());
  if (options_.with_islands()) make_pilots(std::vector<bool>(candidates_.size(), true));
  add(first);
  while (options_.with_islands() && options_.goal.asked()) {
    const RoundPlan plan = plan_round();
    for (std::size_t k = 0; k < models_.size(); ++k) models_[k].dropped = plan.models[k].hopeless;
    if (!plan.more()) break;
    ++rounds_;
    begin(plan);
  }
  return std::move(models_);
}

RoundPlan AllRuns::plan_round() const {
  std::vector<ModelProgress> progress;
  for (std::size_t k = 0; k < models_.size(); ++k) {
    const ModelRuns& m = models_[k];
    double evaluations = 0, seconds = 0;
    for (const Finished& f : m.finished) {
      evaluations += static_cast<double>(f.replicate.trace.evaluations);
      seconds += f.replicate.seconds;
    }
    const auto n = static_cast<double>(m.finished.size());
    const IslandsTogether all = together(replicates_of(m));
    progress.push_back({.evidence = {all.best.value, all.best.error, all.best.degrees, candidates_[k].weight},
                        .island_sd = all.island_sd,
                        .doubtful = doubtful(replicates_of(m), options_.islands),
                        .islands = m.finished.size(),
                        .particles = m.smc.particles,
                        .full = m.full,
                        .cost = std::max(evaluations / n, 1.0),
                        .seconds = seconds / n});
  }
  return next_round(progress, options_.goal, seconds_since(start_), executor_.threads(), options_.islands);
}

void AllRuns::begin(const RoundPlan& plan) {
  std::vector<bool> again;
  Jobs further;
  RoundNotice notice{.round = rounds_, .models = {}, .forecast = plan.seconds};
  for (std::size_t k = 0; k < models_.size(); ++k) {
    ModelRuns& m = models_[k];
    const ModelPlan& next = plan.models[k];
    notice.models.push_back(
        {next.islands, m.smc.particles * next.factor, together(replicates_of(m)).best.error, m.dropped});
    again.push_back(next.factor > 1 && next.islands > 0);
    further.push_back(next.islands);
    if (!again[k]) continue;
    m.earlier_evaluations += m.pilot->run.trace.evaluations;
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
  executor_.for_each(which.size(), [&](std::size_t i) { pilot(which[i], inside(which.size())); });
}

// Islands that would begin after the time is up are left out, if there are some already.
void AllRuns::add(const Jobs& further) {
  struct Job {
    std::size_t model, run;
  };
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < models_.size(); ++k)
    for (std::size_t i = 0; i < further[k]; ++i) jobs.push_back({k, models_[k].first + models_[k].finished.size() + i});
  std::vector<std::optional<Finished>> done(jobs.size());
  executor_.for_each(jobs.size(),
                     [&](std::size_t j) { done[j] = one(jobs[j].model, jobs[j].run, inside(jobs.size())); });
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (done[j]) models_[jobs[j].model].finished.push_back(std::move(*done[j]));
}

Context AllRuns::context(std::size_t k, std::size_t r, const Executor& executor) const {
  return {Streams({.seed = options_.seed,
                   .data_set = options_.data_set,
                   .model = identity(candidates_[k].name),
                   .replicate = static_cast<std::uint32_t>(r)}),
          executor, stop_};
}

// Whole runs are the best unit of work; the particles of a run are shared out too when there are fewer runs than
// threads (TBB balances both).
const Executor& AllRuns::inside(std::size_t jobs) const { return jobs >= executor_.threads() ? alone_ : executor_; }

bool AllRuns::late() const { return options_.goal.seconds > 0 && seconds_since(start_) > options_.goal.seconds; }

// To the observer the pilot is the beginning of the first island.
void AllRuns::pilot(std::size_t k, const Executor& executor) {
  ModelRuns& m = models_[k];
  if (observer_ != nullptr) observer_->on_start(k, m.first);
  Forward forward(observer_, k, m.first);
  guarded(k, [&] { m.pilot = evident::pilot(*candidates_[k].model, m.smc, context(k, m.first, executor), &forward); });
}

std::optional<Finished> AllRuns::one(std::size_t k, std::size_t r, const Executor& executor) {
  const ModelRuns& m = models_[k];
  const bool planned = m.pilot.has_value();
  constexpr std::size_t kFewest = 4;  // islands that an error can be told from
  if (planned && r >= m.first + kFewest && late()) return std::nullopt;
  if (observer_ != nullptr && !(planned && r == m.first)) observer_->on_start(k, r);
  Forward forward(observer_, k, r);
  Finished done;
  guarded(k, [&] {
    const auto start = Clock::now();
    done = planned ? run_island(candidates_[k], m.pilot->plan, m.smc, context(k, r, executor), &forward)
                   : runs::find(options_.method).model(candidates_[k], options_, context(k, r, executor), &forward);
    done.replicate.seconds = seconds_since(start);
    check_evidence(done.replicate.log_evidence, options_);
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
    throw InputError("model '" + candidates_[k].name + "': " + e.what());
  } catch (const std::exception& e) {
    throw RunError("model '" + candidates_[k].name + "': " + e.what());
  }
}

}  // namespace evident
