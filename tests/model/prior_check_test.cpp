#include "model/prior_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using Density = std::function<double(std::span<const double>)>;

/// Draws from the parameters' priors, with a density of one's own; without one, theirs but for the last digits.
class OwnPrior final : public Model {
 public:
  explicit OwnPrior(ParameterSpace space, Density density = {})
      : space_(std::move(space)), density_(std::move(density)) {}
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::fill_n(out.begin(), theta.size(), 0.0);
  }
  void log_prior(ConstBlock theta, std::span<double> out) const override {
    space_.log_density(theta, out);
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] += 1e-12;
    if (!density_) return;
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
  EXPECT_FALSE(c.mass_tested);  // with other draws than its own, its integral cannot be told
  EXPECT_TRUE(c.coordinates.at(0).agrees);
  EXPECT_FALSE(c.coordinates.at(1).agrees);
  EXPECT_EQ(c.coordinates.at(1).name, "b");
  EXPECT_TRUE(c.coordinates.at(2).agrees);
}

TEST(PriorCheck, AConstantThatDependsOnAParameterIsNamed) {
  ParameterSpace space;
  space.add("low", uniform(0, 0.9)).add("x", uniform("low", 1));
  // The density of x should be 1 / (1 - low).
  const OwnPrior model(space,
                       [](std::span<const double> t) { return t[1] > t[0] && t[1] < 1 ? -std::log(0.9) : -kInf; });
  const PriorCheck c = check(model);
  EXPECT_FALSE(c.agrees());
  EXPECT_FALSE(c.coordinates.at(0).agrees);
  EXPECT_TRUE(c.coordinates.at(1).agrees);
}

/// As a program would that evident knows nothing of.
class OwnFamily final : public Family {
 public:
  std::string_view name() const override { return "own"; }
  std::span<const std::string_view> arguments() const override { return {}; }
  bool valid(const double*) const override { return true; }
  std::string requirement() const override { return ""; }
  Support support(const double*) const override { return {-kInf, kInf}; }
  double log_density(double x, const double*) const override { return log_normal(x, 1) + std::log(2.0); }
  double draw(Stream& stream, const double*) const override { return stream.normal(); }
  double d_log_density(double x, const double*) const override { return -x; }
  void add_log_density(std::span<const double> x, std::span<const ArgumentValues>,
                       std::span<double> out) const override {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] += log_density(x[i], nullptr);
  }
};

std::shared_ptr<const Model> with_priors_of(ParameterSpace space) {
  return lift(std::move(space), [](std::span<const double>) { return 0.0; });
}

TEST(PriorCheck, BuiltInPriorsAreNotAsked) {
  ParameterSpace space;
  space.add("a", cauchy(0, 1)).add("b", student_t(1.5, "a", 2)).add_simplex("w", {1, 2, 0.5});
  const PriorCheck c = check(*with_priors_of(space));
  EXPECT_TRUE(c.built_in);
  EXPECT_TRUE(c.agrees());
  EXPECT_FALSE(c.mass_tested);
  EXPECT_TRUE(c.coordinates.empty());
}

TEST(PriorCheck, DrawsOfBuiltInPriorsOutsideAreCounted) {
  ParameterSpace space;
  space.add("upper", uniform(0, 1)).add("x", uniform(0.5, "upper"));  // the bounds cross in half of the draws
  const PriorCheck c = check(*with_priors_of(space));
  EXPECT_TRUE(c.built_in);
  EXPECT_NEAR(static_cast<double>(c.outside), 2048, 5 * 32);
}

/// How many numbers a density was asked for.
class Counted final : public Model {
 public:
  explicit Counted(std::size_t d) {
    for (std::size_t j = 0; j < d; ++j) space_.add("x" + std::to_string(j), normal(0, 1));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock, std::span<double> out) const override { std::ranges::fill(out, 0.0); }
  void log_prior(ConstBlock theta, std::span<double> out) const override {
    asked += static_cast<double>(theta.size()) * static_cast<double>(theta.rows());
    std::fill_n(out.begin(), theta.size(), 1e-12);
  }
  mutable double asked = 0;

 private:
  ParameterSpace space_;
};

TEST(PriorCheck, CostDoesNotGrowWithTheSquareOfTheCoordinates) {
  const Counted some(400), many(800);
  const PriorCheck few = check(some), c = check(many);
  EXPECT_LT(many.asked, 2.5 * some.asked);
  EXPECT_EQ(few.coordinates.size(), 25U);
  ASSERT_EQ(c.coordinates.size(), 12U);
  EXPECT_EQ(c.coordinates.front().name, "x0");
  EXPECT_EQ(c.coordinates.back().name, "x799");
}

TEST(PriorCheck, AFamilyOfOnesOwnIsAsked) {
  const OwnFamily own;
  ParameterSpace space;
  space.add("x", Distribution(own, {}));
  const PriorCheck c = check(*with_priors_of(space));
  EXPECT_FALSE(c.built_in);
  EXPECT_FALSE(c.mass_agrees);
  EXPECT_NEAR(c.log_mass.value, std::log(2.0), 5 * c.log_mass.standard_error);
}

TEST(PriorCheck, DrawsOfOnesOwnAreAsked) {
  class OwnDraws final : public Model {
   public:
    OwnDraws() { space_.add("x", normal(0, 1)); }
    const ParameterSpace& parameters() const override { return space_; }
    void log_likelihood(ConstBlock, std::span<double> out) const override { std::ranges::fill(out, 0.0); }
    void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const override {
      space_.draw(streams, first, theta);
      for (double& x : theta.row(0)) x *= 1.5;
    }

   private:
    ParameterSpace space_;
  };
  const PriorCheck c = check(OwnDraws());
  EXPECT_FALSE(c.built_in);
  EXPECT_FALSE(c.coordinates.at(0).agrees);
}

TEST(PriorCheck, ADensityThatDiffersFarOutIsNotBuiltIn) {
  ParameterSpace space;
  space.add("x", normal(0, 1));  // no draw is beyond 7
  const OwnPrior far(space, [](std::span<const double> t) {
    return std::abs(t[0]) < 7 ? normal(0, 1).log_density(t[0]) : std::log(0.1) - std::abs(t[0]);
  });
  EXPECT_FALSE(check(far).built_in);
}

// Heavy tails must not fool the test: 20 checks of each, none of which may raise an alarm (0.1 are expected).
TEST(PriorCheck, HeavyTailsRaiseNoAlarm) {
  for (const Distribution& d :
       {cauchy(0, 1), student_t(1.5, 3, 2), half_cauchy(1), lognormal(0, 3), inverse_gamma(0.5, 1)}) {
    ParameterSpace space;
    space.add("x", d, Scale::automatic);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const PriorCheck c = check(OwnPrior(space), seed);
      EXPECT_TRUE(c.agrees()) << d.text() << " " << seed;
      EXPECT_TRUE(c.mass_tested) << d.text() << " " << seed;
    }
  }
}

TEST(PriorCheck, SmallFactorsAndOtherScalesOfHeavyTailsAreFound) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ParameterSpace space;
    for (const char* name : {"a", "b", "c"}) space.add(name, cauchy(0, 1));
    const auto density = [](double scale, double factor) {
      return [scale, factor](std::span<const double> t) {
        double sum = std::log(factor);
        for (const double x : t) sum += cauchy(0, scale).log_density(x);
        return sum;
      };
    };
    const PriorCheck off = check(OwnPrior(space, density(1, 1.1)), seed);
    EXPECT_FALSE(off.mass_agrees) << seed;
    EXPECT_NEAR(off.log_mass.value, std::log(1.1), 5 * off.log_mass.standard_error);
    EXPECT_FALSE(check(OwnPrior(space, density(2, 1)), seed).agrees()) << seed;
    EXPECT_TRUE(check(OwnPrior(space, density(1, 1)), seed).agrees()) << seed;
  }
}

// Given mu, x is within a ten-thousandth of where it could be.
TEST(PriorCheck, NarrowPlacesRaiseNoAlarm) {
  ParameterSpace space;
  space.add("mu", normal(0, 10)).add("x", normal("mu", 0.001));
  const PriorCheck c = check(OwnPrior(space));
  EXPECT_TRUE(c.agrees());
  EXPECT_TRUE(c.mass_tested);
}

TEST(PriorCheck, DrawsOutsideAreCounted) {
  ParameterSpace space;
  space.add("x", uniform(0, 1));
  const OwnPrior model(space, [](std::span<const double> t) { return t[0] < 0.5 ? std::log(2) : -kInf; });
  const PriorCheck c = check(model);
  EXPECT_FALSE(c.agrees());
  EXPECT_NEAR(static_cast<double>(c.outside), 8192, 5 * 64);
}

}  // namespace
}  // namespace evident
