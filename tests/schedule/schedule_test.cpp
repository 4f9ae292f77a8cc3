#include "evident/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"
#include "particles/weights.hpp"

namespace evident {
namespace {

std::vector<double> alphas(const Schedule& schedule, std::size_t limit = 1000) {
  std::vector<double> out;
  double alpha = 0;
  const std::vector<double> w(4, 0.25), l = {-1, -2, -3, -4};
  for (std::size_t t = 1; alpha < 1 && t <= limit; ++t)
    out.push_back(alpha = next_alpha(schedule, {.alpha = alpha, .step = t, .weights = w, .log_likelihood = l}));
  return out;
}

TEST(FixedSchedules, AreThePapersFormulas) {
  const auto linear = alphas(LinearSchedule{.steps = 10});
  const auto prior = alphas(PowerSchedule{.steps = 10, .power = 5});
  const auto posterior = alphas(PosteriorSchedule{.steps = 10, .power = 5});
  ASSERT_EQ(linear.size(), 10U);
  ASSERT_EQ(prior.size(), 10U);
  ASSERT_EQ(posterior.size(), 10U);
  for (std::size_t t = 1; t <= 10; ++t) {
    const double u = static_cast<double>(t) / 10;
    EXPECT_NEAR(linear[t - 1], u, 1e-15);
    EXPECT_NEAR(prior[t - 1], std::pow(u, 5), 1e-15);
    EXPECT_NEAR(posterior[t - 1], 1 - std::pow(1 - u, 5), 1e-15);
  }
  EXPECT_EQ(linear.back(), 1.0);
  EXPECT_EQ(prior.back(), 1.0);
  EXPECT_EQ(posterior.back(), 1.0);
}

TEST(FixedSchedules, ListIsFollowed) {
  EXPECT_EQ(alphas(ListSchedule{{0.1, 0.5, 1.0}}), (std::vector<double>{0.1, 0.5, 1.0}));
}

TEST(Schedules, BadNumbersAreRefused) {
  EXPECT_THROW(check(CessSchedule{1.0}), InputError);
  EXPECT_THROW(check(CessSchedule{0.0}), InputError);
  EXPECT_THROW(check(CessSchedule{kNaN}), InputError);
  EXPECT_THROW(check(CessSchedule{0.999, 0.5}), InputError);
  EXPECT_THROW(check(CessSchedule{0.999, kNaN}), InputError);
  EXPECT_THROW(check(EssSchedule{1.5}), InputError);
  EXPECT_THROW(check(LinearSchedule{0}), InputError);
  EXPECT_THROW(check(PowerSchedule{10, -1}), InputError);
  EXPECT_THROW(check(ListSchedule{{0.5, 0.4, 1}}), InputError);
  EXPECT_THROW(check(ListSchedule{{0.5}}), InputError);
  EXPECT_THROW(check(ListSchedule{}), InputError);
  EXPECT_NO_THROW(check(CessSchedule{0.999}));
}

struct Sample {
  AlignedVector<double> weights, l;
};

Sample sample(std::size_t n, double spread, double offset) {
  Sample s{AlignedVector<double>(n), AlignedVector<double>(n)};
  BlockStorage draws(2, n);
  Streams({.seed = 8}).fill_normal({.purpose = Purpose::other}, draws);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    total += s.weights[i] = std::exp(0.3 * draws(1, i));
    s.l[i] = offset - spread * draws(0, i) * draws(0, i);
  }
  for (double& w : s.weights) w /= total;
  return s;
}

// The step found has the wanted CESS, whatever the size of the log likelihoods and wherever the search starts.
TEST(CessSchedule, HitsItsTarget) {
  for (const double spread : {1e-3, 1.0, 1e3, 1e8, 1e15}) {
    for (const double offset : {0.0, -1e6, 1e6}) {
      const Sample s = sample(500, spread, offset);
      for (const double target : {0.5, 0.9, 0.999, 0.99999}) {
        for (const double guess : {0.0, 1e-12, 1e-3, 0.9}) {
          const double next =
              next_alpha(CessSchedule{target},
                         {.alpha = 0, .step = 1, .last_step = guess, .weights = s.weights, .log_likelihood = s.l});
          ASSERT_GT(next, 0);
          const double got = cess(s.weights, s.l, next);
          if (next < 1)
            ASSERT_NEAR(std::log(got) / std::log(target), 1, 1e-3) << spread << " " << offset << " " << target;
          else
            ASSERT_GE(got, target - 1e-9);
        }
      }
    }
  }
}

// With a memory the step moves towards the one that the rule asks for, by a part of the way on the log scale.
TEST(CessSchedule, FollowsSlowlyWithAMemory) {
  const Sample s = sample(500, 100, 0);
  ScheduleView view{.alpha = 0.1, .step = 5, .last_step = 0, .weights = s.weights, .log_likelihood = s.l};
  const double asked = next_alpha(CessSchedule{0.999}, view) - 0.1;
  EXPECT_DOUBLE_EQ(next_alpha(CessSchedule{0.999, 10}, view) - 0.1, asked);  // no step before: nothing to remember
  for (const double last : {asked / 3, 2 * asked}) {
    view.last_step = last;
    const double step = next_alpha(CessSchedule{0.999, 10}, view) - 0.1;
    EXPECT_NEAR(std::log(step / last), std::log(asked / last) / 10, 1e-3) << last;
  }
  EXPECT_EQ(text(CessSchedule{0.999, 10}), "cess(0.999, memory 10)");
  EXPECT_EQ(text(CessSchedule{0.999}), "cess(0.999)");
}

TEST(EssSchedule, HitsItsTargetRelativeToTheCurrentEss) {
  const Sample s = sample(500, 100, 0);
  const double before = ess_after(s.weights, s.l, 0);
  const double next =
      next_alpha(EssSchedule{0.95}, {.alpha = 0, .step = 1, .weights = s.weights, .log_likelihood = s.l});
  EXPECT_NEAR(ess_after(s.weights, s.l, next) / before, 0.95, 1e-5);
}

TEST(AdaptiveSchedules, GoToOneExactlyWhenTheRestIsSmall) {
  const Sample s = sample(100, 1e-6, 0);
  for (const double alpha : {0.0, 0.1, 0.3, 0.7, 0.9999}) {
    const ScheduleView view{.alpha = alpha, .step = 5, .weights = s.weights, .log_likelihood = s.l};
    EXPECT_EQ(next_alpha(CessSchedule{0.999}, view), 1.0);
    EXPECT_EQ(next_alpha(EssSchedule{0.999}, view), 1.0);
  }
}

// Impossible particles vanish at the first step however small; what remains is judged by itself.
TEST(AdaptiveSchedules, ImpossibleAndNanParticlesDoNotSpoilTheStep) {
  Sample s = sample(400, 50, 0);
  Sample finite = s;
  for (std::size_t i = 0; i < 400; i += 2) s.l[i] = i % 4 == 0 ? -kInf : kNaN;
  const double next =
      next_alpha(CessSchedule{0.99}, {.alpha = 0, .step = 1, .weights = s.weights, .log_likelihood = s.l});
  double share = 0;
  for (std::size_t i = 1; i < 400; i += 2) share += s.weights[i];
  EXPECT_NEAR(cess(s.weights, s.l, next) / share, 0.99, 1e-5);
}

TEST(AdaptiveSchedules, AllEqualOrAllImpossibleGoStraightToOne) {
  const std::vector<double> w(10, 0.1), equal(10, -5.0), none(10, -kInf);
  EXPECT_EQ(next_alpha(CessSchedule{0.999}, {.alpha = 0, .step = 1, .weights = w, .log_likelihood = equal}), 1.0);
  EXPECT_EQ(next_alpha(CessSchedule{0.999}, {.alpha = 0, .step = 1, .weights = w, .log_likelihood = none}), 1.0);
}

TEST(AdaptiveSchedules, OneGiantOutlierStillMakesProgress) {
  std::vector<double> w(100, 0.01), l(100, -10.0);
  l[7] = -1e300;
  const double next = next_alpha(CessSchedule{0.999}, {.alpha = 0, .step = 1, .weights = w, .log_likelihood = l});
  EXPECT_GT(next, 0.0);
  EXPECT_LE(next, 1.0);
}

}  // namespace
}  // namespace evident
