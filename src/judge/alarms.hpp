// Alarms: each looks at a few numbers and gives reasons, or none.
#pragma once

#include <span>
#include <vector>

#include "evident/judge/verdict.hpp"
#include "judge/observations.hpp"

namespace evident {

using Reasons = std::vector<Reason>;

/// Of one run: its two estimates, its moves, its ancestors, its log likelihoods.
Reasons alarms_of_run(const RunNumbers& run);
/// Of several runs of one model: those that at least half of them give, each with its worst reason. And how well all of
/// them together know the share of the first draws that are possible.
Reasons alarms_of_runs(std::span<const RunNumbers> runs);
/// Of independent runs of one model that differ by more than their errors.
Reasons alarms_of_islands(std::span<const IslandNumbers> islands);
Reasons alarms_of_bridge(const CombinedEvidence& evidence, std::span<const IslandNumbers> islands);
/// Of a small nested run that found more than the islands.
Reasons alarms_of_probe(const Estimate& best, const Estimate& probe);
/// Of nested sampling beside an estimate that an alarm put in doubt; none when the two agree.
Reasons alarms_of_referee(const Estimate& best, const RefereeNumbers& referee);
/// Of NaN likelihoods, by what they can have done to the evidence.
Reasons alarms_of_nan(const NanNumbers& nan);
/// Of modes whose mass is not among the particles.
Reasons alarms_of_modes(const Estimate& best, std::span<const ModeNumbers> modes);
/// Of modes that nobody may have found.
Reasons alarms_of_unseen_modes(double share);
Reasons alarms_of_prior(const PriorCheck& check);
Reasons alarms_of_bounds(std::span<const BoundNumbers> bounds);
/// `asked` is the standard error that was asked for, or 0.
Reasons alarms_of_precision(double standard_error, double asked);

/// Do two estimates differ by no more than what is harmless and three of their errors together?
bool agree(const Estimate& a, const Estimate& b);
/// Is one estimate above the other by more than rough errors, and enough to be worth a closer look?
bool clearly_above(const Estimate& a, const Estimate& b);

void append(Reasons& to, Reasons more);

/// How bad an alarm is.
inline Verdict level(bool grave) { return grave ? Verdict::do_not_trust : Verdict::run_longer; }

}  // namespace evident
