// The lanes against the plain twin, and against themselves in other places, on every SIMD target.
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <xmmintrin.h>

#include <algorithm>
#include <numeric>

#include "models/goodwin/problems.hpp"
#include "models/goodwin/solver.hpp"

namespace evident {
namespace {

using test::Cloud;

class GoodwinLanes : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(0); }
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  }
};

std::vector<double> evaluate(const GoodwinProblem& problem, const std::vector<std::vector<double>>& all) {
  const BlockStorage theta = test::as_block(all);
  std::vector<double> out(all.size());
  goodwin_log_likelihood(problem, theta, out);
  return out;
}

std::vector<std::vector<double>> mixed_draws(std::size_t m, std::size_t count) {
  auto all = test::draws(Cloud::near_fit, test::typical(m).theta, count, 4);
  const auto prior = test::draws(Cloud::prior, test::typical(m).theta, count, 5);
  for (std::size_t i = 1; i < count; i += 2) all[i] = prior[i];
  return all;
}

TEST_P(GoodwinLanes, AgreeWithTheTwinForEveryLength) {
  for (const std::size_t m : {2, 3, 5})
    for (const double rho : {10.0, 4.0, 2.5}) {
      const GoodwinProblem problem(test::typical_data(m), m, rho, 0.2);
      for (std::size_t n = 1; n <= 17; ++n) {
        const auto all = mixed_draws(m, n);
        const auto out = evaluate(problem, all);
        for (std::size_t i = 0; i < n; ++i) {
          const double twin = goodwin_log_likelihood_scalar(problem, all[i]);
          EXPECT_NEAR(out[i], twin, 1e-6 * std::max(1.0, std::abs(twin))) << m << ' ' << rho << ' ' << n << ' ' << i;
        }
      }
    }
}

TEST_P(GoodwinLanes, GiveTheSameBitsInEveryPlace) {
  for (const std::size_t m : {3, 5}) {
    const GoodwinProblem problem(test::typical_data(m), m, 10, 0.2);
    const auto all = mixed_draws(m, 61);
    const auto whole = evaluate(problem, all);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 engine(9);
    for (int round = 0; round < 5; ++round) {
      std::shuffle(order.begin(), order.end(), engine);
      std::vector<std::vector<double>> moved;
      for (const std::size_t i : order) moved.push_back(all[i]);
      moved.resize(moved.size() - static_cast<std::size_t>(round) * 7);  // other neighbours, another length
      const auto out = evaluate(problem, moved);
      for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(out[k], whole[order[k]]) << m << ' ' << order[k];
    }
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(evaluate(problem, {all[i]})[0], whole[i]) << m << ' ' << i;
  }
}

TEST_P(GoodwinLanes, ImpossibleParametersAreMinusInfinity) {
  const GoodwinProblem problem(test::typical_data(3), 3, 10, 0.2);
  const auto good = test::typical(3).theta;
  std::vector<std::vector<double>> all(12, good);
  all[1][0] = 0;
  all[3][1] = -1;
  all[4][2] = kNaN;
  all[6][3] = kInf;
  all[7][4] = -kInf;
  all[9] = {1e-300, 1e300, 1e300, 1e300, 1e300};
  const auto out = evaluate(problem, all);
  for (const std::size_t i : {1, 3, 4, 6, 7, 9}) EXPECT_EQ(out[i], -kInf) << i;
  for (const std::size_t i : {0, 2, 5, 8, 10, 11}) EXPECT_EQ(out[i], out[0]) << i;
  EXPECT_TRUE(std::isfinite(out[0]));
}

TEST_P(GoodwinLanes, ExtremeParametersNeverGiveNaNOrHang) {
  const std::vector<double> sizes{5e-324, 1e-300, 1e-100, 1e-10, 1, 1e10, 1e100, 1e300};
  std::mt19937_64 engine(2);
  std::uniform_int_distribution<std::size_t> pick(0, sizes.size() - 1);
  for (const std::size_t m : {2, 3, 5}) {
    const GoodwinProblem problem(test::typical_data(m), m, 10, 0.2, 3000);
    std::vector<std::vector<double>> all(300, std::vector<double>(m + 2));
    for (auto& theta : all)
      for (double& x : theta) x = sizes[pick(engine)];
    for (const double value : evaluate(problem, all)) {
      EXPECT_FALSE(std::isnan(value));
      EXPECT_LT(value, 1000);
    }
  }
}

TEST_P(GoodwinLanes, TooManyStepsCountAsImpossible) {
  const auto theta = test::typical(5).theta;
  const auto data = test::typical_data(5);
  EXPECT_EQ(evaluate(GoodwinProblem(data, 5, 10, 0.2, 50), {theta})[0], -kInf);
  EXPECT_GT(evaluate(GoodwinProblem(data, 5, 10, 0.2, 5000), {theta})[0], -1000);
}

TEST_P(GoodwinLanes, LeaveTheRoundingModeAlone) {
  const unsigned before = _mm_getcsr() & 0x8040U;
  evaluate(GoodwinProblem(test::typical_data(3), 3, 10, 0.2), {test::typical(3).theta});
  EXPECT_EQ(_mm_getcsr() & 0x8040U, before);
}

std::vector<std::int64_t> targets() { return hwy::SupportedAndGeneratedTargets(); }
INSTANTIATE_TEST_SUITE_P(Targets, GoodwinLanes, testing::ValuesIn(targets()),
                         [](const auto& test) { return std::string(hwy::TargetName(test.param)); });

}  // namespace
}  // namespace evident
