#include "imaging/phantom/phantom.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <numeric>
#include <set>
#include <vector>

#include "evident/base/error.hpp"
#include "models/pet/frames.hpp"
#include "models/pet/options.hpp"

namespace evident::imaging {
namespace {

std::vector<float> image(const Phantom& phantom) {
  const std::size_t voxels = phantom.anatomy().geometry.voxels(), frames = phantom.starts().size();
  std::vector<float> out(voxels * frames);
  for (std::size_t f = 0; f < frames; ++f) phantom.frame(f, {out.data() + f * voxels, voxels});
  return out;
}

TEST(Phantom, ExactlyAsManyVoxelsAsAskedFor) {
  for (const PhantomKind kind : {PhantomKind::small, PhantomKind::brain})
    for (const std::size_t n : {1, 2, 7, 300, 301, 5000, 217000}) {
      const Anatomy a = make_anatomy(kind, n);
      EXPECT_EQ(a.indices.size(), n);
      EXPECT_EQ(a.region.size(), n);
      EXPECT_LT(a.indices.back(), a.geometry.voxels());
      EXPECT_EQ(std::set<std::size_t>(a.indices.begin(), a.indices.end()).size(), n);
      if (n < 300) continue;
      for (std::size_t r = 0; r < a.regions.size(); ++r)
        EXPECT_GT(std::count(a.region.begin(), a.region.end(), r), 0) << a.regions[r].name << " of " << n;
    }
  EXPECT_NEAR(make_anatomy(PhantomKind::brain, 217187).geometry.pixdim[1], 2, 1e-6);
  EXPECT_THROW(make_anatomy(PhantomKind::brain, 0), InputError);
  EXPECT_THROW(make_anatomy(PhantomKind::brain, kMostPhantomVoxels + 1), InputError);
}

TEST(Phantom, TheEdgeOfTheImageIsEmpty) {
  for (const std::size_t n : {1, 50, 300, 5000, 60000}) {
    const Anatomy a = make_anatomy(PhantomKind::brain, n);
    const auto& s = a.geometry.shape;
    for (const std::size_t index : a.indices) {
      const std::size_t place[] = {index % s[0], index / s[0] % s[1], index / (s[0] * s[1])};
      for (int d = 0; d < 3; ++d) EXPECT_TRUE(place[d] > 0 && place[d] + 1 < s[static_cast<std::size_t>(d)]);
    }
  }
}

/// The slowest rate and what flows into it; the prior of the published simulation holds them for all voxels.
TEST(Phantom, TruthLiesInsideThePriorOfThePublishedSimulation) {
  for (const PhantomKind kind : {PhantomKind::small, PhantomKind::brain}) {
    const Phantom phantom({.kind = kind, .voxels = 3000}, 1);
    for (std::size_t i = 0; i < 3000; ++i) {
      const RateConstants k = phantom.rates(i);
      const auto m = static_cast<std::size_t>(k.order());
      Eigen::Matrix3d full;
      full << -(k.k2 + k.k3 + k.k5), k.k4, k.k6, k.k3, -k.k4, 0, k.k5, 0, -k.k6;
      const Eigen::Index n = k.order();
      const Eigen::EigenSolver<Eigen::MatrixXd> solver(full.topLeftCorner(n, n) / 60);
      const Eigen::MatrixXd vectors = solver.eigenvectors().real();
      Eigen::VectorXd feed = Eigen::VectorXd::Zero(n);
      feed[0] = k.K1 / 60;
      const Eigen::VectorXd weight = vectors.inverse() * feed;
      std::vector<std::pair<double, double>> modes;
      for (Eigen::Index d = 0; d < n; ++d)
        modes.emplace_back(-solver.eigenvalues()[d].real(), vectors.col(d).sum() * weight[d]);
      std::sort(modes.begin(), modes.end());
      const PetOptions prior = zhou2013_n(m);
      double volume = 0;
      for (std::size_t d = 0; d < m; ++d) {
        EXPECT_GT(modes[d].first, prior.theta_bounds(d).lower);
        EXPECT_LT(modes[d].first, prior.theta_bounds(d).upper);
        EXPECT_GT(modes[d].second, prior.phi_bounds(d).lower);
        EXPECT_LT(modes[d].second, prior.phi_bounds(d).upper);
        volume += modes[d].second / modes[d].first;
      }
      EXPECT_NEAR(k.volume(), volume, 1e-9 * volume);
    }
  }
}

/// The solver run for one voxel alone gives that voxel's curve, scaled K1, blood and all.
TEST(Phantom, AVoxelIsWhatItsRatesSay) {
  const Phantom phantom({.kind = PhantomKind::brain, .voxels = 500, .blood_volume = 0.05}, 4);
  const auto blood = whole_blood_averages(phantom.options().blood, phantom.starts(), phantom.durations());
  for (std::size_t i = 0; i < 500; i += 61) {
    const auto tissue =
        tissue_averages(phantom.rates(i), phantom.options().blood, phantom.starts(), phantom.durations());
    for (std::size_t f = 0; f < tissue.size(); ++f)
      EXPECT_NEAR(phantom.activity(i, f), 0.95 * tissue[f] + 0.05 * blood[f], 1e-9 * tissue[f]);
  }
}

TEST(Phantom, FramesAndDecay) {
  const Phantom phantom({}, 1);
  EXPECT_EQ(phantom.starts().size(), 32U);
  EXPECT_DOUBLE_EQ(phantom.starts().back() + phantom.durations().back(), 5160);
  EXPECT_GE(phantom.options().blood.sample_times.back(), 5160);
  // dt of the noise as the model's users compute it.
  const auto dt = decay_weighted_dt(phantom.starts(), phantom.durations(), std::log(2.0) / Phantom::kHalfLife);
  for (std::size_t f = 0; f < 32; ++f) {
    EXPECT_NEAR(phantom.durations()[f] * phantom.decay_factors()[f], dt[f], 1e-10 * dt[f]);
    EXPECT_NEAR(phantom.variance(0, f), phantom.activity(0, f) / (0.3 * dt[f]), 1e-10 * phantom.variance(0, f));
  }
}

TEST(Phantom, NoiseHasTheVarianceItClaims) {
  const Phantom phantom({.kind = PhantomKind::brain, .voxels = 4000, .precision = noise_precision("high")}, 2);
  std::vector<float> volume(phantom.anatomy().geometry.voxels());
  double lag = 0;
  std::vector<double> before(4000, 0.0);
  for (std::size_t f = 0; f < 32; ++f) {
    phantom.frame(f, volume);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const double y = static_cast<double>(volume[phantom.anatomy().indices[i]]) / 1000;
      const double z = (y - phantom.activity(i, f)) / std::sqrt(phantom.variance(i, f));
      sum += z;
      squares += z * z;
      lag += z * before[i];
      before[i] = z;
    }
    // Five standard errors: 1/sqrt(n) of a mean, sqrt(2/n) of a mean square.
    EXPECT_NEAR(sum / 4000, 0, 5 / std::sqrt(4000.0)) << f;
    EXPECT_NEAR(squares / 4000, 1, 5 * std::sqrt(2 / 4000.0)) << f;
  }
  EXPECT_NEAR(lag / (31 * 4000.0), 0, 5 / std::sqrt(31 * 4000.0));
}

TEST(Phantom, SeedAndVoxelDecideAndNothingElse) {
  const auto a = image(Phantom({.voxels = 200}, 7));
  EXPECT_EQ(a, image(Phantom({.voxels = 200}, 7)));
  EXPECT_NE(a, image(Phantom({.voxels = 200}, 8)));
  // Without noise the image is the activity in Bq/mL, and 0 outside.
  const Phantom clean({.voxels = 200, .precision = noise_precision("none")}, 7);
  std::vector<float> volume(clean.anatomy().geometry.voxels());
  clean.frame(20, volume);
  double inside = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_FLOAT_EQ(volume[clean.anatomy().indices[i]], static_cast<float>(1000 * clean.activity(i, 20)));
    inside += static_cast<double>(volume[clean.anatomy().indices[i]]);
  }
  EXPECT_NEAR(std::accumulate(volume.begin(), volume.end(), 0.0), inside, 1e-6 * inside);
}

TEST(Phantom, VoxelsOfARegionDiffer) {
  const Phantom phantom({.voxels = 300}, 1);
  std::set<double> inflow, outflow;
  for (std::size_t i = 0; i < 300; ++i) {
    const auto& region = phantom.anatomy().regions[phantom.anatomy().region[i]].rates;
    inflow.insert(phantom.rates(i).K1);
    outflow.insert(phantom.rates(i).k2);
    EXPECT_NEAR(phantom.rates(i).K1, region.K1, 0.1000001 * region.K1);
    EXPECT_EQ(phantom.rates(i).order(), region.order());
  }
  EXPECT_GT(inflow.size(), 290U);
  EXPECT_EQ(outflow.size(), 9U);
}

TEST(Phantom, RefusesBadOptions) {
  EXPECT_THROW(noise_precision("loud"), InputError);
  EXPECT_THROW(Phantom({.precision = 0}, 1), InputError);
  EXPECT_THROW(Phantom({.precision = std::nan("")}, 1), InputError);
  EXPECT_THROW(Phantom({.blood_volume = 1}, 1), InputError);
  EXPECT_THROW(Phantom({.blood_volume = std::nan("")}, 1), InputError);
}

}  // namespace
}  // namespace evident::imaging
