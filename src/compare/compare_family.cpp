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
#include "compare/result.hpp"
#include "compare/result_fields.hpp"
#include "compare/runner.hpp"
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

// Keyed by the method: which models a run finds is its own business.
FinishedFamily run_one(const FamilyCandidate& candidate, const CompareOptions& options, std::size_t r,
                       const Executor& threads, CompareObserver* observer, const std::stop_token& stop) {
  const Streams streams({.seed = options.seed,
                         .data_set = options.data_set,
                         .model = identity(method_name(options)),
                         .replicate = static_cast<std::uint32_t>(r)});
  if (observer != nullptr) observer->on_start(0, r);
  ForwardUnion forward(observer, r);
  const auto start = Clock::now();
  FinishedFamily done;
  name_errors("method " + method_name(options), [&] {
    done = runs::find(options.method).family(candidate, options, {streams, threads, stop}, &forward);
    done.run.seconds = seconds_since(start);
    check_stop(stop);
  });
  if (observer != nullptr) observer->on_finish(0, r, done.run);
  return done;
}

std::vector<FinishedFamily> run_all(const FamilyCandidate& candidate, const CompareOptions& options,
                                    CompareObserver* observer, const std::stop_token& stop) {
  const auto slot = [&](std::size_t r) {
    return CheckpointSlot{options.checkpoint}.part(method_name(options)).part("run " + std::to_string(r));
  };
  const auto done_elsewhere = [&](std::size_t r, const FinishedFamily& finished) {
    if (observer == nullptr) return;
    observer->on_start(0, r);
    observer->on_finish(0, r, finished.run);
  };
  const auto run = [&](std::size_t r, const Executor& threads, Team&) {
    return run_one(candidate, options, r, threads, observer, stop);
  };
  auto results = run_kept<FinishedFamily>(
      {.count = options.replicates, .slot = slot, .run = run, .came_from_elsewhere = done_elsewhere},
      options.team == nullptr ? team_of_one() : *options.team, Executor(options.threads), stop);
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

void combine_probabilities(ModelResult& result) {
  const auto n = static_cast<double>(result.replicates.size());
  std::vector<double> probabilities;
  double variance = 0;
  result.probability.value = result.support = 0;
  for (const Replicate& r : result.replicates) {
    probabilities.push_back(r.probability.value);
    result.probability.value += r.probability.value / n;
    result.support += r.support;
    variance += r.probability.standard_error * r.probability.standard_error / (n * n);
  }
  result.spread.probability_sd = standard_deviation(probabilities);
  result.probability.standard_error = std::sqrt(variance);
}

// Shares of the replicates in the pooled posterior: by their evidence where the links of a chain give it, otherwise by
// how much of each run was in the model.
std::vector<double> shares_of(const ModelResult& result, Method method) {
  if (method == Method::relative) return evidence_shares(result.replicates);
  std::vector<double> shares;
  const double total = result.probability.value * static_cast<double>(result.replicates.size());
  for (const Replicate& r : result.replicates) shares.push_back(total > 0 ? r.probability.value / total : 0);
  return shares;
}

}  // namespace

Comparison compare_family(const FamilyCandidate& candidate, const CompareOptions& options, CompareObserver* observer,
                          std::stop_token stop) {
  check(candidate, options);
  const auto start = Clock::now();
  std::vector<FinishedFamily> finished = run_all(candidate, options, observer, stop);

  Comparison comparison;
  comparison.method = options.method;
  comparison.seed = options.seed;
  PooledDraws pooled;
  const ModelFamily& family = *candidate.family;
  for (const auto& [k, name] : reported(candidate, finished)) {
    ModelResult result;
    result.name = name;
    result.index = k;
    result.weight = std::exp(family.prior().log_probability(k));
    std::vector<Draws> own;
    for (FinishedFamily& run : finished) {
      const auto found = run.models.find(k);
      Finished found_one = found == run.models.end() ? unseen(family.model(k), options) : std::move(found->second);
      result.replicates.push_back(std::move(found_one.replicate));
      own.push_back(std::move(found_one.draws));
    }
    combine_evidences(result);
    combine_probabilities(result);
    pooled.add(result, std::move(own), shares_of(result, options.method));
    collect_warnings(result);
    comparison.models.push_back(std::move(result));
  }
  for (FinishedFamily& run : finished) comparison.runs.push_back(std::move(run.run));
  comparison.averaged = pooled.average(comparison);
  comparison.seconds =
      seconds_since(start) + (options.checkpoint != nullptr ? options.checkpoint->seconds_before() : 0);
  return comparison;
}

}  // namespace evident
