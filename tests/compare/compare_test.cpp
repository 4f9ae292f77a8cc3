#include "evident/compare/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "compare/summary.hpp"
#include "evident/base/error.hpp"
#include "evident/model/model.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

// The same data under three priors: probabilities are known from the exact evidences.
std::vector<Candidate> candidates() {
  return {{"wide", 1, problems::beta_bernoulli(1, 1).model, {}},
          {"tight", 1, problems::beta_bernoulli(30, 30).model, {}},
          {"lopsided", 2, problems::beta_bernoulli(2, 5).model, {}}};
}

TEST(Compare, ProbabilitiesAreExactWithinTheError) {
  const Comparison c = compare(candidates(), {.seed = 4, .threads = 2, .replicates = 60, .islands = 0});
  const double exact[] = {problems::beta_bernoulli(1, 1).log_evidence, problems::beta_bernoulli(30, 30).log_evidence,
                          problems::beta_bernoulli(2, 5).log_evidence};
  const double joint[] = {std::exp(exact[0]), std::exp(exact[1]), 2 * std::exp(exact[2])};
  const double total = joint[0] + joint[1] + joint[2];
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const ModelResult& m = c.models[k];
    const double error = m.spread.log_evidence_sd / std::sqrt(60.0);
    EXPECT_GT(m.spread.log_evidence_sd, 0);
    EXPECT_NEAR(m.log_evidence.value, exact[k], 3 * error + 0.5 * m.spread.log_evidence_sd * m.spread.log_evidence_sd)
        << m.name;
    EXPECT_NEAR(m.probability.value, joint[k] / total, 0.02);
    EXPECT_NEAR(m.weight, k == 2 ? 0.5 : 0.25, 1e-15);
    sum += m.probability.value;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(c.log_bayes_factor(0, 1), c.models[0].log_evidence.value - c.models[1].log_evidence.value, 0);
}

TEST(Compare, PosteriorOfTheParameterIsExact) {
  const Comparison c = compare(candidates(), {.seed = 4, .replicates = 4, .islands = 0});
  const ParameterSummary& p = c.models[0].parameters.at(0);
  EXPECT_EQ(p.name, "p");
  EXPECT_NEAR(p.mean, 0.5, 4 * std::sqrt(0.25 / 103 / 2000));  // Beta(51, 51), about 2000 effective draws
  EXPECT_NEAR(p.sd, std::sqrt(0.25 / 103), 0.004);
  EXPECT_LT(p.q05, p.q25);
  EXPECT_LT(p.q25, p.q50);
  EXPECT_LT(p.q50, p.q95);
  ASSERT_EQ(c.averaged.size(), 1U);
  EXPECT_EQ(c.averaged[0].name, "p");
}

TEST(Compare, OneReplicateHasNoSpread) {
  const Comparison c = compare(candidates(), {.smc = SmcOptions{.particles = 200}, .islands = 0});
  EXPECT_TRUE(std::isnan(c.models[0].spread.log_evidence_sd));
  EXPECT_EQ(c.models[0].log_evidence.value, c.models[0].spread.log_evidence_mean);
}

TEST(Compare, SameNumbersForAnyThreads) {
  std::vector<double> reference;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    const Comparison c =
        compare(candidates(), {.smc = SmcOptions{.particles = 300}, .threads = threads, .replicates = 2, .islands = 0});
    std::vector<double> all;
    for (const ModelResult& m : c.models) {
      all.insert(all.end(), {m.log_evidence.value, m.log_evidence_path, m.probability.value, m.spread.log_evidence_sd});
      for (const ParameterSummary& p : m.parameters) all.insert(all.end(), {p.mean, p.sd, p.q05, p.q95});
    }
    if (reference.empty()) reference = all;
    EXPECT_EQ(std::memcmp(all.data(), reference.data(), all.size() * sizeof(double)), 0);
  }
}

TEST(Compare, AResultDoesNotDependOnTheOtherModels) {
  const auto all = candidates();
  const Comparison together = compare(all, {.smc = SmcOptions{.particles = 200}, .islands = 0});
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Comparison alone = compare({all[k]}, {.smc = SmcOptions{.particles = 200}, .islands = 0});
    EXPECT_EQ(together.models[k].log_evidence.value, alone.models[0].log_evidence.value);
  }
}

TEST(Compare, BadCandidatesAreRefused) {
  auto twice = candidates();
  twice[1].name = "wide";
  EXPECT_THROW(compare(twice, {}), InputError);
  auto negative = candidates();
  negative[0].weight = -1;
  EXPECT_THROW(compare(negative, {}), InputError);
  auto zero = candidates();
  for (Candidate& c : zero) c.weight = 0;
  EXPECT_THROW(compare(zero, {}), InputError);
  EXPECT_THROW(compare({}, {}), InputError);
  EXPECT_THROW(compare(candidates(), {.replicates = 0}), InputError);
}

TEST(Compare, AFailureNamesTheModel) {
  ParameterSpace space;
  space.add("x", normal(0, 1));
  auto list = candidates();
  list.push_back({"broken", 1, lift(space, [](std::span<const double>) { return -kInf; }), {}});
  try {
    compare(list, {.smc = SmcOptions{.particles = 100}, .islands = 0});
    FAIL();
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("model 'broken'"), std::string::npos);
  }
}

TEST(Summarise, WeightedMomentsAndQuantiles) {
  const std::vector<double> values = {3, 1, 2, 100}, weights = {0.25, 0.25, 0.5, 0};
  const ParameterSummary s = summarise("x", values, weights);
  EXPECT_DOUBLE_EQ(s.mean, 2);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(0.5));
  EXPECT_EQ(s.q05, 1);
  EXPECT_EQ(s.q50, 2);
  EXPECT_EQ(s.q95, 3);
}

TEST(Average, MixesByProbabilityAndLeavesOutWhatOnlyOneModelHas) {
  const auto draws = [](std::vector<std::string> names, double value) {
    Draws d;
    d.names = std::move(names);
    d.values = BlockStorage(d.names.size(), 2);
    for (std::size_t j = 0; j < d.names.size(); ++j) d.values(j, 0) = d.values(j, 1) = value;
    d.weights = {0.5, 0.5};
    return d;
  };
  const std::vector<std::vector<Draws>> models = {{draws({"a", "b"}, 1)}, {draws({"a"}, 3)}};
  const std::vector<std::vector<double>> shares = {{1.0}, {1.0}};
  const std::vector<double> probabilities = {0.75, 0.25};
  const auto averaged = average(models, shares, probabilities);
  ASSERT_EQ(averaged.size(), 1U);
  EXPECT_EQ(averaged[0].name, "a");
  EXPECT_DOUBLE_EQ(averaged[0].mean, 1.5);
}

}  // namespace
}  // namespace evident
