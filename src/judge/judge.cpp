#include "judge/judge.hpp"

#include <algorithm>
#include <cmath>

#include "judge/alarms.hpp"
#include "judge/decision.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

bool is_of_phases(const Reason& r) { return r.code == Alarm::phase_transition; }
bool is_of_modes(const Reason& r) { return r.code == Alarm::mode_missing; }
/// The islands contradict each other, or the bridge.
bool is_of_scatter(const Reason& r) {
  return r.code == Alarm::bridge_disagrees || r.code == Alarm::islands_disagree || r.code == Alarm::one_island_carries;
}

/// No island saw what the others did not: a mode that one of them found alone would lift its bridge.
bool bridges_agree(const Observations& seen) {
  return std::ranges::all_of(seen.islands, [&](const IslandNumbers& i) {
    return i.bridge && i.bridge_usable &&
           std::abs(i.bridge->value - seen.evidence.bridge.value) <=
               threshold("bridge-errors") * i.bridge->standard_error + threshold("harmless");
  });
}

/// Tempering and bridge sampling agree on what they found, in every island.
bool found_twice(const Observations& seen) {
  const auto& [standard, bridge, best, island_sd] = seen.evidence;
  return bridge.known() && standard.known() && agree(standard, bridge) && bridges_agree(seen);
}

bool sides_with_bridge(const Estimate& referee, const CombinedEvidence& e) {
  if (!e.bridge.known() || !e.standard.known() || !(referee.standard_error < threshold("useless"))) return false;
  return agree(e.bridge, referee) &&
         std::abs(e.bridge.value - referee.value) <= std::abs(e.standard.value - referee.value);
}

/// A referee that ends above the islands by less than its rough errors has seen nothing that they lack, as long as the
/// islands' scatter shows that enough particles of each found every phase. A probe that found more counts against that.
bool sees_more(const Estimate& referee, const CombinedEvidence& e, bool probe_found_more) {
  if (referee.value <= e.best.value) return false;
  const bool errors_known = std::isfinite(e.best.standard_error) && std::isfinite(referee.standard_error);
  return !(errors_known && agree(referee, e.best) && !probe_found_more && e.island_sd < threshold("scatter-of-many"));
}

RefereeSays referee_says(const Observations& seen) {
  if (!seen.referee) return RefereeSays::not_asked;
  if (!seen.referee->failure.empty()) return RefereeSays::failed;
  const Estimate& referee = seen.referee->log_evidence;
  const bool enough = seen.referee->fewest_passed >= threshold("few-eves");
  if (enough && bridges_agree(seen) && sides_with_bridge(referee, seen.evidence)) return RefereeSays::bridge_is_right;
  const Reasons found = alarms_of_referee(seen.evidence.best, *seen.referee);
  if (found.empty()) return RefereeSays::the_same;
  return found.front().level == Verdict::run_longer ? RefereeSays::too_rough : RefereeSays::another_evidence;
}

/// Every estimate here is unbiased for the evidence itself, and never negative: to be too high by a factor c has a
/// chance of 1/c at most (Markov), while too low only takes a part of the posterior that was missed. So where estimates
/// that know their errors contradict each other, the highest is the best founded.
Estimate best_founded(const Observations& seen) {
  Estimate out = seen.evidence.best;
  const auto consider = [&out](const Estimate& other) {
    const bool is_better = other.known() && other.standard_error <= threshold("useless") && other.value > out.value;
    if (!out.known() ? other.known() : is_better && !agree(out, other)) out = other;
  };
  if (seen.evidence.bridge.known() && bridges_agree(seen)) consider(seen.evidence.bridge);
  if (seen.referee) consider(seen.referee->log_evidence);
  return out;
}

Situation situation_of(const Observations& seen, const Reasons& alarms) {
  const Estimate& best = seen.evidence.best;
  Situation out{.has_referee = seen.has_referee,
                .phases = std::ranges::any_of(alarms, is_of_phases),
                .scattered = std::ranges::any_of(alarms, is_of_scatter),
                .found_twice = found_twice(seen),
                .referee = referee_says(seen)};
  if (seen.probe && seen.probe->known() && clearly_above(best, *seen.probe)) out.probe = ProbeSays::less;
  if (seen.probe && clearly_above(*seen.probe, best)) out.probe = ProbeSays::more;
  if (seen.referee)
    out.referee_sees_more = sees_more(seen.referee->log_evidence, seen.evidence, out.probe == ProbeSays::more);
  return out;
}

/// What the ruling makes of the alarms, and of the answer.
void apply(Ruling ruling, const Observations& seen, Judgement& out) {
  const auto replace = [&](auto&& settled, Alarm code, const char* note) {
    std::erase_if(out.reasons, settled);
    out.reasons.push_back({code, Verdict::trust, note});
  };
  switch (ruling) {
    case Ruling::alarms_stand:
      break;
    case Ruling::ask_referee:
      out.ask_referee = true;
      break;
    case Ruling::islands_are_right:
      replace(is_of_phases, Alarm::nested_disagrees,
              "nested sampling, as a check, missed something or is too rough to tell; all islands and their bridges "
              "agree");
      break;
    case Ruling::bridge_is_right:
      if (!agree(seen.evidence.standard, seen.evidence.bridge)) out.log_evidence = seen.evidence.bridge;
      replace([](const Reason& r) { return is_of_scatter(r) || is_of_phases(r); }, Alarm::bridge_disagrees,
              "the islands' own evidences are scattered; bridge sampling and nested sampling agree, and give the "
              "answer");
      break;
    case Ruling::phases_are_harmless:
      replace(is_of_phases, Alarm::phase_transition,
              "it looked as if particles had to go over from one phase to another; nested sampling, which that does "
              "not mislead, gives the same evidence");
      break;
    case Ruling::referee_failed:
      out.reasons.push_back({Alarm::nested_disagrees, Verdict::run_longer,
                             "nested sampling, as a check, failed: " + seen.referee->failure});
      break;
    case Ruling::referee_disagrees:
      append(out.reasons, alarms_of_referee(seen.evidence.best, *seen.referee));
      break;
  }
}

}  // namespace

bool Judgement::in_doubt() const {
  return std::ranges::any_of(
      reasons, [](const Reason& r) { return (is_of_scatter(r) || is_of_modes(r)) && r.level > Verdict::trust; });
}

bool Judgement::lacks_a_mode() const {
  return std::ranges::any_of(reasons, [](const Reason& r) { return is_of_modes(r) && r.level > Verdict::trust; });
}

Judgement judge(const Observations& seen) {
  Judgement out{.log_evidence = best_founded(seen), .reasons = alarms_of_runs(seen.runs)};
  append(out.reasons, alarms_of_islands(seen.islands));
  append(out.reasons, alarms_of_bridge(seen.evidence, seen.islands));
  if (seen.probe) append(out.reasons, alarms_of_probe(seen.evidence.best, *seen.probe));
  apply(decide(situation_of(seen, out.reasons)), seen, out);
  append(out.reasons, alarms_of_nan(seen.nan));
  append(out.reasons, alarms_of_modes(out.log_evidence, seen.modes));
  if (seen.unseen_modes) append(out.reasons, alarms_of_unseen_modes(*seen.unseen_modes));
  append(out.reasons, alarms_of_prior(seen.prior));
  append(out.reasons, alarms_of_bounds(seen.bounds));
  if (!seen.dropped) append(out.reasons, alarms_of_precision(out.log_evidence.standard_error, seen.precision));
  out.verdict = verdict(out.reasons);
  return out;
}

}  // namespace evident
