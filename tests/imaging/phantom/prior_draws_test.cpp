#include "imaging/phantom/prior_draws.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "models/pet/frames.hpp"
#include "models/pet/simulate.hpp"

namespace evident::imaging {
namespace {

/// The curve of the rate constants, by the differential equations, against the sum of exponentials that they stand for.
void expect_same_curve(std::span<const double> phi, std::span<const double> theta) {
  const RateConstants k = rates_of_exponentials(phi, theta);
  ASSERT_EQ(k.order(), static_cast<int>(phi.size()));
  double volume = 0;
  for (std::size_t d = 0; d < phi.size(); ++d) volume += phi[d] / theta[d];
  EXPECT_NEAR(k.volume(), volume, 1e-9 * volume);
  std::vector<double> times, plasma;
  for (double t = 0; t <= 5000; t += 5) times.push_back(t), plasma.push_back(feng_activity(t));
  const std::vector<double> starts = {0, 60, 600, 3000}, durations = {60, 120, 600, 1200};
  const auto curve = tissue_averages(k, sampled_blood(times, plasma, {}), starts, durations);
  const PetInput input(times, plasma, PetInterpolation::linear);
  const PetFrames frames = averaged_frames(starts, durations);
  std::vector<double> sum(starts.size()), one(starts.size());
  for (std::size_t d = 0; d < phi.size(); ++d) {
    convolve_frames(input, frames, theta[d] / 60, one, {});
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += phi[d] / 60 * one[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(curve[i], sum[i], 1e-6 * sum[i]) << i;
}

TEST(PriorDraws, RateConstantsOfExponentials) {
  expect_same_curve(std::array{0.4}, std::array{0.05});
  expect_same_curve(std::array{0.1, 0.3}, std::array{0.02, 0.4});
  expect_same_curve(std::array{0.1, 0.3, 0.2}, std::array{0.02, 0.2, 0.9});
}

TEST(PriorDraws, EachOrderAsOftenAndAllRatesAboveZero) {
  const Streams streams({.seed = 3});
  std::array<int, 3> orders{};
  constexpr int kDraws = 3000;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    Stream stream = streams.at({.particle = i, .purpose = Purpose::prior});
    const RateConstants k = draw_rates(stream);
    ++orders[static_cast<std::size_t>(k.order() - 1)];
    for (const double rate : {k.K1, k.k2}) EXPECT_GT(rate, 0);
    EXPECT_LE(k.K1, 1.0 * k.order());
  }
  for (const int n : orders) EXPECT_NEAR(n, kDraws / 3.0, 4 * std::sqrt(kDraws * 2.0 / 9));
}

}  // namespace
}  // namespace evident::imaging
