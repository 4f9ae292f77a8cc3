// The methods that run on the union of the models, on a family with exact probabilities.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "compare/regressions.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

CompareOptions small(Method method, Recipe recipe = Recipe::adaptive) {
  CompareOptions options = default_options(method, recipe);
  options.smc->particles = 500;
  options.smc->schedule = CessSchedule{0.99};
  options.rjmcmc = {.chains = 4, .burn_in = 200, .iterations = 1500};
  options.seed = 7;
  options.threads = 2;
  return options;
}

FamilyCandidate chain() {
  const auto family = regressions();
  return {family, {{0, "none"}, {1, "first"}, {5, "first and third"}}};
}

class Union : public testing::TestWithParam<Method> {};

TEST_P(Union, ProbabilitiesAreExactWithinTheirError) {
  CompareOptions options = small(GetParam());
  options.replicates = 12;
  const auto family = regressions();
  const Comparison c = compare_family({family, {}}, options);
  const auto exact = exact_probabilities(*family);
  double sum = 0;
  for (const ModelResult& m : c.models) {
    sum += m.probability.value;
    // Four standard errors, and no less than a few particles.
    const double error = m.spread.probability_sd / std::sqrt(12.0);
    EXPECT_NEAR(m.probability.value, exact.at(m.name), 4 * error + 0.002) << m.name;
    EXPECT_NEAR(m.weight, 0.125, 1e-12);
    EXPECT_GT(m.support, 0);
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  for (std::size_t i = 1; i < c.models.size(); ++i)
    EXPECT_GE(c.models[i - 1].probability.value, c.models[i].probability.value) << "the most probable first";
  ASSERT_EQ(c.runs.size(), 12U);
  EXPECT_GT(c.runs[0].trace.evaluations, 0U);
  EXPECT_FALSE(c.runs[0].details.empty()) << "how often jumps were accepted";
}

TEST_P(Union, SameNumbersForAnyThreads) {
  CompareOptions options = small(GetParam());
  options.replicates = 2;
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 3U}) {
    options.threads = threads;
    std::vector<double> all;
    for (const ModelResult& m : compare_family({regressions(), {}}, options).models) {
      all.insert(all.end(), {m.probability.value, m.support});
      for (const ParameterSummary& p : m.parameters) all.insert(all.end(), {p.mean, p.sd, p.q05, p.q95});
    }
    if (reference.empty()) reference = all;
    ASSERT_EQ(all.size(), reference.size());
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Union, testing::Values(Method::all_in_one, Method::rjmcmc), [](const auto& tested) {
  std::string name(evident::info(tested.param).name);
  std::erase(name, '-');
  return name;
});

TEST(CompareFamily, AllInOneKnowsTheEvidences) {
  CompareOptions options = small(Method::all_in_one);
  options.replicates = 12;
  const FamilyCandidate candidate = chain();
  const Comparison c = compare_family(candidate, options);
  const auto& family = dynamic_cast<const RegressionFamily&>(*candidate.family);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(c.models[i].name, candidate.listed[i].second);
    const double exact = family.regression(candidate.listed[i].first).exact_log_evidence();
    EXPECT_NEAR(c.models[i].log_evidence.value, exact, 4 * c.models[i].spread.log_evidence_sd / std::sqrt(12.0) + 0.02);
  }
}

TEST(CompareFamily, RjmcmcGivesBayesFactorsWithoutEvidences) {
  CompareOptions options = small(Method::rjmcmc);
  options.rjmcmc.iterations = 10000;
  const FamilyCandidate candidate = chain();
  const Comparison c = compare_family(candidate, options);
  const auto& family = dynamic_cast<const RegressionFamily&>(*candidate.family);
  EXPECT_TRUE(std::isnan(c.models[0].log_evidence.value));
  const double exact = family.regression(1).exact_log_evidence() - family.regression(5).exact_log_evidence();
  // Standard error of a log ratio from those of the two shares.
  const double relative_0 = c.models[1].probability.standard_error / c.models[1].probability.value;
  const double relative_1 = c.models[2].probability.standard_error / c.models[2].probability.value;
  ASSERT_GT(relative_0, 0);
  EXPECT_NEAR(c.log_bayes_factor(1, 2), exact, 4 * std::hypot(relative_0, relative_1));
  EXPECT_EQ(c.log_bayes_factor(1, 2), -c.log_bayes_factor(2, 1));
}

TEST(CompareFamily, RelativeWalksTheList) {
  CompareOptions options = small(Method::relative);
  options.replicates = 12;
  const FamilyCandidate candidate = chain();
  const Comparison c = compare_family(candidate, options);
  const auto& family = dynamic_cast<const RegressionFamily&>(*candidate.family);
  ASSERT_EQ(c.models.size(), 3U);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const ModelResult& m = c.models[i];
    const double exact = family.regression(candidate.listed[i].first).exact_log_evidence();
    EXPECT_NEAR(m.log_evidence.value, exact, 4 * m.spread.log_evidence_sd / std::sqrt(12.0) + 0.02) << m.name;
    EXPECT_NEAR(m.log_evidence_path, exact, 4 * m.spread.log_evidence_path_sd / std::sqrt(12.0) + 0.1) << m.name;
    EXPECT_FALSE(m.parameters.empty());
    sum += m.probability.value;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(CompareFamily, AListedModelStandsThereWhetherVisitedOrNot) {
  // A strong effect: no chain stays long enough in a model without it to be seen in 40 iterations.
  RegressionTruth truth;
  truth.coefficients = {8, 0};
  const RegressionTable table = simulate_regression(truth, 40, Streams({.seed = 3}));
  const auto family =
      std::make_shared<RegressionFamily>(std::make_shared<RegressionData>(table.y, table.columns), RegressionOptions{});
  for (const Method method : {Method::rjmcmc, Method::all_in_one}) {
    CompareOptions options = small(method);
    options.rjmcmc = {.chains = 2, .burn_in = 100, .iterations = 40};
    const Comparison c = compare_family({family, {{0, "none"}, {1, "first"}}}, options);
    ASSERT_GE(c.models.size(), 2U);
    const ModelResult& none = c.models[0];
    EXPECT_EQ(none.name, "none");
    EXPECT_EQ(none.support, 0);
    EXPECT_EQ(none.probability.value, 0);
    EXPECT_TRUE(none.parameters.empty());
    EXPECT_TRUE(none.draws.weights.empty());
    EXPECT_EQ(c.log_bayes_factor(1, 0), kInf);
  }
}

TEST(CompareFamily, BadFamiliesAreRefused) {
  EXPECT_THROW(compare_family({nullptr, {}}, small(Method::all_in_one)), InputError);
  EXPECT_THROW(compare_family({regressions(), {{1, "a"}, {1, "b"}}}, small(Method::all_in_one)), InputError);
  EXPECT_THROW(compare_family({regressions(), {{99, "a"}}}, small(Method::all_in_one)), InputError);
  EXPECT_THROW(compare_family({regressions(), {{1, "a"}}}, small(Method::relative)), InputError);
  CompareOptions none = small(Method::all_in_one);
  none.replicates = 0;
  EXPECT_THROW(compare_family({regressions(), {}}, none), InputError);
}

}  // namespace
}  // namespace evident
