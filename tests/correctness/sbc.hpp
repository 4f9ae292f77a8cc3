// Simulation-based calibration (Cook, Gelman and Rubin 2006; Talts et al. 2018): draw a model, its parameters and data,
// ask a sampler, and look where the truth lies among its draws. Whatever the model, the rank of the truth among
// independent draws is uniform, and the posterior probabilities of the models are on average their prior ones.
//
//   const Sampler sampler = find_sampler("direct");
//   const Calibrated c = calibrate(world, sampler, {.sets = 320}, executor);
//   smallest_adjusted(c.p_values());
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/compare/compare.hpp"
#include "problems/worlds.hpp"

namespace evident::correctness {

/// What a sampler says of one data set.
struct Answer {
  std::vector<double> probability = {};  ///< of each model of the world; empty when it tells none
  std::vector<Draws> draws = {};         ///< of each model; empty when it has none
};

struct Sampler {
  std::string name;
  std::function<Answer(const problems::World&, const problems::Observations&, std::uint64_t data_set)> run;
  std::function<bool(const problems::World&)> fits;
};

/// All samplers that give posterior draws or exact model probabilities.
std::vector<Sampler> samplers();
/// One of them; throws InputError when there is none of that name.
Sampler find_sampler(const std::string& name);

struct SbcOptions {
  std::size_t sets = 320;  ///< data sets
  std::size_t draws = 31;  ///< that the truth is ranked among, so that there are 32 ranks
  double least = 5;        ///< smallest expected count of a bin; ranks are pooled two and two until it is reached
  std::uint64_t seed = 1;
};

/// Ranks of one parameter, or of the log likelihood, over the models that have it.
struct RankTest {
  std::string parameter;
  std::size_t sets = 0, bins = 0;
  double p_value = 1;
};

/// One model of the list: its posterior probabilities.
struct IndexTest {
  std::string model;
  double prior = 0;
  double mean = 0, error = 0;  ///< of the posterior probability, over the data sets
  double z = 0;                ///< of the mean
  double z_frequency = 0;      ///< how often the model was the true one, against the sum of its probabilities
};

struct Calibrated {
  std::vector<RankTest> ranks;
  std::vector<IndexTest> index;
  std::size_t sets = 0;
  double cpu_seconds = 0;

  std::vector<double> p_values() const;
};

Calibrated calibrate(const problems::World& world, const Sampler& sampler, const SbcOptions& options,
                     const Executor& executor);

/// Every so many-th draw: `count` of them in proportion to their weights, as they stand.
std::vector<std::size_t> thinned(const std::vector<double>& weights, std::size_t count, Stream& random);
/// Ranks 0 .. ranks-1, pooled two and two while a bin expects fewer than `least`.
RankTest uniform_ranks(const std::vector<std::size_t>& found, std::size_t ranks, double least);

}  // namespace evident::correctness
