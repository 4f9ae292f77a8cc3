#include "evident/compare/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "compare/summary.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/smc/direct_evidence.hpp"

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

struct Finished {
  Replicate replicate;
  Draws draws;
};

// FNV-1a. The name is the model's identity: its numbers stay the same when models before it come or go.
std::uint32_t identity(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
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
  try {
    Run run =
        direct_evidence(*candidate.model, candidate.smc.value_or(options.smc), {streams, executor, stop}, &forward);
    Finished done;
    done.draws = collect_draws(*candidate.model, run.particles);
    done.replicate.log_evidence = standard_estimate(run.trace);
    done.replicate.path = path_sampling(run.trace);
    done.replicate.log_evidence_path = done.replicate.path->best();
    done.replicate.trace = std::move(run.trace);
    if (observer != nullptr) observer->on_finish(k, r, done.replicate.trace);
    return done;
  } catch (const InputError& e) {
    throw InputError("model '" + candidate.name + "': " + e.what());
  } catch (const std::exception& e) {
    throw RunError("model '" + candidate.name + "': " + e.what());
  }
}

double sd(std::span<const double> x) {
  if (x.size() < 2) return kNaN;
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

void add_warnings(ModelResult& result) {
  const Replicate& first = result.replicates.front();
  const double gap = std::abs(first.log_evidence - first.log_evidence_path);
  if (gap > 0.5)
    result.warnings.push_back("the standard and the path-sampling estimate differ by " + std::to_string(gap) +
                              "; use more particles or a cess nearer to 1");
  if (first.trace.nan_evaluations > 0)
    result.warnings.push_back("the log likelihood was NaN in " + std::to_string(first.trace.nan_evaluations) + " of " +
                              std::to_string(first.trace.evaluations) + " evaluations; NaN counts as -inf");
  if (first.trace.steps.back().acceptance < 0.01)
    result.warnings.push_back("fewer than 1 % of the last step's proposals were accepted");
}

void combine_replicates(ModelResult& result) {
  std::vector<double> standard, path;
  for (const Replicate& r : result.replicates) {
    standard.push_back(r.log_evidence);
    path.push_back(r.log_evidence_path);
  }
  result.log_evidence = log_mean_exp(standard);
  result.log_evidence_path = log_mean_exp(path);
  for (const double v : standard) result.log_evidence_mean += v / static_cast<double>(standard.size());
  result.log_evidence_sd = sd(standard);
  result.log_evidence_path_sd = sd(path);
}

// Shares of the replicates in the pooled posterior: proportional to their evidence.
std::vector<double> replicate_shares(const ModelResult& result) {
  std::vector<double> shares;
  for (const Replicate& r : result.replicates)
    shares.push_back(std::exp(r.log_evidence - result.log_evidence) / static_cast<double>(result.replicates.size()));
  return shares;
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
  for (std::size_t k = 0; k < candidates.size(); ++k)
    comparison.models[k].probability = std::exp(log_joint[k] - log_total);
}

}  // namespace

std::size_t ModelResult::steps() const { return replicates.empty() ? 0 : replicates.front().trace.steps.size() - 1; }

std::size_t ModelResult::evaluations() const {
  std::size_t sum = 0;
  for (const Replicate& r : replicates) sum += r.trace.evaluations;
  return sum;
}

Comparison compare(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
                   std::stop_token stop) {
  check(candidates, options);
  const auto start = std::chrono::steady_clock::now();
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
  comparison.seed = options.seed;
  std::vector<std::vector<Draws>> draws;
  std::vector<std::vector<double>> shares;
  std::vector<double> probabilities;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    ModelResult result;
    result.name = candidates[k].name;
    std::vector<Draws> own;
    for (std::size_t r = 0; r < replicates; ++r) {
      result.replicates.push_back(std::move(finished[k * replicates + r].replicate));
      own.push_back(std::move(finished[k * replicates + r].draws));
    }
    combine_replicates(result);
    shares.push_back(replicate_shares(result));
    result.parameters = summarise(own, shares.back());
    result.draws = own.front();
    add_warnings(result);
    draws.push_back(std::move(own));
    comparison.models.push_back(std::move(result));
  }
  assign_probabilities(candidates, comparison);
  for (const ModelResult& m : comparison.models) probabilities.push_back(m.probability);
  comparison.averaged = average(draws, shares, probabilities);
  comparison.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return comparison;
}

}  // namespace evident
