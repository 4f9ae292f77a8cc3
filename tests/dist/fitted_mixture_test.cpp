#include "dist/fitted_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

const Streams kStreams({.seed = 41});

// Density of a bivariate Student t by its textbook formula, with the 2 x 2 inverse written out.
double log_t2(double x, double y, const MixtureComponent& c) {
  const double a = c.root[0] * c.root[0], b = c.root[0] * c.root[2], e = c.root[2] * c.root[2] + c.root[3] * c.root[3];
  const double det = a * e - b * b, u = x - c.mean[0], v = y - c.mean[1];
  const double square = (e * u * u - 2 * b * u * v + a * v * v) / det;
  const double n = c.df;
  if (!std::isfinite(n)) return -std::log(2 * std::numbers::pi) - 0.5 * std::log(det) - 0.5 * square;
  return std::lgamma(0.5 * (n + 2)) - std::lgamma(0.5 * n) - std::log(n * std::numbers::pi) - 0.5 * std::log(det) -
         0.5 * (n + 2) * std::log1p(square / n);
}

FittedMixture two_components() {
  return FittedMixture({{.weight = 1, .df = 4, .mean = {1, -2}, .root = {2, 0, 0.5, 1}},
                        {.weight = 3, .mean = {-3, 0.5}, .root = {0.3, 0, -0.2, 0.1}}});
}

FittedMixture one(const MixtureComponent& c) { return FittedMixture(std::vector<MixtureComponent>{c}); }

BlockStorage draws_of(const FittedMixture& q, std::size_t n, const Streams& streams = kStreams) {
  BlockStorage z(q.size(), n);
  q.draw(streams, {.purpose = Purpose::proposal}, z);
  return z;
}

std::vector<double> equal(std::size_t n) { return std::vector<double>(n, 1.0 / static_cast<double>(n)); }

double mean_log_density(const FittedMixture& q, const BlockStorage& z) {
  AlignedVector<double> out(z.size());
  q.log_density(z, out);
  return std::accumulate(out.begin(), out.end(), 0.0) / static_cast<double>(z.size());
}

TEST(FittedMixture, LogDensityIsThePlainFormula) {
  const FittedMixture q = two_components();
  BlockStorage z(2, 131);  // two whole blocks and a rest
  kStreams.fill_normal({.purpose = Purpose::other}, z);
  for (double& v : z.row(0)) v *= 4;
  AlignedVector<double> out(z.size());
  q.log_density(z, out);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double a = std::log(0.25) + log_t2(z(0, i), z(1, i), q.components()[0]);
    const double b = std::log(0.75) + log_t2(z(0, i), z(1, i), q.components()[1]);
    EXPECT_NEAR(out[i], log_add_exp(a, b), 1e-11 * (1 + std::abs(out[i])));
  }
}

TEST(FittedMixture, LogDensityCountsTheMarginals) {
  const Marginal bent{.centre = 2, .scale = 3, .bent = true, .skew = -0.4, .tail = 0.8};
  const FittedMixture q({{.mean = {0.2}, .root = {1.1}}}, {bent});
  // The density integrates to one: a sum over a fine grid that holds all of it.
  const double step = 0.01;
  BlockStorage z(1, 40000);
  for (std::size_t i = 0; i < z.size(); ++i) z(0, i) = -200 + step * (static_cast<double>(i) + 0.5);
  AlignedVector<double> out(z.size());
  q.log_density(z, out);
  EXPECT_NEAR(log_sum_exp(out) + std::log(step), 0.0, 1e-8);
  for (const double x : {-3.0, 0.0, 0.7, 5.0}) EXPECT_NEAR(bent.forward(bent.backward(x)), x, 1e-12);
  BlockStorage x(1, z.size());
  q.forward(z, x, out);
  for (std::size_t i = 0; i < z.size(); i += 997)
    EXPECT_NEAR(x(0, i), bent.forward(z(0, i)), 1e-12 * (1 + std::abs(x(0, i))));
}

TEST(FittedMixture, DrawsFollowTheDensity) {
  // E_q[f / q] is the integral of f: here of a density that lies inside.
  const FittedMixture q = two_components();
  const FittedMixture inside(
      {{.mean = {0.5, -1.5}, .root = {1, 0, 0, 0.5}}, {.mean = {-3, 0.5}, .root = {0.2, 0, -0.1, 0.08}}});
  const BlockStorage z = draws_of(q, 20000);
  AlignedVector<double> log_q(z.size()), log_f(z.size());
  q.log_density(z, log_q);
  inside.log_density(z, log_f);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double w = std::exp(log_f[i] - log_q[i]);
    sum += w;
    squares += w * w;
  }
  const double n = 20000, mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
  EXPECT_LT(error, 0.05);
  EXPECT_NEAR(mean, 1.0, 4 * error);
}

TEST(FittedMixture, DrawsBelongToTheirParticle) {
  const FittedMixture q = two_components();
  const BlockStorage all = draws_of(q, 100);
  BlockStorage part(2, 10);
  q.draw(kStreams, {.particle = 50, .purpose = Purpose::proposal}, part);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(part(1, i), all(1, 50 + i));
}

TEST(FittedMixture, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(FittedMixture(std::vector<MixtureComponent>{}), InputError);
  EXPECT_THROW(one({.mean = {0, 0}, .root = {1}}), InputError);
  EXPECT_THROW(one({.mean = {0}, .root = {0}}), InputError);
}

TEST(FittedMixture, WidenedGivesAShareToOneBroadComponent) {
  const FittedMixture q = two_components();
  const FittedMixture broad = one({.mean = {3, 1}, .root = {2, 0, 1.5, 1}});
  const FittedMixture wide = q.widened(0.2, draws_of(broad, 4000), 9, 5);
  ASSERT_EQ(wide.components().size(), 3U);
  const MixtureComponent& last = wide.components().back();
  EXPECT_NEAR(last.weight, 0.2, 1e-12);
  EXPECT_NEAR(wide.components()[0].weight, 0.8 * 0.25, 1e-12);
  EXPECT_EQ(last.df, 5);
  EXPECT_NEAR(last.mean[0], 3, 4 * 2 / std::sqrt(4000.0));
  EXPECT_NEAR(last.root[0], 6, 6 * 4 / std::sqrt(2 * 4000.0));
  EXPECT_NEAR(last.root[2], 4.5, 0.4);
}

TEST(FitMixture, FindsTheComponentsOfAKnownMixture) {
  const FittedMixture truth({{.weight = 0.3, .mean = {-4, 0, 1}, .root = {1, 0, 0, 0.8, 0.6, 0, 0, 0, 2}},
                             {.weight = 0.7, .mean = {4, 1, 1}, .root = {0.5, 0, 0, 0, 1, 0, 0.5, 0, 1}}});
  const BlockStorage z = draws_of(truth, 3000);
  const FittedMixture q = fit_mixture(z, equal(3000), {}, kStreams, Executor(1));
  ASSERT_EQ(q.components().size(), 2U);
  const auto low = std::ranges::min_element(q.components(), {}, [](const auto& c) { return c.mean[0]; });
  EXPECT_NEAR(low->weight, 0.3, 4 * std::sqrt(0.21 / 3000));
  const Marginal& first = q.marginals()[0];
  ASSERT_FALSE(first.bent);
  EXPECT_NEAR(first.backward(low->mean[0]), -4, 4 / std::sqrt(900.0));
  EXPECT_NEAR(low->root[0] * first.scale, 1, 0.1);
  // What a draw loses to the truth is half a nat a parameter over the number of draws, and little more.
  const BlockStorage fresh = draws_of(truth, 4000, Streams({.seed = 42}));
  const double loss = mean_log_density(truth, fresh) - mean_log_density(q, fresh);
  EXPECT_GT(loss, 0);
  EXPECT_LT(loss, 3 * 0.5 * 21 / 3000);
}

TEST(FitMixture, WeightsActAsCopiesDo) {
  const BlockStorage z = draws_of(two_components(), 400);
  std::vector<double> weights = equal(400);
  BlockStorage copies(2, 500);
  for (std::size_t i = 0, at = 0; i < 400; ++i) {
    const std::size_t times = i % 4 == 0 ? 2 : 1;
    weights[i] *= static_cast<double>(times);
    for (std::size_t c = 0; c < times; ++c, ++at)
      for (std::size_t j = 0; j < 2; ++j) copies(j, at) = z(j, i);
  }
  const FittedMixture a = fit_mixture(z, weights, {}, kStreams, Executor(1));
  const FittedMixture b = fit_mixture(copies, equal(500), {}, kStreams, Executor(1));
  EXPECT_NEAR(mean_log_density(a, z), mean_log_density(b, z), 1e-9);
}

TEST(FitMixture, HeavyTailsGetFewDegreesOfFreedom) {
  const FittedMixture heavy = one({.df = 4, .mean = {0, 0}, .root = {1, 0, 0.5, 1}});
  const FittedMixture light = one({.mean = {0, 0}, .root = {1, 0, 0.5, 1}});
  const auto df = [](const FittedMixture& from) {
    return fit_mixture(draws_of(from, 4000), equal(4000), {.max_components = 1, .bend = false}, kStreams, Executor(1))
        .components()[0]
        .df;
  };
  EXPECT_NEAR(df(heavy), 4, 1.2);
  EXPECT_GT(df(light), 25);
}

TEST(FitMixture, SkewedMarginalsAreBent) {
  const std::size_t d = 6, n = 1500;
  const auto draws = [&](std::uint32_t step) {  // logarithms of exponential variables
    BlockStorage z(d, n);
    kStreams.fill_uniform({.step = step, .purpose = Purpose::other}, z);
    for (std::size_t j = 0; j < d; ++j)
      for (double& v : z.row(j)) v = std::log(-std::log(v));
    return z;
  };
  const BlockStorage z = draws(1), fresh = draws(2);
  double truth = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (const double v : fresh.row(j)) truth += (v - std::exp(v)) / static_cast<double>(n);
  const auto loss = [&](bool bend) {
    return truth - mean_log_density(fit_mixture(z, equal(n), {.bend = bend}, kStreams, Executor(1)), fresh);
  };
  EXPECT_LT(loss(true), 0.06);
  EXPECT_LT(loss(true), 0.5 * loss(false));
}

TEST(FitMixture, ManyCoordinatesAndFewDraws) {
  const std::size_t d = 30, n = 250;
  BlockStorage z(d, n);
  kStreams.fill_normal({.purpose = Purpose::other}, z);
  const FittedMixture q = fit_mixture(z, equal(n), {}, kStreams, Executor(1));
  EXPECT_EQ(q.components().size(), 1U);
  BlockStorage fresh(d, 2000);
  kStreams.fill_normal({.step = 1, .purpose = Purpose::other}, fresh);
  double truth = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (const double v : fresh.row(j)) truth -= (0.5 * kLog2Pi + 0.5 * v * v) / 2000;
  // Without shrinkage 495 parameters from 250 draws would cost more than a nat.
  EXPECT_LT(truth - mean_log_density(q, fresh), 0.4);
}

// Draws of uneven weights and with parents in common are worth fewer than they are, and EM would fit their noise ever
// better, down to the heaviest tails: more than 50 nats are lost that way.
TEST(FitMixture, FarMoreCoordinatesThanDrawsCanTell) {
  const std::size_t d = 200, n = 500;
  BlockStorage z(d, n), parents(d, n / 2), u(1, n);
  kStreams.fill_normal({.purpose = Purpose::other}, z);
  kStreams.fill_normal({.step = 2, .purpose = Purpose::other}, parents);
  kStreams.fill_uniform({.step = 3, .purpose = Purpose::other}, u);
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) z(j, i) = 0.6 * z(j, i) + 0.8 * parents(j, i / 2);
    weights.push_back(-std::log(u(0, i)));
  }
  const FittedMixture q = fit_mixture(z, weights, {}, kStreams, Executor(1));
  EXPECT_EQ(q.components().size(), 1U);
  EXPECT_GT(q.components()[0].df, 40);
  BlockStorage fresh(d, 2000);
  kStreams.fill_normal({.step = 1, .purpose = Purpose::other}, fresh);
  double truth = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (const double v : fresh.row(j)) truth -= (0.5 * kLog2Pi + 0.5 * v * v) / 2000;
  // A mean and a scale of each coordinate from 150 independent draws would cost 1.3 nats, tails of 50 degrees of
  // freedom half a nat.
  EXPECT_LT(truth - mean_log_density(q, fresh), 4);
}

TEST(FitMixture, TheSameBitsForAnyNumberOfThreads) {
  const BlockStorage z = draws_of(two_components(), 700);
  const FittedMixture a = fit_mixture(z, equal(700), {}, kStreams, Executor(1));
  const FittedMixture b = fit_mixture(z, equal(700), {}, kStreams, Executor(3));
  ASSERT_EQ(a.components().size(), b.components().size());
  for (std::size_t k = 0; k < a.components().size(); ++k) {
    EXPECT_EQ(a.components()[k].root, b.components()[k].root);
    EXPECT_EQ(a.components()[k].weight, b.components()[k].weight);
  }
}

TEST(FitMixture, SaysWhyItCannot) {
  const auto fit = [](const BlockStorage& z) { return fit_mixture(z, equal(z.size()), {}, kStreams, Executor(1)); };
  EXPECT_THROW(fit(BlockStorage(2, 100)), RunError);  // one point
  BlockStorage flat = draws_of(two_components(), 100);
  std::ranges::fill(flat.row(1), 3.0);
  EXPECT_THROW(fit(flat), RunError);
  BlockStorage broken = draws_of(two_components(), 100);
  broken(0, 7) = kNaN;
  EXPECT_THROW(fit(broken), RunError);
  EXPECT_THROW(fit(BlockStorage(0, 100)), RunError);
}

}  // namespace
}  // namespace evident
