// Comparing models: evidences, Bayes factors, posterior model probabilities, parameters.
//
//   std::vector<Candidate> candidates = {{"one", 1.0, model}, {"two", 1.0, other}};
//   const Comparison c = compare(candidates, {.seed = 7, .goal = {.precision = 0.1}});
//   std::cout << c.models[0].probability.value << ' ' << c.log_bayes_factor(0, 1) << '\n';
//   std::cout << c.models[0].log_evidence.interval().lower << ' ' << name(*c.models[0].verdict) << '\n';
//
// The default recipe, for every front end alike: a pilot run makes the plan of each model, and eight frozen runs, the
// islands, give its evidence with an error and a verdict. The paper's adaptive runs have a name of their own:
//
//   CompareOptions options = default_options(Method::direct, Recipe::adaptive);
//   options.smc->particles = 2000;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/estimate.hpp"
#include "evident/base/log_math.hpp"
#include "evident/baseline/options.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/judge/verdict.hpp"
#include "evident/model/family.hpp"
#include "evident/model/model.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {

class CheckpointStore;
class Team;

/// `evident methods` lists them with what each can do.
enum class Method {
  direct,           ///< SMC2: one sampler for each model
  all_in_one,       ///< SMC1: one sampler on the union of the models
  relative,         ///< SMC3: from the posterior of one model to that of the next
  ais,              ///< annealed importance sampling: direct without resampling
  population_mcmc,  ///< parallel tempering with path sampling
  rjmcmc,           ///< reversible-jump MCMC
  harmonic_mean,    ///< harmonic mean, and Gelfand and Dey
  chib,             ///< Chib's method
  bic,              ///< BIC and AIC
  data_tempering,   ///< one observation after another (Chopin 2002)
};
/// Throws InputError, with the nearest name, when there is none of that name.
Method find_method(std::string_view name);

/// When a comparison is good enough: further islands are added in rounds until everything that is asked for is met.
struct Goal {
  double precision = 0;  ///< standard error of the log evidence of each model that matters; 0: not asked
  double decide = 0;     ///< go on until the best model's probability is above or below it; 0: not asked
  double seconds = 0;    ///< give the best answer within this time; 0: no limit

  bool asked() const { return precision > 0 || decide > 0 || seconds > 0; }
};

/// Nothing finer can be asked for.
inline constexpr double kFinestPrecision = 1e-4;

/// A model whose probability is below this with confidence is not refined any further.
inline constexpr double kNegligible = 1e-3;

/// Throws InputError that names the option, its value and the range.
void check(const Goal& goal);

/// A model in the comparison. `weight` is its prior weight; weights need not add up to 1.
struct Candidate {
  std::string name;
  double weight = 1;
  std::shared_ptr<const Model> model;
  std::optional<SmcOptions> smc = {};  ///< when it differs from the study's
};

struct CompareOptions {
  Method method = Method::direct;
  std::optional<SmcOptions> smc = {};  ///< nothing: what suits the method and the recipe, see sampler()
  PopulationMcmcOptions population_mcmc = {};
  RjmcmcOptions rjmcmc = {};
  PosteriorChainOptions posterior_chain = {};
  ChibOptions chib = {};
  std::size_t jump_passes = 1;  ///< proposals of each kind of jump at every step, for all-in-one, relative and rjmcmc
  std::uint64_t seed = 1;
  std::uint64_t data_set = 0;
  unsigned threads = 0;  ///< 0 = one per core
  std::size_t replicates = 1;
  /// For the methods direct and all-in-one: frozen runs that follow the plan of a pilot, in place of the replicates.
  /// 0: none; each replicate then adapts itself, as in the paper.
  std::size_t islands = 8;
  Goal goal = {};  ///< with islands: when to stop
  /// Ranks that share the runs or, when they are more than the runs, the particles of each; all of them call compare()
  /// and get the result. Null: this process alone.
  Team* team = nullptr;
  /// Keeps what is done, so that a comparison that was stopped goes on (compare/checkpoint.hpp). Null: nothing is kept;
  /// every rank must have one, or none.
  CheckpointStore* checkpoint = nullptr;
  /// The clock that `goal.seconds` and the seconds of runs are counted by: seconds since any fixed moment, from any
  /// thread. Empty: the steady clock.
  std::function<double()> now = {};

  bool with_islands() const { return islands > 0 && (method == Method::direct || method == Method::all_in_one); }
  /// Options of the sampler: `smc`, or with islands frozen_defaults(), or SmcOptions{}.
  SmcOptions sampler() const;
  /// Runs of each model that give an evidence, in a first round.
  std::size_t runs() const { return with_islands() ? islands : replicates; }
};

/// How the runs of the methods direct and all-in-one are made.
enum class Recipe {
  islands,   ///< a pilot makes the plan, islands follow it
  adaptive,  ///< each run adapts itself, as in the paper
};

/// "islands" or "adaptive". Throws InputError for another name.
Recipe find_recipe(std::string_view name);
/// What every front end starts from. Methods other than direct and all-in-one have one recipe only.
CompareOptions default_options(Method method = Method::direct, Recipe recipe = Recipe::islands);

/// Posterior of one parameter or derived quantity.
struct ParameterSummary {
  std::string name;
  double mean = 0, sd = 0, q05 = 0, q25 = 0, q50 = 0, q75 = 0, q95 = 0;
};

/// Weighted posterior draws: row j is parameter j, then the derived quantities.
struct Draws {
  std::vector<std::string> names;
  BlockStorage values;
  std::vector<double> weights;  ///< normalised
  std::vector<double> log_likelihood, log_prior;
};

/// One run of the sampler. What a method cannot tell is NaN, or empty.
struct Replicate {
  Estimate log_evidence;            ///< standard estimate (DS), or the method's own, with the error that this run gives
  double log_evidence_path = kNaN;  ///< path sampling (PS), finest grid, trapezoid
  Estimate probability;             ///< of the model, where one run serves all models
  double support = kNaN;  ///< particles, or visits, that the model ended with, where one run serves all models
  std::optional<PathSampling> path;      ///< all rules and grids
  std::optional<BridgeEvidence> bridge;  ///< from the last population of an island
  Trace trace;
  std::vector<std::pair<std::string, double>>
      details;  ///< numbers of the method's own, with their names in the JSON document
  std::vector<std::string> warnings;
  double seconds = kNaN;  ///< of the run as a whole
};

/// How the replicates differ. A standard deviation is NaN for one replicate.
struct ReplicateSpread {
  double log_evidence_mean = 0;
  double log_evidence_sd = kNaN;
  double log_evidence_path_sd = kNaN;
  double probability_sd = kNaN;  ///< where one run serves all models
};

/// A mode of the posterior, found before the runs.
struct FoundMode {
  std::vector<double> at;  ///< its parameters
  Estimate log_mass = {};  ///< of the evidence around it, by weighted draws there; unknown where they say too little
  Estimate of_particles = {};  ///< share of the islands' particles around it
};

/// What climbs from spread starts found.
struct FoundModes {
  std::size_t found = 0, starts = 0, evaluations = 0;
  double unseen = kNaN;            ///< at most this share of further climbs would end at another mode
  std::vector<FoundMode> largest;  ///< in the order of their mass; small ones are left out
};

/// A place where the log likelihood is NaN.
struct NanPlace {
  std::vector<double> at;  ///< its parameters
  std::string why;         ///< the operation that makes it, where the model can tell
};

/// What NaN likelihoods, which count as impossible, can have done to the evidence.
struct FoundNan {
  std::size_t met = 0, evaluations = 0;         ///< NaN, and all, of the runs
  double of_prior = kNaN, of_posterior = kNaN;  ///< shares of fresh draws from the prior, and around the posterior
  double too_low = kNaN;                        ///< nats by which the log evidence may be; NaN: not known
  std::size_t fresh_evaluations = 0;            ///< what it took to find out
  std::vector<NanPlace> places;                 ///< some
};

struct ModelResult {
  std::string name;
  std::optional<ModelIndex> index;  ///< of a family: which of its models this is
  double weight = 0;                ///< prior probability
  /// Log of the mean evidence over replicates; with islands, combined with the bridge where they agree. NaN when the
  /// method gives none.
  Estimate log_evidence;
  Estimate log_evidence_standard;  ///< with islands: the standard estimate alone
  Estimate log_evidence_bridge;    ///< with islands: bridge sampling alone
  Estimate log_evidence_nested;    ///< by nested sampling, where an alarm called for it
  std::size_t nested_evaluations = 0;
  double log_evidence_path = 0;     ///< log of the mean of the path-sampling estimates
  Estimate probability;             ///< posterior; with an error from within the runs, where the method has one
  Interval probability_interval{};  ///< 95 %, from the errors of all the log evidences
  double support = kNaN;            ///< particles, or visits, of all replicates
  std::optional<Replicate> pilot;   ///< the adaptive run that made the plan of the islands
  std::vector<Replicate> replicates;
  ReplicateSpread spread;
  std::optional<Verdict> verdict;   ///< can the evidence be trusted? Every method says something
  std::vector<Reason> reasons;      ///< why not, or why not quite
  std::optional<FoundModes> modes;  ///< with islands
  std::optional<FoundNan> nan;      ///< of the direct method, where its runs met any
  /// Share of the prior on which the likelihood is not zero, by all replicates; unknown where no draw was impossible.
  Estimate possible_share;
  bool dropped = false;                      ///< not refined any further: it cannot matter
  std::size_t earlier_evaluations = 0;       ///< of runs that were begun again with more particles
  std::vector<ParameterSummary> parameters;  ///< over all replicates, each weighted by its evidence
  Draws draws;                               ///< of the first replicate
  std::vector<std::string> warnings;

  std::size_t steps() const;        ///< of the first replicate; 0 when it has no trace
  std::size_t evaluations() const;  ///< summed over all runs, the pilot and those begun again included
};

struct Comparison {
  Method method = Method::direct;
  std::uint64_t seed = 0;
  std::vector<ModelResult> models;
  /// What belongs to no single model, one entry a replicate: trace, evaluations and details of a run on the union of
  /// the models; for the relative method, whose links belong to models, only the time. Empty for the other methods.
  std::vector<Replicate> runs;
  std::optional<Replicate> pilot;          ///< the adaptive run on a union that made the plan of such runs
  std::size_t rounds = 1;                  ///< of islands
  std::vector<ParameterSummary> averaged;  ///< model-averaged, for names that at least two models share
  double seconds = 0;

  /// log p(y|M_i) - log p(y|M_j): from the evidences, or from prior and posterior probabilities when the method gives
  /// no evidences. NaN when the run tells nothing of either.
  double log_bayes_factor(std::size_t i, std::size_t j) const;
};

/// A further round of islands, for those who wait.
struct RoundNotice {
  struct OfModel {
    std::size_t islands = 0;    ///< that it gets
    std::size_t particles = 0;  ///< of each; another number than before when it begins again
    double standard_error = 0;  ///< of its log evidence, now
    bool dropped = false;
  };
  std::size_t round = 2;
  std::vector<OfModel> models;
  double forecast = 0;  ///< seconds
};

/// Sees every step of every run; called from several threads at once. Chains and optimisers have no steps to show.
class CompareObserver {
 public:
  virtual ~CompareObserver() = default;
  virtual void on_start(std::size_t /*model*/, std::size_t /*replicate*/) {}
  virtual void on_step(std::size_t /*model*/, std::size_t /*replicate*/, const Trace& /*trace*/) {}
  virtual void on_finish(std::size_t /*model*/, std::size_t /*replicate*/, const Replicate& /*result*/) {}
  virtual void on_round(const RoundNotice& /*next*/) {}
};

/// Throws InputError (bad options, duplicate names) or RunError (which names the model).
Comparison compare(const std::vector<Candidate>& candidates, const CompareOptions& options,
                   CompareObserver* observer = nullptr, std::stop_token stop = {});

/// A family to compare as a whole, for the methods that run on the union of the models.
struct FamilyCandidate {
  std::shared_ptr<const ModelFamily> family;
  /// Models that stand in the result whether they are visited or not, with their names, in this order. Other models
  /// follow when they are visited, the most probable first. The relative method needs this list: it is its chain.
  std::vector<std::pair<ModelIndex, std::string>> listed;
};

/// `options.method` must be one of the union of models. The observer sees one run per replicate, as model 0.
Comparison compare_family(const FamilyCandidate& candidate, const CompareOptions& options,
                          CompareObserver* observer = nullptr, std::stop_token stop = {});

}  // namespace evident
