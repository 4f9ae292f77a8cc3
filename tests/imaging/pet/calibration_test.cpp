// Short form of bench/pet_calibration.py: truths from the prior, curves from differential equations, noise of the
// model.
#include <gtest/gtest.h>

#include <cmath>

#include "imaging/fit/curve_fit.hpp"
#include "imaging/pet/fit/priors.hpp"
#include "imaging/phantom/phantom.hpp"

namespace evident::imaging {
namespace {

CurveSetup setup_for(const Phantom& phantom) {
  const PhantomBlood& blood = phantom.options().blood;
  std::vector<double> plasma;
  for (const double t : blood.sample_times) plasma.push_back(blood.parent(t));
  PetFrames frames = averaged_frames(phantom.starts(), phantom.durations());
  for (std::size_t f = 0; f < frames.dt.size(); ++f) frames.dt[f] *= phantom.decay_factors()[f];
  CurveSetup s{.models = {},
               .frames = frames,
               .input = PetInput(blood.sample_times, plasma, PetInterpolation::linear),
               .blood = {},
               .smc = fast_preset()};
  for (std::size_t m = 1; m <= 3; ++m) {
    s.models.push_back(pet_prior("wide", m, 0));
    s.models.back().noise = PetNoise::normal;
    s.models.back().marginal_precision = true;
    s.models.back().scale = Scale::logit;
  }
  return s;
}

TEST(PetCalibration, IntervalsHoldAndProbabilitiesAreShares) {
  constexpr std::size_t kVoxels = 200;
  const Phantom phantom({.kind = PhantomKind::prior, .voxels = kVoxels, .precision = noise_precision("medium")}, 8);
  const CurveFitter fitter(setup_for(phantom));
  std::vector<std::vector<float>> volumes(phantom.starts().size(),
                                          std::vector<float>(phantom.anatomy().geometry.voxels()));
  for (std::size_t f = 0; f < volumes.size(); ++f) phantom.frame(f, volumes[f]);
  int held = 0;
  double expected = 0, variance = 0, right = 0;  // of the number of voxels whose best model is the true one
  for (std::size_t v = 0; v < kVoxels; ++v) {
    std::vector<double> curve;
    for (const auto& volume : volumes) curve.push_back(volume[phantom.anatomy().indices[v]] / 1000.0);
    const CurveFit fit = fitter.fit(v, curve);
    ASSERT_NE(fit.status & kFitted, 0U);
    const double truth = phantom.rates(v).volume(), p = fit.models[fit.best].probability;
    held += fit.vt.q025 <= truth && truth <= fit.vt.q975 ? 1 : 0;
    expected += p;
    variance += p * (1 - p);
    right += static_cast<int>(fit.best) + 1 == phantom.rates(v).order() ? 1 : 0;
  }
  EXPECT_NEAR(held, 0.95 * kVoxels, 3.5 * std::sqrt(kVoxels * 0.95 * 0.05));
  EXPECT_NEAR(right, expected, 3.5 * std::sqrt(variance));
}

}  // namespace
}  // namespace evident::imaging
