// NaN on regions that hold a known part of the posterior: what the verdict makes of them.
#include "compare/nan_effect.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "evident/compare/compare.hpp"
#include "evident/dist/distribution.hpp"
#include "evident/smc/sampler.hpp"
#include "proposal/continuation.hpp"

namespace evident {
namespace {

/// d independent normal(0, 1) observations of normal means with prior normal(0, 10); NaN where `hidden` says so.
template <class Hidden>
std::shared_ptr<const Model> normal_with_nan(std::size_t d, Hidden hidden) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(std::string("x").append(std::to_string(j + 1)), normal(0, 10));
  return lift(space, [hidden](std::span<const double> t) {
    double sum = 0;
    for (const double x : t) sum -= 0.5 * x * x + 0.5 * kLog2Pi;
    return hidden(t) ? kNaN : sum;
  });
}

/// Of each coordinate of the posterior.
const double kSd = std::sqrt(1 / 1.01);

ModelResult answer(const std::shared_ptr<const Model>& model, std::uint64_t seed, bool islands = true) {
  CompareOptions o{.seed = seed, .threads = 1};
  o.smc = islands ? frozen_defaults() : SmcOptions{};
  o.smc->particles = 500;
  if (islands) o.islands = 4;
  return compare({{"model", 1.0, model}}, o).models.front();
}

Verdict level_of_nan(const ModelResult& m) {
  for (const Reason& r : m.reasons)
    if (r.code == Alarm::nan_likelihood) return r.level;
  ADD_FAILURE() << "no alarm at all";
  return Verdict::trust;
}

struct Case {
  double hidden;    ///< share of the posterior
  double quantile;  ///< of a standard normal, above which it lies
};

// What is hidden is a tail: 0.1, 1, 10 and 50 % of the posterior.
TEST(NanEffect, TailsOfThePosterior) {
  for (const std::size_t d : {1, 4})
    for (const Case& c : {Case{0.001, 3.0902}, {0.01, 2.3263}, {0.1, 1.2816}, {0.5, 0.0}}) {
      const double edge = c.quantile * kSd, lost = -std::log1p(-c.hidden);
      const auto model = normal_with_nan(d, [edge](std::span<const double> t) { return t[0] > edge; });
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const ModelResult m = answer(model, seed);
        ASSERT_TRUE(m.nan.has_value());
        EXPECT_EQ(level_of_nan(m) > Verdict::trust, lost > 0.1) << c.hidden << ' ' << m.nan->too_low;
        EXPECT_GE(m.nan->too_low, lost) << c.hidden;
      }
    }
}

// What is hidden is the middle, so that every particle lies around it.
TEST(NanEffect, TheMiddleOfThePosterior) {
  for (const Case& c : {Case{0.01, 0.012533}, {0.1, 0.12566}, {0.5, 0.67449}}) {
    const double half = c.quantile * kSd, lost = -std::log1p(-c.hidden);
    const auto model = normal_with_nan(2, [half](std::span<const double> t) { return std::abs(t[0]) < half; });
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const ModelResult m = answer(model, seed);
      EXPECT_EQ(level_of_nan(m) > Verdict::trust, lost > 0.1) << c.hidden << ' ' << m.nan->too_low;
      EXPECT_GE(m.nan->too_low, lost) << c.hidden;
    }
  }
}

// Half of the prior, and nothing of the posterior.
TEST(NanEffect, FarFromThePosteriorItIsANote) {
  for (const std::size_t d : {1, 3, 10}) {
    const auto model = normal_with_nan(d, [](std::span<const double> t) { return t[0] > 8 || t[0] < -6; });
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      for (const bool islands : {true, false}) {
        const ModelResult m = answer(model, seed, islands);
        EXPECT_GT(m.nan->of_prior, 0.3);
        EXPECT_LT(m.nan->too_low, 0.01);
        EXPECT_EQ(level_of_nan(m), Verdict::trust);
      }
  }
}

// Two modes that no parabola fits, with NaN beyond them.
TEST(NanEffect, FarFromTwoModesItIsANote) {
  ParameterSpace space;
  for (int j = 0; j < 6; ++j) space.add(std::string("x").append(std::to_string(j + 1)), normal(0, 10));
  const auto model = lift(space, [](std::span<const double> t) {
    double left = 0, right = 0;
    for (const double x : t) left -= 0.5 * (x + 2.5) * (x + 2.5), right -= 0.5 * (x - 2.5) * (x - 2.5);
    return t[0] > 12 ? kNaN : log_add_exp(left, right);
  });
  const ModelResult m = answer(model, 1);
  EXPECT_LT(m.nan->too_low, 0.01);
  EXPECT_EQ(level_of_nan(m), Verdict::trust);
}

// A likelihood whose logarithm is no parabola, with NaN on a tail: log(1 + x^2) of a Cauchy distribution.
TEST(NanEffect, TailsThatAreNotNormal) {
  ParameterSpace space;
  space.add("x", normal(0, 50));
  for (const double edge : {3.0, 40.0}) {  // hides 10 and 0.6 %, about
    const auto log_density = [](double x) { return -0.5 * x * x / 2500 - std::log1p(x * x); };
    double all = 0, hidden = 0;
    for (double x = -300; x < 300; x += 0.001) (x > edge ? hidden : all) += std::exp(log_density(x));
    const double lost = std::log1p(hidden / all);
    const auto model =
        lift(space, [edge](std::span<const double> t) { return t[0] > edge ? kNaN : -std::log1p(t[0] * t[0]); });
    const ModelResult m = answer(model, 1);
    EXPECT_GE(m.nan->too_low, lost - 0.01);  // a part of the far tail is no neighbour of anything
    EXPECT_EQ(level_of_nan(m) > Verdict::trust, lost > 0.1);
  }
}

// The same numbers for any number of threads, and points that are NaN indeed.
TEST(NanEffect, IsTheSameForAnyThreads) {
  const auto model = normal_with_nan(2, [](std::span<const double> t) { return t[0] > 1; });
  std::vector<ModelResult> both;
  for (const unsigned threads : {1U, 3U}) {
    CompareOptions o{.smc = frozen_defaults(), .seed = 4, .threads = threads, .islands = 4};
    o.smc->particles = 300;
    both.push_back(compare({{"model", 1.0, model}}, o).models.front());
  }
  const FoundNan &a = *both[0].nan, &b = *both[1].nan;
  EXPECT_EQ(a.met, b.met);
  EXPECT_EQ(a.too_low, b.too_low);
  EXPECT_EQ(a.of_prior, b.of_prior);
  ASSERT_EQ(a.places.size(), 4u);
  for (std::size_t k = 0; k < a.places.size(); ++k) {
    EXPECT_EQ(a.places[k].at, b.places[k].at);
    EXPECT_GT(a.places[k].at[0], 1);
  }
  EXPECT_EQ(both[0].evaluations(), both[1].evaluations());
}

TEST(NanEffect, NoneIsSaidWhereThereIsNone) {
  const auto model = normal_with_nan(1, [](std::span<const double>) { return false; });
  const ModelResult m = answer(model, 1);
  EXPECT_FALSE(m.nan.has_value());
  for (const Reason& r : m.reasons) EXPECT_NE(r.code, Alarm::nan_likelihood);
}

}  // namespace
}  // namespace evident
