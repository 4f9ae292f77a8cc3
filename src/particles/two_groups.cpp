#include "particles/two_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kBins = 48, kFewest = 100;
using Bins = std::array<double, kBins>;

// Enough particles in a bin that an empty one means something.
std::size_t bin_count(std::size_t particles) { return std::clamp<std::size_t>(particles / 20, 12, kBins); }

// From six standard deviations below the mean to the largest: a long lower tail must not take all the bins, and a lower
// heap of 3 % of the weight lies up to 5.6 below.
bool histogram(std::span<const double> w, std::span<const double> l, const Moments& m, std::size_t bins, Bins& out) {
  // Four at a time: neither the extremes nor the heaps wait for the ones before.
  constexpr std::size_t kTogether = 4;
  const std::size_t whole = l.size() / kTogether * kTogether;
  std::array<double, kTogether> lows, highs;
  lows.fill(kInf);
  highs.fill(-kInf);
  const auto reach = [&](std::size_t i, std::size_t k) {
    const bool counts = w[i] > 0;
    lows[k] = std::min(lows[k], counts ? l[i] : kInf);
    highs[k] = std::max(highs[k], counts ? l[i] : -kInf);
  };
  for (std::size_t i = 0; i < whole; i += kTogether)
    for (std::size_t k = 0; k < kTogether; ++k) reach(i + k, k);
  for (std::size_t i = whole; i < l.size(); ++i) reach(i, 0);
  double low = *std::ranges::min_element(lows);
  const double high = *std::ranges::max_element(highs);
  low = std::max(low, m.mean - 6 * std::sqrt(m.variance));
  if (!(high > low) || !std::isfinite(high - low)) return false;
  const double scale = static_cast<double>(bins) / (high - low);
  std::array<Bins, kTogether> heaps{};
  const auto put = [&](std::size_t i, std::size_t k) {
    const double at = (l[i] - low) * scale;
    if (at >= 0) heaps[k][std::min(static_cast<std::size_t>(at), bins - 1)] += w[i];
  };
  for (std::size_t i = 0; i < whole; i += kTogether)
    for (std::size_t k = 0; k < kTogether; ++k) put(i + k, k);
  for (std::size_t i = whole; i < l.size(); ++i) put(i, 0);
  for (std::size_t b = 0; b < bins; ++b) out[b] = (heaps[0][b] + heaps[1][b]) + (heaps[2][b] + heaps[3][b]);
  return true;
}

Bins smooth(const Bins& in, std::size_t bins) {
  Bins out{};
  for (std::size_t b = 0; b < bins; ++b) {
    const double left = in[b > 0 ? b - 1 : b], right = in[b + 1 < bins ? b + 1 : b];
    out[b] = 0.25 * left + 0.5 * in[b] + 0.25 * right;
  }
  return out;
}

struct Sums {
  double weight = 0, first = 0, second = 0;
  void add(double w, double x) { weight += w, first += w * x, second += w * x * x; }
  double mean() const { return first / weight; }
  double variance() const { return second / weight - mean() * mean(); }
};

}  // namespace

TwoGroups two_groups(std::span<const double> weights, std::span<const double> log_likelihood, const Moments& moments) {
  TwoGroups out;
  if (weights.size() < kFewest || !std::isfinite(moments.mean) || !(moments.variance > 0)) return out;
  const std::size_t bins = bin_count(weights.size());
  Bins h{};
  if (!histogram(weights, log_likelihood, moments, bins, h)) return out;

  Sums all, below, best;
  for (std::size_t b = 0; b < bins; ++b) all.add(h[b], static_cast<double>(b));
  double most = 0;
  std::size_t cut = 0;  // first bin of the upper group
  for (std::size_t b = 0; b + 1 < bins; ++b) {
    below.add(h[b], static_cast<double>(b));
    const double w = below.weight, rest = all.weight - w;
    if (!(w > 0) || !(rest > 1e-12)) continue;
    const double apart = below.mean() - (all.first - below.first) / rest, between = w * rest * apart * apart;
    if (between <= most) continue;
    most = between, cut = b + 1, best = below;
  }
  if (cut == 0) return out;
  const Sums upper{all.weight - best.weight, all.first - best.first, all.second - best.second};
  out.upper = upper.weight / all.weight;
  // A bin is as wide as its values are unknown: 1/12 of its square.
  const double within = 0.5 * (best.variance() + upper.variance()) + 1.0 / 12;
  out.distance = (upper.mean() - best.mean()) / std::sqrt(within);
  const Bins s = smooth(smooth(h, bins), bins);
  const auto at = s.begin() + static_cast<std::ptrdiff_t>(cut), end = s.begin() + static_cast<std::ptrdiff_t>(bins);
  const auto lower_peak = std::max_element(s.begin(), at), upper_peak = std::max_element(at, end);
  out.valley = *std::min_element(lower_peak, upper_peak + 1) / std::min(*lower_peak, *upper_peak);
  return out;
}

}  // namespace evident
