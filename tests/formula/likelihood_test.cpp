// Likelihoods against the distributions of dist/ and against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "formula/small_model.hpp"

namespace evident::formula {
namespace {

using testing::HasSubstr;

struct Case {
  std::string law;         ///< with parameters p, q, r
  Distribution reference;  ///< with their values
  std::vector<double> y;
};

const std::vector<double> kTheta = {0.7, 1.3, 3.5};  // p, q, r

std::vector<Case> cases() {
  const double p = kTheta[0], q = kTheta[1], r = kTheta[2];
  const std::vector<double> real = {-1.5, 0.2, 0.9, 4}, positive = {0.1, 0.8, 2, 5.5}, share = {0.05, 0.5, 0.93},
                            counts = {0, 3, 1, 12};
  return {{"normal(p, q)", normal(p, q), real},
          {"half-normal(q)", half_normal(q), positive},
          {"lognormal(p, q)", lognormal(p, q), positive},
          {"student-t(r, p, q)", student_t(r, p, q), real},
          {"student_t(4, p, q)", student_t(4, p, q), real},
          {"half-student-t(r, q)", half_student_t(r, q), positive},
          {"cauchy(p, q)", cauchy(p, q), real},
          {"half-cauchy(q)", half_cauchy(q), positive},
          {"laplace(p, q)", laplace(p, q), real},
          {"logistic(p, q)", logistic(p, q), real},
          {"uniform(-2 * r, 2 * r)", uniform(-2 * r, 2 * r), real},
          {"log-uniform(p / 10, 2 * r)", log_uniform(p / 10, 2 * r), positive},
          {"beta(p, q)", beta(p, q), share},
          {"gamma(shape=p, rate=q)", gamma_rate(p, q), positive},
          {"gamma(shape=p, scale=q)", gamma_scale(p, q), positive},
          {"inverse-gamma(p, q)", inverse_gamma(p, q), positive},
          {"exponential(q)", exponential(q), positive},
          {"weibull(q, r)", weibull(q, r), positive},
          {"truncated-normal(p, q, -2, 2 * r)", truncated_normal(p, q, -2, 2 * r), real},
          {"truncated(normal(p, q), -2, 2 * r)", truncated_normal(p, q, -2, 2 * r), real},
          {"truncated(normal(p, q), lower=-2)", truncated_normal(p, q, -2, kInf), real},
          {"truncated(normal(p, q), upper=2 * r)", truncated_normal(p, q, -kInf, 2 * r), real},
          {"bernoulli(p)", bernoulli(p), {0, 1, 1, 0, 1}},
          {"bernoulli-logit(p)", bernoulli(1 / (1 + std::exp(-p))), {0, 1, 1, 0, 1}},
          {"binomial(12, p)", binomial(12, p), counts},
          {"binomial-logit(12, p)", binomial(12, 1 / (1 + std::exp(-p))), counts},
          {"poisson(q)", poisson(q), counts},
          {"poisson-log(p)", poisson(std::exp(p)), counts},
          {"negative-binomial(q, r)", negative_binomial(q, r), counts}};
}

TEST(Likelihood, EveryDistributionAgreesWithDist) {
  std::set<std::string> seen;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.law);
    seen.insert(std::string(c.reference.family().name()));
    const auto model = make(numbers({{"y", c.y}}),
                            {.parameters = {{"p", "normal(0, 1)"}, {"q", "normal(0, 1)"}, {"r", "normal(0, 1)"}},
                             .likelihood = {{"y", c.law}}});
    double expected = 0;
    for (const double y : c.y) expected += c.reference.log_density(y);
    EXPECT_NEAR(log_likelihood(*model, kTheta), expected, 1e-12 * std::abs(expected) * 10);
    const std::vector<double> slopes = gradient(*model, kTheta), expected_slopes = differences(*model, kTheta);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(slopes[j], expected_slopes[j], 1e-6 * std::max(1.0, std::abs(slopes[j]))) << j;
    EXPECT_EQ(model->observation_count(), c.y.size());
  }
  for (const Family* f : families()) EXPECT_TRUE(seen.contains(std::string(f->name()))) << f->name();
}

TEST(Likelihood, ImpossibleArgumentsGiveMinusInfinity) {
  const auto with = [](const std::string& law, const std::vector<double>& y, double s) {
    return log_likelihood(
        *make(numbers({{"y", y}}), {.parameters = {{"s", "normal(0, 1)"}}, .likelihood = {{"y", law}}}), {s});
  };
  EXPECT_EQ(with("normal(0, s)", {1, 2}, -1), -kInf);
  EXPECT_EQ(with("normal(0, s)", {1, 2}, 0), -kInf);
  EXPECT_EQ(with("normal(0, s)", {1, 2}, kNaN), -kInf);
  EXPECT_EQ(with("poisson(s * y)", {1, 2}, -1), -kInf);
  EXPECT_EQ(with("poisson(s)", {0, 0}, 0), 0);
  EXPECT_EQ(with("binomial(5, s)", {0, 0}, 0), 0);
  EXPECT_EQ(with("binomial(5, s)", {5, 5}, 1), 0);
  EXPECT_EQ(with("bernoulli(s)", {0, 1}, 1.5), -kInf);
  EXPECT_EQ(with("uniform(0, s)", {1, 2}, 1.5), -kInf);
  EXPECT_NEAR(with("uniform(0, s)", {1, 2}, 4), -2 * std::log(4.0), 1e-14);
}

TEST(Likelihood, Mixtures) {
  const std::vector<double> y = {-1, 0.3, 2.5, 40};
  const Lines parameters = {{"w[2]", "dirichlet(1)"}, {"mu[2]", "ordered(normal(0, 3))"}, {"s", "half-normal(1)"}};
  const std::vector<double> theta = {0.3, 0.7, -0.5, 2, 1.1};
  double expected = 0;
  for (const double v : y) {
    const double parts[] = {std::log(0.3) + normal(-0.5, 1.1).log_density(v),
                            std::log(0.7) + normal(2, 1.1).log_density(v)};
    expected += log_sum_exp(parts);
  }
  for (const char* law : {"mixture(w, normal(mu, s))", "mixture(w, normal(mu[1], s), normal(mu[2], s))",
                          "mixture([w[1], 1 - w[1]], normal(mu[1], s), normal(mu[2], s))"}) {
    const auto model = make(numbers({{"y", y}}), {.parameters = parameters, .likelihood = {{"y", law}}});
    EXPECT_NEAR(log_likelihood(*model, theta), expected, 1e-12 * std::abs(expected)) << law;
    // Weights that do not add up to 1 make no density.
    if (std::string(law).find('[') == std::string::npos) {
      EXPECT_EQ(log_likelihood(*model, {0.3, 0.3, -0.5, 2, 1.1}), -kInf);
    }
  }
  const auto model =
      make(numbers({{"y", y}}), {.parameters = {{"u", "beta(1, 1)"}, {"m", "normal(0, 1)"}, {"s", "half-normal(1)"}},
                                 .likelihood = {{"y", "mixture([u, 1 - u], normal(m, s), student-t(3, 0, 2))"}}});
  const std::vector<double> at = {0.4, 0.2, 0.9}, slopes = gradient(*model, at), reference = differences(*model, at);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(slopes[j], reference[j], 1e-6 * std::max(1.0, std::abs(slopes[j])));
}

TEST(Likelihood, CensoredValuesCountAsTails) {
  const std::vector<double> y = {0.5, 2, 3, 3};
  const auto model = make(numbers({{"y", y}}), {.parameters = {{"k", "half-normal(1)"}},
                                                .likelihood = {{"y", "censored(exponential(k), upper=3)"}}});
  const double k = 0.8;
  EXPECT_NEAR(log_likelihood(*model, {k}), 2 * std::log(k) - k * 2.5 - 2 * k * 3, 1e-13);
  EXPECT_NEAR(gradient(*model, {k})[0], 2 / k - 8.5, 1e-12);
  EXPECT_EQ(log_likelihood(*model, {-1}), -kInf);
  // Below: log of the distribution function, far in the tail.
  const auto low = make(numbers({{"y", {-30, 1}}}), {.parameters = {{"m", "normal(0, 1)"}},
                                                     .likelihood = {{"y", "censored(normal(m, 1), lower=-30)"}}});
  EXPECT_NEAR(log_likelihood(*low, {0}), -454.32124395634320 + normal(0, 1).log_density(1), 1e-9);
}

TEST(Likelihood, TailsAddUpToOne) {
  for (const char* law :
       {"normal(p, q)", "lognormal(p, q)", "half-normal(q)", "cauchy(p, q)", "half-cauchy(q)", "laplace(p, q)",
        "logistic(p, q)", "exponential(q)", "weibull(p, q)", "uniform(0.1, 5)", "log-uniform(0.1, 5)"}) {
    // A bound below which, and one above which, every observation lies.
    const auto tail = [&](const std::string& side, double y) {
      return log_likelihood(
          *make(numbers({{"y", {y}}}), {.parameters = {{"p", "normal(0, 1)"}, {"q", "normal(0, 1)"}},
                                        .likelihood = {{"y", std::string("censored(") + law + ", " + side + "=1.7)"}}}),
          {0.7, 1.3});
    };
    EXPECT_NEAR(std::exp(tail("lower", 1)) + std::exp(tail("upper", 2)), 1, 1e-12) << law;
  }
}

TEST(Likelihood, Categories) {
  DataSet data{.table_rows = {4},
               .columns = {{.name = "kind", .texts = {"b", "a", "c", "b"}, .first_text = "d.csv:2: 'b'"}}};
  const auto shared = std::make_shared<const DataSet>(std::move(data));
  const auto model =
      make(shared, {.parameters = {{"p[kind]", "dirichlet(1)"}}, .likelihood = {{"kind", "categorical(p)"}}});
  EXPECT_NEAR(log_likelihood(*model, {0.2, 0.5, 0.3}), std::log(0.2 * 0.5 * 0.5 * 0.3), 1e-14);
  EXPECT_THAT(model->parameters().names(), testing::ElementsAre("p[1]", "p[2]", "p[3]"));
  const auto logits =
      make(shared, {.parameters = {{"e[3]", "normal(0, 1)"}}, .likelihood = {{"kind", "categorical-logit(e)"}}});
  const double norm = std::log(std::exp(1) + std::exp(0.5) + std::exp(-2));
  EXPECT_NEAR(log_likelihood(*logits, {1, 0.5, -2}), 1 + 2 * 0.5 - 2 - 4 * norm, 1e-13);
  const std::vector<double> slopes = gradient(*logits, {1, 0.5, -2}), reference = differences(*logits, {1, 0.5, -2});
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(slopes[j], reference[j], 1e-6);
  EXPECT_THAT(problem(shared, {.parameters = {{"m", "normal(0, 1)"}}, .likelihood = {{"kind", "normal(m, 1)"}}}),
              HasSubstr("holds text"));
}

}  // namespace
}  // namespace evident::formula
