#include "evident/evidence/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "evidence/numbers.hpp"

namespace evident {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts = {"trust", "run longer", "do not trust"};
constexpr std::array<std::string_view, 14> kAlarms = {
    "estimates-disagree", "bridge-disagrees",    "bridge-poor",      "islands-disagree",     "one-island-carries",
    "moves-collapsed",    "ancestors-coalesced", "phase-transition", "impossible-particles", "nan-likelihood",
    "at-bound",           "prior-mismatch",      "imprecise",        "nested-disagrees"};

// Estimates may differ by this without harm to any conclusion: a factor of 1.1 in a Bayes factor.
constexpr double kHarmless = 0.1;
constexpr double kSigmas = 3;
constexpr double kGrave = 1;           // nats, where a difference beyond errors changes conclusions
constexpr double kFewOutside = 0.005;  // of the prior draws: the log evidence is off by no more than that
constexpr double kUseless = 0.5;  // error of a log evidence: a factor of 2.7 in a Bayes factor is within two of them

}  // namespace

std::string_view name(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view name(Alarm alarm) { return kAlarms[static_cast<std::size_t>(alarm)]; }

void append(std::vector<Reason>& to, std::vector<Reason> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Verdict verdict(std::span<const Reason> reasons) {
  Verdict worst = Verdict::trust;
  for (const Reason& r : reasons) worst = std::max(worst, r.level);
  return worst;
}

std::vector<Reason> alarms_of_bridge(double log_evidence, double standard_error, const BridgeNumbers& bridge) {
  std::vector<Reason> out;
  if (!bridge.converged)
    out.push_back({Alarm::bridge_poor, Verdict::trust,
                   "the equation of bridge sampling was not solved: the evidence does without it"});
  if (bridge.overlap < kPoorOverlap)
    out.push_back(
        {Alarm::bridge_poor, Verdict::trust,
         "bridge sampling rests on " + percent(bridge.overlap) +
             " of its draws, for its proposal does not fit the posterior: it has little part in the evidence"});
  const double gap = std::abs(log_evidence - bridge.log_evidence);
  const auto known = [](double s) { return std::isfinite(s) ? s : 0.0; };
  const double error = std::hypot(known(standard_error), known(bridge.standard_error));
  if (gap > kHarmless + kSigmas * error)
    out.push_back({Alarm::bridge_disagrees, gap > kGrave ? Verdict::do_not_trust : Verdict::run_longer,
                   "bridge sampling and the standard estimate differ by " + number(gap) + ", with errors of " +
                       number(error) + " together: use more particles and look for modes that a run missed"});
  return out;
}

std::vector<Reason> alarms_of_nested(double log_evidence, double standard_error, double nested, double nested_error) {
  const double gap = std::abs(log_evidence - nested), error = std::hypot(standard_error, nested_error);
  if (error > kUseless || !std::isfinite(error))
    return {{Alarm::nested_disagrees, Verdict::run_longer,
             "nested sampling, as a check, is known to " + number(nested_error) +
                 " only and cannot settle it: use more particles"}};
  if (gap <= kHarmless + kSigmas * error) return {};
  return {{Alarm::nested_disagrees, Verdict::do_not_trust,
           "nested sampling gives a log evidence of " + number(nested) + " with an error of " + number(nested_error) +
               ", " + number(gap) + (nested > log_evidence ? " above: " : " below: ") +
               "tempering misses part of the posterior, and nested sampling is the better answer"}};
}

bool nested_finds_more(double log_evidence, double standard_error, double island_sd, double nested,
                       double nested_error) {
  // n particles that find their way from one phase to another by themselves scatter the log evidences of islands by
  // 1 / sqrt(n) or more: here there are at least 11 of them in each, nearly a hundred in eight islands.
  constexpr double kScatterOfMany = 0.3;
  if (nested <= log_evidence) return false;
  const double error = std::hypot(standard_error, nested_error);
  const bool within_errors = std::isfinite(error) && nested - log_evidence <= kHarmless + kSigmas * error;
  return !(within_errors && island_sd < kScatterOfMany);
}

std::vector<Reason> alarms_of_precision(double standard_error, double asked) {
  const double limit = asked > 0 ? asked : kUseless;
  if (standard_error <= limit) return {};
  const std::string known = std::isfinite(standard_error) ? "known to " + number(standard_error) + " only"
                                                          : std::string("without an error that can be told");
  const std::string wanted = asked > 0 ? ", where " + number(asked) + " was asked for" : "";
  return {{Alarm::imprecise, Verdict::run_longer,
           "the log evidence is " + known + wanted + ": use more particles, or ask for a precision"}};
}

std::vector<Reason> alarms_of_prior(const PriorCheck& check) {
  std::vector<Reason> out;
  const auto add = [&](std::string text) {
    out.push_back({Alarm::prior_mismatch, Verdict::do_not_trust, std::move(text)});
  };
  for (const CoordinateCheck& c : check.coordinates)
    if (!c.agrees)
      add("prior draws of '" + c.name + "' do not follow the prior density (p = " + number(c.p_value) +
          "): mend the draws or the density of this parameter");
  if (check.outside > 0) {
    const double share = static_cast<double>(check.outside) / static_cast<double>(check.draws);
    const std::string seen =
        std::to_string(check.outside) + " of " + std::to_string(check.draws) + " prior draws have prior density zero";
    if (share > kFewOutside)
      add(seen + ": mend the draws or the density");
    else
      out.push_back({Alarm::prior_mismatch, Verdict::trust,
                     seen + ", as when a bound lies beyond its other bound: the evidence is too low by that share"});
  }
  if (!check.mass_agrees)
    add("the prior density integrates to " + number(std::exp(check.log_mass)) + " instead of 1 (log " +
        number(check.log_mass) + ", error " + number(check.log_mass_error) +
        "): a constant is missing, and every evidence is off by that factor");
  return out;
}

}  // namespace evident
