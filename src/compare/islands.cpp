#include "compare/islands.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "compare/summary.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/islands.hpp"
#include "evident/evidence/variance.hpp"
#include "evident/smc/nested.hpp"

namespace evident {

runs::Finished finished_run(const Model& model, Run run) {
  runs::Finished done;
  done.draws = collect_draws(model, run.particles);
  done.replicate.log_evidence = standard_estimate(run.trace);
  done.replicate.path = path_sampling(run.trace);
  done.replicate.log_evidence_path = done.replicate.path->best();
  done.replicate.log_evidence_se = evidence_variance(run.trace).standard_error();
  done.replicate.trace = std::move(run.trace);
  return done;
}

runs::Finished run_island(const Candidate& candidate, const FrozenPlan& plan, const SmcOptions& options,
                          const Context& context, Observer* observer) {
  const Model& model = *candidate.model;
  Run run = frozen_evidence(model, plan, options, context, observer);
  BridgeEvidence bridge;
  try {
    bridge = bridge_evidence(model, run.particles, {}, context);
  } catch (const RunError& e) {  // particles that cannot carry a bridge; the run itself stands
    bridge.log_evidence = bridge.error = kNaN;
    bridge.reason = e.what();
  }
  run.trace.evaluations += bridge.evaluations;
  run.trace.nan_evaluations += bridge.nan_evaluations;
  runs::Finished done = finished_run(model, std::move(run));
  done.replicate.bridge = std::move(bridge);
  return done;
}

namespace {

using Islands = std::vector<const Replicate*>;

IslandEvidence standard_of(const Islands& islands) {
  std::vector<double> values, variances;
  for (const Replicate* r : islands) {
    values.push_back(r->log_evidence);
    variances.push_back(r->log_evidence_se * r->log_evidence_se);
  }
  return island_evidence(values, variances);
}

/// The bridges of the islands are independent. Where they agree by chance, what they say of themselves counts. A fit
/// that shares little with the posterior is left out: all of them may then be off to the same side.
Estimate bridge_of(const Islands& islands) {
  constexpr double kEnough = 2.0 / 3;  // of the islands must have one that nothing speaks against
  std::vector<double> values, errors;
  for (const Replicate* r : islands) {
    if (!r->bridge || !r->bridge->usable || r->bridge->agreement.efficiency < kPoorOverlap) continue;
    values.push_back(r->bridge->log_evidence);
    errors.push_back(r->bridge->error);
  }
  const auto n = static_cast<double>(values.size());
  if (values.empty() || n < kEnough * static_cast<double>(islands.size())) return {};
  double mean = 0, own = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double e : errors) own += e / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double spread = values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : own;
  return {mean, std::max(spread, own / std::sqrt(n)), values.size() > 1 ? n - 1 : kInf};
}

bool agree(const Estimate& a, const Estimate& b) {
  constexpr double kErrors = 3, kHarmless = 0.1;  // as the alarm has it
  return std::abs(a.value - b.value) <= kErrors * std::hypot(a.error, b.error) + kHarmless;
}

/// Weighted by the inverse of the variances: mostly the bridge where it is good, the standard estimate elsewhere.
Estimate combined(const Estimate& a, const Estimate& b) {
  const double wa = 1 / (a.error * a.error), wb = 1 / (b.error * b.error);
  if (std::isinf(wa)) return a;
  if (std::isinf(wb)) return b;
  return {(wa * a.value + wb * b.value) / (wa + wb), 1 / std::sqrt(wa + wb), std::min(a.degrees, b.degrees)};
}

Interval interval_of(const Estimate& e) {
  if (!e.known()) return {};
  const double t =
      std::isfinite(e.degrees) ? boost::math::quantile(boost::math::students_t(e.degrees), 0.975) : 1.959964;
  return {e.value - t * e.error, e.value + t * e.error};
}

/// An alarm of single runs counts when at least half of the islands give it; the worst of its reasons is told. That
/// particles hardly move is only noted when there are islands enough to compare: if it does harm, they disagree.
void add_alarms_of_runs(const std::vector<Replicate>& islands, std::vector<Reason>& out) {
  struct Seen {
    Reason worst;
    std::size_t count = 0;
  };
  constexpr std::size_t kEnoughToCompare = 4;
  std::vector<Seen> seen;
  for (const Replicate& r : islands)
    for (Reason& reason : alarms_of_run(r.trace)) {
      if (reason.code == Alarm::moves_collapsed && islands.size() >= kEnoughToCompare) {
        reason.level = Verdict::trust;
        reason.text += "; the islands show whether it matters";
      }
      // The error comes from the islands: that one run's ancestors cannot tell it does no harm.
      if (reason.code == Alarm::ancestors_coalesced && islands.size() > 1) continue;
      auto at = std::ranges::find_if(seen, [&](const Seen& s) { return s.worst.code == reason.code; });
      if (at == seen.end()) at = seen.insert(seen.end(), {reason, 0});
      ++at->count;
      if (reason.level > at->worst.level) at->worst = std::move(reason);
    }
  for (Seen& s : seen)
    if (2 * s.count >= islands.size()) out.push_back(std::move(s.worst));
}

BridgeNumbers numbers_of(const Estimate& bridge, const std::vector<Replicate>& islands) {
  BridgeNumbers out{.log_evidence = bridge.value, .standard_error = bridge.error};
  out.converged = bridge.known();
  double efficiency = 0;
  for (const Replicate& r : islands)
    if (r.bridge) efficiency += r.bridge->agreement.efficiency / static_cast<double>(islands.size());
  out.overlap = efficiency;
  return out;
}

// A spike may lie far below the share of the prior where the rest of the evidence is.
constexpr double kDeep = 1e-12;

NestedOptions nested_options(std::size_t particles) { return {.particles = particles, .remaining = kDeep}; }

/// Powers of the likelihood may miss a narrow spike in every island alike, and then nothing in the islands tells. A
/// small nested run, which goes another way, looks whether there is more.
void probe(const Candidate& candidate, const Estimate& best, const Context& context, ModelResult& result) {
  constexpr std::size_t kShare = 4, kFewest = 100;
  constexpr double kErrors = 3, kWorthLooking = 2;  // small runs are rough
  const std::size_t particles = std::max(result.replicates.front().trace.particles / kShare, kFewest);
  try {
    const NestedRun run = nested_pilot(*candidate.model, nested_options(particles), context).run;
    result.nested_evaluations += run.trace.evaluations;
    const double more = run.log_evidence - best.value;
    if (!(more > kWorthLooking + kErrors * std::hypot(run.error, best.error))) return;
    result.reasons.push_back({Alarm::phase_transition, Verdict::run_longer,
                              "a small nested run found " + std::to_string(more) +
                                  " more log evidence than the islands: they may have missed a narrow peak"});
  } catch (const RunError&) {  // it has nothing to say, then
  }
}

/// Where particles seem to go over from one phase to another, nested sampling decides: when it gives the same, the
/// alarm is only a note.
void cross_check(const Candidate& candidate, const Estimate& best, const Context& context, ModelResult& result) {
  probe(candidate, best, context, result);
  constexpr std::size_t kIslands = 4;
  const auto of_phases = [](const Reason& r) { return r.code == Alarm::phase_transition; };
  if (std::ranges::none_of(result.reasons, of_phases)) return;
  std::vector<Reason> found;
  try {
    const std::size_t particles = result.replicates.front().trace.particles;
    const NestedCheck nested = nested_cross_check(*candidate.model, nested_options(particles), kIslands, context);
    result.log_evidence_nested = nested.log_evidence;
    result.log_evidence_nested_se = nested.standard_error;
    result.nested_evaluations += nested.evaluations;
    found = alarms_of_nested(best.value, best.error, nested.log_evidence, nested.standard_error);
  } catch (const RunError& e) {
    found = {{Alarm::nested_disagrees, Verdict::run_longer,
              "nested sampling, as a check, failed: " + std::string(e.what())}};
  }
  if (found.empty()) {
    std::erase_if(result.reasons, of_phases);
    found = {
        {Alarm::phase_transition, Verdict::trust,
         "it looked as if particles had to go over from one phase to another; nested sampling, which that does not "
         "mislead, gives the same evidence"}};
  }
  append(result.reasons, std::move(found));
}

}  // namespace

bool Estimate::known() const { return std::isfinite(value) && std::isfinite(error); }

std::vector<Reason> disagreement(const std::vector<const Replicate*>& islands) {
  std::vector<double> values, errors;
  for (const Replicate* r : islands) {
    values.push_back(r->log_evidence);
    errors.push_back(r->log_evidence_se);
  }
  return alarms_of_islands(values, errors);
}

IslandsTogether together(const std::vector<const Replicate*>& islands) {
  const IslandEvidence e = standard_of(islands);
  IslandsTogether all{.standard = {e.log_evidence, e.standard_error, e.degrees},
                      .bridge = bridge_of(islands),
                      .best = {},
                      .island_sd = e.island_sd};
  all.best = all.standard;
  if (all.bridge.known() && !all.standard.known()) all.best = all.bridge;
  if (all.bridge.known() && all.standard.known() && agree(all.standard, all.bridge))
    all.best = combined(all.standard, all.bridge);
  return all;
}

void judge_islands(const Candidate& candidate, const std::vector<Draws>& draws, const Goal& goal,
                   const Context& context, ModelResult& result) {
  const std::vector<Replicate>& islands = result.replicates;
  Islands pointers;
  for (const Replicate& r : islands) pointers.push_back(&r);
  const auto [standard, bridge, best, island_sd] = together(pointers);
  result.log_evidence = best.value;
  result.log_evidence_se = best.error;
  result.log_evidence_interval = interval_of(best);
  result.log_evidence_degrees = best.degrees;
  result.log_evidence_standard = standard.value;
  result.log_evidence_standard_se = standard.error;
  result.log_evidence_bridge = bridge.value;
  result.log_evidence_bridge_se = bridge.error;

  add_alarms_of_runs(islands, result.reasons);
  append(result.reasons, disagreement(pointers));
  if (bridge.known())
    append(result.reasons, alarms_of_bridge(standard.value, standard.error, numbers_of(bridge, islands)));
  cross_check(candidate, best, context, result);
  append(result.reasons, alarms_of_prior(check_prior(*candidate.model, context)));
  const Draws& first = draws.front();
  if (!first.weights.empty()) {
    const BlockStorage& all = first.values;
    const ConstBlock theta = all.block().some_rows(0, candidate.model->parameters().size());
    append(result.reasons, alarms_of_bounds(*candidate.model, theta, first.weights, context));
  }
  if (!result.dropped) append(result.reasons, alarms_of_precision(best.error, goal.precision));
  result.verdict = verdict(result.reasons);
}

}  // namespace evident
