// Goodwin data and parameter vectors that the tests of this folder share.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "evident/base/log_math.hpp"
#include "models/goodwin/simulate.hpp"

namespace evident::test {

inline std::vector<double> every_half(double first, double last) {
  std::vector<double> t;
  for (double now = first; now < last + 0.25; now += 0.5) t.push_back(now);
  return t;
}

/// A damped oscillation for m = 3, sharp pulses for m = 5, a mild chain otherwise.
inline GoodwinSimulation typical(std::size_t m) {
  GoodwinSimulation s;
  s.times = every_half(20.5, 60);
  if (m == 3) {
    s.theta = {0.53, 2.01, 0.038, 1.47, 0.19};
  } else if (m == 5) {
    s.theta = {0.9, 4.23, 1.2, 0.68, 3.6, 40, 0.0122};
  } else {
    s.theta.assign(m + 2, 0.8);
    s.theta[1] = 3;
  }
  return s;
}

/// Thirty time units of it: enough to see the oscillation, and the map of the own move is made quickly.
inline GoodwinSimulation short_record(std::size_t m) {
  GoodwinSimulation s = typical(m);
  s.times.clear();
  for (int t = 5; t <= 30; ++t) s.times.push_back(t);
  return s;
}

inline GoodwinData typical_data(std::size_t m) { return simulate_goodwin(typical(m), Streams({.seed = 3})); }

/// The log likelihood by an accurate solver of another kind.
inline double reference(const GoodwinData& data, GoodwinSimulation s, const std::vector<double>& theta) {
  s.theta = theta;
  s.times = data.times;
  const auto states = goodwin_trajectory(s);
  double sum = 0;
  for (std::size_t j = 0; j < data.times.size(); ++j)
    for (std::size_t c = 0; c < data.states.size(); ++c) {
      const double r = (data.values[c][j] - states[j][data.states[c]]) / s.sigma;
      sum += 0.5 * r * r + 0.5 * kLog2Pi + std::log(s.sigma);
    }
  return -sum;
}

enum class Cloud { near_fit, prior, wide };

/// Parameter vectors: within 2 % of `centre`, from the gamma(0.1, rate 0.1) prior, or lognormal with sd 2.
inline std::vector<std::vector<double>> draws(Cloud cloud, const std::vector<double>& centre, std::size_t count,
                                              std::uint64_t seed = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::gamma_distribution<double> gamma(0.1, 10);
  std::vector<std::vector<double>> all(count, centre);
  for (auto& theta : all)
    for (double& x : theta) {
      if (cloud == Cloud::near_fit) x *= std::exp(0.02 * normal(engine));
      if (cloud == Cloud::prior) x = std::max(gamma(engine), 1e-300);
      if (cloud == Cloud::wide) x = std::exp(2 * normal(engine));
    }
  return all;
}

inline BlockStorage as_block(const std::vector<std::vector<double>>& all) {
  BlockStorage block(all.front().size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all[i].size(); ++j) block(j, i) = all[i][j];
  return block;
}

}  // namespace evident::test
