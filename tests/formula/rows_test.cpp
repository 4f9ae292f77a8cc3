// Row by row: densities add up to one, draws have the density's mean, and so have predictions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"

namespace evident::formula {
namespace {

struct Case {
  std::string law;                    ///< with parameters p = 0.7, q = 1.3, r = 3.5
  double low, high;                   ///< where y lies, but for a share that does not matter
  bool whole = false;                 ///< y is a whole number
  bool below = false, above = false;  ///< the bound itself has a share (censored)
};

const std::vector<double> kTheta = {0.7, 1.3, 3.5};
const Lines kParameters = {{"p", "normal(0, 1)"}, {"q", "half-normal(2)"}, {"r", "half-normal(3)"}};

std::vector<Case> cases() {
  std::vector<Case> out = {{"normal(p, q)", -11, 13},
                           {"half-normal(q)", 0, 12},
                           {"gamma(shape=r, rate=q)", 0, 40},
                           {"mixture([0.3, 0.7], normal(-p, 0.5), normal(2, q))", -10, 14},
                           {"student-t(40, p, q)", -20, 21},
                           {"laplace(p, q)", 0.7 - 45, 0.7 + 45},
                           {"logistic(p, q)", -50, 51},
                           {"weibull(r, q)", 0, 8},
                           {"beta(r, q + 1)", 0, 1},
                           {"uniform(-q, r)", -1.3, 3.5},
                           {"log-uniform(p, r)", 0.7, 3.5},
                           {"inverse-gamma(r + 20, q)", 1e-3, 1},
                           {"lognormal(p, 0.3)", 0.1, 15},
                           {"exponential(q)", 0, 30},
                           {"half-student-t(40, q)", 0, 20},
                           {"poisson(r)", 0, 60, true},
                           {"poisson-log(p)", 0, 60, true},
                           {"binomial(12, 0.5 * p)", 0, 12, true},
                           {"binomial-logit(12, p)", 0, 12, true},
                           {"bernoulli(p)", 0, 1, true},
                           {"bernoulli-logit(p)", 0, 1, true},
                           {"negative-binomial(r, q)", 0, 200, true},
                           {"mixture([p, 1 - p], poisson(q), poisson(4 * r))", 0, 80, true}};
  for (const char* law :
       {"normal(p, q)", "student-t(r, p, q)", "cauchy(p, q)", "laplace(p, q)", "logistic(p, q)", "lognormal(p, q)",
        "half-normal(q)", "half-student-t(r, q)", "half-cauchy(q)", "exponential(q)", "weibull(r, q)",
        "gamma(shape=r, rate=q)", "gamma(shape=r, scale=q)", "inverse-gamma(r, q)"}) {
    out.push_back({"truncated(" + std::string(law) + ", 0.4, 2.5)", 0.4, 2.5});
    out.push_back({"censored(" + std::string(law) + ", 0.4, 2.5)", 0.4, 2.5, false, true, true});
  }
  for (const char* law : {"beta(r, q)", "uniform(-p, q)", "log-uniform(0.1 * p, q)"}) {
    out.push_back({"truncated(" + std::string(law) + ", 0.2, 0.9)", 0.2, 0.9});
    out.push_back({"censored(" + std::string(law) + ", 0.2, 0.9)", 0.2, 0.9, false, true, true});
  }
  for (const char* law :
       {"poisson(r)", "poisson-log(p)", "binomial(12, 0.5 * p)", "binomial-logit(12, -p)", "negative-binomial(r, q)"}) {
    out.push_back({"truncated(" + std::string(law) + ", 2, 5)", 2, 5, true});
    out.push_back({"censored(" + std::string(law) + ", 2, 5)", 2, 5, true});
  }
  // Bounds that hardly any draw meets, and one that lies outside of what the distribution gives at all.
  out.push_back({"truncated(normal(p, q), 11, 12)", 11, 12});
  out.push_back({"truncated(gamma(shape=r, rate=q), 25, 26)", 25, 26});
  out.push_back({"truncated(poisson(r), 30, 33)", 30, 33, true});
  out.push_back({"truncated(exponential(q), -3, 2)", 0, 2});
  out.push_back({"censored(exponential(q), lower=0.5)", 0.5, 30, false, true});
  out.push_back({"truncated(beta(r, q + 1), -1, 7)", 0, 1});
  return out;
}

/// The points at which y is looked at, and their weights in an integral.
struct Grid {
  std::vector<double> y, weight;
};

Grid grid(const Case& c) {
  Grid out;
  if (c.whole) {
    for (double k = c.low; k <= c.high; ++k) {
      out.y.push_back(k);
      out.weight.push_back(1);
    }
    return out;
  }
  constexpr int panels = 600;  // of three points by Gauss; ends are never touched
  const double width = (c.high - c.low) / panels;
  const double offset[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, share[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (int k = 0; k < panels; ++k)
    for (int j = 0; j < 3; ++j) {
      out.y.push_back(c.low + width * (k + 0.5 + 0.5 * offset[j]));
      out.weight.push_back(width * share[j]);
    }
  if (c.below) out.y.push_back(c.low), out.weight.push_back(1);
  if (c.above) out.y.push_back(c.high), out.weight.push_back(1);
  return out;
}

BlockStorage at(const std::vector<double>& theta, std::size_t particles) {
  BlockStorage out(theta.size(), particles);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(out.block().row_data(j), padded(particles), theta[j]);
  return out;
}

TEST(Rows, DensitiesAddUpToOneAndDrawsHaveTheirMean) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.law);
    const Grid points = grid(c);
    const auto model = make(numbers({{"y", points.y}}), {.parameters = kParameters, .likelihood = {{"y", c.law}}});
    ASSERT_TRUE(model->has_sequence());
    ASSERT_EQ(model->observation_count(), points.y.size());
    double total = 0, mean = 0, square = 0, sum_of_logs = 0;
    std::vector<double> one(1);
    for (std::size_t r = 0; r < points.y.size(); ++r) {
      model->log_likelihood_of(at(kTheta, 1), r, 1, one);
      const double p = points.weight[r] * std::exp(one[0]);
      sum_of_logs += one[0];
      total += p;
      mean += p * points.y[r];
      square += p * points.y[r] * points.y[r];
    }
    EXPECT_NEAR(total, 1, 2e-7);
    EXPECT_NEAR(log_likelihood(*model, kTheta), sum_of_logs, 1e-9 * std::abs(sum_of_logs));
    const std::vector<double> slopes = gradient(*model, kTheta), expected = differences(*model, kTheta);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(slopes[j], expected[j], 2e-6 * std::max(1.0, std::abs(sum_of_logs))) << j;

    const auto small = make(numbers({{"y", std::vector<double>(50, points.y[points.y.size() / 2])}}),
                            {.parameters = kParameters, .likelihood = {{"y", c.law}}});
    constexpr std::size_t particles = 100;
    BlockStorage drawn(50, particles), predicted(50, particles);
    small->draw_observations(at(kTheta, particles), Streams({.seed = 4}), 0, drawn);
    small->predict(at(kTheta, particles), predicted);
    double average = 0;
    for (std::size_t r = 0; r < 50; ++r)
      for (std::size_t i = 0; i < particles; ++i) {
        average += drawn(r, i) / (50 * particles);
        ASSERT_GE(drawn(r, i), c.low - (c.low < 0 ? 5 : 0));
        if (c.law.starts_with("truncated") || c.law.starts_with("censored")) {
          ASSERT_LE(drawn(r, i), c.high);
        }
        if (c.whole) {
          ASSERT_EQ(drawn(r, i), std::floor(drawn(r, i)));
        }
      }
    const double error = std::sqrt((square - mean * mean) / (50 * particles));
    EXPECT_NEAR(average, mean, 4.5 * error);
    if (!std::isnan(predicted(0, 0))) {
      EXPECT_NEAR(predicted(7, 3), mean, 1e-6 * std::max(1.0, std::abs(mean)));
    }
    const bool plain = !c.law.starts_with("truncated") && !c.law.starts_with("censored");
    if (plain || c.law.find("normal(p, q)") == std::string::npos) continue;
    if (c.law.find("lognormal") == std::string::npos) {
      EXPECT_FALSE(std::isnan(predicted(0, 0)));
    }
  }
}

TEST(Rows, SeveralLinesFollowOneAnother) {
  const auto data = numbers({{"t", {0, 1, 2, 3}}, {"g", {1, 2, 1, 2}}, {"y", {1, 3, 2, 5}}, {"n", {0, 2, 1, 4}}});
  const auto model = make(data, {.parameters = {{"a", "normal(0, 1)"}, {"e[g]", "normal(0, 1)"}},
                                 .let = {{"mean", "a + 0.5 * t"}},
                                 .likelihood = {{"y", "normal(mean + e[g], 1)"}, {"n", "poisson(exp(0.1 * a))"}}});
  const std::vector<Observed> seen = model->observed();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].name, "y");
  EXPECT_THAT(seen[0].values, testing::ElementsAre(1, 3, 2, 5));
  EXPECT_EQ(seen[0].axis_name, "t");
  EXPECT_THAT(seen[0].axis, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(seen[0].discrete);
  EXPECT_TRUE(seen[1].discrete);
  EXPECT_EQ(seen[1].axis_name, "");
  const BlockStorage theta = at({0.4, -1, 2}, 3);
  BlockStorage predicted(8, 3);
  model->predict(theta, predicted);
  EXPECT_DOUBLE_EQ(predicted(1, 2), 0.4 + 0.5 + 2);
  EXPECT_DOUBLE_EQ(predicted(6, 0), std::exp(0.04));
  std::vector<double> whole(3), parts(3), some(3);
  model->log_likelihood(theta, whole);
  for (const auto& [first, count] : {std::pair(0, 3), std::pair(3, 2), std::pair(5, 3)}) {
    model->log_likelihood_of(theta, static_cast<std::size_t>(first), static_cast<std::size_t>(count), some);
    for (std::size_t i = 0; i < 3; ++i) parts[i] += some[i];
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(parts[i], whole[i], 1e-12 * std::abs(whole[i]));
}

TEST(Rows, CategoriesAreDrawnAsTheyAreWritten) {
  DataSet data{.table_rows = {4}};
  data.columns = {{.name = "kind", .texts = {"b", "a", "c", "a"}, .first_text = "d.csv:2: 'b'"},
                  {.name = "k", .numbers = {5, 7, 5, 9}}};
  const auto model = make(std::make_shared<const DataSet>(std::move(data)),
                          {.parameters = {{"w[3]", "dirichlet(1)"}},
                           .likelihood = {{"kind", "categorical(w)"}, {"k", "categorical-logit(0, 1, 2, -50)"}}});
  const std::vector<Observed> seen = model->observed();
  EXPECT_THAT(seen[0].values, testing::ElementsAre(2, 1, 3, 1));
  EXPECT_THAT(seen[1].values, testing::ElementsAre(5, 7, 5, 9));
  constexpr std::size_t particles = 2000;
  BlockStorage drawn(8, particles);
  model->draw_observations(at({0.5, 0.2, 0.3}, particles), Streams({.seed = 5}), 0, drawn);
  double ones = 0, nines = 0;
  for (std::size_t i = 0; i < particles; ++i) {
    for (std::size_t r = 0; r < 4; ++r) {
      ASSERT_THAT(drawn(r, i), testing::AnyOf(1, 2, 3));
      ASSERT_THAT(drawn(4 + r, i), testing::AnyOf(5, 7, 9));
      ones += drawn(r, i) == 1;
      nines += drawn(4 + r, i) == 9;
    }
  }
  const double n = 4 * particles, share = std::exp(2.0) / (1 + std::exp(1.0) + std::exp(2.0));
  EXPECT_NEAR(ones / n, 0.5, 4 * std::sqrt(0.25 / n));
  EXPECT_NEAR(nines / n, share, 4 * std::sqrt(share * (1 - share) / n));
}

TEST(Rows, DrawsDoNotDependOnTheBlock) {
  const auto model =
      make(numbers({{"y", std::vector<double>(70, 1.0)}}),
           {.parameters = kParameters, .likelihood = {{"y", "mixture([0.5, 0.5], normal(p, q), normal(r, 1))"}}});
  BlockStorage theta(3, 80), one(3, 1), drawn(70, 80), alone(70, 1);
  model->draw_prior(Streams({.seed = 6}), 0, theta);
  model->draw_observations(theta, Streams({.seed = 6}), 100, drawn);
  for (const std::size_t i : {0u, 63u, 79u}) {
    for (std::size_t j = 0; j < 3; ++j) one(j, 0) = theta(j, i);
    model->draw_observations(one, Streams({.seed = 6}), static_cast<std::uint32_t>(100 + i), alone);
    for (std::size_t r = 0; r < 70; ++r) ASSERT_EQ(alone(r, 0), drawn(r, i));
  }
}

}  // namespace
}  // namespace evident::formula
