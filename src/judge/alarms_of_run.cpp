#include <algorithm>
#include <cmath>

#include "base/number_text.hpp"
#include "judge/alarms.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

// The two estimates share their particles, so their noise nearly cancels: a gap as large as the error of one of them
// is a fault of the path, not noise. A path whose integral is still changing with the grid shows nothing.
void check_estimates(const RunNumbers& run, Reasons& out) {
  const double gap = std::abs(run.log_evidence.value - run.log_evidence_path);
  const double error = run.log_evidence.standard_error;
  if (!(gap > std::max(threshold("harmless"), std::isnan(error) ? 0 : error) + run.path_error)) return;
  out.push_back({Alarm::estimates_disagree, level(gap > threshold("grave")),
                 "the standard and the path-sampling estimate differ by " + number(gap) +
                     ": use more particles or a cess nearer to 1"});
}

void check_moves(const MoveNumbers& moves, Reasons& out) {
  if (moves.refused + moves.too_short == 0) return;
  const auto share = [&](std::size_t steps) { return static_cast<double>(steps) / static_cast<double>(moves.steps); };
  out.push_back({Alarm::moves_collapsed, level(share(moves.refused) > threshold("many-steps") || moves.refused_at_end),
                 "particles hardly moved in " + percent(share(moves.refused + moves.too_short)) +
                     " of the steps (alpha from " + number(moves.from) + " to " + number(moves.to) +
                     "): use more passes, other groups of parameters, or another kernel"});
}

void check_ancestors(const RunNumbers& run, Reasons& out) {
  if (!(run.effective_eves < threshold("few-eves"))) return;
  out.push_back({Alarm::ancestors_coalesced, level(run.effective_eves < threshold("hardly-any-eves")),
                 "the final particles descend from " + std::to_string(static_cast<std::size_t>(run.eves)) + " of " +
                     std::to_string(run.particles) + " first ones (" + number(run.effective_eves) +
                     " effective): the run's own error says little, so use more particles or several islands"});
}

// The variance of the log likelihood falls along the path of a single posterior mode (its third cumulant is negative);
// a rise is a second phase coming in.
void check_groups(const RunNumbers& run, Reasons& out) {
  const std::string advice =
      ": the evidence hangs on how many particles found the way from one to the other, so use many more particles and "
      "compare islands";
  if (run.groups)
    out.push_back({Alarm::phase_transition, level(run.groups->valley < threshold("empty-valley")),
                   "at alpha = " + number(run.groups->alpha) +
                       " the log likelihoods form two groups, the upper one with " + percent(run.groups->upper) +
                       " of the weight" + advice});
  else if (run.variance_rise > threshold("variance-rise"))
    out.push_back({Alarm::phase_transition, Verdict::run_longer,
                   "the variance of the log likelihood rises " + number(run.variance_rise) +
                       " times on the way to alpha = " + number(run.rise_alpha) +
                       ", as when particles go over to another phase" + advice});
}

/// Of r possible among n draws the share is r/n, with a relative error of sqrt(1/r - 1/n). The evidence has it as a
/// factor; few draws do not tell their own error.
Reasons alarms_of_first_draws(std::span<const RunNumbers> runs) {
  std::size_t made = 0, possible = 0;
  for (const RunNumbers& run : runs) made += run.first.made, possible += run.first.possible;
  if (made == 0) return {};
  const auto n = static_cast<double>(made), r = static_cast<double>(possible);
  const double error = possible > 0 ? std::sqrt(1 / r - 1 / n) : kInf;
  if (error <= threshold("rough-share")) return {};
  const std::string known =
      possible > 0 ? "their share, " + number(r / n) + ", is known to " + percent(error) + " of itself only"
                   : "their share is not known";
  return {{Alarm::impossible_particles, level(error > threshold("useless")),
           "only " + std::to_string(possible) + " of " + std::to_string(made) +
               " first draws are possible (the others have log likelihood -inf), and " + known +
               ": raise max_prior_draws, or use a prior that rules out what the model cannot do"}};
}

}  // namespace

Reasons alarms_of_run(const RunNumbers& run) {
  Reasons out;
  check_estimates(run, out);
  check_moves(run.moves, out);
  check_ancestors(run, out);
  check_groups(run, out);
  return out;
}

// That particles hardly move is only noted when there are islands enough to compare: if it does harm, they disagree.
Reasons alarms_of_runs(std::span<const RunNumbers> runs) {
  struct Seen {
    Reason worst;
    std::size_t count = 0;
  };
  std::vector<Seen> seen;
  const auto islands = static_cast<double>(runs.size());
  for (const RunNumbers& run : runs)
    for (Reason& reason : alarms_of_run(run)) {
      if (reason.code == Alarm::moves_collapsed && islands >= threshold("fewest-islands")) {
        reason.level = Verdict::trust;
        reason.text += "; the islands show whether it matters";
      }
      // The error comes from the islands: that one run's ancestors cannot tell it does no harm.
      if (reason.code == Alarm::ancestors_coalesced && runs.size() > 1) continue;
      auto at = std::ranges::find_if(seen, [&](const Seen& s) { return s.worst.code == reason.code; });
      if (at == seen.end()) at = seen.insert(seen.end(), {reason, 0});
      ++at->count;
      if (reason.level > at->worst.level) at->worst = std::move(reason);
    }
  Reasons out = alarms_of_first_draws(runs);
  for (Seen& s : seen)
    if (static_cast<double>(s.count) >= threshold("half-of-the-runs") * islands) out.push_back(std::move(s.worst));
  return out;
}

}  // namespace evident
