#include "compare/islands.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/pack.hpp"
#include "compare/summary.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/islands.hpp"
#include "evident/evidence/variance.hpp"
#include "evident/smc/nested.hpp"

namespace evident {

namespace {

Replicate replicate_of(Trace trace) {
  Replicate out;
  out.log_evidence = standard_estimate(trace);
  out.path = path_sampling(trace);
  out.log_evidence_path = out.path->best();
  out.log_evidence_se = evidence_variance(trace).standard_error();
  out.trace = std::move(trace);
  return out;
}

}  // namespace

runs::Finished finished_run(const Model& model, Run run) {
  Draws draws = collect_draws(model, run.particles);
  return {replicate_of(std::move(run.trace)), std::move(draws)};
}

PlanOfPilot plan_of_pilot(const Model& model, PilotRun pilot, const Context& context) {
  PlanOfPilot out{replicate_of(std::move(pilot.run.trace)), std::move(pilot.plan)};
  const Population& x = pilot.run.particles;
  if (x.z.rows() == 0 || !too_few_for_halves(x.size(), x.z.rows())) return out;
  try {
    out.bridge_density = std::make_shared<const FittedMixture>(bridge_density(model, x, {}, context));
  } catch (const RunError&) {  // the islands try it with their own
  }
  return out;
}

runs::Finished run_island(const Candidate& candidate, const PlanOfPilot& pilot, const SmcOptions& options,
                          const Context& context, Observer* observer) {
  const Model& model = *candidate.model;
  Run run = frozen_evidence(model, pilot.plan, options, context, observer);
  BridgeEvidence bridge;
  try {
    bridge = pilot.bridge_density ? bridge_evidence(model, run.particles, *pilot.bridge_density, {}, context)
                                  : bridge_evidence(model, run.particles, {}, context);
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

/// The bridges of the islands are independent. Where they agree by chance, what they say of themselves counts; that
/// mean rests on all their draws, so it is known far better than a spread of a few numbers. A fit that shares little
/// with the posterior is left out: all of them may then be off to the same side.
Estimate bridge_of(const Islands& islands) {
  constexpr double kEnough = 2.0 / 3;        // of the islands must have one that nothing speaks against
  constexpr double kDegreesOfOwnError = 30;  // for up to so many islands; it hardly matters beyond
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
  const double expected = own / std::sqrt(n);
  if (values.size() == 1) return {mean, expected, kInf};
  const double spread = std::sqrt(squares / (n - 1) / n);
  if (spread >= expected) return {mean, spread, n - 1};
  return {mean, expected, std::max(n - 1, kDegreesOfOwnError)};
}

bool agree(const Estimate& a, const Estimate& b) {
  constexpr double kErrors = 3, kHarmless = 0.1;  // as the alarm has it
  return std::abs(a.value - b.value) <= kErrors * std::hypot(a.error, b.error) + kHarmless;
}

/// Weighted by the inverse of the variances: mostly the bridge where it is good, the standard estimate elsewhere. The
/// degrees of freedom are Satterthwaite's, of the one that carries the weight.
Estimate combined(const Estimate& a, const Estimate& b) {
  const double wa = 1 / (a.error * a.error), wb = 1 / (b.error * b.error);
  if (std::isinf(wa)) return a;
  if (std::isinf(wb)) return b;
  const double share = wa / (wa + wb), other = 1 - share;
  return {share * a.value + other * b.value, 1 / std::sqrt(wa + wb),
          1 / (share * share / a.degrees + other * other / b.degrees)};
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

/// Beyond rough errors.
bool clearly_above(const Estimate& a, const Estimate& b) {
  constexpr double kErrors = 3, kWorthLooking = 2;
  return a.value - b.value > kWorthLooking + kErrors * std::hypot(a.error, b.error);
}

struct Probed {
  Estimate found = {};
  std::uint64_t evaluations = 0;
};

Probed nested_probe(const Model& model, std::size_t particles, const Estimate& best, const Context& context) {
  const Keeping keeping = context.keeping.part("probe");
  if (const auto kept = keeping.find()) return Unpacker(*kept).get_plain<Probed>();
  Probed told;
  const auto take = [&](const NestedRun& run) {
    told.evaluations += run.trace.evaluations;
    told.found = {run.log_evidence, run.error, kInf};
  };
  const NestedOptions options = nested_options(particles);
  const NestedPilot first = nested_pilot(model, options, context);
  take(first.run);
  // Few particles for many coordinates shape moves that raise their own evidence; a frozen run is free of that.
  constexpr std::size_t kFewForEach = 20;
  if (clearly_above(told.found, best) && particles < kFewForEach * model.parameters().free_size())
    take(nested_evidence(model, first.plan, options, context));
  Packer out;
  out.put_plain(told);
  keeping.keep(out.finish());
  return told;
}

/// Powers of the likelihood may miss a narrow spike in every island alike, and then nothing in the islands tells. A
/// small nested run, which goes another way, looks whether there is more. Returns what it found.
Estimate probe(const Candidate& candidate, const Estimate& best, const Context& context, ModelResult& result) {
  constexpr std::size_t kShare = 4, kFewest = 100;
  const std::size_t particles = std::max(result.replicates.front().trace.particles / kShare, kFewest);
  try {
    const Probed probed = nested_probe(*candidate.model, particles, best, context);
    result.nested_evaluations += probed.evaluations;
    if (clearly_above(probed.found, best))
      result.reasons.push_back({Alarm::phase_transition, Verdict::run_longer,
                                "a small nested run found " + std::to_string(probed.found.value - best.value) +
                                    " more log evidence than the islands: they may have missed a narrow peak"});
    return probed.found;
  } catch (const RunError&) {  // it has nothing to say, then
    return {};
  }
}

/// What the islands' evidences complain of among themselves, or of the bridge.
bool is_of_islands(const Reason& r) {
  return r.code == Alarm::bridge_disagrees || r.code == Alarm::islands_disagree || r.code == Alarm::one_island_carries;
}

/// No island saw what the others did not: a mode that one of them found alone would lift its bridge.
bool bridges_agree(const std::vector<Replicate>& islands, const Estimate& bridge) {
  constexpr double kErrors = 4, kHarmless = 0.1;
  return std::ranges::all_of(islands, [&](const Replicate& r) {
    return r.bridge && r.bridge->usable &&
           std::abs(r.bridge->log_evidence - bridge.value) <= kErrors * r.bridge->error + kHarmless;
  });
}

/// Nested sampling is the referee where the islands' own evidences are scattered, or differ from the bridge.
bool sides_with_bridge(const NestedCheck& nested, const IslandsTogether& all) {
  constexpr double kClear = 0.5;  // an error above this settles nothing
  if (!all.bridge.known() || !all.standard.known() || !(nested.standard_error < kClear)) return false;
  const Estimate referee{nested.log_evidence, nested.standard_error, kInf};
  return agree(all.bridge, referee) &&
         std::abs(all.bridge.value - referee.value) <= std::abs(all.standard.value - referee.value);
}

/// Then that is the answer, and those complaints no longer matter.
void settle_for_bridge(IslandsTogether& all, ModelResult& result) {
  if (!agree(all.standard, all.bridge)) all.best = all.bridge;
  std::erase_if(result.reasons, [](const Reason& r) { return is_of_islands(r) || r.code == Alarm::phase_transition; });
  result.reasons.push_back(
      {Alarm::bridge_disagrees, Verdict::trust,
       "the islands' own evidences are scattered; bridge sampling and nested sampling agree, and give the answer"});
}

/// Tempering and bridge sampling agree on what they found, in every island. Neither can make up mass: the one is
/// unbiased, and the other weighs fresh draws from around the particles.
bool found_twice(const IslandsTogether& all, const ModelResult& result) {
  return all.bridge.known() && all.standard.known() && agree(all.standard, all.bridge) &&
         bridges_agree(result.replicates, all.bridge);
}

/// Then nested sampling that finds less has missed it or is too rough to tell, and that is only a note: that islands
/// agree shows that the evidence does not hang on how many particles found a way.
bool settle_without(const IslandsTogether& all, ModelResult& result) {
  if (!found_twice(all, result)) return false;
  std::erase_if(result.reasons, [](const Reason& r) { return r.code == Alarm::phase_transition; });
  result.reasons.push_back(
      {Alarm::nested_disagrees, Verdict::trust,
       "nested sampling, as a check, missed something or is too rough to tell; all islands and their bridges agree"});
  return true;
}

/// Where particles seem to go over from one phase to another, or where islands disagree, nested sampling decides:
/// when it gives the same, the alarm is only a note.
void cross_check(const Candidate& candidate, const Context& context, IslandsTogether& all, ModelResult& result) {
  const Estimate small = probe(candidate, all.best, context, result);
  constexpr std::size_t kIslands = 4;
  const auto of_phases = [](const Reason& r) { return r.code == Alarm::phase_transition; };
  const bool phases = std::ranges::any_of(result.reasons, of_phases);
  const bool scattered = std::ranges::any_of(result.reasons, is_of_islands);
  if (!phases && !scattered) return;
  if (!scattered && small.known() && clearly_above(all.best, small) && settle_without(all, result)) return;
  std::vector<Reason> found;
  try {
    const std::size_t particles = result.replicates.front().trace.particles;
    const NestedCheck nested = nested_cross_check(*candidate.model, nested_options(particles), kIslands, context);
    result.log_evidence_nested = nested.log_evidence;
    result.log_evidence_nested_se = nested.standard_error;
    result.nested_evaluations += nested.evaluations;
    if (bridges_agree(result.replicates, all.bridge) && sides_with_bridge(nested, all))
      return settle_for_bridge(all, result);
    if (!phases) return;  // the alarm of the islands stands
    found = alarms_of_nested(all.best.value, all.best.error, nested.log_evidence, nested.standard_error);
    const double scatter = clearly_above(small, all.best) ? kInf : all.island_sd;  // a rough run disproves nothing
    const bool more =
        nested_finds_more(all.best.value, all.best.error, scatter, nested.log_evidence, nested.standard_error);
    if (!found.empty() && !scattered && !more && settle_without(all, result)) return;
  } catch (const RunError& e) {
    if (!phases) return;
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

bool in_doubt(const ModelResult& judged) {
  return std::ranges::any_of(judged.reasons,
                             [](const Reason& r) { return is_of_islands(r) && r.level > Verdict::trust; });
}

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

namespace {

/// What the model itself gives cause for, whatever the sampler.
void add_alarms_of_model(const Candidate& candidate, const std::vector<Draws>& draws, const Context& context,
                         ModelResult& result) {
  append(result.reasons, alarms_of_prior(check_prior(*candidate.model, context)));
  const Draws& first = draws.front();
  if (first.weights.empty()) return;
  const ConstBlock theta = first.values.block().some_rows(0, candidate.model->parameters().size());
  append(result.reasons, alarms_of_bounds(*candidate.model, theta, first.weights, context));
}

}  // namespace

void judge_adaptive_runs(const Candidate& candidate, const std::vector<Draws>& draws, const Context& context,
                         ModelResult& result) {
  add_alarms_of_runs(result.replicates, result.reasons);
  Islands pointers;
  for (const Replicate& r : result.replicates) pointers.push_back(&r);
  append(result.reasons, disagreement(pointers));
  add_alarms_of_model(candidate, draws, context, result);
  append(result.reasons, alarms_of_precision(result.log_evidence_se, 0));
  result.verdict = verdict(result.reasons);
}

void judge_islands(const Candidate& candidate, const std::vector<Draws>& draws, const Goal& goal,
                   const Context& context, ModelResult& result) {
  const std::vector<Replicate>& islands = result.replicates;
  Islands pointers;
  for (const Replicate& r : islands) pointers.push_back(&r);
  IslandsTogether all = together(pointers);
  const Estimate &standard = all.standard, &bridge = all.bridge, &best = all.best;
  result.log_evidence_standard = standard.value;
  result.log_evidence_standard_se = standard.error;
  result.log_evidence_bridge = bridge.value;
  result.log_evidence_bridge_se = bridge.error;

  add_alarms_of_runs(islands, result.reasons);
  append(result.reasons, disagreement(pointers));
  if (bridge.known())
    append(result.reasons, alarms_of_bridge(standard.value, standard.error, numbers_of(bridge, islands)));
  cross_check(candidate, context, all, result);
  result.log_evidence = best.value;
  result.log_evidence_se = best.error;
  result.log_evidence_interval = interval_of(best);
  result.log_evidence_degrees = best.degrees;
  add_alarms_of_model(candidate, draws, context, result);
  if (!result.dropped) append(result.reasons, alarms_of_precision(best.error, goal.precision));
  result.verdict = verdict(result.reasons);
}

}  // namespace evident
