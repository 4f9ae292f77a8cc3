#include "evidence/variance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "particles/resample.hpp"

namespace evident {
namespace {

using Parents = std::vector<std::uint32_t>;

Trace trace_of(Genealogy& g, const std::vector<double>& weights) {
  Trace trace;
  trace.particles = weights.size();
  trace.generations = g.finish(weights);
  return trace;
}

std::vector<double> normalised(std::vector<double> w) {
  double sum = 0;
  for (const double v : w) sum += v;
  for (double& v : w) v /= sum;
  return w;
}

TEST(EvidenceVariance, WithoutResamplingItIsTheVarianceOfAMean) {
  const std::vector<double> w = {1, 2, 5, 0.5, 3};
  Genealogy g;
  g.start(w.size());
  const EvidenceVariance v = evidence_variance(trace_of(g, normalised(w)));
  double mean = 0, squares = 0;
  for (const double x : w) mean += x / 5;
  for (const double x : w) squares += (x - mean) * (x - mean) / 4;
  EXPECT_NEAR(v.lee_whiteley, squares / (5 * mean * mean), 1e-14);
  for (const double lag : v.fixed_lag) EXPECT_NEAR(lag, v.lee_whiteley, 1e-14);
  EXPECT_EQ(v.resamplings, 0U);
  EXPECT_EQ(v.eves, 5U);
}

// All that can happen with three particles: states 0 or 1 with equal probability, a change of state with probability
// 1/4 after each resampling, and potentials that depend on state and time. Then E[Z^2 V] = Var(Z) exactly.
struct Enumeration {
  std::size_t resamplings;
  double z = 0, z2 = 0, estimate = 0;

  static double potential(std::size_t time, int state) {
    constexpr double kG[3][2] = {{1.0, 2.5}, {3.0, 0.5}, {0.7, 1.9}};
    return kG[time % 3][state];
  }
  void go(std::size_t time, const Genealogy& g, const std::vector<int>& states, double probability, double so_far) {
    std::vector<double> w;
    double mean = 0;
    for (const int s : states) w.push_back(potential(time, s)), mean += w.back() / 3;
    const auto weights = normalised(w);
    so_far *= mean;
    if (time == resamplings) {
      Genealogy copy = g;
      const double v = evidence_variance(trace_of(copy, weights)).lee_whiteley;
      z += probability * so_far;
      z2 += probability * so_far * so_far;
      estimate += probability * so_far * so_far * v;
      return;
    }
    for (std::uint32_t code = 0; code < 27; ++code) {
      const Parents parents = {code / 9, code / 3 % 3, code % 3};
      double chosen = probability;
      for (const std::uint32_t p : parents) chosen *= weights[p];
      Genealogy next = g;
      next.resampled(ResampleScheme::multinomial, weights, parents);
      for (unsigned flips = 0; flips < 8; ++flips) {
        std::vector<int> moved;
        double p = chosen;
        for (unsigned i = 0; i < 3; ++i) {
          const bool flip = (flips >> i & 1U) != 0;
          moved.push_back(flip ? 1 - states[parents[i]] : states[parents[i]]);
          p *= flip ? 0.25 : 0.75;
        }
        go(time + 1, next, moved, p, so_far);
      }
    }
  }
};

TEST(EvidenceVariance, UnbiasedForMultinomialResampling) {
  for (const std::size_t resamplings : {0U, 1U, 2U}) {
    Enumeration all{resamplings};
    for (unsigned start = 0; start < 8; ++start) {
      Genealogy g;
      g.start(3);
      all.go(0, g, {static_cast<int>(start & 1U), static_cast<int>(start >> 1 & 1U), static_cast<int>(start >> 2 & 1U)},
             0.125, 1);
    }
    EXPECT_NEAR(all.estimate, all.z2 - all.z * all.z, 1e-12) << resamplings;
  }
}

TEST(EvidenceVariance, ChanAndLaiIsTheFirstOrder) {
  Genealogy g;
  const std::size_t n = 2000;
  g.start(n);
  const Streams streams({.seed = 11});
  std::vector<double> weights(n);
  for (std::uint32_t r = 0; r < 4; ++r) {
    Stream s = streams.at({.step = r});
    for (double& w : weights) w = std::exp(0.5 * s.normal());
    weights = normalised(weights);
    if (r < 3)
      g.resampled(ResampleScheme::multinomial, weights, resample(ResampleScheme::multinomial, weights, n, streams, r));
  }
  const EvidenceVariance v = evidence_variance(trace_of(g, weights));
  EXPECT_NEAR(v.chan_lai, v.lee_whiteley, 0.01 * v.lee_whiteley);
  EXPECT_GT(v.chan_lai, 0);
}

// Weights that have nothing to do with earlier ones: four independent means. Every lag must find that.
TEST(EvidenceVariance, FixedLagAddsUpIndependentSteps) {
  for (const ResampleScheme scheme : {ResampleScheme::multinomial, ResampleScheme::stratified}) {
    std::array<double, kLags + 1> mean{};
    const std::size_t n = 500, rounds = 12, repeats = 100;
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
      Genealogy g;
      g.start(n);
      const Streams streams({.seed = 12, .replicate = repeat});
      std::vector<double> weights(n);
      for (std::uint32_t r = 0; r < rounds; ++r) {
        Stream s = streams.at({.step = r});
        for (double& w : weights) w = std::exp(0.5 * s.normal());
        weights = normalised(weights);
        if (r + 1 < rounds) g.resampled(scheme, weights, resample(scheme, weights, n, streams, r));
      }
      const EvidenceVariance v = evidence_variance(trace_of(g, weights));
      for (std::size_t lag = 0; lag <= kLags; ++lag) mean[lag] += v.fixed_lag[lag] / static_cast<double>(repeats);
    }
    const double exact = static_cast<double>(rounds) * std::expm1(0.25) / static_cast<double>(n);
    for (const std::size_t lag : {0U, 1U, 2U, 5U, 10U})
      EXPECT_NEAR(mean[lag], exact, (0.03 + 0.02 * static_cast<double>(lag)) * exact) << name(scheme) << ' ' << lag;
  }
}

TEST(EvidenceVariance, OneEveMeansNothing) {
  Genealogy g;
  g.start(100);
  std::vector<double> one(100);
  one[7] = 1;
  g.resampled(ResampleScheme::stratified, one, Parents(100, 7));
  const EvidenceVariance v = evidence_variance(trace_of(g, std::vector<double>(100, 0.01)));
  EXPECT_TRUE(v.coalesced);
  EXPECT_EQ(v.eves, 1U);
  EXPECT_NEAR(v.effective_eves, 1, 1e-12);
  EXPECT_NEAR(v.lee_whiteley, 1, 1e-12);  // the largest value it can have
}

TEST(EvidenceVariance, NegativeMeansUnknown) {
  EvidenceVariance v{.lee_whiteley = -0.01};
  v.fixed_lag.fill(-0.02);
  EXPECT_TRUE(std::isnan(v.standard_error()));
  v.fixed_lag.fill(0.04);
  EXPECT_NEAR(v.standard_error(), std::sqrt(std::log(1.04)), 1e-12);
  v.lee_whiteley = -1e-16;  // equal weights, but for rounding
  v.fixed_lag.fill(0);
  EXPECT_EQ(v.standard_error(), 0);
}

TEST(EvidenceVariance, StepsOfAWasteFreeRunAddUp) {
  Trace trace;
  trace.particles = 100;
  trace.waste_free = 5;
  trace.steps = {{.alpha = 0}, {.alpha = 0.5, .resampled = true, .chains = 0.01}, {.alpha = 1, .chains = 0.02}};
  const EvidenceVariance v = evidence_variance(trace);
  EXPECT_NEAR(v.chains, 0.03, 1e-15);
  EXPECT_EQ(v.relative_variance(), v.chains);
  EXPECT_NEAR(v.standard_error(), std::sqrt(std::log(1.03)), 1e-15);
  EXPECT_FALSE(v.coalesced);
  EXPECT_EQ(v.resamplings, 1U);
  trace.waste_free = 0;
  EXPECT_TRUE(std::isnan(evidence_variance(trace).chains));
}

TEST(EvidenceVariance, WithoutGenealogyThereIsNone) {
  Trace trace;
  trace.particles = 100;
  const EvidenceVariance v = evidence_variance(trace);
  EXPECT_TRUE(std::isnan(v.lee_whiteley));
  EXPECT_TRUE(std::isnan(v.standard_error()));
}

}  // namespace
}  // namespace evident
