// The suite of problems on which verdicts are measured: its two sets, and how the second one was drawn.
#include "problems/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "problems/families.hpp"

namespace evident::problems {
namespace {

TEST(Suite, NamesAreDistinct) {
  std::set<std::string> names;
  for (const SuiteEntry& e : suite()) EXPECT_TRUE(names.insert(e.name).second) << e.name;
}

TEST(Suite, EveryFamilyHasProblemsOfBothSets) {
  std::set<std::string> first, second;
  for (const SuiteEntry& e : suite()) {
    EXPECT_TRUE(e.set == 1 || e.set == 2) << e.name;
    EXPECT_EQ(e.half() == Half::design, e.set == 1) << e.name;
    (e.set == 1 ? first : second).insert(e.family);
  }
  EXPECT_EQ(first.size(), 18U);
  EXPECT_EQ(first, second);
}

TEST(Suite, EveryProblemOfSet2CanBeMade) {
  for (const SuiteEntry& e : suite()) {
    if (e.set != 2) continue;
    const Problem p = e.make(1), q = e.make(2);
    EXPECT_EQ(p.name, e.name);
    EXPECT_TRUE(std::isfinite(p.log_evidence) && std::isfinite(q.log_evidence)) << e.name;
    EXPECT_LE(p.standard_error, 1e-4) << e.name;
    EXPECT_FALSE(p.how.empty()) << e.name;
    ASSERT_NE(p.model, nullptr) << e.name;
    EXPECT_GT(p.model->parameters().size(), 0U) << e.name;
    EXPECT_TRUE(e.drawn || p.log_evidence == q.log_evidence) << e.name;
  }
}

TEST(Suite, SeedsOfTheHalvesAreApart) {
  EXPECT_TRUE(is_seed_of(Half::design, 1) && is_seed_of(Half::design, 999));
  EXPECT_TRUE(is_seed_of(Half::confirmation, 200001));
  for (const std::uint64_t seed : {0ULL, 1000ULL, 100001ULL, 200000ULL})
    EXPECT_FALSE(is_seed_of(Half::design, seed) || is_seed_of(Half::confirmation, seed)) << seed;
}

/// Evidences of instance 1, from before set 2 was made: what was measured on set 1 stays true of it.
TEST(Suite, Set1IsAsItWas) {
  struct Was {
    const char* name;
    double log_evidence;
  };
  for (const Was& was : {Was{"conjugate normal n=20 d=5", -149.97163615992392},
                         Was{"ridge d=4", -11.982929094215963},
                         Was{"unequal modes d=10", -46.051701859880943},
                         Was{"Cauchy location", -35.226333608140244},
                         Was{"funnel with data d=5", -6.3557188327052767},
                         Was{"30 groups, half-normal", -56.655556019386893},
                         Was{"mixture of 2, ordered", -23.371131608658448},
                         Was{"nested boxes d=5", 4.0455072175794706},
                         Was{"rounded line d=2", -9.9527652829734237},
                         Was{"2 change points", -64.340993309035795},
                         Was{"threshold d=3", -39.259931632014208},
                         Was{"step in space d=4", -4.9792174819737287},
                         Was{"needle d=2 sd=0.001", 2.3978952727983707},
                         Was{"thin shell d=3", -5.3783820470429244},
                         Was{"1e5 rows, line", -142187.77743733209},
                         Was{"random walk d=100", -163.07250270760463},
                         Was{"1 sinusoid d=3", -64.914862911627864},
                         Was{"Poisson, 10 rates", -47.51750991097996},
                         Was{"logistic regression d=2", -36.912711033933959},
                         Was{"Hill, Student slope", 3.6165390153799835}}) {
    const auto entry = std::ranges::find(suite(), was.name, &SuiteEntry::name);
    ASSERT_NE(entry, suite().end()) << was.name;
    EXPECT_EQ(entry->set, 1) << was.name;
    EXPECT_NEAR(entry->make(1).log_evidence, was.log_evidence, 1e-9 * std::abs(was.log_evidence)) << was.name;
  }
}

TEST(Suite, OutOfReachIsWhatHasNoSlopeAndNoRoom) {
  std::set<std::string> names;
  for (const SuiteEntry& e : suite())
    if (e.out_of_reach && e.set == 1) names.insert(e.name);
  EXPECT_EQ(names, (std::set<std::string>{"16 random modes d=4", "Skilling's spike d=20", "needle d=2 sd=0.0001",
                                          "spike in normal d=4 sd=0.05 off=3", "spike in normal d=5 sd=0.1 off=3"}));
}

TEST(ParameterDraws, AreTheSameEachTimeAndOthersForEachFamily) {
  ParameterDraws one("spikes"), again("spikes"), other("counts");
  bool all_alike = true;
  for (int k = 0; k < 20; ++k) {
    const double value = one.between(1, 2);
    EXPECT_EQ(again.between(1, 2), value);
    all_alike = all_alike && other.between(1, 2) == value;
  }
  EXPECT_FALSE(all_alike);
}

TEST(ParameterDraws, StayWithinTheirRanges) {
  ParameterDraws draws("a test");
  std::set<std::size_t> whole;
  std::size_t low = 0;
  constexpr int kDraws = 2000;
  for (int k = 0; k < kDraws; ++k) {
    whole.insert(draws.whole(3, 7, {5}));
    const double between = draws.between(0.5, 3), factor = draws.by_factor(1e-4, 1e-2);
    EXPECT_TRUE(between >= 0.5 && between <= 3) << between;
    EXPECT_TRUE(factor >= 1e-4 && factor <= 1e-2) << factor;
    low += factor < 1e-3 ? 1 : 0;
  }
  EXPECT_EQ(whole, (std::set<std::size_t>{3, 4, 6, 7}));
  // Half of them by logarithm; 4 standard deviations, and what is rounded up to 1e-3.
  EXPECT_NEAR(static_cast<double>(low) / kDraws, 0.5, 4 * std::sqrt(0.25 / kDraws) + 0.0011);
}

TEST(ParameterDraws, HaveTwoDigits) {
  ParameterDraws draws("a test");
  for (int k = 0; k < 50; ++k) {
    const double value = draws.by_factor(0.01, 100);
    EXPECT_NEAR(value, std::stod(shown(value)), 1e-12);
    EXPECT_LE(shown(value).size(), 5U) << shown(value);
  }
}

}  // namespace
}  // namespace evident::problems
