#include "scout/mode_mass.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evident/model/model.hpp"
#include "problems/modes.hpp"
#include "scout/mode_mixture.hpp"

namespace evident {
namespace {

Mode normal_mode(std::vector<double> z, double sd, double log_mass, std::size_t hits = 10) {
  const std::size_t d = z.size();
  Mode out{.z = std::move(z), .root = std::vector<double>(d * d), .log_mass = log_mass, .hits = hits};
  for (std::size_t j = 0; j < d; ++j) out.root[j * d + j] = sd;
  return out;
}

TEST(ModeMass, DrawsAroundAModeGiveItsMass) {
  const Executor executor(1);
  double sum = 0, variance = 0;
  std::size_t modes = 0;
  for (const std::uint64_t instance : {1, 2, 3, 4}) {
    const auto p = problems::unequal_modes(5, 5, instance);
    const Scouted found = scout(*p.problem.model, {.most = 50'000}, {Streams({.seed = instance}), executor});
    for (const Mode& m : found.modes) {
      ASSERT_TRUE(m.drawn_mass.known());
      // Each of the five holds a fifth.
      const double off = m.drawn_mass.value - (p.problem.log_evidence - std::log(5.0));
      EXPECT_NEAR(off, 0, 4 * m.drawn_mass.standard_error);
      sum += off;
      variance += m.drawn_mass.standard_error * m.drawn_mass.standard_error;
      ++modes;
    }
  }
  EXPECT_EQ(modes, 20U);
  EXPECT_NEAR(sum, 0, 4 * std::sqrt(variance));
}

TEST(ModeMass, LaplaceIsCorrectedWhereTailsAreHeavy) {
  // A t density with 3 degrees of freedom: Laplace's method takes it for a normal with its curvature.
  ParameterSpace space;
  space.add("x", normal(0, 100));
  const auto model = lift(space, [](std::span<const double> t) { return -2 * std::log1p(t[0] * t[0] / 3); });
  const Executor executor(1);
  const Scouted found = scout(*model, {}, {Streams({.seed = 5}), executor});
  ASSERT_EQ(found.modes.size(), 1U);
  // Normalising constant of the t density, sqrt(3) pi / 2, times the prior's density, which is flat here.
  const double exact = std::log(std::sqrt(3.0) * M_PI / 2) - std::log(100 * std::sqrt(2 * M_PI));
  const Estimate drawn = found.modes.front().drawn_mass;
  EXPECT_NEAR(drawn.value, exact, 4 * drawn.standard_error + 1e-3);  // the prior falls by that in the tails
  EXPECT_GT(std::abs(found.modes.front().log_mass - exact), 4 * drawn.standard_error);
}

TEST(ModeMass, APointBelongsToTheModeWhoseWeightedDensityIsHighest) {
  const ModeRegions regions({normal_mode({0, 0}, 1, 0), normal_mode({10, 0}, 1, 0), normal_mode({0, 10}, 3, -50)});
  BlockStorage z(2, 5);
  const double at[5][2] = {{0.5, 0}, {9, 1}, {4.9, 0}, {5.1, 0}, {0, 11}};
  for (std::size_t i = 0; i < 5; ++i) z(0, i) = at[i][0], z(1, i) = at[i][1];
  // The last mode has so little mass that its centre is the tail of the first.
  EXPECT_EQ(regions.assign(z), (std::vector<std::size_t>{0, 1, 0, 1, 0}));
}

TEST(ModeMixture, HasAComponentAtEachModeThatMatters) {
  Scouted found{.modes = {normal_mode({0, 0}, 1, 0), normal_mode({10, 0}, 2, -1), normal_mode({0, 10}, 1, -8)},
                .starts = 200};
  EXPECT_EQ(modes_that_matter(found).size(), 2U);  // the third holds exp(-8), less than a thousandth
  const auto mixture = mode_mixture(found);
  ASSERT_TRUE(mixture);
  ASSERT_EQ(mixture->components().size(), 2U);
  const double share = 1 / (1 + std::exp(-1.0));
  EXPECT_NEAR(mixture->components()[0].weight, 0.5 * share + 0.25, 1e-12);
  EXPECT_NEAR(mixture->components()[1].weight, 0.5 * (1 - share) + 0.25, 1e-12);
  EXPECT_EQ(mixture->components()[1].mean, (std::vector<double>{10, 0}));
  EXPECT_EQ(mixture->components()[1].root, (std::vector<double>{2, 0, 0, 2}));
}

TEST(ModeMixture, IsNotMadeOfOneModeOrOfAFew) {
  EXPECT_FALSE(mode_mixture({.modes = {normal_mode({0, 0}, 1, 0)}, .starts = 200}));
  // Every start ended elsewhere: the two are no picture of the posterior.
  const Scouted few{.modes = {normal_mode({0, 0}, 1, 0, 1), normal_mode({10, 0}, 1, 0, 1)}, .starts = 2};
  EXPECT_FALSE(mode_mixture(few));
  EXPECT_EQ(rows_apart(few), (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace evident
