// Every method that runs one model at a time, on models with exact evidences.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/statistics.hpp"
#include "compare/method.hpp"
#include "compare/regressions.hpp"
#include "evident/base/error.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

CompareOptions small(Method method) {
  CompareOptions options = default_options(method, Recipe::adaptive);
  options.smc->particles = 400;
  options.smc->schedule = CessSchedule{0.99};
  options.population_mcmc.chains = 20;
  options.population_mcmc.burn_in = 200;
  options.population_mcmc.iterations = 1000;
  options.posterior_chain.burn_in = 100;
  options.posterior_chain.iterations = 200;
  options.seed = 5;
  return options;
}

double detail(const Replicate& replicate, const std::string& name) {
  for (const auto& [key, value] : replicate.details)
    if (key == name) return value;
  ADD_FAILURE() << "no detail " << name;
  return kNaN;
}

class PerModel : public testing::TestWithParam<Method> {};

TEST_P(PerModel, EvidenceIsExactWithinItsError) {
  CompareOptions options = small(GetParam());
  options.replicates = 12;
  options.threads = 2;
  const Comparison c = compare(regression_candidates(), options);
  const auto family = regressions();
  EXPECT_EQ(c.method, GetParam());
  EXPECT_TRUE(c.runs.empty());
  for (std::size_t k = 0; k < 2; ++k) {
    const ModelResult& m = c.models[k];
    std::vector<double> estimates;
    for (const Replicate& r : m.replicates) {
      // The trapezoid rule on a ladder of 20 rungs is off by 0.3 here; stepping stones have no such error.
      const bool ladder = GetParam() == Method::population_mcmc;
      estimates.push_back(ladder ? detail(r, "log_evidence_stepping") : r.log_evidence.value);
    }
    const double error = standard_deviation(estimates) / std::sqrt(12.0);
    ASSERT_GT(error, 0);
    // Four standard errors; 0.02 for the log of a mean.
    EXPECT_NEAR(log_mean_exp(estimates), family->regression(k).exact_log_evidence(), 4 * error + 0.02) << m.name;
    EXPECT_FALSE(m.parameters.empty());
    EXPECT_GT(m.evaluations(), 0U);
    EXPECT_TRUE(std::isnan(m.spread.probability_sd));
    EXPECT_TRUE(std::isnan(m.support));
  }
  EXPECT_NEAR(c.models[0].probability.value + c.models[1].probability.value, 1, 1e-12);
}

TEST_P(PerModel, SameNumbersForAnyThreadsAndAnyCompany) {
  CompareOptions options = small(GetParam());
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 3U}) {
    options.threads = threads;
    const Comparison c = compare(regression_candidates(), options);
    std::vector<double> all;
    for (const ModelResult& m : c.models) {
      all.insert(all.end(), {m.log_evidence.value, m.probability.value});
      for (const ParameterSummary& p : m.parameters) all.insert(all.end(), {p.mean, p.sd, p.q05, p.q95});
    }
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads;
  }
  const Comparison alone = compare({regression_candidates()[1]}, options);
  EXPECT_EQ(alone.models[0].log_evidence.value, compare(regression_candidates(), options).models[1].log_evidence.value);
}

INSTANTIATE_TEST_SUITE_P(Methods, PerModel,
                         testing::Values(Method::direct, Method::ais, Method::population_mcmc, Method::harmonic_mean,
                                         Method::data_tempering),
                         [](const auto& tested) {
                           std::string name(evident::info(tested.param).name);
                           std::erase(name, '-');
                           return name;
                         });

// An evidence with an error and a verdict, or plain words why there is none.
TEST(CompareMethods, EveryMethodIsJudgedOrSaysWhyNot) {
  const FamilyCandidate family{regressions(), {{0, "none"}, {1, "x1"}}};
  for (const MethodInfo& method : methods()) {
    SCOPED_TRACE(std::string(method.name));
    EXPECT_EQ(method.unjudged.empty(), method.method == Method::direct);
    if (method.method == Method::chib || method.method == Method::bic) continue;  // of other models, and quick
    for (const Recipe recipe : {Recipe::adaptive, Recipe::islands}) {
      CompareOptions options = small(method.method);
      if (recipe == Recipe::islands) options.islands = default_options(method.method).islands;
      options.rjmcmc = {.chains = 4, .burn_in = 100, .iterations = 500};
      const Comparison c =
          method.union_of_models ? compare_family(family, options) : compare(regression_candidates(), options);
      for (const ModelResult& m : c.models) {
        ASSERT_TRUE(m.verdict) << m.name;
        const bool has_check = method.method == Method::direct || options.with_islands();
        if (*m.verdict != Verdict::unjudged) {
          EXPECT_TRUE(has_check);
          EXPECT_TRUE(m.log_evidence.known()) << m.name;
          continue;
        }
        ASSERT_EQ(m.reasons.size(), 1U) << m.name;
        EXPECT_EQ(m.reasons[0].code, has_check ? Alarm::few_particles : Alarm::no_check);
        EXPECT_EQ(m.reasons[0].level, Verdict::unjudged);
        if (!has_check) {
          EXPECT_EQ(m.reasons[0].text, method.unjudged);
        }
      }
    }
  }
}

TEST(CompareMethods, AisNeverResamples) {
  const Comparison c = compare(regression_candidates(), small(Method::ais));
  for (const ModelResult& m : c.models) {
    EXPECT_EQ(m.replicates[0].trace.resamplings(), 0U);
    ASSERT_FALSE(m.replicates[0].details.empty());
    EXPECT_EQ(m.replicates[0].details[0].first, "effective_draws");
    EXPECT_LE(m.replicates[0].details[0].second, 400.0 * (1 + 1e-9));
  }
}

TEST(CompareMethods, BicHasNoDrawsAndNoErrors) {
  const Comparison c = compare(regression_candidates(), small(Method::bic));
  const ModelResult& m = c.models[1];
  ASSERT_EQ(m.replicates[0].details[0].first, "largest_log_likelihood");
  const double largest = m.replicates[0].details[0].second;
  EXPECT_NEAR(m.log_evidence.value, largest - 1.5 * std::log(25.0), 1e-9) << "three parameters, 25 observations";
  EXPECT_TRUE(m.parameters.empty());
  EXPECT_TRUE(m.draws.weights.empty());
  EXPECT_TRUE(c.averaged.empty());
  EXPECT_TRUE(std::isnan(m.log_evidence_path));
  EXPECT_EQ(m.steps(), 0U);
}

TEST(CompareMethods, DataTemperingGivesThePredictiveDensities) {
  const Comparison c = compare(regression_candidates(), small(Method::data_tempering));
  const Replicate& r = c.models[0].replicates[0];
  ASSERT_EQ(r.details.size(), 25U);
  double sum = 0;
  for (const auto& [name, value] : r.details) sum += value;
  EXPECT_NEAR(sum, r.log_evidence.value, 1e-9);
}

TEST(CompareMethods, WhatAModelLacksIsAnInputError) {
  const std::vector<Candidate> tosses = {{"coin", 1, problems::beta_bernoulli(1, 1).model, {}}};
  for (const Method method : {Method::chib, Method::bic, Method::data_tempering}) {
    try {
      compare(tosses, small(method));
      FAIL() << info(method).name;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("model 'coin'"), std::string::npos) << e.what();
    }
  }
}

TEST(CompareMethods, AUnionNeedsAFamilyAndAListNeedsAMethodForIt) {
  EXPECT_THROW(compare(regression_candidates(), small(Method::all_in_one)), InputError);
  EXPECT_THROW(compare_family({regressions(), {}}, small(Method::direct)), InputError);
}

}  // namespace
}  // namespace evident
