// Can an evidence be trusted? The verdict on a model, and the reasons for it.
//
//   const ModelResult& m = comparison.models.front();
//   if (*m.verdict != Verdict::trust)
//     for (const Reason& r : m.reasons) std::cout << name(r.code) << ": " << r.text << '\n';
//
// docs/verdict.md lists every alarm, its thresholds and what to do about it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace evident {

/// From good to bad; last, that there was no check: that is not trust.
enum class Verdict { trust, run_longer, do_not_trust, unjudged };
std::string_view name(Verdict verdict);

enum class Alarm {
  estimates_disagree,    ///< the standard estimate and path sampling
  bridge_disagrees,      ///< bridge sampling and the standard estimate
  bridge_poor,           ///< bridge sampling by its own numbers
  islands_disagree,      ///< independent runs differ by more than their errors
  one_island_carries,    ///< the mean of the evidences is that of one run
  moves_collapsed,       ///< proposals are refused, or lead nowhere
  ancestors_coalesced,   ///< few first particles have descendants
  phase_transition,      ///< two groups of log likelihoods at one temperature, or a spike of their variance
  impossible_particles,  ///< few prior draws are possible at all
  nan_likelihood,        ///< the likelihood is no number at some points
  at_bound,              ///< a parameter piles up at a bound of its prior
  prior_mismatch,        ///< prior draws and prior density do not belong together
  imprecise,             ///< the standard error is larger than was asked for, or than any use of it allows
  nested_disagrees,      ///< nested sampling gives another evidence
  mode_missing,          ///< a mode that is known has fewer particles than its mass calls for
  modes_unseen,          ///< the runs begin at the modes that were found, and there may well be others
  no_check,              ///< the method has no independent check
  few_particles,         ///< of a run that serves several models, too few ended in this one
};
std::string_view name(Alarm alarm);  ///< "phase-transition"

struct Reason {
  Alarm code{};
  Verdict level = Verdict::run_longer;
  std::string text = {};  ///< what was seen and what to do, one sentence
};

/// The worst level; trust when there is no reason.
Verdict verdict(std::span<const Reason> reasons);

}  // namespace evident
