#include "imaging/fit/curve_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evidence/probabilities.hpp"
#include "evident/base/error.hpp"
#include "imaging/curves.hpp"
#include "imaging/fit/quantity.hpp"
#include "models/pet/reference.hpp"

namespace evident::imaging {
namespace {

using test::setup;
using test::study;

/// Evidence and mean V_D of one compartment on a fine grid, with the plain likelihood.
struct Grid {
  double log_evidence = 0, vt = 0;
};
Grid grid_answer(const PetOptions& options, const PetStudy& data) {
  constexpr int kCells = 400;
  const PetBounds phi = options.phi_bounds(0), theta = options.theta_bounds(0);
  const auto table = make_table(data.input(), data.frames, options);
  std::vector<double> logs, volumes;
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      const double p = phi.lower + (phi.upper - phi.lower) * (i + 0.5) / kCells;
      const double t = theta.lower + (theta.upper - theta.lower) * (j + 0.5) / kCells;
      const double parameters[] = {p, t};
      logs.push_back(pet_log_likelihood_table(options, *table, data.activity, parameters));
      volumes.push_back(p / t);
    }
  const double total = log_sum_exp(logs);
  Grid out{total - std::log(double(kCells) * kCells), 0};
  for (std::size_t i = 0; i < logs.size(); ++i) out.vt += std::exp(logs[i] - total) * volumes[i];
  return out;
}

TEST(CurveFit, AgreesWithAGrid) {
  const PetStudy data = study({4e-3}, {6e-4});
  CurveSetup s = setup(data, {1}, 2000, 0.99);
  const Grid exact = grid_answer(s.models[0], data);
  const CurveFit fit = CurveFitter(s).fit(7, data.activity);
  ASSERT_EQ(fit.status & kFitted, kFitted);
  const ModelFit& m = fit.models[0];
  ASSERT_GT(m.log_evidence.standard_error, 0);
  EXPECT_LT(m.log_evidence.standard_error, 0.2);
  EXPECT_NEAR(m.log_evidence.value, exact.log_evidence, 4 * m.log_evidence.standard_error);
  EXPECT_NEAR(m.vt.mean, exact.vt, 4 * m.vt.sd / std::sqrt(500.0));  // 2000 particles are worth a quarter at least
  EXPECT_LT(m.vt.q025, m.vt.q50);
  EXPECT_LT(m.vt.q50, m.vt.q975);
  EXPECT_EQ(m.probability, 1);
  EXPECT_NEAR(fit.vt.mean, m.vt.mean, 1e-13 * m.vt.mean);  // two sums over 2000 particles, rounded differently
  EXPECT_EQ(fit.vt.q975, m.vt.q975);
  EXPECT_NEAR(m.vt.mean, 4e-3 / 6e-4, 4 * m.vt.sd);
}

TEST(CurveFit, FindsTheModelThatMadeTheCurve) {
  const PetStudy two = study({4e-3, 2e-2}, {5e-4, 2e-2}, 0, 10);
  const CurveFit fit = CurveFitter(setup(two, {1, 2})).fit(0, two.activity);
  EXPECT_EQ(fit.best, 1U);
  EXPECT_GT(fit.models[1].probability, 0.9);
  EXPECT_NEAR(fit.models[0].probability + fit.models[1].probability, 1, 1e-12);
  const PetStudy one = study({4e-3}, {6e-4});
  EXPECT_EQ(CurveFitter(setup(one, {1, 2})).fit(0, one.activity).best, 0U);
}

TEST(CurveFit, PredictionFollowsTheCurve) {
  const PetStudy data = study({4e-3}, {6e-4}, 0, 10);
  const CurveFit fit = CurveFitter(setup(data, {1})).fit(0, data.activity, true);
  ASSERT_EQ(fit.models[0].prediction.size(), data.activity.size());
  for (std::size_t i = 0; i < data.truth.size(); ++i)  // a curve of 32 frames with two parameters
    EXPECT_NEAR(fit.models[0].prediction[i], data.truth[i], 4 * std::sqrt(data.truth[i] / (10 * data.frames.dt[i])));
  EXPECT_TRUE(CurveFitter(setup(data, {1})).fit(0, data.activity).models[0].prediction.empty());
}

TEST(CurveFit, DependsOnIndexAndSeedAlone) {
  const PetStudy data = study({4e-3}, {6e-4});
  CurveSetup s = setup(data, {1, 2});
  const CurveFitter fitter(s);
  const CurveFit a = fitter.fit(5, data.activity), b = fitter.fit(5, data.activity), c = fitter.fit(6, data.activity);
  EXPECT_EQ(a.models[1].log_evidence.value, b.models[1].log_evidence.value);
  EXPECT_NE(a.models[1].log_evidence.value, c.models[1].log_evidence.value);
  s.seed = 2;
  EXPECT_NE(CurveFitter(s).fit(5, data.activity).models[1].log_evidence.value, a.models[1].log_evidence.value);
  // A model's result is the same whichever others are compared with it.
  EXPECT_EQ(CurveFitter(setup(data, {2})).fit(5, data.activity).models[0].log_evidence.value,
            a.models[1].log_evidence.value);
}

TEST(CurveFit, CurvesThatCannotBeFittedSayWhy) {
  const PetStudy data = study({4e-3}, {6e-4});
  const CurveFitter fitter(setup(data, {1}));
  std::vector<double> curve = data.activity;
  curve[3] = std::nan("");
  EXPECT_EQ(fitter.fit(0, curve).status, kNotFinite);
  curve[3] = kInf;
  EXPECT_EQ(fitter.fit(0, curve).status, kNotFinite);
  EXPECT_EQ(fitter.fit(0, std::vector<double>(curve.size(), 0.0)).status, kConstant);
  EXPECT_EQ(fitter.fit(0, std::vector<double>(curve.size(), 7.0)).status, kConstant);
  EXPECT_TRUE(std::isnan(fitter.fit(0, curve).vt.mean));
}

TEST(CurveFit, NegativeValuesAreKept) {
  const PetStudy data = study({4e-3}, {6e-4});
  std::vector<double> curve = data.activity;
  curve[0] = -0.5;
  const CurveFit fit = CurveFitter(setup(data, {1})).fit(0, curve);
  EXPECT_EQ(fit.status & (kNegative | kFitted), kNegative | kFitted);
  EXPECT_EQ(CurveFitter(setup(data, {1})).fit(0, data.activity).status & kNegative, 0U);
}

TEST(CurveFit, TrappingIsFlagged) {
  const PetStudy slow = study({4e-3}, {1e-6}, 0, 10);
  CurveSetup s = setup(slow, {1});
  s.models[0].theta = {{1e-6, 1e-2}};
  EXPECT_NE(CurveFitter(s).fit(0, slow.activity).status & kIrreversible, 0U);
  const PetStudy quick = study({4e-3}, {6e-4}, 0, 10);
  s = setup(quick, {1});
  s.models[0].theta = {{1e-6, 1e-2}};
  EXPECT_EQ(CurveFitter(s).fit(0, quick.activity).status & kIrreversible, 0U);
}

TEST(CurveFit, PilingUpAtABoundIsFlagged) {
  const PetStudy data = study({4e-3}, {6e-4}, 0, 10);
  CurveSetup s = setup(data, {1});
  EXPECT_EQ(CurveFitter(s).fit(0, data.activity).status & kAtBound, 0U);
  s.models[0].phi = {{1e-4, 3.6e-3}};
  EXPECT_NE(CurveFitter(s).fit(0, data.activity).status & kAtBound, 0U);
}

TEST(CurveFit, RefusesAnEmptySetup) {
  const PetStudy data = study({4e-3}, {6e-4});
  EXPECT_THROW(CurveFitter(setup(data, {})), InputError);
  CurveSetup s = setup(data, {1});
  s.smc.particles = 0;
  EXPECT_THROW(CurveFitter{s}, InputError);
}

TEST(PosteriorDraws, QuantilesAndMixtures) {
  const std::vector<double> values = {3, 1, 2, 9, std::nan("")}, weights = {0.25, 0.25, 0.5, 0, 0.3};
  const PosteriorDraws a(values, weights);
  const Quantity q = a.summary();
  EXPECT_DOUBLE_EQ(q.mean, 2);
  EXPECT_DOUBLE_EQ(q.sd, std::sqrt(0.5));
  EXPECT_EQ(q.q025, 1);
  EXPECT_EQ(q.q50, 2);
  EXPECT_EQ(q.q975, 3);
  const PosteriorDraws b(std::vector<double>{10}, std::vector<double>{4});
  PosteriorDraws both;
  both.add(a, 0.5);
  both.add(b, 0.5);
  const Quantity mixed = both.summary();
  EXPECT_DOUBLE_EQ(mixed.mean, 6);
  EXPECT_EQ(mixed.q50, 3);
  EXPECT_EQ(mixed.q975, 10);
  EXPECT_TRUE(std::isnan(PosteriorDraws().summary().mean));
}

}  // namespace
}  // namespace evident::imaging
