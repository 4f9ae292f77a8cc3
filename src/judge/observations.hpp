// What was seen of one model, as plain numbers: all that its verdict depends on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/base/random.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/model/model.hpp"
#include "evident/path/trace.hpp"
#include "model/prior_check.hpp"

namespace evident {

/// The moves of one run.
struct MoveNumbers {
  std::size_t steps = 0;                   ///< that moved particles
  std::size_t refused = 0, too_short = 0;  ///< of these, where nearly all proposals were refused, or led nowhere
  double from = 1, to = 0;                 ///< alphas between which that was so
  bool refused_at_end = false;
};

/// Groups of log likelihoods at one step.
struct GroupNumbers {
  double alpha = 0, upper = 0, valley = 0;  ///< where, weight of the upper group, depth of the valley between
};

/// What one run recorded.
struct RunNumbers {
  std::size_t particles = 0;
  Estimate log_evidence = {};  ///< standard estimate, with the run's own error
  double log_evidence_path = kNaN;
  double path_error = 0;  ///< what half as many points change of it
  MoveNumbers moves = {};
  double eves = kNaN, effective_eves = kNaN;  ///< distinct ancestors of the last particles; NaN when not kept
  std::optional<GroupNumbers> groups = {};    ///< the deepest valley
  double variance_rise = 0, rise_alpha = 0;   ///< largest factor by which the variance of the log likelihood rose
  FirstDraws first = {};                      ///< of which some are possible
};
/// Nothing when the run recorded no steps.
std::optional<RunNumbers> observe_run(const Trace& trace);

/// The evidences of one island.
struct IslandNumbers {
  Estimate log_evidence = {};  ///< standard estimate
  std::optional<Estimate> bridge = {};
  bool bridge_usable = false;
  double bridge_efficiency = 0;  ///< effective share of its draws
};

/// What the islands of a model say together.
struct CombinedEvidence {
  Estimate standard = {}, bridge = {};
  Estimate best = {};       ///< both combined where they agree, the standard estimate where they do not
  double island_sd = kNaN;  ///< of the standard estimates; NaN for one island
};
CombinedEvidence combine_islands(const std::vector<IslandNumbers>& islands);

/// A mode that was found before the runs.
struct ModeNumbers {
  std::string place;            ///< "x1 = 3.2, x2 = -1"
  std::vector<double> at = {};  ///< its parameters
  Estimate log_mass = {};       ///< of the posterior around it, by draws there; unknown where they say too little
  Estimate share = {};          ///< of the particles of all islands, each island weighted by its evidence
};

/// Likelihoods that are NaN, and count as impossible.
struct NanNumbers {
  std::size_t met = 0, evaluations = 0;         ///< in the runs
  std::string place = {};                       ///< "at a = 1: log(-1) is NaN in row 3 of the data", one of them
  double of_prior = kNaN, of_posterior = kNaN;  ///< shares of fresh draws from the prior, and around the posterior
  double too_low =
      kNaN;  ///< nats by which the log evidence may be, if the likelihood there is like nearby; NaN: unknown
};

/// Nested sampling beside the islands.
struct RefereeNumbers {
  Estimate log_evidence = {};
  double fewest_passed = kInf;  ///< particles at one of its thresholds
  std::string failure = {};     ///< why there is none
};

/// A parameter at a bound of its prior.
struct BoundNumbers {
  std::string name;
  bool upper = false;
  double share = 0;        ///< of the posterior next to the bound
  double prior_share = 0;  ///< of the prior there
};
/// Does the posterior pile up there, more than the prior?
bool is_at_bound(const BoundNumbers& b);

/// How the prior of a model lies at its bounds; serves any number of posteriors.
class PriorBounds {
 public:
  PriorBounds(const Model& model, const Streams& streams);
  /// Of weighted posterior draws; rows of `theta` are the model's parameters. Only bounds with draws near them.
  std::vector<BoundNumbers> observe(ConstBlock theta, std::span<const double> weights) const;

 private:
  struct Bounded {
    std::size_t free_row, row;
    std::vector<double> distances[2];  ///< of prior draws from the lower and the upper bound, increasing
  };
  ParameterSpace space_;
  std::vector<Bounded> bounded_;
};

struct Observations {
  std::vector<RunNumbers> runs;        ///< of those that recorded steps
  std::vector<IslandNumbers> islands;  ///< or adaptive runs
  CombinedEvidence evidence = {};
  /// Islands can ask nested sampling; adaptive runs cannot.
  bool has_referee = false;
  std::optional<Estimate> probe = {};          ///< by a small nested run; nothing when it failed
  std::optional<RefereeNumbers> referee = {};  ///< nothing when it was not asked
  NanNumbers nan = {};
  std::vector<ModeNumbers> modes = {};
  /// Where runs begin at the modes that were found: about this share of further climbs would end at another one.
  std::optional<double> unseen_modes = {};
  PriorCheck prior = {};
  std::vector<BoundNumbers> bounds = {};
  double precision = 0;  ///< standard error that was asked for; 0: none
  bool dropped = false;  ///< the model cannot matter, so its error does not
};

}  // namespace evident
