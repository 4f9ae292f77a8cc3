#include "evident/compare/compare.hpp"

#include <chrono>
#include <cmath>
#include <set>

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

// Each run is keyed by (seed, data set, model, replicate), so any order and any thread gives the same numbers.
Finished run_one(const Candidate& candidate, const CompareOptions& options, std::size_t k, std::size_t r,
                 const Executor& executor, CompareObserver* observer, const std::stop_token& stop) {
  const Streams streams({.seed = options.seed,
                         .data_set = options.data_set,
                         .model = identity(candidate.name),
                         .replicate = static_cast<std::uint32_t>(r)});
  if (observer != nullptr) observer->on_start(k, r);
  Forward forward(observer, k, r);
  const auto start = Clock::now();
  try {
    Finished done = runs::find(options.method).model(candidate, options, {streams, executor, stop}, &forward);
    done.replicate.seconds = seconds_since(start);
    check_evidence(done.replicate.log_evidence, options);
    if (observer != nullptr) observer->on_finish(k, r, done.replicate);
    return done;
  } catch (const InputError& e) {
    throw InputError("model '" + candidate.name + "': " + e.what());
  } catch (const std::exception& e) {
    throw RunError("model '" + candidate.name + "': " + e.what());
  }
}

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

}  // namespace

std::size_t ModelResult::steps() const {
  const bool none = replicates.empty() || replicates.front().trace.steps.empty();
  return none ? 0 : replicates.front().trace.steps.size() - 1;
}

std::size_t ModelResult::evaluations() const {
  std::size_t sum = 0;
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
  const std::size_t replicates = options.replicates, jobs = candidates.size() * replicates;
  const Executor executor(options.threads);
  std::vector<Finished> finished(jobs);
  // Whole runs are the best unit of work; the particles of a run are shared out too when there are fewer runs than
  // threads (TBB balances both).
  const Executor alone(1);
  const Executor& inside = jobs >= executor.threads() ? alone : executor;
  executor.for_each(jobs, [&](std::size_t job) {
    const std::size_t k = job / replicates, r = job % replicates;
    finished[job] = run_one(candidates[k], options, k, r, inside, observer, stop);
  });

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  PooledDraws pooled;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    ModelResult result;
    result.name = candidates[k].name;
    std::vector<Draws> own;
    for (std::size_t r = 0; r < replicates; ++r) {
      result.replicates.push_back(std::move(finished[k * replicates + r].replicate));
      own.push_back(std::move(finished[k * replicates + r].draws));
    }
    combine_evidences(result);
    pooled.add(result, std::move(own), evidence_shares(result));
    collect_warnings(result);
    comparison.models.push_back(std::move(result));
  }
  assign_probabilities(candidates, comparison);
  comparison.averaged = pooled.average(comparison);
  comparison.seconds = seconds_since(start);
  return comparison;
}

}  // namespace evident
