// Comparing models: evidences, Bayes factors, posterior model probabilities, parameters.
//
//   std::vector<Candidate> candidates = {{"one", 1.0, model1}, {"two", 1.0, model2}};
//   Comparison c = compare(candidates, {.smc = {.particles = 1000}, .seed = 7});
//   c.models[0].probability; c.log_bayes_factor(0, 1);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "evident/baseline/options.hpp"
#include "evident/compare/method.hpp"
#include "evident/evidence/path_sampling.hpp"
#include "evident/model/chib.hpp"
#include "evident/model/family.hpp"
#include "evident/model/model.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/options.hpp"

namespace evident {

/// A model in the comparison. `weight` is its prior weight; weights need not add up to 1.
struct Candidate {
  std::string name;
  double weight = 1;
  std::shared_ptr<const Model> model;
  std::optional<SmcOptions> smc = {};  ///< when it differs from the study's
};

struct CompareOptions {
  Method method = Method::direct;
  SmcOptions smc = {};
  PopulationMcmcOptions population_mcmc = {};
  RjmcmcOptions rjmcmc = {};
  PosteriorChainOptions posterior_chain = {};
  ChibOptions chib = {};
  std::size_t jump_passes = 1;  ///< proposals of each kind of jump at every step, for all-in-one, relative and rjmcmc
  std::uint64_t seed = 1;
  std::uint64_t data_set = 0;
  unsigned threads = 1;  ///< 0 = one per core
  std::size_t replicates = 1;
};

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
  double log_evidence = kNaN;       ///< standard estimate (DS), or the method's own
  double log_evidence_path = kNaN;  ///< path sampling (PS), finest grid, trapezoid
  double log_evidence_se = kNaN;    ///< the run's own standard error, where the method has one
  double probability = kNaN;        ///< of the model, where one run serves all models
  double probability_se = kNaN;     ///< its standard error from this run alone, where the method has one
  double support = kNaN;  ///< particles, or visits, that the model ended with, where one run serves all models
  std::optional<PathSampling> path;  ///< all rules and grids
  Trace trace;
  std::vector<std::pair<std::string, double>>
      details;  ///< numbers of the method's own, with their names in the JSON document
  std::vector<std::string> warnings;
  double seconds = kNaN;  ///< of the run as a whole
};

struct ModelResult {
  std::string name;
  double weight = 0;              ///< prior probability
  double log_evidence = 0;        ///< log of the mean evidence over replicates; NaN when the method gives none
  double log_evidence_path = 0;   ///< the same of the path-sampling estimates
  double log_evidence_mean = 0;   ///< mean of the replicates' log evidences
  double log_evidence_sd = kNaN;  ///< their standard deviation; NaN for one replicate
  double log_evidence_path_sd = kNaN;
  double probability = 0;        ///< posterior model probability
  double probability_sd = kNaN;  ///< over replicates, where one run serves all models
  double probability_se = kNaN;  ///< from within the runs, where the method has one
  double support = kNaN;         ///< particles, or visits, of all replicates
  std::vector<Replicate> replicates;
  std::vector<ParameterSummary> parameters;  ///< over all replicates, each weighted by its evidence
  Draws draws;                               ///< of the first replicate
  std::vector<std::string> warnings;

  std::size_t steps() const;        ///< of the first replicate; 0 when it has no trace
  std::size_t evaluations() const;  ///< summed over replicates
};

struct Comparison {
  Method method = Method::direct;
  std::uint64_t seed = 0;
  std::vector<ModelResult> models;
  /// What belongs to no single model, one entry a replicate: trace, evaluations and details of a run on the union of
  /// the models; for the relative method, whose links belong to models, only the time. Empty for the other methods.
  std::vector<Replicate> runs;
  std::vector<ParameterSummary> averaged;  ///< model-averaged, for names that at least two models share
  double seconds = 0;

  /// log p(y|M_i) - log p(y|M_j): from the evidences, or from prior and posterior probabilities when the method gives
  /// no evidences. NaN when the run tells nothing of either.
  double log_bayes_factor(std::size_t i, std::size_t j) const;
};

/// Sees every step of every run; called from several threads at once. Chains and optimisers have no steps to show.
class CompareObserver {
 public:
  virtual ~CompareObserver() = default;
  virtual void on_start(std::size_t /*model*/, std::size_t /*replicate*/) {}
  virtual void on_step(std::size_t /*model*/, std::size_t /*replicate*/, const Trace& /*trace*/) {}
  virtual void on_finish(std::size_t /*model*/, std::size_t /*replicate*/, const Replicate& /*result*/) {}
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
