#include "evident/model/parameters.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "dist/multivariate.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// One of everything: line, half-line, shifted half-line, interval, bounds that are other parameters, simplex, vector.
ParameterSpace everything() {
  ParameterSpace s;
  s.add("line", normal(0, 2));
  s.add("rate", gamma_rate(2, 1));
  s.add("share", beta(2, 3));
  s.add("low", uniform(0, 1));
  s.add("high", uniform("low", 4));
  s.add("between", uniform("low", "high"));
  s.add("spread", normal("line", "rate"));
  s.add_simplex("weight", {1, 2, 3});
  s.add_multivariate_normal("v", {1, -1}, {2, 0.5, 0.5, 1});
  s.add("plain", uniform(-1, 1), Scale::identity);
  s.add("far", cauchy(3, 2), Scale::asinh);
  return s;
}

BlockStorage draws(const ParameterSpace& s, std::size_t n) {
  BlockStorage theta(s.size(), n);
  s.draw(Streams({.seed = 77}), 0, theta);
  return theta;
}

TEST(ParameterSpace, NamesAndSizes) {
  const ParameterSpace s = everything();
  EXPECT_EQ(s.size(), 14U);
  EXPECT_EQ(s.free_size(), 13U);
  EXPECT_EQ(s.names()[7], "weight[1]");
  EXPECT_EQ(s.index("between"), 5U);
  EXPECT_EQ(s.prior_text(1), "gamma(shape=2, rate=1)");
}

TEST(ParameterSpace, TheWayThereAndBackIsTheIdentity) {
  const ParameterSpace s = everything();
  const std::size_t n = 50;
  const BlockStorage theta = draws(s, n);
  BlockStorage z(s.free_size(), n), back(s.size(), n);
  std::vector<double> jacobian(n);
  s.unconstrain(theta, z);
  s.constrain(z, back, jacobian);
  for (std::size_t j = 0; j < s.size(); ++j)
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(back(j, i), theta(j, i), 1e-11 * (1 + std::abs(theta(j, i)))) << s.names()[j];
}

// The Jacobian of the free parameters against finite differences; for the simplex the first two weights are free.
TEST(ParameterSpace, LogJacobianIsThatOfTheMap) {
  const ParameterSpace s = everything();
  const BlockStorage theta = draws(s, 8);
  const std::size_t d = s.free_size();
  BlockStorage z(d, 8);
  s.unconstrain(theta, z);
  std::vector<std::size_t> rows;
  for (std::size_t j = 0; j < s.size(); ++j)
    if (s.names()[j] != "weight[3]") rows.push_back(j);
  for (std::size_t i = 0; i < 8; ++i) {
    Eigen::MatrixXd jacobian(d, d);
    BlockStorage point(d, 1), out(s.size(), 1), up(s.size(), 1), down(s.size(), 1);
    std::vector<double> log_jacobian(1), ignored(1);
    for (std::size_t j = 0; j < d; ++j) point(j, 0) = z(j, i);
    s.constrain(point, out, log_jacobian);
    for (std::size_t j = 0; j < d; ++j) {
      const double centre = point(j, 0), h = 1e-6;
      point(j, 0) = centre + h;
      s.constrain(point, up, ignored);
      point(j, 0) = centre - h;
      s.constrain(point, down, ignored);
      point(j, 0) = centre;
      for (std::size_t k = 0; k < d; ++k) jacobian(k, j) = (up(rows[k], 0) - down(rows[k], 0)) / (2 * h);
    }
    EXPECT_NEAR(std::log(std::abs(jacobian.determinant())), log_jacobian[0], 1e-6);
  }
}

TEST(ParameterSpace, PullBackIsTheChainRule) {
  const ParameterSpace s = everything();
  const std::size_t n = 6, d = s.free_size();
  const BlockStorage theta = draws(s, n);
  BlockStorage z(d, n), gradient(s.size(), n), got(d, n);
  s.unconstrain(theta, z);
  s.gradient(theta, gradient);
  s.pull_back(z, theta, gradient, got, true);
  const auto value = [&](const BlockStorage& at) {
    BlockStorage t(s.size(), 1);
    std::vector<double> jacobian(1), density(1);
    s.constrain(at, t, jacobian);
    s.log_density(t, density);
    return density[0] + jacobian[0];
  };
  for (std::size_t i = 0; i < n; ++i) {
    BlockStorage point(d, 1);
    for (std::size_t j = 0; j < d; ++j) point(j, 0) = z(j, i);
    for (std::size_t j = 0; j < d; ++j) {
      if (s.free_names()[j] == "plain") continue;  // its density jumps at the bounds
      const double centre = point(j, 0), h = 1e-5;
      point(j, 0) = centre + h;
      const double up = value(point);
      point(j, 0) = centre - h;
      const double down = value(point);
      point(j, 0) = centre;
      EXPECT_NEAR(got(j, i), (up - down) / (2 * h), 2e-5 * (1 + std::abs(got(j, i)))) << s.free_names()[j];
    }
  }
}

TEST(ParameterSpace, AsinhScaleForEveryTailAndSize) {
  ParameterSpace s;
  s.add("x", cauchy(-3, 0.5), Scale::asinh);
  for (std::size_t n = 1; n <= 17; ++n) {
    BlockStorage z(1, n), theta(1, n), back(1, n);
    std::vector<double> jacobian(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::pow(10.0, 0.35 * static_cast<double>(i) - 3);  // 0.001 to 400
      z(0, i) = i % 2 == 0 ? size : -size;
    }
    s.constrain(z, theta, jacobian);
    s.unconstrain(theta, back);
    for (std::size_t i = 0; i < n; ++i) {
      const double v = z(0, i), sinh = std::sinh(v), x = -3 + 0.5 * sinh;
      ASSERT_NEAR(theta(0, i), x, 4e-15 * (3 + std::abs(x))) << v;
      const double log_slope = std::log(0.5) + std::abs(v) + std::log1p(std::exp(-2 * std::abs(v))) - std::log(2.0);
      ASSERT_NEAR(jacobian[i], log_slope, 4e-15 * (1 + std::abs(log_slope))) << v;
      ASSERT_NEAR(back(0, i), v, 1e-14 * (3 + std::abs(v)));
    }
  }
}

/// What the parameter added last is where its coordinate is 1, less where it is 0.
double step_of(const ParameterSpace& s, const std::string& name) {
  BlockStorage z(s.free_size(), 2), theta(s.size(), 2);
  std::vector<double> jacobian(2);
  const std::size_t row = s.index(name);
  z(row, 1) = 1;
  s.constrain(z, theta, jacobian);
  return theta(row, 1) - theta(row, 0);
}

TEST(ParameterSpace, TailsWithoutAFourthMomentMoveOnTheAsinhScale) {
  const auto step = [](const Distribution& prior, Scale scale = Scale::automatic) {
    ParameterSpace s;
    s.add("a", normal(0, 1)).add("b", gamma_rate(2, 1)).add("x", prior, scale);
    return step_of(s, "x");
  };
  EXPECT_NEAR(step(cauchy(3, 2)), 2 * std::sinh(1.0), 1e-14);
  EXPECT_NEAR(step(student_t(4, 3, 2)), 2 * std::sinh(1.0), 1e-14);
  EXPECT_NEAR(step(student_t("b", 3, 2)), 2 * std::sinh(1.0), 1e-14);  // may be few degrees
  EXPECT_EQ(step(student_t(4.5, 3, 2)), 1);
  EXPECT_EQ(step(normal(3, 2)), 1);
  EXPECT_EQ(step(cauchy("a", 2)), 1);  // where it lies depends on another parameter
  EXPECT_EQ(step(cauchy(0, "b")), 1);
  EXPECT_EQ(step(cauchy(3, 2), Scale::identity), 1);
}

// Beyond the largest number the density is zero, and nothing is NaN.
TEST(ParameterSpace, AsinhScaleEndsInImpossible) {
  ParameterSpace s;
  s.add("x", cauchy(0, 1), Scale::asinh);
  BlockStorage z(1, 2), theta(1, 2);
  z(0, 0) = 800, z(0, 1) = -800;
  std::vector<double> jacobian(2), density(2);
  s.constrain(z, theta, jacobian);
  s.log_density(theta, density);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(std::isfinite(jacobian[i]));
    EXPECT_EQ(density[i], -kInf);
  }
}

TEST(ParameterSpace, DensityIsTheProductOfTheConditionals) {
  const ParameterSpace s = everything();
  const BlockStorage theta = draws(s, 3);
  std::vector<double> got(3);
  s.log_density(theta, got);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto t = [&](const char* name) { return theta(s.index(name), i); };
    double expected = normal(0, 2).log_density(t("line")) + gamma_rate(2, 1).log_density(t("rate")) +
                      beta(2, 3).log_density(t("share")) + 0.0 - std::log(4 - t("low")) -
                      std::log(t("high") - t("low")) + normal(t("line"), t("rate")).log_density(t("spread")) -
                      std::log(2.0);
    expected += Dirichlet({1, 2, 3}).log_density(std::vector<double>{t("weight[1]"), t("weight[2]"), t("weight[3]")});
    expected += MultivariateNormal({1, -1}, {2, 0.5, 0.5, 1}).log_density(std::vector<double>{t("v[1]"), t("v[2]")});
    expected += cauchy(3, 2).log_density(t("far"));
    EXPECT_NEAR(got[i], expected, 1e-11);
  }
}

TEST(ParameterSpace, OutsideTheSupportIsImpossible) {
  ParameterSpace s;
  s.add("low", uniform(0, 1)).add("high", uniform("low", 2));
  BlockStorage theta(2, 2);
  theta(0, 0) = 0.5, theta(1, 0) = 0.4;  // below its own lower bound
  theta(0, 1) = 0.5, theta(1, 1) = 0.6;
  std::vector<double> out(2);
  s.log_density(theta, out);
  EXPECT_EQ(out[0], -kInf);
  EXPECT_TRUE(std::isfinite(out[1]));
}

TEST(ParameterSpace, TinyAndBoundaryValuesStayFinite) {
  ParameterSpace s;
  s.add("tiny", gamma_rate(0.001, 1)).add("share", uniform(0, 1)).add("plus", uniform(1, 2));
  BlockStorage theta(3, 3), z(3, 3);
  theta(0, 0) = 1e-308, theta(1, 0) = 0.0, theta(2, 0) = 1.0;
  theta(0, 1) = 0.0, theta(1, 1) = 1.0, theta(2, 1) = 2.0;
  theta(0, 2) = 5.0, theta(1, 2) = 1e-300, theta(2, 2) = 1.5;
  s.unconstrain(theta, z);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(z(j, i))) << j << " " << i;
}

TEST(ParameterSpace, MistakesAreToldWithTheName) {
  const auto message = [](auto f) -> std::string {
    try {
      f();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  ParameterSpace s;
  s.add("alpha", normal(0, 1));
  EXPECT_NE(message([&] { s.add("alpha", normal(0, 1)); }).find("alpha"), std::string::npos);
  EXPECT_NE(message([&] { s.add("x", uniform("alhpa", 1)); }).find("did you mean 'alpha'"), std::string::npos);
  EXPECT_NE(message([&] { s.add("x", uniform("x", 1)); }).find("itself"), std::string::npos);
  EXPECT_NE(message([&] { s.add("count", poisson(3)); }).find("count"), std::string::npos);
  EXPECT_NE(message([&] { s.add("l", normal(0, 1), Scale::log); }).find("lower bound"), std::string::npos);
  for (const Distribution& d : {half_cauchy(1), cauchy("alpha", 1), laplace(0, "alpha")})
    EXPECT_NE(message([&] { s.add("a", d, Scale::asinh); }).find("asinh scale needs"), std::string::npos) << d.text();
  EXPECT_NE(message([&] { s.add("", normal(0, 1)); }).find("no name"), std::string::npos);
}

}  // namespace
}  // namespace evident
