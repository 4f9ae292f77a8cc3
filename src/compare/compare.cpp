#include "evident/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "compare/islands.hpp"
#include "compare/model_runs.hpp"
#include "compare/replicates.hpp"
#include "compare/wire.hpp"
#include "evident/base/deal.hpp"
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

/// The runs of one model as its result, with their draws.
struct Collected {
  ModelResult result = {};
  std::vector<Draws> draws = {};
  std::vector<double> shares = {};  ///< by the standard estimates: judges may find better ones
};

void take(ModelRuns& runs, Collected& to) {
  to.result.replicates.clear();
  to.draws.clear();
  for (runs::Finished& finished : runs.finished) {
    to.result.replicates.push_back(std::move(finished.replicate));
    to.draws.push_back(std::move(finished.draws));
  }
}

void give_back(Collected& from, ModelRuns& runs) {
  for (std::size_t r = 0; r < runs.finished.size(); ++r)
    runs.finished[r] = {std::move(from.result.replicates[r]), std::move(from.draws[r])};
}

Collected collect(const std::string& name, ModelRuns& runs) {
  Collected out;
  out.result.name = name;
  out.result.dropped = runs.dropped;
  out.result.earlier_evaluations = runs.earlier_evaluations;
  take(runs, out);
  combine_evidences(out.result);
  out.shares = evidence_shares(out.result);
  return out;
}

/// Can the evidences be trusted? Several ranks look at a model each.
class Judges {
 public:
  Judges(const std::vector<Candidate>& candidates, const CompareOptions& options, AllRuns& all, std::stop_token stop,
         std::vector<Collected>& collected)
      : candidates_(candidates), options_(options), all_(all), stop_(std::move(stop)), collected_(collected) {}

  void run(const std::vector<std::size_t>& which) {
    if (options_.method != Method::direct) return;
    const std::vector<std::size_t> open = find_open(which);
    Team& team = all_.team();
    if (team.single()) {
      for (const std::size_t k : open) {
        judge(k);
        if (const Keeping kept = keeping(k)) kept.keep(wire::pack_judgement(result(k)));
      }
      return;
    }
    const auto work = [&](std::size_t i) {
      judge(open[i]);
      return wire::pack_judgement(result(open[i]));
    };
    const auto arrived = [&](std::size_t i, std::span<const std::byte> bytes) { keeping(open[i]).keep(bytes); };
    const auto judged = deal_to_all({.count = open.size(), .work = work, .arrived = arrived}, team, Executor(1));
    for (std::size_t i = 0; i < open.size(); ++i) wire::unpack_judgement(judged[i], result(open[i]));
  }

 private:
  ModelResult& result(std::size_t k) const { return collected_[k].result; }

  Keeping keeping(std::size_t k) const {
    const auto& runs = result(k).replicates;
    return all_.keeping(
        k, "judgement of " + std::to_string(runs.size()) + " runs of " + std::to_string(runs.front().trace.particles));
  }

  /// Those of the models that were not judged before.
  std::vector<std::size_t> find_open(const std::vector<std::size_t>& which) const {
    std::vector<Keeping> kept;
    for (const std::size_t k : which) kept.push_back(keeping(k));
    const std::vector<Keeper::Bytes> found = find_all(kept, all_.team());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (found[i].empty())
        open.push_back(which[i]);
      else
        wire::unpack_judgement(found[i], result(which[i]));
    }
    return open;
  }

  void judge(std::size_t k) const {
    Context context = all_.context(k, all_.models()[k].first, all_.executor());
    context.keeping = keeping(k);
    if (options_.with_islands())
      judge_islands(candidates_[k], collected_[k].draws, options_.goal, context, result(k));
    else
      judge_adaptive_runs(candidates_[k], collected_[k].draws, context, result(k));
    if (stop_.stop_requested()) throw RunError("stopped before the end");  // it may have been taken for a doubt
  }

  const std::vector<Candidate>& candidates_;
  const CompareOptions& options_;
  AllRuns& all_;
  std::stop_token stop_;
  std::vector<Collected>& collected_;
};

// Models whose islands contradict each other begin again with more particles. True when there is something new to
// judge; `which` says what.
bool settle_doubts(const CompareOptions& options, AllRuns& all, std::vector<Collected>& collected,
                   std::vector<std::size_t>& which) {
  if (!options.with_islands()) return false;
  std::vector<ModelRuns>& runs = all.models();
  std::vector<bool> doubtful;
  for (std::size_t k = 0; k < runs.size(); ++k) doubtful.push_back(in_doubt(collected[k].result) && !runs[k].dropped);
  if (std::ranges::none_of(doubtful, std::identity())) return false;
  const auto state = [](const ModelRuns& m) { return std::pair(m.first + m.finished.size(), m.dropped); };
  std::vector<std::pair<std::size_t, bool>> before;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    before.push_back(state(runs[k]));
    give_back(collected[k], runs[k]);
  }
  all.double_particles(doubtful);
  which.clear();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (state(runs[k]) == before[k]) {
      take(runs[k], collected[k]);
      continue;
    }
    runs[k].earlier_evaluations += collected[k].result.nested_evaluations;
    collected[k] = collect(collected[k].result.name, runs[k]);
    which.push_back(k);
  }
  return !which.empty();
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
  AllRuns all(candidates, options, observer, stop);
  all.run();
  std::vector<Collected> collected;
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    collected.push_back(collect(candidates[k].name, all.models()[k]));
    which.push_back(k);
  }
  Judges judges(candidates, options, all, stop, collected);
  do judges.run(which);
  while (settle_doubts(options, all, collected, which));

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  comparison.rounds = all.rounds();
  PooledDraws pooled;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    ModelResult& result = comparison.models.emplace_back(std::move(collected[k].result));
    if (auto& pilot = all.models()[k].pilot) result.pilot = std::move(pilot->replicate);
    pooled.add(result, std::move(collected[k].draws), collected[k].shares);
    collect_warnings(result);
  }
  assign_probabilities(candidates, comparison);
  assign_intervals(candidates, comparison);
  comparison.averaged = pooled.average(comparison);
  comparison.seconds = seconds_since(start) + (options.keeper != nullptr ? options.keeper->seconds_before() : 0);
  return comparison;
}

}  // namespace evident
