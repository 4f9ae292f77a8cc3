#include "evident/compare/compare.hpp"

#include <chrono>
#include <cmath>
#include <set>

#include "compare/islands.hpp"
#include "compare/replicates.hpp"
#include "compare/runs/run.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

void check(const std::vector<Candidate>& candidates, const CompareOptions& options) {
  if (candidates.empty()) throw InputError("there is no model to compare");
  if (options.replicates == 0) throw InputError("replicates must be at least 1, was 0");
  std::set<std::string> names;
  double total = 0;
  for (const Candidate& c : candidates) {
    if (c.name.empty()) throw InputError("a model has no name");
    if (!names.insert(c.name).second) throw InputError("two models are called '" + c.name + "'");
    if (!(c.weight >= 0) || !std::isfinite(c.weight))
      throw InputError("the weight of model '" + c.name + "' must be 0 or more");
    if (c.model == nullptr) throw InputError("model '" + c.name + "' is empty");
    total += c.weight;
    evident::check(c.smc.value_or(options.smc));
  }
  if (!(total > 0)) throw InputError("all models have weight 0");
}

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

using runs::Finished;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// An evidence that is no number would make every probability one.
void check_evidence(double log_evidence, const CompareOptions& options) {
  if (!(log_evidence < kInf))
    throw RunError("method " + std::string(info(options.method).name) + " gave no evidence (" +
                   (std::isnan(log_evidence) ? "NaN" : "infinity") + "); try direct");
}

/// The runs of one comparison. Each is keyed by (seed, data set, model, replicate), so any order and any thread gives
/// the same numbers.
class Runs {
 public:
  Runs(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
       std::stop_token stop)
      : candidates_(candidates),
        options_(options),
        observer_(observer),
        stop_(std::move(stop)),
        executor_(options.threads),
        pilots_(candidates.size()) {}

  /// [model x runs + run]
  std::vector<Finished> all() {
    if (options_.with_islands())
      executor_.for_each(candidates_.size(), [&](std::size_t k) { make_plan(k, inside(candidates_.size())); });
    const std::size_t runs = options_.runs(), jobs = candidates_.size() * runs;
    std::vector<Finished> finished(jobs);
    executor_.for_each(jobs, [&](std::size_t job) { finished[job] = one(job / runs, job % runs, inside(jobs)); });
    return finished;
  }

  std::optional<PilotRun>& pilot(std::size_t k) { return pilots_[k]; }
  Context context(std::size_t k, std::size_t r, const Executor& executor) const {
    return {Streams({.seed = options_.seed,
                     .data_set = options_.data_set,
                     .model = identity(candidates_[k].name),
                     .replicate = static_cast<std::uint32_t>(r)}),
            executor, stop_};
  }
  const Executor& executor() const { return executor_; }

 private:
  // Whole runs are the best unit of work; the particles of a run are shared out too when there are fewer runs than
  // threads (TBB balances both).
  const Executor& inside(std::size_t jobs) const { return jobs >= executor_.threads() ? alone_ : executor_; }

  const SmcOptions& smc(std::size_t k) const { return candidates_[k].smc ? *candidates_[k].smc : options_.smc; }

  // To the observer the pilot is the beginning of the first island.
  void make_plan(std::size_t k, const Executor& executor) {
    if (observer_ != nullptr) observer_->on_start(k, 0);
    Forward forward(observer_, k, 0);
    guarded(k, [&] { pilots_[k] = evident::pilot(*candidates_[k].model, smc(k), context(k, 0, executor), &forward); });
  }

  Finished one(std::size_t k, std::size_t r, const Executor& executor) {
    const bool planned = pilots_[k].has_value();
    if (observer_ != nullptr && !(planned && r == 0)) observer_->on_start(k, r);
    Forward forward(observer_, k, r);
    Finished done;
    guarded(k, [&] {
      const auto start = Clock::now();
      done = planned ? run_island(candidates_[k], pilots_[k]->plan, smc(k), context(k, r, executor), &forward)
                     : runs::find(options_.method).model(candidates_[k], options_, context(k, r, executor), &forward);
      done.replicate.seconds = seconds_since(start);
      check_evidence(done.replicate.log_evidence, options_);
    });
    if (observer_ != nullptr) observer_->on_finish(k, r, done.replicate);
    return done;
  }

  /// Errors name the model.
  template <class F>
  void guarded(std::size_t k, const F& f) const {
    try {
      f();
    } catch (const InputError& e) {
      throw InputError("model '" + candidates_[k].name + "': " + e.what());
    } catch (const std::exception& e) {
      throw RunError("model '" + candidates_[k].name + "': " + e.what());
    }
  }

  const std::vector<Candidate>& candidates_;
  const CompareOptions& options_;
  CompareObserver* observer_;
  std::stop_token stop_;
  const Executor executor_;
  const Executor alone_{1};
  std::vector<std::optional<PilotRun>> pilots_;
};

void assign_probabilities(const std::vector<Candidate>& candidates, Comparison& comparison) {
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  std::vector<double> log_joint;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    comparison.models[k].weight = candidates[k].weight / total;
    log_joint.push_back(std::log(comparison.models[k].weight) + comparison.models[k].log_evidence);
  }
  const double log_total = log_sum_exp(log_joint);
  if (log_total == -kInf) throw RunError("every model came out as impossible (log evidence -inf)");
  for (std::size_t k = 0; k < candidates.size(); ++k)
    comparison.models[k].probability = std::exp(log_joint[k] - log_total);
}

void assign_intervals(const std::vector<Candidate>& candidates, Comparison& comparison) {
  std::vector<EvidenceEstimate> estimates;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const ModelResult& m = comparison.models[k];
    estimates.push_back({m.log_evidence, m.log_evidence_se, m.log_evidence_degrees, candidates[k].weight});
  }
  const ModelProbabilities p = model_probabilities(estimates);
  for (std::size_t k = 0; k < candidates.size(); ++k) comparison.models[k].probability_interval = p.interval[k];
}

}  // namespace

std::size_t ModelResult::steps() const {
  const bool none = replicates.empty() || replicates.front().trace.steps.empty();
  return none ? 0 : replicates.front().trace.steps.size() - 1;
}

std::size_t ModelResult::evaluations() const {
  std::size_t sum = pilot ? pilot->trace.evaluations : 0;
  for (const Replicate& r : replicates) sum += r.trace.evaluations;
  return sum;
}

double Comparison::log_bayes_factor(std::size_t i, std::size_t j) const {
  const ModelResult &a = models[i], &b = models[j];
  if (!std::isnan(a.log_evidence) && !std::isnan(b.log_evidence)) return a.log_evidence - b.log_evidence;
  return std::log(a.probability / a.weight) - std::log(b.probability / b.weight);
}

Comparison compare(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
                   std::stop_token stop) {
  check(candidates, options);
  if (info(options.method).union_of_models)
    throw InputError("method " + std::string(info(options.method).name) + " needs a family of models, not a list");
  const auto start = Clock::now();
  Runs runs(candidates, options, observer, std::move(stop));
  std::vector<Finished> finished = runs.all();

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  PooledDraws pooled;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    ModelResult result;
    result.name = candidates[k].name;
    std::vector<Draws> own;
    for (std::size_t r = 0; r < options.runs(); ++r) {
      result.replicates.push_back(std::move(finished[k * options.runs() + r].replicate));
      own.push_back(std::move(finished[k * options.runs() + r].draws));
    }
    combine_evidences(result);
    const std::vector<double> shares = evidence_shares(result);
    if (auto& pilot = runs.pilot(k)) {
      judge_islands(candidates[k], own, runs.context(k, 0, runs.executor()), result);
      result.pilot = finished_run(*candidates[k].model, std::move(pilot->run)).replicate;
    }
    pooled.add(result, std::move(own), shares);
    collect_warnings(result);
    comparison.models.push_back(std::move(result));
  }
  assign_probabilities(candidates, comparison);
  assign_intervals(candidates, comparison);
  comparison.averaged = pooled.average(comparison);
  comparison.seconds = seconds_since(start);
  return comparison;
}

}  // namespace evident
