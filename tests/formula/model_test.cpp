// Whole models: parameters of every shape, names, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"

namespace evident::formula {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const auto kData = numbers({{"t", {0, 1, 2, 4}}, {"y", {9.5, 6, 4.1, 1.2}}, {"g", {1, 2, 2, 7}}});

TEST(Model, DecayByHand) {
  const auto model =
      make(kData, {.parameters = {{"A", "normal(0, 10)"},
                                  {"k", "gamma(shape=2, rate=1)"},
                                  {"k2", "uniform(k, 10)"},
                                  {"sigma", "half-normal(1)"}},
                   .let = {{"mean", "A * (0.3 * exp(-k * t) + 0.7 * exp(-k2 * t))"}, {"ratio", "k2 / k"}},
                   .likelihood = {{"y", "normal(mean, sigma)"}}});
  const std::vector<double> theta = {10, 0.4, 0.9, 0.7};
  double expected = 0;
  for (std::size_t r = 0; r < 4; ++r) {
    const double t = std::vector{0., 1., 2., 4.}[r], y = std::vector{9.5, 6., 4.1, 1.2}[r];
    const double z = (y - 10 * (0.3 * std::exp(-0.4 * t) + 0.7 * std::exp(-0.9 * t))) / 0.7;
    expected += -0.5 * z * z - std::log(0.7) - 0.5 * kLog2Pi;
  }
  EXPECT_NEAR(log_likelihood(*model, theta), expected, 1e-12 * std::abs(expected));
  EXPECT_THAT(model->parameters().names(), ElementsAre("A", "k", "k2", "sigma"));
  EXPECT_THAT(model->derived_names(), ElementsAre("ratio"));
  BlockStorage block(4, 1), derived(1, 1);
  for (std::size_t j = 0; j < 4; ++j) std::fill_n(block.block().row_data(j), kLane, theta[j]);
  model->derive(block, derived);
  EXPECT_DOUBLE_EQ(derived(0, 0), 2.25);
  // A prior that depends on an earlier parameter.
  std::vector<double> prior(1);
  model->log_prior(block, prior);
  EXPECT_TRUE(std::isfinite(prior[0]));
  std::fill_n(block.block().row_data(2), kLane, 0.2);
  model->log_prior(block, prior);
  EXPECT_EQ(prior[0], -kInf);
}

TEST(Model, EveryParticleIsAloneWhateverTheBlock) {
  const auto model =
      make(kData, {.parameters = {{"m", "normal(0, 1)"}, {"b[g]", "normal(m, 2)"}, {"s", "half-normal(1)"}},
                   .likelihood = {{"y", "student-t(4, m + b[g] * t, s)"}}});
  BlockStorage all(5, 150);
  model->draw_prior(Streams({.seed = 3}), 0, all);
  std::vector<double> together(150);
  model->log_likelihood(all, together);
  for (const std::size_t i : {0u, 7u, 63u, 64u, 149u}) {
    std::vector<double> one;
    for (std::size_t j = 0; j < 5; ++j) one.push_back(all(j, i));
    EXPECT_EQ(log_likelihood(*model, one), together[i]) << i;
  }
}

TEST(Model, VectorsByCategoryAndByPlace) {
  const auto by_group =
      make(kData, {.parameters = {{"mu", "normal(0, 1)"}, {"tau", "half-cauchy(5)"}, {"e[g]", "normal(mu, tau)"}},
                   .likelihood = {{"y", "normal(e[g], 2)"}}});
  EXPECT_THAT(by_group->parameters().names(), ElementsAre("mu", "tau", "e[1]", "e[2]", "e[7]"));
  const double expected =
      -0.5 * (std::pow(9.5 - 1, 2) + std::pow(6 - 2, 2) + std::pow(4.1 - 2, 2) + std::pow(1.2 - 3, 2)) / 4 -
      4 * std::log(2.0) - 2 * kLog2Pi;
  EXPECT_NEAR(log_likelihood(*by_group, {0, 1, 1, 2, 3}), expected, 1e-12 * std::abs(expected));
  EXPECT_NEAR(gradient(*by_group, {0, 1, 1, 2, 3})[3], (4 + 2.1) / 4, 1e-13);
  // Entries of a computed vector, and of a list.
  const auto computed = make(kData, {.parameters = {{"mu", "normal(0, 1)"}, {"z[g]", "normal(0, 1)"}},
                                     .let = {{"e", "mu + 2 * z"}},
                                     .likelihood = {{"y", "normal(e[g] + sum(z) - dot(z, [1, 1, 1]), 2)"}}});
  EXPECT_NEAR(log_likelihood(*computed, {1, 0, 0.5, 1}), expected, 1e-12 * std::abs(expected));
  const std::vector<double> slopes = gradient(*computed, {1, 0, 0.5, 1}),
                            reference = differences(*computed, {1, 0, 0.5, 1});
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(slopes[j], reference[j], 1e-6);
  // A prior with one argument per entry.
  const auto own = make(kData, {.parameters = {{"b", "normal([0, 1, 2], [1, 1, 3])"}},
                                .likelihood = {{"y", "normal(b[1] + b[2] * t + b[3] * t^2, 1)"}}});
  EXPECT_THAT(own->parameters().names(), ElementsAre("b[1]", "b[2]", "b[3]"));
  EXPECT_THAT(own->parameters().prior_text(2), HasSubstr("sd=3"));
}

TEST(Model, FreeExpressionsAndConstants) {
  DataSet data = *kData;
  data.constants = {{"g0", {9.81}, false}, {"w", {1, 2}, true}};
  const auto model = make(std::make_shared<const DataSet>(data),
                          {.parameters = {{"m", "normal(0, 1)"}},
                           .let = {{"r", "y - m * g0"}},
                           .log_likelihood = {{"rows", "-r^2"}, {"once", "w[2] * log(sum(r^2)) - length(y)"}}});
  double squares = 0;
  for (const double y : {9.5, 6., 4.1, 1.2}) squares += std::pow(y - 0.3 * 9.81, 2);
  EXPECT_NEAR(log_likelihood(*model, {0.3}), -squares + 2 * std::log(squares) - 4, 1e-11);
  EXPECT_NEAR(gradient(*model, {0.3})[0], differences(*model, {0.3})[0], 1e-5);
}

TEST(Model, BoundsThatCrossAreRefusedWhereTheyAreWritten) {
  const auto data = numbers({{"y", {1, 2, 1.5}}, {"low", {0, 4, 1}}, {"high", {3, 3, 2}}, {"n", {1, 2, 3}}});
  const auto with = [&](const std::string& law, const char* column = "y") {
    return problem(data,
                   {.parameters = {{"m", "normal(0, 1)"}, {"sigma", "half-normal(1)"}}, .likelihood = {{column, law}}});
  };
  for (const char* law :
       {"censored(normal(m, sigma), lower=5, upper=1)", "truncated(normal(m, sigma), lower=5, upper=1)",
        "truncated-normal(m, sigma, 5, 1)", "uniform(5, 1)", "log-uniform(5, 1)"})
    EXPECT_THAT(with(law), AllOf(HasSubstr("needs lower < upper, but lower is 5 and upper is 1"), HasSubstr("\n  ^")))
        << law;
  EXPECT_THAT(with("mixture([0.5, 0.5], normal(m, 1), uniform(5, 1))"), HasSubstr("lower is 5 and upper is 1"));
  EXPECT_THAT(with("censored(normal(m, 1), lower=2, upper=2)"), HasSubstr("needs lower < upper"));
  EXPECT_THAT(with("truncated(poisson(sigma), lower=3, upper=1)", "n"), HasSubstr("needs lower <= upper"));
  for (const char* law : {"censored(normal(m, sigma), lower=low, upper=high)",
                          "truncated(normal(m, sigma), lower=low, upper=high)", "uniform(low, high)"})
    EXPECT_THAT(with(law), HasSubstr("but in row 2 of the data lower is 4 and upper is 3")) << law;
}

TEST(Model, BoundsOfParametersThatCrossAreImpossible) {
  for (const char* law : {"censored(normal(0, 1), lower=a, upper=b)", "truncated(normal(0, 1), lower=a, upper=b)"}) {
    const auto model = make(numbers({{"y", {0.5, 1}}}),
                            {.parameters = {{"a", "normal(0, 1)"}, {"b", "normal(0, 1)"}}, .likelihood = {{"y", law}}});
    EXPECT_TRUE(std::isfinite(log_likelihood(*model, {0, 2}))) << law;
    EXPECT_EQ(log_likelihood(*model, {2, 0}), -kInf) << law;
  }
  const auto rows = make(
      numbers({{"y", {0.5, 1}}, {"low", {0, 1}}}),
      {.parameters = {{"b", "normal(0, 1)"}}, .likelihood = {{"y", "censored(normal(0, 1), lower=low, upper=b)"}}});
  EXPECT_TRUE(std::isfinite(log_likelihood(*rows, {2})));
  EXPECT_EQ(log_likelihood(*rows, {0.5}), -kInf) << "below the lower bound of the second row";
}

TEST(Model, MessagesSayWhatToDo) {
  const Lines m = {{"m", "normal(0, 1)"}, {"sigma", "half-normal(1)"}};
  const auto with = [&](const std::string& law) {
    return problem(kData, {.parameters = m, .likelihood = {{"y", law}}});
  };
  EXPECT_THAT(with("normal(m, sgma)"), AllOf(HasSubstr("s.toml:1:11: there is no name 'sgma'; did you mean 'sigma'?"),
                                             HasSubstr("\n            ^")));
  EXPECT_THAT(with("nomal(m, 1)"), HasSubstr("did you mean 'normal'?"));
  EXPECT_THAT(with("normal(m)"), HasSubstr("'sd' is missing"));
  EXPECT_THAT(with("normal(m, sigma, 3)"), HasSubstr("too many"));
  EXPECT_THAT(with("normal(m, sdd=1)"), HasSubstr("did you mean 'sd'?"));
  EXPECT_THAT(with("gamma(2, 3)"), HasSubstr("say which"));
  EXPECT_THAT(with("gamma(2, rate=1, scale=1)"), HasSubstr("a rate or a scale, not both"));
  EXPECT_THAT(with("m + 1"), HasSubstr("a likelihood is a distribution"));
  EXPECT_THAT(with("normal(m, 1) + 1"), HasSubstr("a distribution is no number"));
  EXPECT_THAT(with("exponential(1) "), "no problem");
  EXPECT_THAT(with("beta(2, 2)"), HasSubstr("9.5 in row 1 of 'y' cannot come from this distribution"));
  EXPECT_THAT(with("poisson(3)"), HasSubstr("cannot come"));
  EXPECT_THAT(with("normal(0, -1)"), HasSubstr("outside its range"));
  EXPECT_THAT(with("mixture([0.5, 0.6], normal(m, 1), normal(0, 1))"), HasSubstr("add up to 1"));
  EXPECT_THAT(with("truncated(bernoulli(0.5), upper=9)"), HasSubstr("cannot be censored or truncated"));
  EXPECT_THAT(with("truncated(gamma(shape=2, rate=1), upper=9)"), HasSubstr("9.5 in row 1 of 'y' cannot come"));
  EXPECT_THAT(problem(kData, {.parameters = m, .likelihood = {{"yy", "normal(m, 1)"}}}),
              HasSubstr("did you mean 'y'?"));
  EXPECT_THAT(problem(kData, {.parameters = {{"y", "normal(0, 1)"}}, .likelihood = {{"y", "normal(0, 1)"}}}),
              HasSubstr("column of the data already"));
  EXPECT_THAT(problem(kData, {.parameters = {{"m", "normal(0, 0)"}}, .likelihood = {{"y", "normal(m, 1)"}}}),
              HasSubstr("sd > 0"));
  EXPECT_THAT(problem(kData, {.parameters = {{"m", "uniform(0, inf)"}}, .likelihood = {{"y", "normal(m, 1)"}}}),
              HasSubstr("both finite"));
  EXPECT_THAT(problem(kData, {.parameters = {{"m", "normal(later, 1)"}, {"later", "normal(0, 1)"}},
                              .likelihood = {{"y", "normal(m, 1)"}}}),
              HasSubstr("no name 'later'"));
  EXPECT_THAT(problem(kData, {.parameters = {{"m", "poisson(2)"}}, .likelihood = {{"y", "normal(m, 1)"}}}),
              HasSubstr("counts"));
  EXPECT_THAT(problem(kData, {.parameters = {{"v[0]", "normal(0, 1)"}}, .likelihood = {{"y", "normal(v[1], 1)"}}}),
              HasSubstr("from 1 to"));
  EXPECT_THAT(problem(kData, {.parameters = {{"v[3]", "normal(0, 1)"}}, .likelihood = {{"y", "normal(v[g], 1)"}}}),
              HasSubstr("from 1 to 3, was 7 in row 4"));
  EXPECT_THAT(problem(kData, {.parameters = {{"v[3]", "normal(0, 1)"}}, .likelihood = {{"y", "normal(v, 1)"}}}),
              HasSubstr("index the vector"));
  EXPECT_THAT(problem(kData, {.parameters = {{"v[g]", "normal(0, 1)"}}, .likelihood = {{"y", "normal(v[t], 1)"}}}),
              HasSubstr("categories of 'g'"));
  EXPECT_THAT(problem(kData, {.parameters = m}), HasSubstr("no likelihood"));
  EXPECT_THAT(problem(kData, {.likelihood = {{"y", "normal(0, 1)"}}}), HasSubstr("no parameters"));
}

}  // namespace
}  // namespace evident::formula
