#include "judge/alarms.hpp"

#include <cmath>
#include <iterator>

#include "base/number_text.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

constexpr double kErrors = threshold("errors"), kHarmless = threshold("harmless"), kUseless = threshold("useless");

}  // namespace

void append(Reasons& to, Reasons more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool agree(const Estimate& a, const Estimate& b) {
  return std::abs(a.value - b.value) <= kErrors * std::hypot(a.standard_error, b.standard_error) + kHarmless;
}

bool clearly_above(const Estimate& a, const Estimate& b) {
  return a.value - b.value > threshold("harmless") + kErrors * std::hypot(a.standard_error, b.standard_error);
}

Reasons alarms_of_bridge(const CombinedEvidence& evidence, std::span<const IslandNumbers> islands) {
  Reasons out;
  const auto& [standard, bridge, best, island_sd] = evidence;
  if (!bridge.known()) return out;
  double overlap = 0;
  for (const IslandNumbers& i : islands)
    if (i.bridge) overlap += i.bridge_efficiency / static_cast<double>(islands.size());
  if (overlap < threshold("poor-overlap"))
    out.push_back(
        {Alarm::bridge_poor, Verdict::trust,
         "bridge sampling rests on " + percent(overlap) +
             " of its draws, for its proposal does not fit the posterior: it has little part in the evidence"});
  const double gap = std::abs(standard.value - bridge.value);
  const auto finite_or_zero = [](double s) { return std::isfinite(s) ? s : 0.0; };
  const double error = std::hypot(finite_or_zero(standard.standard_error), bridge.standard_error);
  if (gap > kHarmless + kErrors * error)
    out.push_back({Alarm::bridge_disagrees, level(gap > threshold("grave")),
                   "bridge sampling and the standard estimate differ by " + number(gap) + ", with errors of " +
                       number(error) + " together: use more particles and look for modes that a run missed"});
  return out;
}

Reasons alarms_of_probe(const Estimate& best, const Estimate& probe) {
  if (!clearly_above(probe, best)) return {};
  return {{Alarm::phase_transition, Verdict::run_longer,
           "a small nested run found " + number(probe.value - best.value) +
               " more log evidence than the islands: they may have missed a narrow peak"}};
}

Reasons alarms_of_referee(const Estimate& best, const RefereeNumbers& seen) {
  const Estimate& referee = seen.log_evidence;
  if (seen.fewest_passed < threshold("few-eves"))
    return {{Alarm::nested_disagrees, Verdict::run_longer,
             "nested sampling, as a check, had " + number(seen.fewest_passed) +
                 " particles left at one of its steps, too few to settle it: use more particles"}};
  const double gap = std::abs(best.value - referee.value);
  const double error = std::hypot(best.standard_error, referee.standard_error);
  if (error > kUseless || !std::isfinite(error))
    return {{Alarm::nested_disagrees, Verdict::run_longer,
             "nested sampling, as a check, is known to " + number(referee.standard_error) +
                 " only and cannot settle it: use more particles"}};
  if (agree(best, referee)) return {};
  return {
      {Alarm::nested_disagrees, Verdict::do_not_trust,
       "nested sampling gives a log evidence of " + number(referee.value) + " with an error of " +
           number(referee.standard_error) + ", " + number(gap) +
           (referee.value > best.value
                ? " above: tempering misses part of the posterior, and the evidence given is that of nested sampling"
                : " below: one of the two is wrong, and it is more likely nested sampling, which cannot find what "
                  "it has lost; use more particles")}};
}

// How often NaN was met says little: they may lie where no posterior is, or hide all of it.
Reasons alarms_of_nan(const NanNumbers& nan) {
  if (nan.met == 0) return {};
  std::string text = "the log likelihood was NaN, which counts as impossible, in " + std::to_string(nan.met) + " of " +
                     std::to_string(nan.evaluations) + " evaluations" +
                     (nan.place.empty() ? "" : " (" + nan.place + ")");
  if (!std::isnan(nan.of_prior))
    text += ", " + percent(nan.of_prior) + " of the prior and " + percent(nan.of_posterior) +
            " of the draws around the posterior";
  if (std::isnan(nan.too_low))
    return {{Alarm::nan_likelihood, Verdict::run_longer,
             text + "; what that does to the evidence is not known: fix the likelihood"}};
  text += ": the log evidence is too low by at most " + number(nan.too_low) + " if the likelihood there is like nearby";
  if (nan.too_low <= kHarmless) return {{Alarm::nan_likelihood, Verdict::trust, text}};
  return {{Alarm::nan_likelihood, level(nan.too_low > threshold("grave")),
           text + "; fix the likelihood, or give -inf where a parameter is impossible"}};
}

// The mass around a mode and the share of the particles there are two estimates of the same part of the evidence.
Reasons alarms_of_modes(const Estimate& best, std::span<const ModeNumbers> modes) {
  double lacking = 0, most = 0;
  const ModeNumbers* worst = nullptr;
  for (const ModeNumbers& m : modes) {
    if (!m.log_mass.known() || !m.share.known() || !std::isfinite(best.value)) continue;
    const double mass = std::exp(m.log_mass.value - best.value);
    const double error_of_best = std::isfinite(best.standard_error) ? best.standard_error : 0;
    const double error =
        std::hypot(mass * std::hypot(m.log_mass.standard_error, error_of_best), m.share.standard_error);
    if (mass - m.share.value <= kErrors * error) continue;
    lacking += mass - m.share.value;
    if (mass - m.share.value > most) most = mass - m.share.value, worst = &m;
  }
  const double too_low = std::log1p(lacking);
  if (too_low <= kHarmless) return {};
  return {{Alarm::mode_missing, level(too_low > threshold("grave")),
           "the mode at " + worst->place + " has " + percent(most + worst->share.value) +
               " of the evidence by draws around it and " + percent(worst->share.value) +
               " of the particles: the log evidence may be too low by " + number(too_low)}};
}

Reasons alarms_of_unseen_modes(double share) {
  if (share <= threshold("unseen-modes")) return {};
  return {{Alarm::modes_unseen, Verdict::run_longer,
           "the runs begin at the modes that were found, and about " + percent(share) +
               " of further climbs would find another: use more particles, and the search takes longer"}};
}

Reasons alarms_of_precision(double standard_error, double asked) {
  const double limit = asked > 0 ? asked : kUseless;
  if (standard_error <= limit) return {};
  const std::string known = std::isfinite(standard_error) ? "is known to " + number(standard_error) + " only"
                                                          : std::string("has no known error");
  const std::string wanted = asked > 0 ? ", where " + number(asked) + " was asked for" : "";
  return {{Alarm::imprecise, Verdict::run_longer,
           "the log evidence " + known + wanted + ": use more particles, or ask for a precision"}};
}

Reasons alarms_of_prior(const PriorCheck& check) {
  Reasons out;
  const auto add = [&](std::string text) {
    out.push_back({Alarm::prior_mismatch, Verdict::do_not_trust, std::move(text)});
  };
  for (const CoordinateCheck& c : check.coordinates)
    if (!c.agrees)
      add("prior draws of '" + c.name + "' do not follow the prior density (p = " + number(c.p_value) +
          "): fix the draws or the density of this parameter");
  if (check.outside > 0) {
    const double share = static_cast<double>(check.outside) / static_cast<double>(check.draws);
    const std::string seen =
        std::to_string(check.outside) + " of " + std::to_string(check.draws) + " prior draws have prior density zero";
    if (share > threshold("few-outside"))
      add(seen + ": fix the draws or the density");
    else
      out.push_back({Alarm::prior_mismatch, Verdict::trust,
                     seen + ", as when a bound lies beyond its other bound: the evidence is too low by that share"});
  }
  if (!check.mass_agrees)
    add("the prior density integrates to " + number(std::exp(check.log_mass.value)) + " instead of 1 (log " +
        number(check.log_mass.value) + ", error " + number(check.log_mass.standard_error) +
        "), or its draws are not its own: a constant is missing or wrong, and every evidence is off by that factor");
  if (check.agrees() && !check.built_in && !check.mass_tested)
    out.push_back(
        {Alarm::prior_mismatch, Verdict::trust,
         "whether the prior density integrates to 1 could not be tested, because no simple density comes near "
         "to it: a missing constant would not be seen"});
  return out;
}

Reasons alarms_of_bounds(std::span<const BoundNumbers> bounds) {
  Reasons out;
  for (const BoundNumbers& b : bounds) {
    if (!is_at_bound(b)) continue;
    out.push_back({Alarm::at_bound, Verdict::trust,
                   "'" + b.name + "' piles up at the " + (b.upper ? "upper" : "lower") + " bound of its prior (" +
                       percent(b.share) + " of the posterior lies in the last tenth of a " +
                       "standard deviation): widen the prior, or make sure that the bound is meant"});
  }
  return out;
}

}  // namespace evident
