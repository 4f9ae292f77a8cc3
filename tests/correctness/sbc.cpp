#include "correctness/sbc.hpp"

#include <ctime>

#include <cmath>
#include <map>

#include "correctness/verdicts.hpp"

namespace evident::correctness {
namespace {

using problems::Truth;
using problems::World;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// What one data set told.
struct Outcome {
  std::size_t model = 0;
  std::vector<std::size_t> ranks;  ///< of each parameter, then of the log likelihood; empty: too few draws
  std::vector<double> probability;
};

double log_likelihood_at(const Model& model, const std::vector<double>& theta) {
  BlockStorage at(theta.size(), 1);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(at.block().row_data(j), kLane, theta[j]);
  AlignedVector<double> out(1);
  model.log_likelihood(at, out);
  return out[0];
}

Outcome one(const World& world, const Sampler& sampler, const SbcOptions& options, std::uint64_t set) {
  const Streams streams({.seed = options.seed, .data_set = set});
  const Truth truth = draw(world, streams);
  Answer answer = sampler.run(world, truth.y, set);
  Outcome out{truth.model, {}, std::move(answer.probability)};
  if (answer.draws.empty()) return out;
  // Whether there are draws enough depends on the model and the data alone, so leaving the others out does no harm.
  const Draws& draws = answer.draws[truth.model];
  if (draws.weights.size() < 2 * options.draws) return out;
  Stream random = streams.at({.purpose = Purpose::other});
  const auto chosen = thinned(draws.weights, options.draws, random);
  const auto rank_of = [&](double value, auto&& drawn) {
    std::size_t rank = 0;
    for (const std::size_t i : chosen) rank += drawn(i) < value ? 1 : 0;
    return rank;
  };
  for (std::size_t j = 0; j < truth.theta.size(); ++j)
    out.ranks.push_back(rank_of(truth.theta[j], [&](std::size_t i) { return draws.values(j, i); }));
  const auto model = world.models[truth.model].given(truth.y);
  out.ranks.push_back(
      rank_of(log_likelihood_at(*model, truth.theta), [&](std::size_t i) { return draws.log_likelihood[i]; }));
  return out;
}

// Parameters of the same name in several models are looked at together: ranks are uniform in each, so in all.
std::vector<RankTest> rank_tests(const World& world, const std::vector<Outcome>& outcomes, const SbcOptions& options) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> found;
  for (std::size_t m = 0; m < world.models.size(); ++m) {
    std::vector<std::string> names = world.models[m].given(world.blank)->parameters().names();
    names.emplace_back("log likelihood");
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (!found.contains(names[j])) order.push_back(names[j]);
      std::vector<std::size_t>& ranks = found[names[j]];
      for (const Outcome& o : outcomes)
        if (o.model == m && !o.ranks.empty()) ranks.push_back(o.ranks[j]);
    }
  }
  std::vector<RankTest> out;
  for (const std::string& name : order) {
    if (found[name].empty()) continue;
    RankTest test = uniform_ranks(found[name], options.draws + 1, options.least);
    test.parameter = name;
    out.push_back(std::move(test));
  }
  return out;
}

std::vector<IndexTest> index_tests(const World& world, const std::vector<Outcome>& outcomes) {
  std::vector<IndexTest> out;
  if (world.models.size() < 2 || outcomes.front().probability.empty()) return out;
  for (std::size_t m = 0; m < world.models.size(); ++m) {
    std::vector<double> probability;
    double variance = 0, sum = 0;
    for (const Outcome& o : outcomes) {
      const double p = o.probability[m];
      probability.push_back(p);
      sum += (o.model == m ? 1 : 0) - p;
      variance += p * (1 - p);
    }
    const MeanOf mean = mean_of(probability);
    out.push_back({.model = world.models[m].name,
                   .prior = world.prior(m),
                   .mean = mean.mean,
                   .error = mean.error,
                   .z = (mean.mean - world.prior(m)) / mean.error,
                   .z_frequency = sum / std::sqrt(variance)});
  }
  return out;
}

}  // namespace

std::vector<std::size_t> thinned(const std::vector<double>& weights, std::size_t count, Stream& random) {
  double total = 0;
  for (const double w : weights) total += w;
  const double step = total / static_cast<double>(count);
  std::vector<std::size_t> out;
  double next = step * random.uniform(), below = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    below += weights[i];
    for (; next < below && out.size() < count; next += step) out.push_back(i);
  }
  while (out.size() < count) out.push_back(weights.size() - 1);  // rounding
  return out;
}

RankTest uniform_ranks(const std::vector<std::size_t>& found, std::size_t ranks, double least) {
  const auto n = static_cast<double>(found.size());
  std::size_t pooled = 1;
  while (ranks / pooled > 2 && n * static_cast<double>(pooled) / static_cast<double>(ranks) < least) pooled *= 2;
  std::map<std::size_t, double> counts;
  for (const std::size_t r : found) counts[r / pooled] += 1;
  double statistic = 0, bins = 0;
  for (std::size_t bin = 0; bin * pooled < ranks; ++bin, bins += 1) {
    const auto width = static_cast<double>(std::min(pooled, ranks - bin * pooled));
    const double expected = n * width / static_cast<double>(ranks);
    statistic += (counts[bin] - expected) * (counts[bin] - expected) / expected;
  }
  return {"", found.size(), static_cast<std::size_t>(bins), chi_squared_p_value(statistic, bins - 1)};
}

std::vector<double> Calibrated::p_values() const {
  std::vector<double> out;
  for (const RankTest& r : ranks) out.push_back(r.p_value);
  for (const IndexTest& i : index) {
    out.push_back(normal_p_value(i.z));
    out.push_back(normal_p_value(i.z_frequency));
  }
  return out;
}

Calibrated calibrate(const World& world, const Sampler& sampler, const SbcOptions& options, const Executor& executor) {
  const double start = cpu_seconds();
  std::vector<Outcome> outcomes(options.sets);
  executor.for_each(outcomes.size(), [&](std::size_t s) { outcomes[s] = one(world, sampler, options, s); });
  return {rank_tests(world, outcomes, options), index_tests(world, outcomes), options.sets, cpu_seconds() - start};
}

}  // namespace evident::correctness
