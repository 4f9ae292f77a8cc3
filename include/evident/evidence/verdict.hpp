// Can these numbers be trusted? Alarms from what runs recorded, and a verdict from the alarms.
//
//   std::vector<Reason> reasons = alarms_of_run(run.trace);
//   append(reasons, alarms_of_islands(log_evidences, standard_errors));
//   append(reasons, alarms_of_prior(check_prior(*model, context)));
//   verdict(reasons);                                  // trust, run_longer or do_not_trust: the worst of the reasons
//
// All of these are plain functions of numbers. docs/verdict.md gives the thresholds with their reasons.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"
#include "evident/model/prior_check.hpp"
#include "evident/path/trace.hpp"

namespace evident {

/// From good to bad.
enum class Verdict { trust, run_longer, do_not_trust };
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
};
std::string_view name(Alarm alarm);  ///< "phase-transition"

struct Reason {
  Alarm code;
  Verdict level = Verdict::run_longer;
  std::string text;  ///< what was seen and what to do, one sentence
};

/// Below this overlap bridge sampling is not used: 20 effective draws of 1000.
inline constexpr double kPoorOverlap = 0.02;

/// Bridge sampling as far as alarms are concerned; NaN for what is not known.
struct BridgeNumbers {
  double log_evidence = kNaN;
  double standard_error = kNaN;
  double overlap = kNaN;  ///< effective share of the draws: 0 when posterior and proposal share nothing, 1 at best
  bool converged = true;
};

/// Of one run: its two estimates, its moves, its ancestors, its log likelihoods.
std::vector<Reason> alarms_of_run(const Trace& trace);
/// Of independent runs of one model. Standard errors are the runs' own; empty or NaN when not known.
std::vector<Reason> alarms_of_islands(std::span<const double> log_evidences, std::span<const double> standard_errors);
/// Of a bridge beside a standard estimate with its error (NaN when not known).
std::vector<Reason> alarms_of_bridge(double log_evidence, double standard_error, const BridgeNumbers& bridge);
/// Of weighted posterior draws (rows are the model's parameters): is one of the bounded parameters at its bound?
std::vector<Reason> alarms_of_bounds(const Model& model, ConstBlock theta, std::span<const double> weights,
                                     const Context& context);
std::vector<Reason> alarms_of_prior(const PriorCheck& check);

/// Of nested sampling beside an estimate that an alarm put in doubt.
std::vector<Reason> alarms_of_nested(double log_evidence, double standard_error, double nested, double nested_error);
/// Whether it has seen what islands with that log evidence, error and standard deviation of one island may lack. One
/// that ends above them by less than its own rough errors has seen nothing, as long as many particles of each island
/// found every phase.
bool nested_finds_more(double log_evidence, double standard_error, double island_sd, double nested,
                       double nested_error);
/// Of a standard error; `asked` is the one that was asked for, or 0.
std::vector<Reason> alarms_of_precision(double standard_error, double asked);

void append(std::vector<Reason>& to, std::vector<Reason> more);
/// The worst level; trust when there is no reason.
Verdict verdict(std::span<const Reason> reasons);

}  // namespace evident
