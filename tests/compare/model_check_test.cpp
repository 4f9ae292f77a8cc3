// A check of models whose every answer is known, and of models with one thing wrong each.
#include "compare/model_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "model/explains_nan.hpp"
#include "problems/modes.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

enum class Fault { none, gradient, prior_gradient, impossible, nan, unsteady, prior_density, throws };

/// Ten observations around 1 of normal(mu, 1) with mu ~ normal(0, 2) and a scale that does nothing, s ~ gamma(3, 1).
class Normal final : public Model {
 public:
  explicit Normal(Fault fault = Fault::none, double y = 1) : fault_(fault) {
    for (int k = 0; k < 10; ++k) y_.push_back(y + 0.35 * (k - 4.5));
    space_.add("mu", normal(0, 2)).add("s", gamma_rate(3, 1));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    if (fault_ == Fault::throws) throw RunError("broken");
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double mu = theta(0, i);
      out[i] = 0;
      for (const double y : y_) out[i] += -0.5 * std::log(2 * M_PI) - 0.5 * (y - mu) * (y - mu);
      if (fault_ == Fault::impossible) out[i] = -kInf;
      if (fault_ == Fault::nan && mu > 2) out[i] = kNaN;
      if (fault_ == Fault::unsteady) out[i] += 1e-9 * static_cast<double>(i);
    }
  }
  void log_prior(ConstBlock theta, std::span<double> out) const override {
    space_.log_density(theta, out);
    if (fault_ == Fault::prior_density)
      for (double& v : out) v += std::log(2.0);
  }
  bool has_gradient() const override { return true; }
  void gradient(ConstBlock theta, Block d_prior, Block d) const override {
    space_.gradient(theta, d_prior);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      d(0, i) = 0;
      d(1, i) = 0;
      for (const double y : y_) d(0, i) += y - theta(0, i);
      if (fault_ == Fault::gradient) d(0, i) *= 1.01;
      if (fault_ == Fault::prior_gradient) d_prior(1, i) = -d_prior(1, i);
    }
  }
  std::vector<Observed> observed() const override { return {{.name = "y", .values = y_}}; }
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      Stream s = streams.at({.particle = static_cast<std::uint32_t>(first + i), .purpose = Purpose::simulate});
      for (std::size_t k = 0; k < out.rows(); ++k) out(k, i) = theta(0, i) + s.normal();
    }
  }

 private:
  Fault fault_;
  std::vector<double> y_;
  ParameterSpace space_;
};

ModelCheck check(const Model& model, unsigned threads = 1, bool forecast = false) {
  const Executor executor(threads);
  ModelCheckOptions options{.draws = 2000, .forecast = forecast};
  options.smc = frozen_defaults();
  options.smc.max_prior_draws = 10'000;  // so that no clock ends the draws where all are impossible
  options.islands = 8;
  return check_model(model, options, {Streams({.seed = 12}), executor});
}

std::string problem(Fault fault) {
  const ModelCheck c = check(Normal(fault));
  EXPECT_TRUE(c.has_problem());
  return c.findings.empty() ? "" : c.findings[0].text;
}

TEST(ModelCheck, ASoundModelHasNoFindings) {
  const ModelCheck c = check(Normal());
  EXPECT_TRUE(c.findings.empty()) << c.findings[0].text;
  ASSERT_EQ(c.parameters.size(), 2u);
  // Mean and SD of 2000 draws, by their standard errors.
  EXPECT_NEAR(c.parameters[0].draws.mean, 0, 4 * 2 / std::sqrt(2000.0));
  EXPECT_NEAR(c.parameters[1].draws.mean, 3, 4 * std::sqrt(3.0 / 2000));
  EXPECT_NEAR(c.parameters[0].draws.q95, 2 * 1.6449, 0.4);
  EXPECT_EQ(c.impossible + c.nan + c.unsteady, 0u);
  ASSERT_TRUE(c.gradient.has_value());
  EXPECT_EQ(c.gradient->tested, 16u * 2 * 2);
  EXPECT_EQ(c.gradient->wrong, 0u);
  EXPECT_GT(c.seconds_per_likelihood, 0);
}

TEST(ModelCheck, PriorPredictiveHasItsKnownLaw) {
  const ModelCheck c = check(Normal());
  ASSERT_EQ(c.predictive.size(), 4u);
  const PriorPredictive& mean = c.predictive[0];  // of ten: normal with variance 4 + 1/10
  EXPECT_EQ(mean.statistic, "mean");
  EXPECT_NEAR(mean.of_data, 1, 1e-12);
  EXPECT_NEAR(mean.of_draws.mean, 0, 4 * std::sqrt(4.1 / 2000));
  EXPECT_NEAR(mean.of_draws.sd, std::sqrt(4.1), 4 * std::sqrt(4.1 / 4000));
  const double share = 0.5 * std::erfc(-1 / std::sqrt(2 * 4.1));
  EXPECT_NEAR(mean.share_below, share, 4 * std::sqrt(share * (1 - share) / 2000));
  // Ten times the variance is chi-squared with 9 degrees of freedom, of which 0.6580 lie below that of the data.
  EXPECT_NEAR(c.predictive[1].share_below, 0.6580, 4 * std::sqrt(0.6580 * 0.3420 / 2000));
}

TEST(ModelCheck, ToldWhenThePriorDoesNotAllowTheData) {
  const ModelCheck c = check(Normal(Fault::none, 50));
  ASSERT_FALSE(c.findings.empty());
  EXPECT_FALSE(c.has_problem());
  EXPECT_THAT(c.findings[0].text, HasSubstr("the prior hardly allows the data: the mean of y is 50"));
}

TEST(ModelCheck, FindsWhatIsWrong) {
  EXPECT_THAT(problem(Fault::gradient), HasSubstr("the gradient is wrong: 16 of 64 derivatives"));
  EXPECT_THAT(problem(Fault::gradient), HasSubstr("0.0099 (relative) in mu"));
  EXPECT_THAT(problem(Fault::prior_gradient), HasSubstr("in s (prior)"));
  EXPECT_THAT(problem(Fault::impossible), HasSubstr("2000 are -inf"));
  EXPECT_THAT(problem(Fault::nan), HasSubstr("the log likelihood is NaN"));
  EXPECT_THAT(problem(Fault::unsteady), HasSubstr("changed when it was asked for again"));
  EXPECT_THAT(problem(Fault::prior_density), HasSubstr("the density integrates to 2"));
  EXPECT_THROW(check(Normal(Fault::throws)), RunError);
}

/// NaN on 1.6 in 10,000 of the prior, and it knows why, but for the parameters above 8.
class RareNan final : public Model, public ExplainsNan {
 public:
  RareNan() { space_.add("mu", normal(0, 2)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = theta(0, i) > 7.2 ? kNaN : -theta(0, i) * theta(0, i);
  }
  std::string why_nan(std::span<const double> theta) const override { return theta[0] > 8 ? "" : "too large"; }

 private:
  ParameterSpace space_;
};

TEST(ModelCheck, RareNanIsANoteWithItsPlace) {
  const Executor executor(2);
  const RareNan model;
  const double share = 0.5 * std::erfc(3.6 / std::sqrt(2.0));
  std::size_t nan = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ModelCheck c = check_model(model, {.modes = false}, {Streams({.seed = seed}), executor});
    EXPECT_EQ(c.nan_of_prior.draws, 21'000u);
    nan += c.nan_of_prior.nan;
    EXPECT_FALSE(c.has_problem());
    ASSERT_EQ(c.nan_of_prior.places.size(), std::min<std::size_t>(c.nan_of_prior.nan, 4));
    bool is_told = false;
    for (const NanPlace& p : c.nan_of_prior.places) {
      EXPECT_GT(p.at.at(0), 7.2);
      EXPECT_EQ(p.why.empty(), p.at[0] > 8);
      is_told = is_told || !p.why.empty();
    }
    EXPECT_EQ(c.nan_of_prior.shown.find("too large") != std::string::npos, is_told);
    if (c.nan_of_prior.nan > 0) {
      EXPECT_THAT(c.findings.front().text, HasSubstr(" of 21000 draws of the prior"));
      EXPECT_THAT(c.findings.front().text, HasSubstr("at mu = "));
    }
  }
  EXPECT_NEAR(static_cast<double>(nan), 210'000 * share, 4 * std::sqrt(210'000 * share));
  const ModelCheck quick = check_model(model, {.forecast = false, .modes = false}, {Streams({.seed = 1}), executor});
  EXPECT_EQ(quick.nan_of_prior.draws, 1000u);
}

TEST(ModelCheck, ThreadsMakeNoDifference) {
  const ModelCheck one = check(Normal()), three = check(Normal(), 3);
  EXPECT_EQ(one.log_likelihood.mean, three.log_likelihood.mean);
  EXPECT_EQ(one.predictive[1].of_draws.q95, three.predictive[1].of_draws.q95);
  EXPECT_EQ(one.prior.log_mass.value, three.prior.log_mass.value);
}

TEST(ModelCheck, ForecastIsNearToARun) {
  const Normal model;
  const ModelCheck c = check(model, 1, true);
  ASSERT_TRUE(c.forecast && c.forecast->why_not.empty());
  const Executor executor(1);
  const evident::Run run = direct_evidence(model, frozen_defaults(), {Streams({.seed = 3}), executor});
  EXPECT_NEAR(c.forecast->steps / static_cast<double>(run.trace.steps.size() - 1), 1, 0.5);
  EXPECT_NEAR(c.forecast->evaluations / static_cast<double>(run.trace.evaluations), 1, 0.6);
  EXPECT_EQ(c.forecast->runs, 9u);
  EXPECT_TRUE(
      check(Normal(Fault::impossible), 1, true).forecast->why_not.starts_with("a run with 128 particles failed"));
}

TEST(ModelCheck, FindsModes) {
  const auto p = problems::unequal_modes(3, 4, 2);
  const Executor executor(1);
  ModelCheckOptions options{.draws = 200, .forecast = false};
  const ModelCheck c = check_model(*p.problem.model, options, {Streams({.seed = 1}), executor});
  ASSERT_TRUE(c.modes);
  EXPECT_EQ(c.modes->modes.size(), 4U);
  options.modes = false;
  EXPECT_FALSE(check_model(*p.problem.model, options, {Streams({.seed = 1}), executor}).modes);
}

}  // namespace
}  // namespace evident
