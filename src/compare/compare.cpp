#include "evident/compare/compare.hpp"

#include <cmath>
#include <set>

#include "compare/islands.hpp"
#include "compare/model_runs.hpp"
#include "compare/replicates.hpp"
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
  evident::check(options.goal);
  if (options.goal.asked() && !options.with_islands())
    throw InputError("precision, decide and time need islands: the direct method with islands of 2 or more");
  if (options.goal.asked() && options.islands < 2)
    throw InputError("precision, decide and time need at least 2 islands, were " + std::to_string(options.islands));
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
  std::size_t sum = earlier_evaluations + nested_evaluations + (pilot ? pilot->trace.evaluations : 0);
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
  AllRuns all(candidates, options, observer, std::move(stop));
  std::vector<ModelRuns> runs = all.run();

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  comparison.rounds = all.rounds();
  PooledDraws pooled;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    ModelResult result;
    result.name = candidates[k].name;
    result.dropped = runs[k].dropped;
    result.earlier_evaluations = runs[k].earlier_evaluations;
    std::vector<Draws> own;
    for (runs::Finished& finished : runs[k].finished) {
      result.replicates.push_back(std::move(finished.replicate));
      own.push_back(std::move(finished.draws));
    }
    combine_evidences(result);
    const std::vector<double> shares = evidence_shares(result);
    if (auto& pilot = runs[k].pilot) {
      judge_islands(candidates[k], own, options.goal, all.context(k, 0, all.executor()), result);
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
