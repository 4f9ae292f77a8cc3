// Alarms from the trace of one run. Each threshold says why it is there; docs/verdict.md has the measured rates.
#include <algorithm>
#include <cmath>

#include "evidence/level.hpp"
#include "evidence/numbers.hpp"
#include "evident/evidence/path_sampling.hpp"
#include "evident/evidence/variance.hpp"
#include "evident/evidence/verdict.hpp"

namespace evident {
namespace {

// The two estimates share their particles, so their noise nearly cancels: a gap as large as the error of one of them
// is a fault of the path, not noise. Below a tenth of a nat no conclusion changes.
constexpr double kHarmlessGap = 0.1, kGraveGap = 1;
// Proposals refused 99 times in 100: particles stay where they are. A mean squared jump of 1/500 of the variance alone
// says that particles stay in their modes, which costs precision but is no fault by itself.
constexpr double kStuckAcceptance = 0.01, kStuckJump = 0.002;
// Rare moves add up over many passes: a particle that moved this often in a step, or this far, was not stuck.
constexpr double kMovedOnce = 0.5, kMovedFar = 0.1;
constexpr double kManySteps = 0.2;  // of the steps: then the run as a whole is stuck
constexpr double kHardlyAnyEves = 3;
// The variance of the log likelihood falls along the path of a single posterior mode (its third cumulant is negative).
// A rise by this factor is a second phase coming in; noise of a variance from 500 effective particles is 10 %.
constexpr double kVarianceRise = 2;
// Between two groups of log likelihoods, as a share of the lower peak: then next to nothing goes from one to the other.
constexpr double kEmptyValley = 0.1;
constexpr double kFewPossible = 100,
                 kHardlyAnyPossible = 20;  // prior draws: error of log Z of 10 and 22 % from them alone
constexpr double kSomeNan = 1e-4, kManyNan = 0.01;

void check_estimates(const Trace& trace, std::vector<Reason>& out) {
  const double gap = std::abs(standard_estimate(trace) - path_sampling(trace).best());
  const double error = evidence_variance(trace).standard_error();
  if (!(gap > std::max(kHarmlessGap, std::isnan(error) ? 0 : error))) return;
  out.push_back({Alarm::estimates_disagree, level(gap > kGraveGap),
                 "the standard and the path-sampling estimate differ by " + number(gap) +
                     ": use more particles or a cess nearer to 1"});
}

void check_moves(const Trace& trace, std::vector<Reason>& out) {
  std::size_t moves = 0, refused = 0, short_jumps = 0;
  double from = 1, to = 0;
  bool at_end = false;
  for (std::size_t t = 1; t < trace.steps.size(); ++t) {
    const Step& s = trace.steps[t];
    if (s.evaluations == 0) continue;  // a step that moves nothing by design
    ++moves;
    const auto passes = static_cast<double>(s.passes);
    at_end = s.acceptance < kStuckAcceptance && s.acceptance * passes < kMovedOnce;
    if (!at_end && (s.jump >= kStuckJump || s.jump * passes >= kMovedFar)) continue;
    ++(at_end ? refused : short_jumps);
    from = std::min(from, s.alpha);
    to = std::max(to, s.alpha);
  }
  if (refused + short_jumps == 0) return;
  const auto share = [&](std::size_t steps) { return static_cast<double>(steps) / static_cast<double>(moves); };
  out.push_back({Alarm::moves_collapsed, level(share(refused) > kManySteps || at_end),
                 "particles hardly moved in " + percent(share(refused + short_jumps)) + " of the steps (alpha from " +
                     number(from) + " to " + number(to) +
                     "): use more passes, other groups of parameters, or another kernel"});
}

void check_ancestors(const Trace& trace, std::vector<Reason>& out) {
  const EvidenceVariance v = evidence_variance(trace);
  if (!v.coalesced) return;
  out.push_back({Alarm::ancestors_coalesced, level(v.effective_eves < kHardlyAnyEves),
                 "the final particles descend from " + std::to_string(v.eves) + " of " +
                     std::to_string(trace.particles) + " first ones (" + number(v.effective_eves) +
                     " effective): the run's own error says little, so use more particles or several islands"});
}

void check_groups(const Trace& trace, std::vector<Reason>& out) {
  double lowest = kInf, rise = 0, rise_at = 0;
  const Step* parted = nullptr;
  for (std::size_t t = 1; t < trace.steps.size(); ++t) {
    const Step& s = trace.steps[t];
    if (s.groups.apart() && (parted == nullptr || s.groups.valley < parted->groups.valley)) parted = &s;
    if (!std::isfinite(s.variance)) continue;
    lowest = std::min(lowest, s.variance);
    if (s.variance > rise * lowest) rise = s.variance / lowest, rise_at = s.alpha;
  }
  const std::string advice =
      ": the evidence hangs on how many particles found the way from one to the other, so use many more particles and "
      "compare islands";
  if (parted != nullptr)
    out.push_back({Alarm::phase_transition, level(parted->groups.valley < kEmptyValley),
                   "at alpha = " + number(parted->alpha) + " the log likelihoods form two groups, the upper one with " +
                       percent(parted->groups.upper) + " of the weight" + advice});
  else if (rise > kVarianceRise)
    out.push_back({Alarm::phase_transition, Verdict::run_longer,
                   "the variance of the log likelihood rises " + number(rise) + " times on the way to alpha = " +
                       number(rise_at) + ", as when particles go over to another phase" + advice});
}

void check_values(const Trace& trace, std::vector<Reason>& out) {
  const double possible = (1 - trace.steps.front().impossible) * static_cast<double>(trace.particles);
  if (trace.steps.front().impossible > 0.5 && possible < kFewPossible)
    out.push_back({Alarm::impossible_particles, level(possible < kHardlyAnyPossible),
                   "only " + number(possible) + " of " + std::to_string(trace.particles) +
                       " prior draws are possible (the others have log likelihood -inf): use more particles, or a "
                       "prior that rules out what the model cannot do"});
  if (trace.evaluations == 0) return;
  const double nan = static_cast<double>(trace.nan_evaluations) / static_cast<double>(trace.evaluations);
  if (nan > kSomeNan)
    out.push_back({Alarm::nan_likelihood, level(nan > kManyNan),
                   "the log likelihood was NaN in " + percent(nan) +
                       " of the evaluations, which count as impossible: mend the likelihood"});
}

}  // namespace

std::vector<Reason> alarms_of_run(const Trace& trace) {
  std::vector<Reason> out;
  if (trace.steps.empty()) return out;
  check_estimates(trace, out);
  check_moves(trace, out);
  check_ancestors(trace, out);
  check_groups(trace, out);
  check_values(trace, out);
  return out;
}

}  // namespace evident
