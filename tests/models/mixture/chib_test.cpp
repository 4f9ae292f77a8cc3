#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"
#include "problems/registry.hpp"
#include "support/data_path.hpp"

namespace evident {
namespace {

std::vector<double> some_data(std::size_t n, std::vector<double> means) {
  const std::size_t k = means.size();
  return simulate_mixture({std::move(means), std::vector<double>(k, 0.6), std::vector<double>(k, 1.0)}, n,
                          Streams({.seed = 77}));
}

/// One component: lambda is integrated out by hand, which leaves an integral over mu that a fine grid does.
double exact_one_component(const GaussianMixture& model) {
  const GaussianMixtureOptions& o = model.options();
  const std::vector<double>& y = model.observations();
  const double n = static_cast<double>(y.size()), a = o.precision_shape, rate = 1 / *o.precision_scale;
  std::vector<double> terms;
  constexpr int kPoints = 40001;
  const double low = *o.mean_center - 8 * *o.mean_sd, step = 16 * *o.mean_sd / (kPoints - 1);
  for (int p = 0; p < kPoints; ++p) {
    const double mu = low + p * step, u = (mu - *o.mean_center) / *o.mean_sd;
    double squares = 0;
    for (const double v : y) squares += (v - mu) * (v - mu);
    terms.push_back(-0.5 * (kLog2Pi + u * u) - std::log(*o.mean_sd) - 0.5 * n * kLog2Pi + a * std::log(rate) -
                    std::lgamma(a) + std::lgamma(a + 0.5 * n) - (a + 0.5 * n) * std::log(rate + 0.5 * squares));
  }
  return log_sum_exp(terms) + std::log(step);
}

struct Repeats {
  double mean = 0, sd = 0, error = 0, told = 0, uncorrected = 0;
};

Repeats repeats(const GaussianMixture& model, const ChibOptions& options, std::uint32_t seeds) {
  std::vector<double> x;
  Repeats out;
  for (std::uint32_t r = 0; r < seeds; ++r) {
    const ChibEstimate e = model.chib(options, Streams({.seed = 5, .replicate = r}));
    x.push_back(e.log_evidence.value);
    out.told += e.log_evidence.standard_error / seeds;
    out.mean += e.log_evidence.value / seeds;
    out.uncorrected += e.log_evidence_uncorrected / seeds;
  }
  for (const double v : x) out.sd += (v - out.mean) * (v - out.mean);
  out.sd = std::sqrt(out.sd / (seeds - 1));
  out.error = out.sd / std::sqrt(static_cast<double>(seeds));
  return out;
}

TEST(MixtureChib, OneComponentIsExact) {
  const GaussianMixture model({.components = 1}, some_data(40, {0, 2}));
  const Repeats r = repeats(model, {.burn_in = 100, .draws = 2000}, 10);
  EXPECT_NEAR(r.mean, exact_one_component(model), 3 * r.error);
  EXPECT_LT(r.sd, 0.01);
  EXPECT_EQ(r.mean, r.uncorrected);
}

TEST(MixtureChib, TwoComponentsAgreeWithTheDirectSampler) {
  const auto y = some_data(40, {-1, 2});
  const GaussianMixture model({.components = 2}, y);
  const Repeats chib = repeats(model, {.burn_in = 300, .draws = 4000}, 10);
  const Executor executor(2);
  std::vector<double> direct;
  for (std::uint32_t r = 0; r < 6; ++r)
    direct.push_back(standard_estimate(
        direct_evidence(model, {.schedule = CessSchedule{0.99}}, {Streams({.seed = 6, .replicate = r}), executor})
            .trace));
  double mean = 0, squares = 0;
  for (const double v : direct) mean += v / 6;
  for (const double v : direct) squares += (v - mean) * (v - mean) / 5;
  EXPECT_NEAR(chib.mean, mean, 3 * std::hypot(chib.error, std::sqrt(squares / 6)));
  EXPECT_LT(chib.error, 0.02);
  // The sampler keeps its labels apart, so without the correction log 2! is missing.
  EXPECT_NEAR(chib.uncorrected, chib.mean - std::log(2.0), 0.02);
  EXPECT_GT(chib.told, 0.4 * chib.sd);
  EXPECT_LT(chib.told, 2.5 * chib.sd);
}

TEST(MixtureChib, SpareComponentsAgreeWithTheDirectSamplerToo) {
  const GaussianMixture model({.components = 3}, some_data(30, {0}));
  const Repeats chib = repeats(model, {.burn_in = 500, .draws = 10000}, 4);
  const Executor executor(2);
  std::vector<double> direct;
  for (std::uint32_t r = 0; r < 4; ++r)
    direct.push_back(standard_estimate(
        direct_evidence(model, {.schedule = CessSchedule{0.99}}, {Streams({.seed = 8, .replicate = r}), executor})
            .trace));
  double mean = 0, squares = 0;
  for (const double v : direct) mean += v / 4;
  for (const double v : direct) squares += (v - mean) * (v - mean) / 3;
  EXPECT_NEAR(chib.mean, mean, 3 * std::hypot(chib.error, std::sqrt(squares / 4)));
  EXPECT_LT(chib.error, 0.1);
}

TEST(MixtureChib, OrderedLabelsHaveTheSameEvidence) {
  const auto y = some_data(30, {-1, 2});
  const ChibOptions options{.burn_in = 100, .draws = 500};
  const ChibEstimate free = GaussianMixture({.components = 2}, y).chib(options, Streams({.seed = 1}));
  const ChibEstimate ordered =
      GaussianMixture({.components = 2, .labels = MixtureLabels::ordered}, y).chib(options, Streams({.seed = 1}));
  EXPECT_EQ(free.log_evidence.value, ordered.log_evidence.value);
  EXPECT_EQ(free.label_orders, 2U);
  EXPECT_EQ(free.sweeps, 1200U);
  EXPECT_EQ(free.point.size(), 6U);
}

TEST(MixtureChib, OptionsAreChecked) {
  const auto y = some_data(30, {0});
  EXPECT_THROW(GaussianMixture({.components = 2}, y).chib({.draws = 0}, Streams({.seed = 1})), InputError);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(GaussianMixture({.components = 2}, y).chib({.stop = stop.get_token()}, Streams({.seed = 1})), RunError);
  EXPECT_THROW(GaussianMixture({.components = 17}, y).chib({}, Streams({.seed = 1})), InputError);
}

TEST(MixtureChib, PublishedData) {
  const auto path = test::shared_data("gmm/observations.csv");
  if (!path) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
  std::ifstream in(*path);
  std::vector<double> y;
  for (std::string line; std::getline(in, line);) {
    char* end = nullptr;
    const double v = std::strtod(line.c_str(), &end);
    if (end != line.c_str()) y.push_back(v);
  }
  ASSERT_EQ(y.size(), 100U);
  const Repeats one = repeats(GaussianMixture({.components = 1}, y), {}, 4);
  EXPECT_NEAR(one.mean, problems::known("mixture, 1 component").log_evidence, 3 * one.error + 1e-3);
  const Repeats four = repeats(GaussianMixture({.components = 4}, y), {.burn_in = 1000, .draws = 20000}, 6);
  const problems::Known& exact = problems::known("mixture, 4 components");
  EXPECT_NEAR(four.mean, exact.log_evidence, 3 * std::hypot(four.error, exact.standard_error));
  EXPECT_LT(four.error, 0.05);
  // An additional component makes the sampler slow to mix.
  const Repeats five = repeats(GaussianMixture({.components = 5}, y), {.burn_in = 1000, .draws = 20000}, 6);
  EXPECT_NEAR(five.mean, problems::known("mixture, 5 components").log_evidence, 3 * five.error + 0.02);
  EXPECT_LT(five.error, 0.1);
}

}  // namespace
}  // namespace evident
