// Log densities against Boost.Math with fifty digits, over wide grids; derivatives against differences.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "dist/reference.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_50;

/// A distribution, the points to look at, and the size of the largest terms in the formula (rounding scales with it).
struct Case {
  std::string text;
  std::vector<double> points;
  double term_size = 1;
};

const std::vector<double> kLine = {-1e8, -1000, -37, -4, -1, -1e-3, 0, 1e-12, 0.3, 2, 11.5, 64, 1e5, 1e12};
const std::vector<double> kPositive = {1e-300, 1e-30, 1e-8, 0.01, 0.3, 1, 1.0000001, 2.5, 17, 400, 1e4};
const std::vector<double> kUnit = {1e-300, 1e-20, 1e-5, 0.1, 0.5, 0.9, 0.999999, 1 - 1e-16};
const std::vector<double> kCounts = {0, 1, 2, 3, 7, 20, 100, 1000};

std::vector<Case> cases() {
  return {
      {"normal(0, 1)", kLine},
      {"normal(-3, 1e-3)", kLine},
      {"normal(1e6, 1e9)", kLine},
      {"half-normal(2)", kPositive},
      {"half-normal(1e-5)", {1e-300, 1e-6, 1e-5, 1e-3}},
      {"lognormal(0, 1)", kPositive},
      {"lognormal(-5, 0.1)", kPositive},
      {"lognormal(300, 20)", kPositive},
      {"student-t(4, 0, 1)", kLine},
      {"student-t(0.5, 1, 3)", kLine},
      {"student-t(1e3, 0, 0.1)", kLine},
      {"student-t(1e9, 0, 1)", {-4, -1, 0, 0.3, 2, 11.5}},
      {"half-student-t(3, 2)", kPositive},
      {"half-student-t(0.1, 1e-3)", kPositive},
      {"cauchy(0, 1)", kLine},
      {"cauchy(5, 1e-6)", kLine},
      {"half-cauchy(25)", kPositive},
      {"laplace(1, 0.5)", kLine},
      {"logistic(-1, 2)", kLine},
      {"logistic(0, 1e4)", kLine},
      {"uniform(-3, 5)", {-3, -1, 0, 1, 4.9, 5}},
      {"uniform(1e-9, 1.1e-9)", {1.05e-9}},
      {"log-uniform(1e-6, 1e3)", {1e-6, 1e-3, 1, 1e3}},
      {"log-uniform(1e-300, 1e300)", {1e-300, 1e-30, 1, 1e300}},
      {"beta(1, 1)", kUnit},
      {"beta(2, 3)", kUnit},
      {"beta(0.01, 0.02)", kUnit},
      {"beta(1e-3, 500)", kUnit},
      {"beta(1e5, 2e5)", {0.01, 0.3, 1.0 / 3, 0.9}, 1e6},
      {"gamma(shape=2, rate=1)", kPositive},
      {"gamma(shape=0.1, rate=0.1)", kPositive},
      {"gamma(shape=0.1, scale=0.1)", kPositive},
      {"gamma(shape=1, rate=3)", kPositive},
      {"gamma(shape=1e-3, scale=1e6)", kPositive},
      {"gamma(shape=1e4, scale=1e-2)", {1, 50, 99, 100, 101, 200}, 1e5},
      {"inverse-gamma(2, 1)", {0.003, 0.1, 1, 30, 1e8}},
      {"inverse-gamma(0.01, 0.01)", {1e-4, 0.1, 1, 30, 1e8}},
      {"exponential(1)", kPositive},
      {"exponential(1e-4)", kPositive},
      {"weibull(1, 2)", {1e-300, 0.1, 1, 20}},
      {"weibull(0.3, 5)", kPositive},
      {"weibull(4, 5)", {1e-30, 0.1, 1, 5, 20}},
      {"truncated-normal(0, 1, -1, 2)", {-1, -0.5, 0, 1.9, 2}},
      {"truncated-normal(0, 1, -1e-9, 2e-9)", {-1e-9, 0, 1e-9}},
      {"truncated-normal(0, 1, 5, 6)", {5, 5.1, 6}},
      {"truncated-normal(0, 1, 5, 5.0001)", {5, 5.00005, 5.0001}},
      {"truncated-normal(1e4, 1, 0, 1e-12)", {0, 5e-13, 1e-12}},
      {"truncated-normal(0, 1, 30, 40)", {30, 30.1, 33, 40}},
      {"truncated-normal(2, 0.5, -60, -50)", {-60, -50.5, -50}},
      {"truncated-normal(0, 1, 1000, 1000.5)", {1000, 1000.001, 1000.5}},
      {"truncated-normal(-3, 2, 0, 1e9)", {0, 1, 10, 100}},
      {"bernoulli(0.3)", {0, 1}},
      {"bernoulli(1e-10)", {0, 1}},
      {"binomial(20, 0.3)", {0, 1, 5, 6, 19, 20}},
      {"binomial(1000, 1e-4)", {0, 1, 5, 999, 1000}},
      {"binomial(1e6, 0.7)", {0, 1, 699999, 7e5, 710000, 1e6}},
      {"poisson(0.01)", kCounts},
      {"poisson(3.5)", kCounts},
      {"poisson(1e6)", {0, 1, 990000, 1e6, 1001000, 2e6}},
      {"negative-binomial(3, 2)", kCounts},
      {"negative-binomial(100, 0.1)", kCounts},
      {"negative-binomial(0.5, 1e4)", kCounts},
      {"negative-binomial(1e4, 1e3)", {0, 1, 9000, 10000, 20000}},
  };
}

double exact_log_density(const Distribution& d, double x) {
  return static_cast<double>(log(reference::pdf<Wide>(d, Wide(x))));
}

TEST(Density, AgreesWithBoost) {
  std::map<std::string, int> seen;
  for (const Case& c : cases()) {
    const Distribution d = parse_distribution(c.text);
    for (const double x : c.points) {
      double exact = 0;
      ASSERT_NO_THROW(exact = exact_log_density(d, x)) << c.text << " at " << x;
      // A density below every number of the wide type has no logarithm to compare with.
      if (std::isinf(exact)) continue;
      const double tolerance = 2e-14 * c.term_size + 3e-14 * std::abs(exact) + 1e-14;
      EXPECT_NEAR(d.log_density(x), exact, tolerance) << c.text << " at " << x;
      ++seen[std::string(d.family().name()) + std::string(d.family().arguments().back())];
    }
  }
  EXPECT_EQ(seen.size(), families().size());
  for (const auto& [name, count] : seen) EXPECT_GE(count, 4) << name;
}

TEST(Density, IsMinusInfinityOutsideTheSupport) {
  for (const Case& c : cases()) {
    const Distribution d = parse_distribution(c.text);
    const Support s = d.support();
    std::vector<double> outside = {kNaN, kInf, -kInf};
    if (std::isfinite(s.lower))
      outside.insert(outside.end(), {std::nextafter(s.lower, -kInf), s.lower - 1 - std::abs(s.lower)});
    if (std::isfinite(s.upper)) outside.insert(outside.end(), {std::nextafter(s.upper, kInf), s.upper + 1e6 + s.upper});
    if (s.discrete) outside.insert(outside.end(), {0.5, 2.000001, -1});
    for (const double x : outside) EXPECT_EQ(d.log_density(x), -kInf) << c.text << " at " << x;
  }
}

TEST(Density, AtABoundIsTheLimitOrMinusInfinityNeverPlusInfinity) {
  EXPECT_DOUBLE_EQ(exponential(3).log_density(0), std::log(3));
  EXPECT_DOUBLE_EQ(gamma_rate(1, 3).log_density(0), std::log(3));
  EXPECT_EQ(gamma_rate(2, 3).log_density(0), -kInf);
  EXPECT_EQ(gamma_rate(0.5, 3).log_density(0), -kInf);
  EXPECT_DOUBLE_EQ(beta(1, 4).log_density(0), std::log(4));
  EXPECT_DOUBLE_EQ(beta(4, 1).log_density(1), std::log(4));
  EXPECT_EQ(beta(0.5, 0.5).log_density(0), -kInf);
  EXPECT_EQ(beta(0.5, 0.5).log_density(1), -kInf);
  EXPECT_NEAR(weibull(1, 2).log_density(0), -std::log(2), 1e-15);
  EXPECT_EQ(weibull(0.5, 2).log_density(0), -kInf);
  EXPECT_NEAR(half_normal(1).log_density(0), std::log(2) - 0.5 * kLog2Pi, 1e-15);
}

TEST(Density, InvalidArgumentsGiveMinusInfinityAndNaNDraws) {
  for (const Family* family : families()) {
    const std::size_t count = family->arguments().size();
    for (std::size_t k = 0; k < count; ++k) {
      for (const double bad : {kNaN, -kInf}) {
        if (family->name() == "truncated-normal" && k == 2 && bad == -kInf) continue;
        std::vector<double> args(count, 0.5);
        args[k] = bad;
        EXPECT_FALSE(family->valid(args.data())) << family->name();
        EXPECT_EQ(family->log_density(1, args.data()), -kInf) << family->name();
        EXPECT_TRUE(std::isnan(family->d_log_density(1, args.data()))) << family->name();
        Stream stream = Streams({.seed = 1}).at({});
        EXPECT_TRUE(std::isnan(family->draw(stream, args.data()))) << family->name();
      }
    }
    EXPECT_FALSE(family->requirement().empty());
  }
}

/// Every combination of `count` entries of `choices`.
std::vector<std::vector<double>> combinations(const std::vector<double>& choices, std::size_t count) {
  std::vector<std::vector<double>> out = {{}};
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::vector<double>> longer;
    for (const auto& head : out) {
      for (const double value : choices) {
        longer.push_back(head);
        longer.back().push_back(value);
      }
    }
    out = std::move(longer);
  }
  return out;
}

TEST(Density, IsNeverNaNOrPlusInfinityNorAreDrawsInfinite) {
  const double tiny = std::numeric_limits<double>::min(), huge = std::numeric_limits<double>::max();
  const std::vector<double> choices = {-huge, -1e150, -1,  0,     tiny,  1e-160, 1e-9, 0.5,
                                       1,     3,      1e9, 1e160, 1e300, huge,   kInf, -kInf};
  const std::vector<double> points = {-huge, -1e160, -2, 0, 5e-324, tiny, 1e-160, 1e-9, 0.3, 1, 2, 7, 1e9, 1e160, huge};
  Stream stream = Streams({.seed = 41}).at({});
  for (const Family* family : families()) {
    int valid = 0;
    for (const std::vector<double>& args : combinations(choices, family->arguments().size())) {
      if (!family->valid(args.data())) continue;
      ++valid;
      const auto where = [&] { return std::string(family->name()) + testing::PrintToString(args); };
      std::vector<double> batch(points.size(), 0.0);
      std::vector<ArgumentValues> views;
      for (const double& value : args) views.push_back({&value, false});
      family->add_log_density(points, views, batch);
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_LT(family->log_density(points[i], args.data()), kInf) << where() << " at " << points[i];
        EXPECT_LT(batch[i], kInf) << where() << " at " << points[i];
      }
      EXPECT_TRUE(std::isfinite(family->draw(stream, args.data()))) << where();
    }
    EXPECT_GE(valid, 3) << family->name();
  }
}

TEST(Density, SureEventsOfDiscreteFamilies) {
  EXPECT_EQ(bernoulli(0).log_density(0), 0);
  EXPECT_EQ(bernoulli(1).log_density(0), -kInf);
  EXPECT_EQ(binomial(7, 0).log_density(0), 0);
  EXPECT_EQ(binomial(7, 1).log_density(7), 0);
  EXPECT_EQ(binomial(7, 1).log_density(6), -kInf);
  EXPECT_EQ(binomial(0, 0.5).log_density(0), 0);
  EXPECT_EQ(poisson(0).log_density(0), 0);
  EXPECT_EQ(poisson(0).log_density(1), -kInf);
  EXPECT_EQ(negative_binomial(0, 2).log_density(0), 0);
  EXPECT_EQ(negative_binomial(0, 2).log_density(3), -kInf);
  // A huge size leaves the Poisson mass.
  EXPECT_NEAR(negative_binomial(4, 1e200).log_density(6), poisson(4).log_density(6), 1e-13);
  EXPECT_NEAR(negative_binomial(4, 1e13).log_density(6), poisson(4).log_density(6), 1e-12);
}

TEST(Density, FarTruncationKeepsItsDigits) {
  // Far out the restricted normal is exponential with rate z; the error of that is of order 1/z^2.
  const double z = 1e9;
  const Distribution d = truncated_normal(0, 1, z, kInf);
  EXPECT_NEAR(d.log_density(z), std::log(z), 1e-12);
  EXPECT_NEAR(d.log_density(z + 2e-9 * 1024), std::log(z) - (z + 2e-9 * 1024 - z) * z, 1e-6);
}

TEST(Density, DerivativeAgreesWithDifferences) {
  std::map<const Family*, int> compared;
  for (const Case& c : cases()) {
    const Distribution d = parse_distribution(c.text);
    std::vector<double> args;
    for (const Argument& a : d.arguments()) args.push_back(a.value);
    const Support s = d.support();
    if (s.discrete) {
      EXPECT_TRUE(std::isnan(d.family().d_log_density(1, args.data()))) << c.text;
      continue;
    }
    EXPECT_TRUE(std::isnan(d.family().d_log_density(std::nextafter(s.lower, -kInf), args.data())) || s.lower == -kInf);
    for (const double x : c.points) {
      const double room = std::min(x - s.lower, s.upper - x);
      const double h = std::min(1e-5 * std::abs(x), 1e-3 * room);
      const double up = d.log_density(x + h), down = d.log_density(x - h);
      const double slope = d.family().d_log_density(x, args.data());
      // What rounding leaves of the difference; skip points where that is nothing.
      const double noise = 1e-15 * (std::abs(up) + std::abs(down) + c.term_size) / h;
      if (!(h > 1e-290) || h < 1e-9 * std::abs(x) || !(noise < 1e-3 * std::abs(slope) + 1e-6)) continue;
      const double step = (x + h) - (x - h);
      EXPECT_NEAR(slope, (up - down) / step, 1e-4 * std::abs(slope) + 4 * noise) << c.text << " at " << x;
      ++compared[&d.family()];
    }
  }
  for (const Family* family : families()) {
    const std::vector<double> half(family->arguments().size(), 0.5);
    if (family->support(half.data()).discrete) continue;
    EXPECT_GE(compared[family], 3) << family->name();
  }
}

}  // namespace
}  // namespace evident
