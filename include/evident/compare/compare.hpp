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
#include "evident/evidence/path_sampling.hpp"
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
  SmcOptions smc = {};
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

/// One run of the sampler.
struct Replicate {
  double log_evidence = 0;       ///< standard estimate (DS)
  double log_evidence_path = 0;  ///< path sampling (PS), finest grid, trapezoid
  PathSampling path;             ///< all rules and grids
  Trace trace;
};

struct ModelResult {
  std::string name;
  double weight = 0;              ///< prior probability
  double log_evidence = 0;        ///< log of the mean evidence over replicates
  double log_evidence_path = 0;   ///< the same of the path-sampling estimates
  double log_evidence_mean = 0;   ///< mean of the replicates' log evidences
  double log_evidence_sd = kNaN;  ///< their standard deviation; NaN for one replicate
  double log_evidence_path_sd = kNaN;
  double probability = 0;  ///< posterior model probability
  std::vector<Replicate> replicates;
  std::vector<ParameterSummary> parameters;  ///< over all replicates, each weighted by its evidence
  Draws draws;                               ///< of the first replicate
  std::vector<std::string> warnings;

  std::size_t steps() const;        ///< of the first replicate
  std::size_t evaluations() const;  ///< summed over replicates
};

struct Comparison {
  std::uint64_t seed = 0;
  std::vector<ModelResult> models;
  std::vector<ParameterSummary> averaged;  ///< model-averaged, for names that at least two models share
  double seconds = 0;

  /// log p(y|M_i) - log p(y|M_j).
  double log_bayes_factor(std::size_t i, std::size_t j) const {
    return models[i].log_evidence - models[j].log_evidence;
  }
};

/// Sees every step of every run; called from several threads at once.
class CompareObserver {
 public:
  virtual ~CompareObserver() = default;
  virtual void on_start(std::size_t /*model*/, std::size_t /*replicate*/) {}
  virtual void on_step(std::size_t /*model*/, std::size_t /*replicate*/, const Trace& /*trace*/) {}
  virtual void on_finish(std::size_t /*model*/, std::size_t /*replicate*/, const Trace& /*trace*/) {}
};

/// Throws InputError (bad options, duplicate names) or RunError (which names the model).
Comparison compare(const std::vector<Candidate>& candidates, const CompareOptions& options,
                   CompareObserver* observer = nullptr, std::stop_token stop = {});

}  // namespace evident
