// Differential equations: against exact solutions, other solvers and the Goodwin model written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <numbers>
#include <random>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"
#include "models/goodwin/simulate.hpp"
#include "models/goodwin/solver.hpp"

namespace evident::formula {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<double> kTimes = {0, 0.3, 1, 2.5, 4, 7};

/// The value of a formula at each of the times, one model each: a weight picks the row.
std::vector<double> values(const OdeParts& ode, const Lines& parameters, const std::string& formula,
                           const std::vector<double>& theta, const std::vector<double>& times = kTimes) {
  std::vector<double> out;
  for (std::size_t r = 0; r < times.size(); ++r) {
    std::vector<double> weight(times.size(), 0.0);
    weight[r] = 1;
    out.push_back(
        log_likelihood(*make(numbers({{"t", times}, {"w", weight}}),
                             {.parameters = parameters, .log_likelihood = {{"v", formula + " * w"}}, .ode = ode}),
                       theta));
  }
  return out;
}

struct Exact {
  std::string name;
  Lines parameters;
  OdeParts ode;
  std::string formula;
  std::vector<double> theta;
  std::function<double(double)> solution;
};

const Lines kThree = {{"a", "normal(0, 9)"}, {"b", "half-normal(9)"}, {"c", "half-normal(9)"}};

std::vector<Exact> exact_cases() {
  return {
      {"decay",
       kThree,
       {.states = {{"n", "b", "-c * n"}}},
       "n",
       {0, 3, 1.7},
       [](double t) { return 3 * std::exp(-1.7 * t); }},
      {"constant rate", kThree, {.states = {{"n", "2", "a"}}}, "n", {-0.3, 1, 1}, [](double t) { return 2 - 0.3 * t; }},
      {"logistic",
       kThree,
       {.states = {{"n", "a", "c * n * (1 - n / b)"}}},
       "n",
       {0.5, 20, 1.4},
       [](double t) { return 20 / (1 + (20 / 0.5 - 1) * std::exp(-1.4 * t)); }},
      {"Gompertz",
       kThree,
       {.states = {{"n", "a", "c * n * log(b / n)"}}},
       "n",
       {0.5, 20, 0.45},
       [](double t) { return 20 * std::exp(std::log(0.5 / 20) * std::exp(-0.45 * t)); }},
      {"oscillator",
       kThree,
       {.states = {{"x", "a", "v"}, {"v", "0", "-b^2 * x"}}},
       "x",
       {1.5, 2, 1},
       [](double t) { return 1.5 * std::cos(2 * t); }},
      {"its speed",
       kThree,
       {.states = {{"x", "a", "v"}, {"v", "0", "-b^2 * x"}}},
       "v",
       {1.5, 2, 1},
       [](double t) { return -3 * std::sin(2 * t); }},
      {"with time",
       kThree,
       {.states = {{"n", "b", "-c * t * n"}}},
       "n",
       {0, 3, 0.2},
       [](double t) { return 3 * std::exp(-0.1 * t * t); }},
      {"from 2 years before",
       kThree,
       {.states = {{"n", "b", "-c * (t - 1) * n"}}, .from = "-2"},
       "n",
       {0, 3, 0.2},
       [](double t) { return 3 * std::exp(-0.1 * ((t - 1) * (t - 1) - 9)); }},
  };
}

TEST(Ode, ExactSolutions) {
  for (Exact c : exact_cases()) {
    double before = kInf;
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE(c.name + " " + std::to_string(tolerance));
      c.ode.tolerance = tolerance;
      const std::vector<double> found = values(c.ode, c.parameters, c.formula, c.theta);
      double worst = 0;
      for (std::size_t r = 0; r < kTimes.size(); ++r)
        worst = std::max(worst,
                         std::abs(found[r] - c.solution(kTimes[r])) / std::max(1e-3, std::abs(c.solution(kTimes[r]))));
      EXPECT_LT(worst, 100 * tolerance);
      EXPECT_LT(worst, before + 1e-12);
      before = worst;
    }
  }
}

TEST(Ode, TimesInAnyOrderAndSeveralTimes) {
  const std::vector<double> times = {4, 0.5, 0, 4, 7, 0, 0.5, 2}, y = {0.1, 2, 3, 0.2, 0.01, 2.5, 1.5, 0.4};
  const Lines parameters = {{"k", "half-normal(1)"}, {"sigma", "half-normal(1)"}};
  const auto data = numbers({{"t", times}, {"y", y}});
  const auto model = make(data, {.parameters = parameters,
                                 .likelihood = {{"y", "normal(n, sigma)"}},
                                 .ode = {.states = {{"n", "3", "-k * n"}}, .tolerance = 1e-10}});
  const auto closed = make(data, {.parameters = parameters, .likelihood = {{"y", "normal(3 * exp(-k * t), sigma)"}}});
  const std::vector<double> theta = {0.8, 0.3};
  EXPECT_NEAR(log_likelihood(*model, theta), log_likelihood(*closed, theta), 1e-7);
  EXPECT_EQ(model->observation_count(), 8u);
  // All at the start: nothing is to be solved.
  const auto at_start =
      make(numbers({{"t", {1, 1}}, {"y", {2, 4}}}), {.parameters = parameters,
                                                     .likelihood = {{"y", "normal(n, sigma)"}},
                                                     .ode = {.states = {{"n", "3 * k", "-k * n"}}, .from = "1"}});
  EXPECT_NEAR(log_likelihood(*at_start, {1, 1}), -1 - kLog2Pi, 1e-12);
  EXPECT_NEAR(gradient(*at_start, {1.1, 1})[0], 3 * (6 - 6.6), 1e-12);
}

TEST(Ode, LetsWithStatesAndTime) {
  const Lines parameters = {{"k", "half-normal(1)"}, {"size", "half-normal(1)"}};
  const OdeParts ode = {.states = {{"s", "size", "-flow"}, {"i", "0", "flow - k * i * calm"}}, .tolerance = 1e-10};
  const auto data = numbers({{"t", kTimes}, {"y", kTimes}});
  const auto model = make(
      data,
      {.parameters = parameters,
       .let = {{"twice", "2 * k"}, {"flow", "twice * s"}, {"calm", "1 + 0 * t"}, {"all", "s + i"}, {"top", "max(all)"}},
       .likelihood = {{"y", "normal(all + flow, 1)"}},
       .ode = ode});
  // s = size e^(-2kt), i = 2 size (e^(-kt) - e^(-2kt))
  const auto closed =
      make(data, {.parameters = parameters,
                  .let = {{"s", "size * exp(-2 * k * t)"}, {"i", "2 * size * (exp(-k * t) - exp(-2 * k * t))"}},
                  .likelihood = {{"y", "normal(s + i + 2 * k * s, 1)"}}});
  const std::vector<double> theta = {0.6, 2};
  EXPECT_NEAR(log_likelihood(*model, theta), log_likelihood(*closed, theta), 1e-7);
  const std::vector<double> slopes = gradient(*model, theta), expected = gradient(*closed, theta);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(slopes[j], expected[j], 1e-6 * std::max(1.0, std::abs(expected[j])));
  EXPECT_THAT(model->derived_names(), testing::ElementsAre("twice", "top"));
  BlockStorage block(2, 1), derived(2, 1);
  for (std::size_t j = 0; j < 2; ++j) block(j, 0) = theta[j];
  model->derive(block, derived);
  EXPECT_NEAR(derived(0, 0), 1.2, 1e-15);
  EXPECT_NEAR(derived(1, 0), 2, 1e-8);
}

using Pair = std::array<double, 2>;

TEST(Ode, LotkaVolterraByOdeint) {
  namespace odeint = boost::numeric::odeint;
  const Lines parameters = {{"a", "half-normal(2)"},
                            {"b", "half-normal(2)"},
                            {"c", "half-normal(2)"},
                            {"d", "half-normal(2)"},
                            {"u0", "half-normal(9)"}};
  const OdeParts ode = {.states = {{"u", "u0", "u * (a - b * v)"}, {"v", "1", "v * (c * u - d)"}}, .tolerance = 1e-9};
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> uniform(0.3, 1.5);
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> theta;
    for (int j = 0; j < 5; ++j) theta.push_back(uniform(engine));
    const auto rates = [&](const Pair& x, Pair& out, double) {
      out = {x[0] * (theta[0] - theta[1] * x[1]), x[1] * (theta[2] * x[0] - theta[3])};
    };
    const std::vector<double> u = values(ode, parameters, "u", theta), v = values(ode, parameters, "v", theta);
    Pair x = {theta[4], 1};
    for (std::size_t r = 1; r < kTimes.size(); ++r) {
      odeint::integrate_adaptive(odeint::make_controlled(1e-13, 1e-13, odeint::runge_kutta_fehlberg78<Pair>()), rates,
                                 x, kTimes[r - 1], kTimes[r], 0.01);
      EXPECT_NEAR(u[r], x[0], 1e-7 * x[0]);
      EXPECT_NEAR(v[r], x[1], 1e-7 * x[1]);
    }
  }
}

TEST(Ode, GradientsByDifferences) {
  const auto data = numbers({{"t", kTimes}, {"y", {1, 1.2, 1.5, 0.7, 0.5, 1.4}}});
  const Lines parameters = {{"a", "half-normal(2)"},
                            {"b", "half-normal(2)"},
                            {"c", "half-normal(2)"},
                            {"u0", "half-normal(9)"},
                            {"sigma", "half-normal(1)"}};
  for (const auto& states :
       {std::vector<StateParts>{{"u", "u0", "u * (a - b * v)"}, {"v", "u0 / 2", "v * (c * u - 0.4)"}},
        {{"u", "u0", "a - u^b * sin(c * t)^2"}},
        {{"u", "0", "a / (1 + b * w^3) - 0.5 * u"}, {"v", "0", "c * u - 0.5 * v"}, {"w", "u0", "v - 0.5 * w"}},
        {{"u", "exp(u0)", "where(u > c, -a, b) * u"}, {"idle", "a", "0"}}}) {
    SCOPED_TRACE(states[0].rate);
    const auto model = make(data, {.parameters = parameters,
                                   .likelihood = {{"y", "normal(u, sigma)"}},
                                   .ode = {.states = states, .tolerance = 1e-10}});
    ASSERT_TRUE(model->has_gradient());
    const std::vector<double> theta = {0.9, 0.8, 0.6, 1.1, 0.4};
    const std::vector<double> found = gradient(*model, theta), expected = differences(*model, theta);
    const bool jumps = states.size() == 2 && states[1].name == "idle";
    for (std::size_t j = 0; j < theta.size() && !jumps; ++j)
      EXPECT_NEAR(found[j], expected[j], 2e-4 * std::max(1.0, std::abs(expected[j]))) << j;
    for (const double g : found) EXPECT_TRUE(std::isfinite(g));
  }
}

// Slopes of a solution of thousands of steps are gone back for in parts, alone or among others.
TEST(Ode, SlopesOfManySteps) {
  std::vector<double> times, y1, y2;
  for (int j = 0; j < 50; ++j) {
    times.push_back(6.0 * j);
    y1.push_back(std::sin(j));
    y2.push_back(std::cos(3 * j));
  }
  const auto data = numbers({{"t", times}, {"y1", y1}, {"y2", y2}});
  const Lines parameters = {{"a", "normal(0, 9)"}, {"b", "half-normal(9)"}};
  const auto solved = make(data, {.parameters = parameters,
                                  .likelihood = {{"y1", "normal(x, 1)"}, {"y2", "normal(v, 2)"}},
                                  .ode = {.states = {{"x", "a", "v"}, {"v", "0", "-b^2 * x"}}, .tolerance = 1e-9}});
  const auto closed =
      make(data, {.parameters = parameters,
                  .likelihood = {{"y1", "normal(a * cos(b * t), 1)"}, {"y2", "normal(-a * b * sin(b * t), 2)"}}});
  constexpr std::size_t n = 64;
  BlockStorage theta(2, n), prior(2, n), found(2, n), expected(2, n);
  for (std::size_t i = 0; i < n; ++i) {
    theta(0, i) = 1.5 - 0.031 * static_cast<double>(i);
    theta(1, i) = 0.2 + 0.02 * static_cast<double>(i);
  }
  solved->gradient(theta, prior, found);
  closed->gradient(theta, prior, expected);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_NEAR(found(j, i), expected(j, i), 2e-5 * (1 + std::abs(expected(j, i)))) << i << " " << j;
  for (const std::size_t i : {0u, 31u, 63u}) {
    const std::vector<double> alone = gradient(*solved, {theta(0, i), theta(1, i)});
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(alone[j], found(j, i)) << i;
  }
}

// A value that has the curves' last rows alone, times more than once, and a part without any curve.
TEST(Ode, SlopesOfFewRows) {
  const auto data = numbers({{"t", {4, 0, 1, 4, 2}}, {"w", {0, 3, 0, 2, 0}}});
  const Lines parameters = {{"n0", "normal(0, 9)"}, {"k", "half-normal(9)"}};
  const auto solved =
      make(data, {.parameters = parameters,
                  .log_likelihood = {{"one", "n * w"}, {"all", "k * n"}, {"none", "sin(k) * t"}, {"top", "max(n)"}},
                  .ode = {.states = {{"n", "n0", "-k * n"}}, .tolerance = 1e-10}});
  const std::vector<double> found = gradient(*solved, {2, 0.3});
  const auto e = [](double t) { return std::exp(-0.3 * t); };
  // 2 n(4) + 3 n(0) + k sum n(t) + 11 sin(k) + max n, which is n0
  const double sum = 2 * e(4) + 1 + e(1) + e(2), slope = -(2 * 4 * e(4) + e(1) + 2 * e(2));
  EXPECT_NEAR(found[0], 2 * e(4) + 3 + 0.3 * sum + 1, 1e-7);
  EXPECT_NEAR(found[1], 2 * (-8 * e(4) + sum + 0.3 * slope) + 11 * std::cos(0.3), 1e-7);
}

// A state that is 0 all the time still has a slope.
TEST(Ode, SlopeOfNothing) {
  const auto data = numbers({{"t", {10}}, {"y", {1}}});
  const auto model = make(data, {.parameters = {{"n0", "normal(0, 1)"}},
                                 .likelihood = {{"y", "normal(n, 1)"}},
                                 .ode = {.states = {{"n", "n0", "0.3 * n"}}}});
  EXPECT_NEAR(gradient(*model, {0})[0], std::exp(3), 1e-3 * std::exp(3));
  // At rest, where it is not 0: n = 3 is the limit of growth, and each start comes to it.
  const auto growth = make(data, {.parameters = {{"n0", "normal(0, 1)"}},
                                  .likelihood = {{"y", "normal(n, 1)"}},
                                  .ode = {.states = {{"n", "n0", "0.2 * n * (3 - n)"}}}});
  EXPECT_NEAR(gradient(*growth, {3})[0], -2 * std::exp(-6), 1e-3 * 2 * std::exp(-6));
}

std::shared_ptr<const Model> goodwin(const GoodwinData& data, double tolerance) {
  Lines parameters;
  for (const char* name : {"a0", "a1", "a2", "k1", "k2"}) parameters.emplace_back(name, "gamma(shape=0.1, rate=0.1)");
  return make(numbers({{"t", data.times}, {"y1", data.values[0]}, {"y2", data.values[1]}}),
              {.parameters = parameters,
               .likelihood = {{"y1", "normal(x1, 0.2)"}, {"y2", "normal(x2, 0.2)"}},
               .ode = {.states = {{"x1", "0", "a1 / (1 + a2 * x3^10) - a0 * x1"},
                                  {"x2", "0", "k1 * x1 - a0 * x2"},
                                  {"x3", "0", "k2 * x2 - a0 * x3"}},
                       .tolerance = tolerance}});
}

GoodwinSimulation oscillation() {
  GoodwinSimulation s;
  s.theta = {0.53, 2.01, 0.038, 1.47, 0.19};
  for (int j = 41; j <= 120; ++j) s.times.push_back(0.5 * j);
  return s;
}

// At tolerance 1e-9 the two solvers, which share nothing, agree to 1e-5 of the log likelihood, over the prior and
// around the fit.
TEST(Ode, GoodwinByHand) {
  const GoodwinSimulation s = oscillation();
  const GoodwinData data = simulate_goodwin(s, Streams({.seed = 3}));
  const GoodwinProblem problem(data, 3, s.rho, s.sigma);
  const auto model = goodwin(data, 1e-9);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::gamma_distribution<double> gamma(0.1, 10);
  constexpr std::size_t n = 200;
  BlockStorage theta(5, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      theta(j, i) = i % 2 == 0 ? s.theta[j] * std::exp(0.02 * normal(engine)) : std::max(gamma(engine), 1e-300);
  std::vector<double> found(n), expected(n);
  model->log_likelihood(theta, found);
  goodwin_log_likelihood(problem, theta, expected);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-5 * std::max(1.0, std::abs(expected[i]))) << i;
}

TEST(Ode, NobodyDependsOnNeighbours) {
  const GoodwinSimulation s = oscillation();
  const auto model = goodwin(simulate_goodwin(s, Streams({.seed = 3})), 1e-6);
  constexpr std::size_t n = 152;
  BlockStorage theta(5, n), prior(5, n), slopes(5, n);
  model->draw_prior(Streams({.seed = 8}), 0, theta);
  for (std::size_t i = 0; i < n; i += 3)
    for (std::size_t j = 0; j < 5; ++j) theta(j, i) = s.theta[j] * (1 + 0.001 * static_cast<double>(i));
  std::vector<double> whole(n);
  model->log_likelihood(theta, whole);
  model->gradient(theta, prior, slopes);
  for (const std::size_t part : {8u, 24u, 64u, 72u}) {
    for (std::size_t first = 0; first < n; first += part) {
      const std::size_t count = std::min<std::size_t>(part, n - first);
      std::vector<double> some(count);
      BlockStorage some_prior(5, count), some_slopes(5, count);
      const ConstBlock block = static_cast<const BlockStorage&>(theta).block().columns(first, count);
      model->log_likelihood(block, some);
      model->gradient(block, some_prior, some_slopes);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(some[i], whole[first + i]) << part << " " << first + i;
        for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(some_slopes(j, i), slopes(j, first + i));
      }
    }
  }
  for (const std::size_t i : {0u, 1u, 77u, 151u}) {
    std::vector<double> one;
    for (std::size_t j = 0; j < 5; ++j) one.push_back(theta(j, i));
    EXPECT_EQ(log_likelihood(*model, one), whole[i]);
  }
}

TEST(Ode, NoSolutionIsImpossible) {
  const auto data = numbers({{"t", {0.5, 2}}, {"y", {1, 1}}});
  const auto model = make(data, {.parameters = {{"n0", "normal(0, 1)"}},
                                 .likelihood = {{"y", "normal(n, 1)"}},
                                 .ode = {.states = {{"n", "n0", "n^2"}}}});
  BlockStorage theta(1, 3), prior(1, 3), slopes(1, 3);
  const double starts[] = {0.25, 1, -1};  // the second is infinite at t = 1
  for (std::size_t i = 0; i < 3; ++i) theta(0, i) = starts[i];
  std::vector<double> out(3);
  model->log_likelihood(theta, out);
  model->gradient(theta, prior, slopes);
  EXPECT_EQ(out[1], -kInf);
  EXPECT_EQ(slopes(0, 1), 0);
  for (const std::size_t i : {0u, 2u}) {
    double expected = -kLog2Pi;
    for (const double t : {0.5, 2.0}) expected -= 0.5 * std::pow(1 - starts[i] / (1 - starts[i] * t), 2);
    EXPECT_NEAR(out[i], expected, 1e-5);
    EXPECT_NE(slopes(0, i), 0);
  }
  // Too stiff for the steps that are allowed; start values that are no numbers; a rate that is none.
  const auto impossible = [&](const std::string& start, const std::string& rate) {
    return log_likelihood(*make(data, {.parameters = {{"k", "normal(0, 1)"}},
                                       .likelihood = {{"y", "normal(n, 1)"}},
                                       .ode = {.states = {{"n", start, rate}}, .max_steps = 300}}),
                          {-1});
  };
  EXPECT_EQ(impossible("1", "1e9 * k * (n - t)"), -kInf);
  EXPECT_EQ(impossible("log(k)", "k * n"), -kInf);
  EXPECT_EQ(impossible("1 / (k + 1)", "k * n"), -kInf);
  EXPECT_EQ(impossible("1", "sqrt(k) * n"), -kInf);
  EXPECT_GT(impossible("1", "k * n"), -kInf);
}

TEST(Ode, WhatIsRefused) {
  DataSet with_text = *numbers({{"t", kTimes}, {"y", kTimes}});
  with_text.columns.push_back({.name = "group", .texts = {"a", "a", "b", "b", "a", "b"}, .first_text = "d.csv:2: 'a'"});
  const auto data = std::make_shared<const DataSet>(with_text);
  const auto wrong = [&](const OdeParts& ode, const Lines& let = {}) {
    return problem(
        data, {.parameters = {{"k", "half-normal(1)"}}, .let = let, .likelihood = {{"y", "normal(n, 1)"}}, .ode = ode});
  };
  EXPECT_EQ(wrong({.states = {{"n", "1", "-k * n * m"}}}),
            "s.toml:1:10: there is no name 'm'\n  -k * n * m\n           ^");
  EXPECT_EQ(wrong({.states = {{"n", "1", "-k * y"}}}),
            "s.toml:1:6: 'y' has a value per row of the data; a rate is formed without data\n  -k * y\n       ^");
  EXPECT_THAT(wrong({.states = {{"n", "k + y", "-k"}}}), AllOf(HasSubstr("s.toml:1:5"), HasSubstr("a start value")));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k * mean"}}}, {{"mean", "y + 1"}}),
              HasSubstr("'mean' has a value per row"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k * mean"}}}, {{"mean", "t + y"}}), HasSubstr("'y' has a value per row"));
  EXPECT_THAT(wrong({.states = {{"n", "n", "-k"}}}), HasSubstr("there is no name 'n'"));
  EXPECT_THAT(wrong({.states = {{"y", "1", "-k"}}}), HasSubstr("'y' is a column of the data already"));
  EXPECT_THAT(wrong({.states = {{"k", "1", "-k"}}}), HasSubstr("'k' is defined already"));
  EXPECT_THAT(wrong({.states = {{"m", "1", "-k"}}}, {{"m", "2"}}), HasSubstr("'m' is defined already"));
  EXPECT_THAT(wrong({.states = {{"n[2]", "1", "-k"}}}), HasSubstr("a state is a single value"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "normal(0, 1)"}}}), HasSubstr("a rate is a number, not a distribution"));
  EXPECT_THAT(wrong({.states = {{"n", "[1, 2]", "1"}}}), HasSubstr("a start value is a number, not a vector of 2"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k"}}, .time = "tt"}),
              HasSubstr("there is no name 'tt'; did you mean 't'?"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k"}}, .time = "k"}), HasSubstr("'k' is no column of the data"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k"}}, .time = "group"}), HasSubstr("holds text (d.csv:2: 'a')"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k"}}, .from = "0.5"}), HasSubstr("0 in row 1 of 't' lies before 0.5"));
  EXPECT_THAT(wrong({.states = {{"n", "1", "-k"}}, .from = "k"}), HasSubstr("a number or a constant"));
}

}  // namespace
}  // namespace evident::formula
