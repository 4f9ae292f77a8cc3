// Batch forms against the scalar form: every family, every SIMD target, every length of the rest, hostile values.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "hwy/highway.h"

namespace evident {
namespace {

const std::vector<const char*> kTexts = {"normal(0, 1)",
                                         "normal(-300, 1e-3)",
                                         "half-normal(2)",
                                         "lognormal(0, 1)",
                                         "lognormal(-5, 0.01)",
                                         "student-t(4, 0, 1)",
                                         "half-student-t(3, 2)",
                                         "cauchy(0, 1)",
                                         "half-cauchy(25)",
                                         "laplace(1, 0.5)",
                                         "logistic(-1, 2)",
                                         "uniform(-3, 5)",
                                         "log-uniform(1e-6, 1e3)",
                                         "beta(2, 3)",
                                         "beta(1, 0.1)",
                                         "beta(0.5, 1)",
                                         "beta(1, 1)",
                                         "gamma(shape=2, rate=1)",
                                         "gamma(shape=0.1, scale=10)",
                                         "gamma(shape=1, rate=3)",
                                         "inverse-gamma(2, 1)",
                                         "exponential(3)",
                                         "weibull(2, 3)",
                                         "truncated-normal(0, 1, -1, 2)",
                                         "truncated-normal(0, 1, 50, inf)",
                                         "truncated-normal(3, 0.1, -inf, -10)",
                                         "bernoulli(0.3)",
                                         "binomial(20, 0.3)",
                                         "poisson(3.5)",
                                         "negative-binomial(3, 2)"};

/// Draws, then values on and around all bounds, then values that make no sense.
std::vector<double> points(const Distribution& d) {
  Stream stream = Streams({.seed = 99}).at({});
  std::vector<double> x;
  for (int i = 0; i < 50; ++i) x.push_back(d.draw(stream));
  const Support s = d.support();
  for (const double bound : {s.lower, s.upper, 0.0, 1.0}) {
    x.insert(x.end(), {bound, std::nextafter(bound, -kInf), std::nextafter(bound, kInf)});
  }
  for (const double v : {kNaN, kInf, -kInf, -0.0, 5e-324, 1e-310, -5e-324, 1e-300, 1e-17, 1e-8, 0.5, 2.0, 1e3, 1e9,
                         1e300, -1e300, std::numeric_limits<double>::max(), std::numeric_limits<double>::min()}) {
    x.push_back(v);
  }
  return x;
}

/// Equal up to rounding: relative to the value and, near a zero of it, to one.
void expect_same(double batch, double scalar, const std::string& where) {
  if (std::isinf(scalar)) {
    EXPECT_EQ(batch, scalar) << where;
  } else {
    EXPECT_NEAR(batch, scalar, 1e-13 * std::max(1.0, std::abs(scalar))) << where;
  }
}

class Batch : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().DeInit();
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
};

TEST_P(Batch, EqualsScalar) {
  for (const char* text : kTexts) {
    const Distribution d = parse_distribution(text);
    const std::vector<double> x = points(d);
    std::vector<double> out(x.size(), 0.25);
    d.add_log_density(x, out);
    for (std::size_t i = 0; i < x.size(); ++i) {
      expect_same(out[i] - 0.25, d.log_density(x[i]), std::string(text) + " at " + std::to_string(x[i]));
    }
  }
}

TEST_P(Batch, GivesTheSameBitsAtAnyPlaceAndLengthAndWritesNoFurther) {
  for (const char* text : kTexts) {
    const Distribution d = parse_distribution(text);
    const std::vector<double> x = points(d);
    std::vector<double> whole(x.size(), 0.0);
    d.add_log_density(x, whole);
    for (std::size_t length = 1; length <= 17; ++length) {
      for (std::size_t first = 0; first + length <= x.size(); first += 5) {
        std::vector<double> out(length + 1, 0.0);
        out[length] = 42;
        d.add_log_density({x.data() + first, length}, {out.data(), length});
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]), std::bit_cast<std::uint64_t>(whole[first + i])) << text;
        }
        ASSERT_EQ(out[length], 42) << text;
      }
    }
  }
}

TEST_P(Batch, ArgumentsMayVaryFromParticleToParticle) {
  for (const char* text : kTexts) {
    const Distribution d = parse_distribution(text);
    const std::vector<double> x = points(d);
    const std::size_t count = d.arguments().size();
    for (std::size_t varying = 0; varying < count; ++varying) {
      // The varying argument passes through its own value, others near it, and impossible ones.
      std::vector<double> values(x.size());
      const double own = d.arguments()[varying].value;
      const std::vector<double> choices = {own, own * 1.25, own + 1, -own, kNaN, -kInf, 0.0};
      for (std::size_t i = 0; i < x.size(); ++i) values[i] = choices[i % choices.size()];
      std::vector<double> constants(count);
      std::vector<ArgumentValues> views(count);
      for (std::size_t k = 0; k < count; ++k) {
        constants[k] = d.arguments()[k].value;
        views[k] = k == varying ? ArgumentValues{values.data(), true} : ArgumentValues{&constants[k], false};
      }
      std::vector<double> out(x.size(), 0.0);
      d.family().add_log_density(x, views, out);
      for (std::size_t i = 0; i < x.size(); ++i) {
        constants[varying] = values[i];
        const std::string where = std::string(text) + " at " + std::to_string(x[i]);
        expect_same(out[i], d.family().log_density(x[i], constants.data()), where);
        EXPECT_FALSE(std::isnan(out[i])) << where;
        constants[varying] = own;
      }
      // A shorter span gives the same bits and touches nothing behind it.
      for (std::size_t length = 1; length <= 17; ++length) {
        const std::size_t first = x.size() - length;
        views[varying].data = values.data() + first;
        std::vector<double> part(length + 1, 0.0);
        d.family().add_log_density({x.data() + first, length}, views, {part.data(), length});
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(std::bit_cast<std::uint64_t>(part[i]), std::bit_cast<std::uint64_t>(out[first + i])) << text;
        }
        ASSERT_EQ(part[length], 0) << text;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Batch, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

TEST(BatchArguments, InvalidConstantsMakeAllImpossible) {
  const double args[] = {0.0, -1.0};
  const std::vector<ArgumentValues> views = {{&args[0], false}, {&args[1], false}};
  const std::vector<double> x = {-1, 0, 1};
  std::vector<double> out(3, 0.0);
  family("normal").add_log_density(x, views, out);
  for (const double value : out) EXPECT_EQ(value, -kInf);
}

}  // namespace
}  // namespace evident
