#include "model/prior_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using Density = std::function<double(std::span<const double>)>;

/// Draws from the parameters' priors, with a density of one's own.
class OwnPrior final : public Model {
 public:
  explicit OwnPrior(ParameterSpace space, Density density = {})
      : space_(std::move(space)), density_(std::move(density)) {}
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::fill_n(out.begin(), theta.size(), 0.0);
  }
  void log_prior(ConstBlock theta, std::span<double> out) const override {
    if (!density_) return space_.log_density(theta, out);
    std::vector<double> one(space_.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      for (std::size_t j = 0; j < one.size(); ++j) one[j] = theta(j, i);
      out[i] = density_(one);
    }
  }

 private:
  ParameterSpace space_;
  Density density_;
};

PriorCheck check(const Model& model, std::uint64_t seed = 1) {
  const Executor executor(1);
  return check_prior(model, {Streams({.seed = seed}), executor});
}

double log_normal(double x, double sd) { return -0.5 * (kLog2Pi + x * x / (sd * sd)) - std::log(sd); }

TEST(PriorCheck, PriorsOfAllShapesAgree) {
  ParameterSpace space;
  space.add("a", normal(3, 100)).add("b", half_cauchy(2)).add("c", uniform(-1, 1)).add("d", cauchy(0, 1));
  space.add("e", gamma_rate(0.5, 2)).add("f", beta(0.5, 3)).add("g", uniform("c", 2)).add_simplex("w", {1, 2, 0.5});
  const PriorCheck c = check(OwnPrior(space));
  EXPECT_TRUE(c.agrees());
  EXPECT_TRUE(c.mass_tested);
  EXPECT_NEAR(c.log_mass.value, 0, 4 * c.log_mass.standard_error + 0.01);
  EXPECT_EQ(c.coordinates.size(), space.free_size());
}

TEST(PriorCheck, CorrelatedPriorsAgree) {
  ParameterSpace space;
  space.add_multivariate_normal("x", {0, 1, 2}, {1, 0.95, 0.9, 0.95, 1, 0.95, 0.9, 0.95, 1});
  const PriorCheck c = check(OwnPrior(space));
  EXPECT_TRUE(c.agrees());
  EXPECT_TRUE(c.mass_tested);
}

TEST(PriorCheck, FewFalseAlarms) {
  ParameterSpace space;
  space.add("a", normal(0, 1)).add("b", half_normal(2)).add("c", uniform(0, 1));
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) alarms += check(OwnPrior(space), seed).agrees() ? 0 : 1;
  EXPECT_LE(alarms, 1);
}

TEST(PriorCheck, AMissingConstantIsFound) {
  ParameterSpace space;
  space.add("a", normal(0, 1)).add("b", normal(0, 2));
  const OwnPrior model(space, [](std::span<const double> t) { return log_normal(t[0], 1) - 0.5 * t[1] * t[1] / 4; });
  const PriorCheck c = check(model);
  EXPECT_FALSE(c.mass_agrees);
  EXPECT_NEAR(c.log_mass.value, std::log(2 * std::sqrt(2 * std::acos(-1.0))), 5 * c.log_mass.standard_error);
  for (const CoordinateCheck& p : c.coordinates) EXPECT_TRUE(p.agrees) << p.name;  // the shapes are right
}

TEST(PriorCheck, AWrongShapeIsNamed) {
  ParameterSpace space;
  space.add("a", normal(0, 1)).add("b", normal(0, 2)).add("c", uniform(0, 1));
  // The variance where the standard deviation should be: 4 for 2.
  const OwnPrior model(space, [](std::span<const double> t) { return log_normal(t[0], 1) + log_normal(t[1], 4); });
  const PriorCheck c = check(model);
  EXPECT_TRUE(c.mass_agrees);  // it is a density, but another one
  EXPECT_TRUE(c.coordinates[0].agrees);
  EXPECT_FALSE(c.coordinates[1].agrees);
  EXPECT_EQ(c.coordinates[1].name, "b");
  EXPECT_TRUE(c.coordinates[2].agrees);
}

TEST(PriorCheck, AConstantThatDependsOnAParameterIsNamed) {
  ParameterSpace space;
  space.add("low", uniform(0, 0.9)).add("x", uniform("low", 1));
  // The density of x should be 1 / (1 - low).
  const OwnPrior model(space,
                       [](std::span<const double> t) { return t[1] > t[0] && t[1] < 1 ? -std::log(0.9) : -kInf; });
  const PriorCheck c = check(model);
  EXPECT_FALSE(c.mass_agrees);
  EXPECT_FALSE(c.coordinates[0].agrees);
  EXPECT_TRUE(c.coordinates[1].agrees);
}

TEST(PriorCheck, DrawsOutsideAreCounted) {
  ParameterSpace space;
  space.add("x", uniform(0, 1));
  const OwnPrior model(space, [](std::span<const double> t) { return t[0] < 0.5 ? std::log(2) : -kInf; });
  const PriorCheck c = check(model);
  EXPECT_FALSE(c.agrees());
  EXPECT_NEAR(static_cast<double>(c.outside), 2048, 5 * 32);
}

}  // namespace
}  // namespace evident
