#include "compare/result.hpp"

#include <algorithm>
#include <cmath>

#include "compare/evidence_of_runs.hpp"
#include "compare/summary.hpp"
#include "evident/base/error.hpp"
#include "judge/alarms.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

// What every run warns of stands there once, whatever the number of runs.
void add_once(std::vector<std::string>& to, const std::string& warning) {
  if (std::ranges::find(to, warning) == to.end()) to.push_back(warning);
}

NanNumbers nan_of_any_run(const Replicate& r) {
  return {.met = r.trace.nan_evaluations, .evaluations = r.trace.evaluations};
}

/// What a run of any method says of itself: its two estimates, its last moves.
RunNumbers numbers_of_any_run(const Replicate& r) {
  RunNumbers out{
      .particles = r.trace.particles, .log_evidence = r.log_evidence, .log_evidence_path = r.log_evidence_path};
  if (r.trace.steps.empty() || r.trace.steps.back().evaluations == 0) return out;
  const Step& last = r.trace.steps.back();
  if (last.acceptance < threshold("stuck-acceptance"))
    out.moves = {.steps = 1, .refused = 1, .from = last.alpha, .to = last.alpha, .refused_at_end = true};
  return out;
}

/// Of runs that begin at the prior. A run of data tempering looks at its first observation only.
Estimate possible_share(const Candidate& candidate, const ModelRuns& runs, Method method) {
  if (runs.start || candidate.model->has_initial() || method == Method::data_tempering) return {};
  double made = 0, possible = 0, sum = 0;
  for (const runs::Finished& f : runs.finished) {
    const FirstDraws& first = f.replicate.trace.first;
    made += static_cast<double>(first.made);
    possible += static_cast<double>(first.possible);
    sum += static_cast<double>(first.made) * first.share;
  }
  if (made == 0 || possible == made) return {};
  const double share = sum / made;
  return {share, possible > 0 ? share * std::sqrt(1 / possible - 1 / made) : kNaN};
}

ModelResult model_result(const Candidate& candidate, ModelRuns runs, const CompareOptions& options,
                         PooledDraws& pooled) {
  ModelResult result;
  result.name = candidate.name;
  result.possible_share = possible_share(candidate, runs, options.method);
  result.dropped = runs.dropped;
  result.earlier_evaluations = runs.earlier_evaluations;
  std::vector<Draws> draws;
  for (runs::Finished& f : runs.finished) {
    result.replicates.push_back(std::move(f.replicate));
    draws.push_back(std::move(f.draws));
  }
  combine_evidences(result);
  if (runs.modes) result.modes = found_modes(*runs.modes);
  if (runs.judged)
    set_judgement(std::move(*runs.judged), options.with_islands(), result);
  else
    set_unjudged(Alarm::no_check, std::string(info(options.method).unjudged), result);
  if (runs.pilot) result.pilot = std::move(runs.pilot->replicate);
  pooled.add(result, std::move(draws), evidence_shares(result.replicates));
  collect_warnings(result);
  return result;
}

void assign_probabilities(const Runner& runner, std::vector<ModelResult>& models) {
  std::vector<WeightedEvidence> evidences;
  std::vector<double> log_joint;
  double total = 0;
  for (std::size_t k = 0; k < models.size(); ++k) total += runner.candidate(k).weight;
  for (std::size_t k = 0; k < models.size(); ++k) {
    ModelResult& m = models[k];
    m.weight = runner.candidate(k).weight / total;
    log_joint.push_back(std::log(m.weight) + m.log_evidence.value);
    evidences.push_back({m.log_evidence, runner.candidate(k).weight});
  }
  const double log_total = log_sum_exp(log_joint);
  if (log_total == -kInf) throw RunError("every model came out as impossible (log evidence -inf)");
  const ModelProbabilities p = model_probabilities(evidences);
  for (std::size_t k = 0; k < models.size(); ++k) {
    models[k].probability.value = std::exp(log_joint[k] - log_total);
    models[k].probability_interval = p.interval[k];
  }
}

}  // namespace

void set_judgement(JudgedModel judged, bool with_islands, ModelResult& result) {
  if (with_islands) {
    result.log_evidence = judged.judgement.log_evidence;
    result.log_evidence_standard = judged.evidence.standard;
    result.log_evidence_bridge = judged.evidence.bridge;
  }
  result.log_evidence_nested = judged.nested;
  result.nested_evaluations = judged.nested_evaluations;
  if (result.modes) result.modes->largest = std::move(judged.modes);
  result.nan = std::move(judged.nan);
  result.verdict = judged.judgement.verdict;
  result.reasons = std::move(judged.judgement.reasons);
}

void set_unjudged(Alarm code, std::string why, ModelResult& result) {
  result.verdict = Verdict::unjudged;
  result.reasons = {{code, Verdict::unjudged, std::move(why)}};
}

FoundModes found_modes(const Scouted& modes) {
  FoundModes out;
  out.found = modes.modes.size();
  out.starts = modes.starts;
  out.evaluations = modes.evaluations;
  out.unseen = modes.unseen();
  return out;
}

std::size_t ModelResult::steps() const {
  const bool none = replicates.empty() || replicates.front().trace.steps.empty();
  return none ? 0 : replicates.front().trace.steps.size() - 1;
}

std::size_t ModelResult::evaluations() const {
  std::size_t sum = earlier_evaluations + nested_evaluations + (pilot ? pilot->trace.evaluations : 0);
  for (const Replicate& r : replicates) sum += r.trace.evaluations;
  if (nan) sum += nan->fresh_evaluations;
  return sum;
}

double Comparison::log_bayes_factor(std::size_t i, std::size_t j) const {
  const ModelResult &a = models[i], &b = models[j];
  const double difference = a.log_evidence.value - b.log_evidence.value;
  if (!std::isnan(a.log_evidence.value) && !std::isnan(b.log_evidence.value)) return difference;
  return std::log(a.probability.value / a.weight) - std::log(b.probability.value / b.weight);
}

void collect_warnings(ModelResult& result) {
  if (result.verdict == Verdict::unjudged)
    for (const Reason& r : alarms_of_run(numbers_of_any_run(result.replicates.front())))
      add_once(result.warnings, r.text);
  if (!result.nan)
    for (const Reason& r : alarms_of_nan(nan_of_any_run(result.replicates.front()))) add_once(result.warnings, r.text);
  for (const Replicate& r : result.replicates)
    for (const std::string& warning : r.warnings) add_once(result.warnings, warning);
}

void PooledDraws::add(ModelResult& result, std::vector<Draws> own, std::vector<double> own_shares) {
  result.parameters = summarise(own, own_shares);
  const auto filled = std::ranges::find_if(own, [](const Draws& d) { return !d.weights.empty(); });
  result.draws = filled == own.end() ? own.front() : *filled;
  draws.push_back(std::move(own));
  shares.push_back(std::move(own_shares));
}

std::vector<ParameterSummary> PooledDraws::average(const Comparison& comparison) const {
  std::vector<double> probabilities;
  for (const ModelResult& m : comparison.models) probabilities.push_back(m.probability.value);
  return evident::average(draws, shares, probabilities);
}

Comparison result_of(const Runner& runner, std::vector<ModelRuns> models, std::size_t rounds) {
  Comparison out;
  out.method = runner.options().method;
  out.seed = runner.options().seed;
  out.rounds = rounds;
  PooledDraws pooled;
  for (std::size_t k = 0; k < models.size(); ++k)
    out.models.push_back(model_result(runner.candidate(k), std::move(models[k]), runner.options(), pooled));
  assign_probabilities(runner, out.models);
  out.averaged = pooled.average(out);
  out.seconds = runner.elapsed(team_of_one());
  return out;
}

}  // namespace evident
