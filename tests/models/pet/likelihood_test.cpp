// The vector kernels against the plain form, on every target.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "evident/base/log_math.hpp"
#include "models/pet/compartments.hpp"
#include "models/pet/reference.hpp"
#include "models/pet/simulate.hpp"

namespace evident {
namespace {

void on_every_target(const std::function<void()>& body) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

/// A study of n frames between 20 s and 5000 s.
PetSimulation with_frames(std::size_t n) {
  std::vector<double> times;
  for (std::size_t i = 1; i <= n; ++i)
    times.push_back(20 * std::pow(250.0, static_cast<double>(i) / static_cast<double>(n)));
  PetSimulation simulation;
  simulation.frames = frames_from_midtimes(times);
  return simulation;
}

std::vector<double> column(ConstBlock theta, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < theta.rows(); ++j) out.push_back(theta(j, i));
  return out;
}

/// Model and plain form agree for every column; relative to the size of the value.
void expect_same(const PetCompartments& model, const PetStudy& study, ConstBlock theta, double tolerance) {
  std::vector<double> out(theta.size());
  model.log_likelihood(theta, out);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double plain = pet_log_likelihood_table(model.options(), *model.table(), study.activity, column(theta, i));
    if (std::isinf(plain))
      EXPECT_EQ(out[i], plain) << "column " << i;
    else
      EXPECT_NEAR(out[i], plain, tolerance * (1 + std::abs(plain))) << "column " << i;
  }
}

std::vector<PetOptions> all_options(std::size_t m) {
  PetOptions normal = zhou2013_n(m), marginal = normal, student = zhou2013_i(m);
  marginal.marginal_precision = true;
  student.theta[0].lower = 1e-4;
  return {normal, marginal, student};
}

TEST(PetLikelihood, PriorDrawsForEveryTailAndNumberOfCompartments) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  on_every_target([&] {
    for (const std::size_t m : {1, 2, 3, 4, 5, 7})
      for (const PetOptions& options : all_options(m)) {
        const PetCompartments model(options, study.input(), study.frames, study.activity);
        for (std::size_t n = 1; n <= 17; ++n) {
          BlockStorage theta(model.parameters().size(), n);
          model.draw_prior(Streams({.seed = 5 + n}), 0, theta);
          expect_same(model, study, theta, 1e-9);
        }
      }
  });
}

TEST(PetLikelihood, AnyNumberOfFrames) {
  on_every_target([&] {
    for (const std::size_t frames : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 200}) {
      const PetStudy study = simulate_pet(with_frames(frames), Streams({.seed = 3}));
      for (const PetOptions& options : all_options(2)) {
        const PetCompartments model(options, study.input(), study.frames, study.activity);
        BlockStorage theta(model.parameters().size(), 70);
        model.draw_prior(Streams({.seed = frames}), 0, theta);
        expect_same(model, study, theta, 1e-9);
      }
    }
  });
}

/// Blood in the voxel and averages over frames: the kernels with a row to start from.
TEST(PetLikelihood, BloodAndFrameAverages) {
  const std::vector<double> starts = {0, 40, 60, 100, 300, 900, 2000}, durations = {40, 20, 40, 200, 600, 1000, 1500};
  for (const bool averaged : {false, true})
    for (const double volume : {0.0, 0.05, 0.9}) {
      PetSimulation simulation;
      simulation.frames = averaged ? averaged_frames(starts, durations) : frames_from_durations(starts, durations);
      simulation.blood_volume = volume;
      const PetStudy study = simulate_pet(simulation, Streams({.seed = 3}));
      EXPECT_EQ(study.blood.activity.empty(), volume == 0);
      on_every_target([&] {
        for (const std::size_t m : {1, 2, 3, 4, 5})
          for (const PetOptions& options : all_options(m)) {
            const PetCompartments model(options, study.input(), study.frames, study.activity, study.blood);
            BlockStorage theta(model.parameters().size(), 70);
            model.draw_prior(Streams({.seed = m}), 0, theta);
            expect_same(model, study, theta, 1e-9);
            const double exact = pet_log_likelihood_exact(options, study.input(), study.frames, study.activity,
                                                          column(theta, 0), study.blood);
            std::vector<double> out(70);
            model.log_likelihood(theta.block(), out);
            EXPECT_NEAR(out[0], exact, 1e-6 * (1 + std::abs(exact)));
          }
      });
    }
}

/// With all of the four: frames one by one, all together, and the formula written out.
TEST(PetLikelihood, FramesOneByOneWithBlood) {
  PetSimulation simulation;
  simulation.frames = averaged_frames(std::vector<double>{0, 60, 300}, std::vector<double>{60, 240, 1200});
  simulation.frames.dt = decay_weighted_dt(simulation.frames.start, simulation.frames.duration, 5.7e-4);
  simulation.blood_volume = 0.04;
  const PetStudy study = simulate_pet(simulation, Streams({.seed = 3}));
  const PetCompartments model(zhou2013_n(1), study.input(), study.frames, study.activity, study.blood);
  BlockStorage theta(3, 1);
  const double phi = 5e-3, rate = 4e-4, lambda = 0.2;
  theta(0, 0) = phi, theta(1, 0) = rate, theta(2, 0) = lambda;
  std::vector<double> k(3), all(1), one(1);
  study.input().convolve_average(rate, study.frames.start, study.frames.duration, k, {});
  model.log_likelihood(theta.block(), all);
  double written_out = 0, summed = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = 0.96 * phi * k[i] + 0.04 * study.blood.activity[i], r = study.activity[i] - c;
    const double variance = c / (lambda * study.frames.dt[i]);
    const double term = -0.5 * (kLog2Pi + std::log(variance) + r * r / variance);
    model.log_likelihood_of(theta.block(), i, 1, one);
    EXPECT_NEAR(one[0], term, 1e-6 * std::abs(term));
    written_out += term;
    summed += one[0];
  }
  EXPECT_NEAR(all[0], written_out, 1e-6 * std::abs(written_out));
  EXPECT_NEAR(all[0], summed, 1e-10 * std::abs(summed));
}

/// So much blood that products leave the range of a double, and so little that it hardly counts.
TEST(PetLikelihood, ExtremeBlood) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  on_every_target([&] {
    for (const double size : {1e-300, 1e-20, 1e9, 1e12, 1e40, -1e3}) {
      const PetBlood blood{0.05, std::vector<double>(study.activity.size(), size)};
      for (const PetOptions& options : all_options(2)) {
        const PetCompartments model(options, study.input(), study.frames, study.activity, blood);
        BlockStorage theta(model.parameters().size(), 9);
        model.draw_prior(Streams({.seed = 5}), 0, theta);
        expect_same(model, study, theta, 1e-9);
      }
    }
  });
}

TEST(PetLikelihood, AParticleDoesNotDependOnItsPlace) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  for (const PetOptions& options : all_options(2)) {
    const PetCompartments model(options, study.input(), study.frames, study.activity);
    BlockStorage all(model.parameters().size(), 100);
    model.draw_prior(Streams({.seed = 8}), 0, all);
    std::vector<double> together(100), alone(1);
    model.log_likelihood(all.block(), together);
    for (std::size_t i = 0; i < 100; ++i) {
      BlockStorage one(all.rows(), 1);
      for (std::size_t j = 0; j < all.rows(); ++j) one(j, 0) = all(j, i);
      model.log_likelihood(one.block(), alone);
      EXPECT_EQ(alone[0], together[i]) << i;
    }
  }
}

struct Extreme {
  double phi1, phi2, theta1, theta2, lambda, inverse_nu;
};

const std::vector<Extreme> kExtremes = {
    {4e-3, 2e-3, 5e-4, 5e-4, 0.1, 0.2},      // equal rates
    {4e-3, 2e-3, 1e-4, 1e-1, 0.1, 0.2},      // both ends of the table
    {1e-30, 1e-30, 5e-4, 1e-2, 0.1, 0.2},    // products leave the range of a double
    {1e-200, 1e-250, 5e-4, 1e-2, 0.1, 0.2},  //
    {1e9, 1e12, 5e-4, 1e-2, 0.1, 0.2},       //
    {1e100, 1e120, 5e-4, 1e-2, 1e-90, 0.2},  //
    {0, 0, 5e-4, 1e-2, 0.1, 0.2},            // no activity, no density
    {4e-3, -2e-3, 5e-4, 1e-2, 0.1, 0.2},     // differences, absolute values
    {4e-3, 2e-3, 5e-4, 1e-2, 1e-300, 0.2},   // hardly any precision
    {4e-3, 2e-3, 5e-4, 1e-2, 1e6, 0.2},      // a lot
    {4e-3, 2e-3, 5e-4, 1e-2, 0.1, 0.5},      // heaviest tails of the prior
    {4e-3, 2e-3, 5e-4, 1e-2, 0.1, 1e-4},     // light tails
};

TEST(PetLikelihood, ExtremeValues) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  on_every_target([&] {
    for (const PetOptions& options : all_options(2)) {
      const auto table = std::make_shared<const ConvolutionTable>(study.input(), study.frames, 1e-4, 0.1);
      const PetCompartments model(options, table, study.activity);
      BlockStorage theta(model.parameters().size(), kExtremes.size());
      for (std::size_t i = 0; i < kExtremes.size(); ++i) {
        const Extreme& e = kExtremes[i];
        const double values[] = {e.phi1, e.phi2, e.theta1, e.theta2, e.lambda, e.inverse_nu};
        for (std::size_t j = 0; j < theta.rows(); ++j) theta(j, i) = values[j];
      }
      expect_same(model, study, theta, 1e-9);
    }
  });
}

TEST(PetLikelihood, ImpossibleAndNotANumber) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  on_every_target([&] {
    for (const PetOptions& options : all_options(2)) {
      const PetCompartments model(options, study.input(), study.frames, study.activity);
      const std::vector<double> good = {4e-3, 2e-3, 5e-4, 1e-2, 0.1, 0.2};
      for (std::size_t j = 0; j < model.parameters().size(); ++j)
        for (const double bad : {kNaN, kInf, -kInf}) {
          if (j == 5 && bad > 0) continue;  // no upper limit of its own
          BlockStorage theta(model.parameters().size(), 3);
          for (std::size_t r = 0; r < theta.rows(); ++r)
            for (std::size_t i = 0; i < 3; ++i) theta(r, i) = good[r];
          theta(j, 1) = bad;
          std::vector<double> out(3);
          model.log_likelihood(theta.block(), out);
          if (j == 4 && bad == kInf) continue;  // infinite precision: -inf or NaN, which counts as -inf
          EXPECT_EQ(out[1], -kInf) << j << ' ' << bad;
          EXPECT_TRUE(std::isfinite(out[0])) << j;
          EXPECT_EQ(out[0], out[2]);
        }
    }
  });
}

TEST(PetLikelihood, StudentTendsToNormal) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  PetOptions options = zhou2013_n(2);
  const PetCompartments normal(options, study.input(), study.frames, study.activity);
  options.noise = PetNoise::student;
  const PetCompartments student(options, study.input(), study.frames, study.activity);
  BlockStorage theta(6, 4);
  const double inverse_nu[] = {0, 1e-12, 1e-7, 2e-6};
  for (std::size_t i = 0; i < 4; ++i) {
    const double values[] = {4e-3, 2e-3, 5e-4, 1e-2, 0.1, inverse_nu[i]};
    for (std::size_t j = 0; j < 6; ++j) theta(j, i) = values[j];
  }
  std::vector<double> a(4), b(4);
  on_every_target([&] {
    normal.log_likelihood(theta.block().some_rows(0, 5), a);
    student.log_likelihood(theta.block(), b);
    EXPECT_NEAR(b[0], a[0], 1e-9);
    EXPECT_NEAR(b[1], a[1], 1e-8);
    EXPECT_NEAR(b[2], a[2], 1e-4);
    EXPECT_NEAR(b[3], a[3], 1e-3);
    EXPECT_NE(b[3], a[3]);
  });
}

TEST(PetLikelihood, TableAndExactConvolutionAgree) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  for (const PetOptions& options : all_options(3)) {
    const PetCompartments model(options, study.input(), study.frames, study.activity);
    BlockStorage theta(model.parameters().size(), 200);
    model.draw_prior(Streams({.seed = 1}), 0, theta);
    std::vector<double> out(200);
    model.log_likelihood(theta.block(), out);
    for (std::size_t i = 0; i < 200; ++i) {
      const double exact =
          pet_log_likelihood_exact(options, study.input(), study.frames, study.activity, column(theta, i));
      EXPECT_NEAR(out[i], exact, 1e-6 * (1 + std::abs(exact))) << i;
    }
  }
}

TEST(PetLikelihood, RatesBeyondTheTable) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 3}));
  PetOptions options = zhou2013_n(2);
  const auto narrow = std::make_shared<const ConvolutionTable>(study.input(), study.frames, 4e-4, 6e-4);
  const PetCompartments model(options, narrow, study.activity);
  BlockStorage theta(5, 3);
  const double second_rate[] = {5.5e-4, 0.02, 0.2};  // in the table, in the prior only, in neither
  for (std::size_t i = 0; i < 3; ++i) {
    const double values[] = {4e-3, 2e-3, 5e-4, second_rate[i], 0.1};
    for (std::size_t j = 0; j < 5; ++j) theta(j, i) = values[j];
  }
  std::vector<double> out(3);
  model.log_likelihood(theta.block(), out);
  for (std::size_t i = 0; i < 2; ++i) {
    const double exact =
        pet_log_likelihood_exact(options, study.input(), study.frames, study.activity, column(theta, i));
    EXPECT_NEAR(out[i], exact, 1e-6 * std::abs(exact));
  }
  EXPECT_EQ(out[2], -kInf);
}

TEST(PetLikelihood, ActivityFloorGivesSilentFramesADensity) {
  // No blood activity before 100 s, so the first frames are exactly 0.
  const PetInput late(std::vector<double>{0, 100, 160, 400}, std::vector<double>{0, 0, 9, 3}, PetInterpolation::linear);
  const PetFrames frames = frames_from_midtimes(std::vector<double>{30, 90, 150, 200, 300});
  const std::vector<double> activity = {0.01, -0.02, 1.1, 2.2, 3.0};
  PetOptions options = zhou2013_n(1);
  const std::vector<double> theta = {5e-3, 5e-4, 1.0};
  BlockStorage block(3, 1);
  for (std::size_t j = 0; j < 3; ++j) block(j, 0) = theta[j];
  std::vector<double> out(1);
  PetCompartments(options, late, frames, activity).log_likelihood(block.block(), out);
  EXPECT_EQ(out[0], -kInf);
  options.activity_floor = 0.05;
  PetCompartments(options, late, frames, activity).log_likelihood(block.block(), out);
  EXPECT_NEAR(out[0], pet_log_likelihood_exact(options, late, frames, activity, theta), 1e-6 * std::abs(out[0]));
}

}  // namespace
}  // namespace evident
