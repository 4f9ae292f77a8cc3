#include "kernel/mixing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/partition.hpp"

namespace evident {

double correlation(std::span<const double> weights, std::span<const double> a, std::span<const double> b) {
  const auto counts = [&](std::size_t i) { return weights[i] > 0 && std::isfinite(a[i]) && std::isfinite(b[i]); };
  double total = 0, mean_a = 0, mean_b = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!counts(i)) continue;
    total += weights[i];
    mean_a += weights[i] * a[i];
    mean_b += weights[i] * b[i];
  }
  if (!(total > 0)) return 0;
  mean_a /= total;
  mean_b /= total;
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!counts(i)) continue;
    const double u = a[i] - mean_a, v = b[i] - mean_b;
    aa += weights[i] * u * u;
    bb += weights[i] * v * v;
    ab += weights[i] * u * v;
  }
  const double r = ab / std::sqrt(aa * bb);
  return std::isfinite(r) ? r : 0;
}

Mixing::Mixing(const UntilMixed& limits, const Population& x)
    : limits_(limits), log_likelihood_(x.log_likelihood), z_(limits.coordinate < 1 ? x.z : BlockStorage()) {}

// A correlation falls by about the same factor in each pass. One that cannot get below its limit within the passes that
// are allowed is not waited for: particles that stay in their modes would only use up the passes.
bool Mixing::worth_waiting(double r, double limit, std::size_t passes) const {
  constexpr std::size_t kEnoughToTell = 10;
  if (r <= limit) return false;
  const double needed = static_cast<double>(passes) * std::log(limit) / std::log(std::min(r, 1.0));
  return passes < kEnoughToTell || needed <= static_cast<double>(limits_.most);
}

bool Mixing::enough(const Population& now, std::size_t passes) const {
  const auto weights = now.weights.values();
  const double l = correlation(weights, log_likelihood_, now.log_likelihood);
  if (worth_waiting(l, limits_.log_likelihood, passes)) return false;
  if (now.partition) {
    std::vector<std::size_t> rows(z_.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (const double r : correlations(now, rows))
      if (worth_waiting(r, limits_.coordinate, passes)) return false;
    return true;
  }
  for (std::size_t j = 0; j < z_.rows(); ++j)  // the first that is not there yet settles it
    if (worth_waiting(correlations(now, {&j, 1}).front(), limits_.coordinate, passes)) return false;
  return true;
}

// With the weights and by blocks, as a population that is spread over ranks has them.
std::vector<double> Mixing::correlations(const Population& now, std::span<const std::size_t> rows) const {
  const std::span<const double> w = now.weights.values();
  const auto each = [&](std::size_t block, std::size_t row, const auto& f) {
    const std::span<const double> a = z_.row(row), b = now.z.row(row);
    for (std::size_t i = block * kBlockSize; i < std::min(now.size(), (block + 1) * kBlockSize); ++i)
      if (w[i] > 0 && std::isfinite(a[i]) && std::isfinite(b[i])) f(w[i], a[i], b[i]);
  };
  constexpr std::size_t kSums = 3;
  const auto sums = [&](const auto& add) {
    const TreeSum wanted{.first = 0,
                         .last = block_count(now.size()),
                         .width = kSums * rows.size(),
                         .values = [&](std::size_t block, double* out) {
                           std::fill_n(out, kSums * rows.size(), 0.0);
                           for (std::size_t k = 0; k < rows.size(); ++k) add(block, k, out + kSums * k);
                         }};
    return tree_sums({&wanted, 1}, now.partition.get()).front();
  };
  const std::vector<double> first = sums([&](std::size_t block, std::size_t k, double* out) {
    each(block, rows[k], [&](double weight, double a, double b) {
      out[0] += weight;
      out[1] += weight * a;
      out[2] += weight * b;
    });
  });
  const std::vector<double> second = sums([&](std::size_t block, std::size_t k, double* out) {
    const double mean_a = first[kSums * k + 1] / first[kSums * k], mean_b = first[kSums * k + 2] / first[kSums * k];
    each(block, rows[k], [&](double weight, double a, double b) {
      const double u = a - mean_a, v = b - mean_b;
      out[0] += weight * u * u;
      out[1] += weight * v * v;
      out[2] += weight * u * v;
    });
  });
  std::vector<double> out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double r = second[kSums * k + 2] / std::sqrt(second[kSums * k] * second[kSums * k + 1]);
    out.push_back(std::isfinite(r) ? r : 0);
  }
  return out;
}

}  // namespace evident
