// Chib's method for the mixture. The posterior density at theta* = (mu*, lambda*, w*) is taken apart as
//
//   p(theta* | y) = p(mu* | y) p(lambda*, w* | mu*, y):
//
// the first factor is the mean of p(mu* | lambda, c, y) over a full run, the second that of p(lambda*, w* | mu*, c, y)
// over a reduced run in which mu stays at mu*; c are the allocations.
//
// Labels that can be exchanged: a sampler that never exchanges them sees one of k! copies of the posterior, and the
// first factor comes out up to k! times too large. It is therefore averaged over all orders of mu* (Marin and Robert
// 2008). That average is a permanent divided by k!, a sum over sets of components instead of orders, so that it is
// exact for every k. Once mu* is fixed the labels are told apart by it, and the second factor needs no correction.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/gibbs.hpp"

namespace evident {
namespace {

using mixture::Allocation;
using mixture::Gibbs;
using mixture::GibbsState;

constexpr std::size_t kBatches = 50;
constexpr std::size_t kMostPermuted = 16;
constexpr double kMostWork = 1e9;  // additions for all the permanents together

/// Allocations and precisions of one sweep: all that the density of mu* needs.
struct Sweep {
  Allocation allocation;
  std::vector<double> lambda;
};

/// log of (1/k!) sum over orders s of prod_j exp(rows[j][s(j)]). Sets of values that are already used are built up
/// component by component; all terms are positive.
double log_mean_over_orders(std::vector<std::vector<double>>& rows, std::vector<double>& sums) {
  const std::size_t k = rows.size();
  double shift = 0;
  for (auto& row : rows) {
    const double top = *std::max_element(row.begin(), row.end());
    shift += top;
    for (double& v : row) v = std::exp(v - top);
  }
  sums.assign(std::size_t{1} << k, 0.0);
  sums[0] = 1;
  for (std::size_t set = 0; set + 1 < sums.size(); ++set) {
    if (sums[set] == 0) continue;
    const auto& row = rows[static_cast<std::size_t>(__builtin_popcountll(set))];
    for (std::size_t l = 0; l < k; ++l)
      if ((set >> l & 1U) == 0) sums[set | std::size_t{1} << l] += sums[set] * row[l];
  }
  return shift + std::log(sums.back()) - dist::log_gamma(static_cast<double>(k) + 1);
}

/// Log of the mean of exp(x), with an error from batch means.
Estimate mean_of_logs(const std::vector<double>& x) {
  const double value = log_mean_exp(x);
  const std::size_t batches = std::min(kBatches, x.size() / 2);
  if (batches < 2 || value == -kInf) return {value, kNaN};
  double squares = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t from = b * x.size() / batches, to = (b + 1) * x.size() / batches;
    const double ratio = std::exp(log_mean_exp({x.data() + from, to - from}) - value);
    squares += (ratio - 1) * (ratio - 1);
  }
  const auto n = static_cast<double>(batches);
  return {value, std::sqrt(squares / (n - 1) / n)};
}

void check_stop(const ChibOptions& options) {
  if (options.stop.stop_requested()) throw RunError("stopped before the end");
}

struct FullRun {
  std::vector<Sweep> sweeps;
  GibbsState best;  ///< theta*: of all kept sweeps that with the highest posterior density
};

FullRun full_run(const Gibbs& gibbs, const ChibOptions& options, const Streams& streams) {
  FullRun run;
  GibbsState state = gibbs.start();
  Allocation allocation;
  double best = -kInf;
  for (std::size_t t = 0; t < options.burn_in + options.draws; ++t) {
    check_stop(options);
    Stream random = streams.at({.step = static_cast<std::uint32_t>(t), .particle = 0, .purpose = Purpose::model_move});
    const double log_posterior = gibbs.allocate(state, random, allocation) + gibbs.log_prior(state);
    if (t >= options.burn_in) {
      if (run.sweeps.empty() || log_posterior > best) best = log_posterior, run.best = state;
      run.sweeps.push_back({allocation, state.lambda});
    }
    gibbs.draw_means(allocation, random, state);
    gibbs.draw_precisions_and_weights(allocation, random, state);
  }
  return run;
}

struct MeanOrdinate {
  Estimate all_orders, one_order;
};

MeanOrdinate mean_ordinate(const Gibbs& gibbs, const FullRun& run, const ChibOptions& options) {
  const std::size_t k = run.best.mu.size();
  const double work = std::ldexp(static_cast<double>(k), static_cast<int>(k));  // of one permanent
  const auto affordable = static_cast<std::size_t>(std::max(kMostWork / work, 100.0));
  const std::size_t stride = (run.sweeps.size() + affordable - 1) / affordable;
  std::vector<double> all, one, sums;
  std::vector<std::vector<double>> rows(k, std::vector<double>(k));
  GibbsState state;
  for (std::size_t t = 0; t < run.sweeps.size(); t += stride) {
    check_stop(options);
    const Sweep& sweep = run.sweeps[t];
    state.lambda = sweep.lambda;
    double together = 0;
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t l = 0; l < k; ++l)
        rows[j][l] = gibbs.log_mean_density(sweep.allocation, state, j, run.best.mu[l]);
      together += rows[j][j];
    }
    one.push_back(together);
    all.push_back(log_mean_over_orders(rows, sums));
  }
  return {mean_of_logs(all), mean_of_logs(one)};
}

Estimate reduced_run(const Gibbs& gibbs, const GibbsState& best, const ChibOptions& options, const Streams& streams) {
  std::vector<double> ordinates;
  GibbsState state = best;
  Allocation allocation;
  for (std::size_t t = 0; t < options.burn_in + options.draws; ++t) {
    check_stop(options);
    Stream random = streams.at({.step = static_cast<std::uint32_t>(t), .particle = 1, .purpose = Purpose::model_move});
    gibbs.allocate(state, random, allocation);
    if (t >= options.burn_in) ordinates.push_back(gibbs.log_precisions_and_weights(allocation, best));
    gibbs.draw_precisions_and_weights(allocation, random, state);
  }
  return mean_of_logs(ordinates);
}

std::size_t factorial(std::size_t k) {
  std::size_t out = 1;
  for (std::size_t j = 2; j <= k; ++j) out *= j;
  return out;
}

}  // namespace

ChibEstimate GaussianMixture::chib(const ChibOptions& options, const Streams& streams) const {
  if (options.draws < 2) throw InputError("draws of Chib's method must be at least 2");
  if (options.burn_in + options.draws >= 0xFFFFFFFFU)
    throw InputError("draws of Chib's method must be below 2^32 with the burn-in");
  const std::size_t k = options_.components;
  if (k > kMostPermuted)
    throw InputError("Chib's method averages over all orders of the labels, which can be done for up to " +
                     std::to_string(kMostPermuted) + " components, not " + std::to_string(k));
  const Gibbs gibbs(options_, y_);
  const FullRun run = full_run(gibbs, options, streams);
  const MeanOrdinate means = mean_ordinate(gibbs, run, options);
  const Estimate rest = reduced_run(gibbs, run.best, options, streams);

  BlockStorage point(space_.size(), 1);
  for (std::size_t j = 0; j < k; ++j) {
    point(j, 0) = run.best.mu[j];
    point(k + j, 0) = run.best.lambda[j];
    if (k > 1) point(2 * k + j, 0) = run.best.weight[j];
  }
  // The prior with free labels, whatever the options say: the evidence is the same, and the sampler's labels are free.
  AlignedVector<double> log_likelihood_there(1), log_prior_there(1);
  log_likelihood(point, log_likelihood_there);
  space_.log_density(point, log_prior_there);
  const double joint = log_likelihood_there[0] + log_prior_there[0] - rest.value;
  std::vector<double> values;
  for (std::size_t j = 0; j < point.rows(); ++j) values.push_back(point(j, 0));
  return {.log_evidence = {joint - means.all_orders.value,
                           std::hypot(means.all_orders.standard_error, rest.standard_error)},
          .log_evidence_uncorrected = joint - means.one_order.value,
          .point = std::move(values),
          .label_orders = factorial(k),
          .sweeps = 2 * (options.burn_in + options.draws)};
}

}  // namespace evident
