#include "dist/mixture_em.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/vector_math.hpp"
#include "dist/scale_root.hpp"
#include "evident/base/log_math.hpp"

namespace evident::dist {
namespace {

constexpr std::size_t kCandidates = 4;  // for each centre
constexpr int kStartRounds = 8;

double square_distance(const EmPoints& p, std::size_t i, const std::vector<double>& centre) {
  double sum = 0;
  for (std::size_t j = 0; j < centre.size(); ++j) sum += (p.x(j, i) - centre[j]) * (p.x(j, i) - centre[j]);
  return sum;
}

std::vector<double> point(const EmPoints& p, std::size_t i) {
  std::vector<double> x(p.x.rows());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = p.x(j, i);
  return x;
}

// A point drawn with chances proportional to `chance`.
std::size_t pick(const std::vector<double>& chance, double u) {
  double left = u * std::accumulate(chance.begin(), chance.end(), 0.0);
  std::size_t i = 0;
  while (i + 1 < chance.size() && left >= chance[i]) left -= chance[i++];
  return i;
}

std::vector<std::vector<double>> seed_centres(const EmPoints& p, std::size_t clusters, Stream& random) {
  const std::size_t n = p.size();
  std::vector<double> chance(p.weights.row(0).begin(), p.weights.row(0).end()), nearest(n, kInf);
  std::vector<std::vector<double>> centres;
  while (centres.size() < clusters) {
    std::vector<double> best, best_nearest, trial(n);
    double least = kInf;
    for (std::size_t c = 0; c < kCandidates; ++c) {
      const std::vector<double> centre = point(p, pick(chance, random.uniform()));
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        trial[i] = std::min(nearest[i], square_distance(p, i, centre));
        sum += p.weights(0, i) * trial[i];
      }
      if (sum < least) least = sum, best = centre, best_nearest = trial;
    }
    if (best.empty()) break;
    centres.push_back(best);
    nearest = best_nearest;
    for (std::size_t i = 0; i < n; ++i) chance[i] = p.weights(0, i) * nearest[i];
  }
  return centres;
}

std::vector<std::size_t> assign(const EmPoints& p, const std::vector<std::vector<double>>& centres) {
  std::vector<std::size_t> owner(p.size(), 0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    double least = kInf;
    for (std::size_t k = 0; k < centres.size(); ++k) {
      const double s = square_distance(p, i, centres[k]);
      if (s < least) least = s, owner[i] = k;
    }
  }
  return owner;
}

}  // namespace

EmPoints whiten(const EmPoints& p) {
  const std::size_t d = p.x.rows(), n = p.size();
  std::vector<const double*> rows;
  for (std::size_t j = 0; j < d; ++j) rows.push_back(p.x.row(j).data());
  std::vector<double> mean(d), second(d * d);
  vector_math::weighted_mean(p.weights.row(0).data(), rows.data(), d, n, mean.data());
  vector_math::weighted_second(p.weights.row(0).data(), rows.data(), mean.data(), d, n, second.data());
  const std::vector<double> inverse = inverse_root(scale_root(second, d, static_cast<double>(n)), d);
  EmPoints out{BlockStorage(d, n), p.weights};
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (std::size_t i = 0; i < n; ++i) out.x(a, i) += inverse[a * d + b] * (p.x(b, i) - mean[b]);
  return out;
}

BlockStorage cluster(const EmPoints& p, std::size_t clusters, const Streams& streams) {
  BlockStorage belongs(clusters, p.size());
  if (clusters == 1) {
    std::fill(belongs.row(0).begin(), belongs.row(0).end(), 1.0);
    return belongs;
  }
  Stream random = streams.at({.step = static_cast<std::uint32_t>(clusters), .purpose = Purpose::other});
  std::vector<std::vector<double>> centres = seed_centres(p, clusters, random);
  std::vector<std::size_t> owner = assign(p, centres);
  for (int round = 0; round < kStartRounds; ++round) {
    std::vector<double> mass(centres.size(), 0.0);
    for (auto& c : centres) std::fill(c.begin(), c.end(), 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      mass[owner[i]] += p.weights(0, i);
      for (std::size_t j = 0; j < p.x.rows(); ++j) centres[owner[i]][j] += p.weights(0, i) * p.x(j, i);
    }
    for (std::size_t k = 0; k < centres.size(); ++k)
      for (double& v : centres[k]) v = mass[k] > 0 ? v / mass[k] : kInf;  // an empty cluster stays empty
    std::vector<std::size_t> next = assign(p, centres);
    if (next == owner) break;
    owner = std::move(next);
  }
  for (std::size_t i = 0; i < p.size(); ++i) belongs(owner[i], i) = 1.0;
  return belongs;
}

}  // namespace evident::dist
