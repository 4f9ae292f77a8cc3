#include "dist/mixture_em.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"

namespace evident::dist {
namespace {

// So many weighted quantiles stand for all the values: enough for two parameters, at a cost that does not grow.
constexpr std::size_t kQuantiles = 128;
constexpr double kMostSkew = 2, kLeastTail = 0.4, kMostTail = 2.5;
constexpr int kRounds = 4, kBits = 10;

std::vector<double> quantiles(std::span<const double> z, std::span<const double> weights) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return z[a] != z[b] ? z[a] < z[b] : a < b; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> out;
  double below = 0;  // weight of the values before this one, and half of its own
  std::size_t i = 0;
  const auto middle = [&](std::size_t k) { return below + 0.5 * weights[order[k]]; };
  for (std::size_t q = 0; q < kQuantiles; ++q) {
    const double wanted = total * (static_cast<double>(q) + 0.5) / static_cast<double>(kQuantiles);
    double low = z[order[0]], low_at = 0;
    while (i + 1 < order.size() && middle(i) < wanted) below += weights[order[i++]];
    if (i > 0) {
      low = z[order[i - 1]];
      low_at = below - 0.5 * weights[order[i - 1]];
    }
    const double width = middle(i) - low_at;
    const double part = width > 0 ? std::clamp((wanted - low_at) / width, 0.0, 1.0) : 1.0;
    out.push_back(low + part * (z[order[i]] - low));
  }
  return out;
}

// Minus the mean log density of y when x is normal with its own mean and variance, up to what does not depend on the
// map; `angle` is asinh(y).
double misfit(const BlockStorage& angle, double skew, double tail, BlockStorage& work) {
  const std::span<double> e = work.row(0);
  for (std::size_t i = 0; i < kQuantiles; ++i) e[i] = tail * angle(0, i) - skew;
  vector_math::exp(e.data(), e.data(), kQuantiles);
  double sum = 0, squares = 0, log_slope = 0, slope = 1;
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    const double x = 0.5 * (e[i] - 1 / e[i]);
    sum += x;
    squares += x * x;
    slope *= 0.5 * (e[i] + 1 / e[i]);
    if (i % 8 != 7) continue;  // one logarithm for eight slopes
    log_slope += std::log(slope);
    slope = 1;
  }
  const double n = kQuantiles, mean = sum / n, variance = squares / n - mean * mean;
  return variance > 0 ? 0.5 * std::log(variance) - std::log(tail) - log_slope / n : kInf;
}

}  // namespace

Marginal plain_marginal(std::span<const double> z, std::span<const double> weights) {
  double total = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < z.size(); ++i) total += weights[i], mean += weights[i] * z[i];
  mean /= total;
  for (std::size_t i = 0; i < z.size(); ++i) variance += weights[i] * (z[i] - mean) * (z[i] - mean);
  return {.centre = mean, .scale = std::sqrt(variance / total)};
}

Marginal bent_marginal(std::span<const double> z, std::span<const double> weights) {
  const std::vector<double> y = quantiles(z, weights);
  const double spread = 0.5 * (y[kQuantiles * 84 / 100] - y[kQuantiles * 16 / 100]);
  Marginal m = plain_marginal(z, weights);
  if (!(spread > 1e-3 * m.scale)) return m;
  m = {.centre = y[kQuantiles / 2], .scale = spread, .bent = true};
  BlockStorage angle(1, kQuantiles), work(1, kQuantiles);
  for (std::size_t i = 0; i < kQuantiles; ++i) angle(0, i) = std::asinh((y[i] - m.centre) / m.scale);
  using boost::math::tools::brent_find_minima;
  for (int round = 0; round < kRounds; ++round) {
    m.skew =
        brent_find_minima([&](double s) { return misfit(angle, s, m.tail, work); }, -kMostSkew, kMostSkew, kBits).first;
    m.tail = std::exp(brent_find_minima([&](double t) { return misfit(angle, m.skew, std::exp(t), work); },
                                        std::log(kLeastTail), std::log(kMostTail), kBits)
                          .first);
  }
  return m;
}

}  // namespace evident::dist
