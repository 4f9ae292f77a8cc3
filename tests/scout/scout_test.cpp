#include "scout/scout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "evident/base/error.hpp"
#include "evident/model/model.hpp"
#include "problems/modes.hpp"
#include "problems/problems.hpp"
#include "problems/suite.hpp"
#include "scout/curvature.hpp"
#include "scout/log_density.hpp"

namespace evident {
namespace {

using problems::Problem;

Scouted modes_of(const Model& model, std::uint64_t seed, const ScoutOptions& options = {}, unsigned threads = 1) {
  const Executor executor(threads);
  return scout(model, options, {Streams({.seed = seed}), executor});
}

/// Where a mode is, as the user knows it.
std::vector<double> theta_of(const Model& model, const Mode& mode) {
  BlockStorage z(mode.z.size(), 1), theta(model.parameters().size(), 1);
  AlignedVector<double> log_jacobian(1);
  for (std::size_t j = 0; j < mode.z.size(); ++j) z(j, 0) = mode.z[j];
  model.parameters().constrain(z, theta, log_jacobian);
  std::vector<double> out;
  for (std::size_t j = 0; j < theta.rows(); ++j) out.push_back(theta(j, 0));
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

TEST(Scout, FindsModesThatATemperedPathLoses) {
  for (const std::uint64_t instance : {1, 2, 3}) {
    const auto p = problems::unequal_modes(10, 5, instance);
    const Scouted found = modes_of(*p.problem.model, 1, {.most = 150'000});  // some 250 a climb
    ASSERT_EQ(found.modes.size(), 5U) << instance;
    EXPECT_LE(found.unseen(), 0.05);
    EXPECT_FALSE(found.ended_early);
    double mass = 0;
    for (const Mode& m : found.modes) {
      double nearest = kInf;
      for (const auto& c : p.centres) nearest = std::min(nearest, distance(c, theta_of(*p.problem.model, m)));
      // On the logit scale x - centre = covariance times the slope of the Jacobian's logarithm; eigenvalues are
      // below 10.
      double slope = 0;
      for (const double x : theta_of(*p.problem.model, m)) slope = std::hypot(slope, 2 * x / (50 * 50 - x * x));
      EXPECT_LT(nearest, 10 * slope + 0.01);
      EXPECT_NEAR(m.log_mass, p.problem.log_evidence - std::log(5.0), 0.2);
      mass += std::exp(m.log_mass - p.problem.log_evidence);
    }
    EXPECT_NEAR(mass, 1, 0.1);
  }
}

TEST(Scout, OneModeIsOne) {
  for (const Problem& p : {problems::conjugate_normal(20, 3), problems::unit_gaussian(20),
                           problems::rosenbrock_pairs(2), problems::log_exponential(4)}) {
    const Scouted found = modes_of(*p.model, 2);
    ASSERT_EQ(found.modes.size(), 1U) << p.name;
    EXPECT_EQ(found.modes.front().hits, found.starts) << p.name;
    EXPECT_LE(found.unseen(), 0.05) << p.name;
  }
}

Problem from_suite(const std::string& name, std::uint64_t instance) {
  const auto entry = std::ranges::find(problems::suite(), name, &problems::SuiteEntry::name);
  if (entry == problems::suite().end()) throw std::invalid_argument("the suite has no " + name);
  return entry->make(instance);
}

TEST(Scout, LowModesHaveACurvature) {
  // Over a drop of 0.1 the density beside some of these modes rises again.
  const Problem p = from_suite("Student conflict d=5", 108);
  const Executor executor(1);
  const Context context{Streams({.seed = 108}), executor};
  const LogDensity density(*p.model, context);
  for (const Mode& m : scout(*p.model, {.enough = 0.002}, context).modes)
    for (const double width : {0.3, 0.8, 1.3}) {
      const std::vector<double> widths(m.z.size(), width);
      EXPECT_TRUE(curvature(density, m.z, m.log_density, widths)) << m.log_density << ", width " << width;
    }
}

/// A correlation of 0.9999 between all coordinates. The logit scale bends such a ridge, and a steep start would throw a
/// climb far out along it.
TEST(Scout, ARidgeIsOneMode) {
  for (const auto& [name, instance] : {std::pair("ridge d=4", 31U), {"ridge d=4", 39U}, {"ridge d=10", 3U}}) {
    const Problem p = from_suite(name, instance);
    const Scouted found = modes_of(*p.model, instance, {.most = 500});
    EXPECT_EQ(found.modes.size(), 1U) << name << ", instance " << instance;
    EXPECT_NEAR(found.modes.front().log_mass, p.log_evidence, 0.15) << name;
  }
}

TEST(Scout, LaplaceIsExactForNormals) {
  const Problem p = problems::conjugate_normal(20, 3);
  EXPECT_NEAR(modes_of(*p.model, 3).modes.front().log_mass, p.log_evidence, 1e-4);
}

/// Laplace's method on the logit scale for a normal likelihood with the prior U(-half, half), by Newton's steps in z.
double log_mass_on_logit_scale(double mean, double sd, double half) {
  double z = std::log((half + mean) / (half - mean)), x = mean, jacobian = 0, curvature = 0;
  for (int step = 0; step < 20; ++step) {
    x = half * std::tanh(z / 2);
    jacobian = (half * half - x * x) / (2 * half);
    const double slope = -(x - mean) / (sd * sd);
    curvature = jacobian * jacobian / (sd * sd) + slope * jacobian * x / half + jacobian / half;
    z += (slope * jacobian - x / half) / curvature;
  }
  const double u = (x - mean) / sd;
  return -0.5 * u * u - std::log(sd) + std::log(jacobian / (2 * half)) - 0.5 * std::log(curvature);
}

TEST(Scout, NeedsNoGradient) {
  const Problem p = problems::two_modes();
  const Scouted found = modes_of(*p.model, 4, {.most = 100'000});
  ASSERT_EQ(found.modes.size(), 2U);
  EXPECT_NEAR(found.modes[0].log_mass - found.modes[1].log_mass, std::log(0.7 / 0.3), 0.05);
  EXPECT_NEAR(found.modes[0].log_mass, 8 * log_mass_on_logit_scale(5, 0.5, 10) + std::log(0.7), 0.01);
  EXPECT_GT(theta_of(*p.model, found.modes[0]).front(), 0);
}

TEST(Scout, SaysHowManyStartsWouldFindAnotherMode) {
  const auto p = problems::many_modes(40, 1);
  // The share of all starts that lead to modes which the first ones have not found, against its bound.
  for (const std::size_t starts : {16, 40, 80}) {
    const Scouted few = modes_of(*p.problem.model, 5, {.most = 1'000'000, .most_starts = starts});
    const Scouted many = modes_of(*p.problem.model, 6, {.most = 1'000'000, .most_starts = 400, .enough = 0});
    EXPECT_EQ(few.starts, starts);
    double unseen = 0;
    for (const Mode& m : many.modes) {
      double nearest = kInf;
      for (const Mode& f : few.modes) nearest = std::min(nearest, distance(f.z, m.z));
      if (nearest > 1e-2) unseen += static_cast<double>(m.hits);
    }
    unseen /= static_cast<double>(many.starts);
    EXPECT_LE(unseen, few.unseen()) << starts;
    EXPECT_GT(unseen, few.unseen() / 8) << starts;  // nor is the bound empty
  }
}

TEST(Scout, HasABudget) {
  const Problem p = problems::many_well(8);
  const Scouted found = modes_of(*p.model, 7, {.most = 3'000});
  EXPECT_TRUE(found.ended_early);
  EXPECT_GT(found.unseen(), 0.5);
  // What it began, it finishes: a batch of climbs and the curvature of what they found. Draws weigh the modes.
  EXPECT_LT(found.evaluations, 3'000 + 8 * 520 + 8 * 200 + 16 * 400);
  EXPECT_GT(found.modes.size(), 3U);
}

TEST(Scout, ImpossibleStartsAreLeftOut) {
  ParameterSpace space;
  space.add("x", uniform(0, 1));
  const auto model = lift(space, [](std::span<const double> t) { return t[0] < 0.9 ? -kInf : -50 * t[0] * t[0]; });
  const Scouted found = modes_of(*model, 8);
  EXPECT_GT(found.starts, 10U);
  EXPECT_EQ(found.modes.size(), 1U);
}

TEST(Scout, NoModeWhereNothingIsPossible) {
  ParameterSpace space;
  space.add("x", uniform(0, 1));
  const auto model = lift(space, [](std::span<const double>) { return -kInf; });
  const Scouted found = modes_of(*model, 8);
  EXPECT_TRUE(found.modes.empty());
  EXPECT_EQ(found.unseen(), 1);
}

TEST(Scout, ThreadsDoNotMatter) {
  const auto p = problems::unequal_modes(5, 4, 9);
  const Scouted one = modes_of(*p.problem.model, 9, {}, 1), three = modes_of(*p.problem.model, 9, {}, 3);
  ASSERT_EQ(one.modes.size(), three.modes.size());
  EXPECT_EQ(one.evaluations, three.evaluations);
  for (std::size_t k = 0; k < one.modes.size(); ++k) {
    EXPECT_EQ(one.modes[k].z, three.modes[k].z);
    EXPECT_EQ(one.modes[k].root, three.modes[k].root);
  }
}

TEST(Scout, StopsWhenAsked) {
  const Problem p = problems::many_well(4);
  std::stop_source stop;
  stop.request_stop();
  const Executor executor(1);
  EXPECT_THROW(scout(*p.model, {}, {Streams({.seed = 1}), executor, stop.get_token()}), RunError);
}

TEST(Scout, UnseenIsAPoissonBound) {
  Scouted s{.modes = {{.hits = 1}, {.hits = 1}, {.hits = 5}}, .starts = 100};
  EXPECT_EQ(s.seen_once(), 2U);
  EXPECT_NEAR(s.unseen(), 0.0630, 1e-4);  // of a count of 2: 6.296
  s.modes = {{.hits = 100}};
  EXPECT_NEAR(s.unseen(), 0.02996, 1e-5);  // of 0: -log 0.05
}

TEST(Scout, LooksForPossibleStartsWhereMostAreNot) {
  const Problem problem = problems::possible_square(1e-4);
  EXPECT_TRUE(modes_of(*problem.model, 1).modes.empty());
  const ScoutOptions far{.most_draws = 1'000'000};
  const Scouted found = modes_of(*problem.model, 1, far);
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_GE(found.starts, 40U);
  EXPECT_LT(found.evaluations, 600'000U);  // not all of the draws
  EXPECT_NEAR(found.possible, 1e-4, 0.6e-4);
  const std::vector<double> theta = theta_of(*problem.model, found.modes.front());
  EXPECT_NEAR(theta[0], 0.305, 1e-3);
  EXPECT_NEAR(theta[1], 0.205, 1e-3);
  EXPECT_EQ(modes_of(*problem.model, 1, far, 3).modes.front().z, found.modes.front().z);
}

TEST(Scout, NoFurtherDrawsWhereMostStartsArePossible) {
  const Problem problem = problems::possible_square(0.6, 0.1, 0.1);
  EXPECT_EQ(modes_of(*problem.model, 1, {.most_draws = 1'000'000}).evaluations,
            modes_of(*problem.model, 1).evaluations);
}

}  // namespace
}  // namespace evident
