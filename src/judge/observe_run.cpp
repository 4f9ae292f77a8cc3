// Folds over the trace of a run: what its alarms look at.
#include <algorithm>
#include <cmath>

#include "evidence/variance.hpp"
#include "evident/evidence/estimate.hpp"
#include "judge/observations.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

/// Rare moves add up over many passes: a particle that moved often in a step, or far, was not stuck.
MoveNumbers observe_moves(const Trace& trace) {
  constexpr double kStuckAcceptance = threshold("stuck-acceptance"), kStuckJump = threshold("stuck-jump");
  constexpr double kMovedOnce = threshold("moved-once"), kMovedFar = threshold("moved-far");
  MoveNumbers out;
  for (std::size_t t = 1; t < trace.steps.size(); ++t) {
    const Step& s = trace.steps[t];
    if (s.evaluations == 0) continue;  // a step that moves nothing by design
    ++out.steps;
    const auto passes = static_cast<double>(s.passes);
    out.refused_at_end = s.acceptance < kStuckAcceptance && s.acceptance * passes < kMovedOnce;
    if (!out.refused_at_end && (s.jump >= kStuckJump || s.jump * passes >= kMovedFar)) continue;
    ++(out.refused_at_end ? out.refused : out.too_short);
    out.from = std::min(out.from, s.alpha);
    out.to = std::max(out.to, s.alpha);
  }
  return out;
}

void observe_groups(const Trace& trace, RunNumbers& out) {
  double lowest = kInf;
  for (std::size_t t = 1; t < trace.steps.size(); ++t) {
    const Step& s = trace.steps[t];
    if (s.groups.apart() && (!out.groups || s.groups.valley < out.groups->valley))
      out.groups = {s.alpha, s.groups.upper, s.groups.valley};
    if (!std::isfinite(s.variance)) continue;
    lowest = std::min(lowest, s.variance);
    if (s.variance > out.variance_rise * lowest) out.variance_rise = s.variance / lowest, out.rise_alpha = s.alpha;
  }
}

}  // namespace

std::optional<RunNumbers> observe_run(const Trace& trace) {
  if (trace.steps.empty()) return std::nullopt;
  const EvidenceVariance variance = evidence_variance(trace);
  const PathSampling path = path_sampling(trace);
  RunNumbers out{.particles = trace.particles,
                 .log_evidence = {standard_estimate(trace), variance.standard_error()},
                 .log_evidence_path = path.best(),
                 .path_error = path.error(),
                 .moves = observe_moves(trace)};
  if (!trace.generations.empty() && trace.particles >= 2) {
    out.eves = static_cast<double>(variance.eves);
    out.effective_eves = variance.effective_eves;
  }
  observe_groups(trace, out);
  out.first = trace.first;
  return out;
}

}  // namespace evident
