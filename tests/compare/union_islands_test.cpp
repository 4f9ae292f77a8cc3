// The all-in-one method by islands: evidences with errors and verdicts, on families with exact answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compare/numbers.hpp"
#include "compare/regressions.hpp"
#include "evident/base/error.hpp"
#include "problems/subsets.hpp"
#include "support/mean_error.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

CompareOptions islands() {
  CompareOptions options = default_options(Method::all_in_one);
  options.smc->particles = 300;
  options.seed = 3;
  options.threads = 2;
  return options;
}

TEST(UnionIslands, AreTheDefault) {
  EXPECT_EQ(default_options(Method::all_in_one).islands, 8U);
  EXPECT_EQ(default_options(Method::all_in_one, Recipe::adaptive).islands, 0U);
  EXPECT_EQ(default_options(Method::relative).islands, 0U);
  EXPECT_EQ(default_options(Method::rjmcmc).islands, 0U);
}

TEST(UnionIslands, EvidencesAndProbabilitiesHaveErrorsThatHold) {
  const auto family = regressions();
  const auto exact = exact_probabilities(*family);
  const Comparison c = compare_family({family, {}}, islands());
  ASSERT_TRUE(c.pilot);
  EXPECT_GT(c.pilot->trace.evaluations, 0U);
  ASSERT_EQ(c.runs.size(), 8U);
  double sum = 0;
  for (const ModelResult& m : c.models) {
    sum += m.probability.value;
    if (m.verdict == Verdict::unjudged) continue;
    const double log_evidence = family->regression(*m.index).exact_log_evidence();
    ASSERT_TRUE(m.log_evidence.known()) << m.name;
    EXPECT_NEAR(m.log_evidence.value, log_evidence, 4 * m.log_evidence.standard_error) << m.name;
    EXPECT_NEAR(m.probability.value, exact.at(m.name), 4 * m.probability.standard_error) << m.name;
    EXPECT_LT(m.probability_interval.lower, m.probability.value);
    EXPECT_GT(m.probability_interval.upper, m.probability.value);
    EXPECT_EQ(m.verdict, Verdict::trust) << m.name;
    EXPECT_GT(m.nested_evaluations, 0U) << "nested sampling looked at " << m.name;
    ASSERT_TRUE(m.modes);
    EXPECT_EQ(m.modes->found, 1U);
  }
  EXPECT_EQ(c.models[0].verdict, Verdict::trust);
  EXPECT_NEAR(sum, 1, 1e-9);
}

// The error of the answer, not a guess, is the tolerance: a bias of an eighth of one comparison's error would show.
TEST(UnionIslands, HaveNoBias) {
  const std::shared_ptr<const RegressionFamily> family(new RegressionFamily(problems::subsets()));
  const std::vector<double> probability = problems::subset_probabilities(*family);
  constexpr std::size_t kSeeds = 8;
  std::vector<std::vector<double>> ratios(32);
  for (std::size_t seed = 1; seed <= kSeeds; ++seed) {
    CompareOptions options = islands();
    options.seed = seed;
    const Comparison c = compare_family({family, {}}, options);
    for (const ModelResult& m : c.models)
      for (const Replicate& r : m.replicates)
        ratios[*m.index].push_back(std::exp(r.log_evidence.value - family->regression(*m.index).exact_log_evidence()));
  }
  for (ModelIndex k = 0; k < 32; ++k)
    if (probability[k] > 0.03) expect_mean(ratios[k], 1, family->name(k));
}

TEST(UnionIslands, ModelsWithFewParticlesAreUnjudged) {
  RegressionTruth truth;
  truth.coefficients = {8, 0};
  const RegressionTable table = simulate_regression(truth, 40, Streams({.seed = 3}));
  const auto family =
      std::make_shared<RegressionFamily>(std::make_shared<RegressionData>(table.y, table.columns), RegressionOptions{});
  const Comparison c = compare_family({family, {{0, "none"}, {1, "first"}}}, islands());
  const ModelResult& none = c.models[0];
  EXPECT_EQ(none.support, 0);
  EXPECT_EQ(none.verdict, Verdict::unjudged);
  ASSERT_EQ(none.reasons.size(), 1U);
  EXPECT_EQ(none.reasons[0].code, Alarm::few_particles);
  EXPECT_EQ(none.reasons[0].text.substr(0, 38), "0 of the 2400 final particles of the i");
  EXPECT_EQ(none.nested_evaluations, 0U);
  EXPECT_EQ(c.models[1].verdict, Verdict::trust);
}

TEST(UnionIslands, AHundredParticlesAreJudged) {
  CompareOptions options = islands();
  options.smc->particles = 100;
  const Comparison c = compare_family({regressions(), {}}, options);
  std::size_t in_every_island = 0;
  for (const ModelResult& m : c.models) {
    const bool met = std::ranges::all_of(m.replicates, [](const Replicate& r) { return r.support > 0; });
    EXPECT_EQ(m.verdict == Verdict::unjudged, m.support < 100 || !met) << m.name;
    in_every_island += met && m.support < 100;
  }
  EXPECT_GT(in_every_island, 0U) << "or this problem shows nothing";
}

TEST(UnionIslands, SameNumbersForAnyThreadsAndRanks) {
  const FamilyCandidate family{.family = regressions(), .listed = {}};
  CompareOptions options = islands();
  options.islands = 4;
  options.threads = 1;
  const auto expected = numbers(compare_family(family, options));
  options.threads = 3;
  EXPECT_EQ(numbers(compare_family(family, options)), expected);
  test::run_team(3, [&](Team& team) {
    CompareOptions own = options;
    own.team = &team;
    own.threads = team.rank() == 1 ? 2 : 1;
    EXPECT_EQ(numbers(compare_family(family, own)), expected);
  });
}

TEST(UnionIslands, AGoalIsForTheDirectMethod) {
  CompareOptions options = islands();
  options.goal.precision = 0.1;
  EXPECT_THROW(compare_family({regressions(), {}}, options), InputError);
}

}  // namespace
}  // namespace evident
