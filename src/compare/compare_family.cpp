// Comparison of a family by the methods that run on the union of its models.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/run_kept.hpp"
#include "base/statistics.hpp"
#include "compare/evidence_of_runs.hpp"
#include "compare/family_judging.hpp"
#include "compare/recipe.hpp"
#include "compare/result.hpp"
#include "compare/result_fields.hpp"
#include "compare/runner.hpp"
#include "compare/union_island.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"

namespace evident {
namespace {

using runs::Finished;
using runs::FinishedFamily;

std::string method_name(const CompareOptions& options) { return std::string(info(options.method).name); }

void check(const FamilyCandidate& candidate, const CompareOptions& options) {
  if (!info(options.method).union_of_models)
    throw InputError("method " + method_name(options) + " runs each model on its own; give it a list of models");
  if (candidate.family == nullptr) throw InputError("the family is empty");
  if (options.replicates == 0) throw InputError("replicates must be at least 1, was 0");
  check_goal(options);
  if (options.jump_passes == 0) throw InputError("jump_passes must be at least 1, was 0");
  evident::check(options.sampler());
  std::set<ModelIndex> seen;
  for (const auto& [k, name] : candidate.listed) {
    if (!candidate.family->prior().has(k)) throw InputError("model '" + name + "' has no prior probability");
    if (!seen.insert(k).second) throw InputError("model '" + name + "' is listed twice");
  }
  if (options.method == Method::relative && candidate.listed.size() < 2)
    throw InputError("method relative needs at least two listed models");
}

class ForwardUnion final : public UnionObserver {
 public:
  ForwardUnion(CompareObserver* to, std::size_t replicate) : to_(to), replicate_(replicate) {}
  void on_step(const Trace& trace, const UnionPopulation&) override {
    if (to_ != nullptr) to_->on_step(0, replicate_, trace);
  }

 private:
  CompareObserver* to_;
  std::size_t replicate_;
};

/// The runs of a comparison: who they are, who watches them, and what they follow.
struct Runs {
  const FamilyCandidate& candidate;
  const CompareOptions& options;
  CompareObserver* observer;
  const std::stop_token& stop;
  std::optional<PlanOfUnion> pilot = {};  ///< of islands

  // Keyed by the method: which models a run finds is its own business.
  Streams streams(std::size_t r) const {
    return Streams({.seed = options.seed,
                    .data_set = options.data_set,
                    .model = identity(method_name(options)),
                    .replicate = static_cast<std::uint32_t>(r)});
  }
  CheckpointSlot slot(const std::string& what) const {
    return CheckpointSlot{options.checkpoint}.part(method_name(options)).part(what);
  }
  Team& team() const { return options.team == nullptr ? team_of_one() : *options.team; }
};

// To the observer the pilot is the beginning of the first island.
void make_pilot(Runs& all) {
  const auto make = [&](std::size_t, const Executor& threads, Team&) {
    if (all.observer != nullptr) all.observer->on_start(0, 0);
    ForwardUnion forward(all.observer, 0);
    const auto start = Clock::now();
    PlanOfUnion plan;
    name_errors("method " + method_name(all.options), [&] {
      plan = run_union_pilot(*all.candidate.family, all.options, {all.streams(0), threads, all.stop}, &forward);
      plan.replicate.seconds = seconds_since(start);
      check_stop(all.stop);
    });
    return plan;
  };
  const auto begun = [&](std::size_t, const PlanOfUnion&) {
    if (all.observer != nullptr) all.observer->on_start(0, 0);
  };
  auto made = run_kept<PlanOfUnion>(
      {.count = 1, .slot = [&](std::size_t) { return all.slot("pilot"); }, .run = make, .came_from_elsewhere = begun},
      all.team(), Executor(all.options.threads, all.stop), all.stop);
  all.pilot = std::move(*made.front());
}

FinishedFamily run_one(const Runs& all, std::size_t r, const Executor& threads) {
  if (all.observer != nullptr && !(all.pilot && r == 0)) all.observer->on_start(0, r);
  ForwardUnion forward(all.observer, r);
  const auto start = Clock::now();
  const Context context{all.streams(r), threads, all.stop};
  FinishedFamily done;
  name_errors("method " + method_name(all.options), [&] {
    done = all.pilot ? run_union_island(*all.candidate.family, *all.pilot, all.options, context, &forward)
                     : runs::find(all.options.method).family(all.candidate, all.options, context, &forward);
    done.run.seconds = seconds_since(start);
    check_stop(all.stop);
  });
  if (all.observer != nullptr) all.observer->on_finish(0, r, done.run);
  return done;
}

std::vector<FinishedFamily> run_all(const Runs& all) {
  const bool planned = all.pilot.has_value();
  const auto slot = [&](std::size_t r) { return all.slot((planned ? "island " : "run ") + std::to_string(r)); };
  const auto done_elsewhere = [&](std::size_t r, const FinishedFamily& finished) {
    if (all.observer == nullptr) return;
    if (!(planned && r == 0)) all.observer->on_start(0, r);
    all.observer->on_finish(0, r, finished.run);
  };
  const auto run = [&](std::size_t r, const Executor& threads, Team&) { return run_one(all, r, threads); };
  auto results = run_kept<FinishedFamily>(
      {.count = all.options.runs(), .slot = slot, .run = run, .came_from_elsewhere = done_elsewhere}, all.team(),
      Executor(all.options.threads, all.stop), all.stop);
  std::vector<FinishedFamily> out;
  for (auto& r : results) out.push_back(std::move(*r));
  return out;
}

// The listed models in their order, then what the runs found besides, the most probable first.
std::vector<std::pair<ModelIndex, std::string>> reported(const FamilyCandidate& candidate,
                                                         const std::vector<FinishedFamily>& finished) {
  std::map<ModelIndex, double> found;
  for (const FinishedFamily& run : finished)
    for (const auto& [k, model] : run.models) found[k] += model.replicate.probability.value;
  std::vector<std::pair<ModelIndex, std::string>> out = candidate.listed;
  for (const auto& [k, name] : out) found.erase(k);
  std::vector<std::pair<ModelIndex, double>> rest(found.begin(), found.end());
  std::ranges::stable_sort(rest, std::ranges::greater{}, [](const auto& entry) { return entry.second; });
  for (const auto& [k, probability] : rest) out.emplace_back(k, candidate.family->name(k));
  return out;
}

// A run that never met the model says that it is improbable, and no more.
Finished unseen(const Model& model, const CompareOptions& options) {
  Finished out;
  out.replicate.probability.value = out.replicate.support = 0;
  if (options.method == Method::all_in_one) out.replicate.log_evidence.value = -kInf;
  out.draws.names = model.parameters().names();
  const auto derived = model.derived_names();
  out.draws.names.insert(out.draws.names.end(), derived.begin(), derived.end());
  return out;
}

/// What the runs count in the mean over them: islands by their evidence, since share x evidence is what has the right
/// mean; others alike.
std::vector<double> counts_of(std::span<const Replicate> runs, const CompareOptions& options) {
  if (options.with_islands()) return evidence_shares(runs);
  return std::vector<double>(runs.size(), 1 / static_cast<double>(runs.size()));
}

/// On the scale of the log odds, where it cannot leave 0 to 1.
Interval interval_of(const Estimate& p) {
  const double odds = p.value * (1 - p.value);
  if (!p.known() || !(odds > 0)) return {};
  const Interval logit = Estimate{std::log(p.value / (1 - p.value)), p.standard_error / odds, p.degrees}.interval();
  return {1 / (1 + std::exp(-logit.lower)), 1 / (1 + std::exp(-logit.upper))};
}

/// From the differences of the islands, which may agree by chance: no less than as many independent draws would have.
/// Within other runs, where the method gives it.
void set_probability_error(const CompareOptions& options, std::span<const double> counts, std::size_t particles,
                           ModelResult& result) {
  const double p = result.probability.value;
  const auto n = static_cast<double>(counts.size());
  double between = 0, within = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const Estimate& own = result.replicates[r].probability;
    between += std::pow(counts[r] * (own.value - p), 2);
    within += own.standard_error * own.standard_error / (n * n);
  }
  result.probability.standard_error = std::sqrt(within);
  if (!options.with_islands() || counts.size() < 2) return;
  const double of_draws = p * (1 - p) / static_cast<double>(particles);
  result.probability.standard_error = std::sqrt(std::max({between * n / (n - 1), of_draws, 0.0}));
  result.probability.degrees = n - 1;
  result.probability_interval = interval_of(result.probability);
}

void combine_probabilities(const CompareOptions& options, std::span<const double> counts, std::size_t particles,
                           ModelResult& result) {
  std::vector<double> probabilities;
  result.probability.value = result.support = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const Replicate& run = result.replicates[r];
    probabilities.push_back(run.probability.value);
    result.probability.value += options.with_islands() ? counts[r] * run.probability.value
                                                       : run.probability.value / static_cast<double>(counts.size());
    result.support += run.support;
  }
  result.spread.probability_sd = standard_deviation(probabilities);
  set_probability_error(options, counts, particles, result);
}

// Shares of the replicates in the pooled posterior: by their evidence where the links of a chain give it, otherwise by
// how much of each run was in the model.
std::vector<double> shares_of(const ModelResult& result, const CompareOptions& options,
                              std::span<const double> counts) {
  if (options.method == Method::relative) return evidence_shares(result.replicates);
  std::vector<double> shares;
  const double runs = options.with_islands() ? 1 : static_cast<double>(result.replicates.size());
  const double total = result.probability.value * runs;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const double own = result.replicates[r].probability.value * (options.with_islands() ? counts[r] : 1);
    shares.push_back(total > 0 ? own / total : 0);
  }
  return shares;
}

/// What the runs say of each model; they are left with what belongs to none.
std::vector<ModelOfUnion> models_of(const FamilyCandidate& candidate, const CompareOptions& options,
                                    std::vector<FinishedFamily>& finished) {
  std::vector<ModelOfUnion> out;
  for (const auto& [k, name] : reported(candidate, finished)) {
    ModelOfUnion& model = out.emplace_back(ModelOfUnion{.index = k, .name = name});
    for (FinishedFamily& run : finished) {
      const auto found = run.models.find(k);
      model.finished.push_back(found == run.models.end() ? unseen(candidate.family->model(k), options)
                                                         : std::move(found->second));
    }
  }
  return out;
}

void set_verdict(ModelOfUnion& model, const CompareOptions& options, std::size_t particles, ModelResult& result) {
  if (model.modes) {
    result.modes = found_modes(*model.modes);
    result.earlier_evaluations = result.modes->evaluations;
  }
  if (model.judged)
    set_judgement(std::move(*model.judged), true, result);
  else if (options.with_islands())
    set_unjudged(Alarm::few_particles, few_particles_text(model, particles), result);
  else
    set_unjudged(Alarm::no_check, std::string(info(options.method).unjudged), result);
}

ModelResult model_result(const ModelFamily& family, const CompareOptions& options, std::span<const Replicate> runs,
                         ModelOfUnion model, PooledDraws& pooled) {
  ModelResult result;
  result.name = model.name;
  result.index = model.index;
  result.weight = std::exp(family.prior().log_probability(model.index));
  const std::size_t particles = runs.size() * runs.front().trace.particles;
  std::vector<Draws> own;
  for (Finished& f : model.finished) {
    result.replicates.push_back(f.replicate);
    own.push_back(std::move(f.draws));
  }
  combine_evidences(result);
  const std::vector<double> counts = counts_of(runs, options);
  combine_probabilities(options, counts, particles, result);
  set_verdict(model, options, particles, result);
  pooled.add(result, std::move(own), shares_of(result, options, counts));
  collect_warnings(result);
  return result;
}

}  // namespace

Comparison compare_family(const FamilyCandidate& candidate, const CompareOptions& options, CompareObserver* observer,
                          std::stop_token stop) {
  check(candidate, options);
  const auto start = Clock::now();
  Runs all{candidate, options, observer, stop};
  if (options.with_islands()) make_pilot(all);
  std::vector<FinishedFamily> finished = run_all(all);

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  std::vector<ModelOfUnion> models = models_of(candidate, options, finished);
  for (FinishedFamily& run : finished) comparison.runs.push_back(std::move(run.run));
  if (all.pilot) comparison.pilot = std::move(all.pilot->replicate);
  const ModelFamily& family = *candidate.family;
  if (options.with_islands()) judge_family(family, options, comparison.runs, models, stop);
  PooledDraws pooled;
  for (ModelOfUnion& model : models)
    comparison.models.push_back(model_result(family, options, comparison.runs, std::move(model), pooled));
  comparison.averaged = pooled.average(comparison);
  comparison.seconds =
      seconds_since(start) + (options.checkpoint != nullptr ? options.checkpoint->seconds_before() : 0);
  return comparison;
}

}  // namespace evident
