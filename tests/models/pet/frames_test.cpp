// Frame averages and blood: the exact formulas against quadrature and closed forms.
#include "models/pet/frames.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/pet/convolution_table.hpp"
#include "models/pet/simulate.hpp"

namespace evident {
namespace {

using Numbers = std::vector<double>;

/// Adaptive quadrature from a to b, apart at the input's knots, where the curve is not smooth.
template <class F>
double integral(const PetInput& input, double a, double b, F f) {
  double sum = 0;
  for (const auto& piece : input.pieces()) {
    const double from = std::max(a, piece.start), to = std::min(b, piece.start + piece.length);
    if (from < to) sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(f, from, to, 6, 1e-13);
  }
  return sum;
}

TEST(PetFrameAverage, ConstantInputHasAClosedForm) {
  const PetInput input(Numbers{0, 7, 500, 1000}, Numbers{3, 3, 3, 3});
  const Numbers starts = {0, 3, 10, 480}, durations = {3, 5, 400, 520};
  Numbers value(4);
  for (const double theta : {1e-300, 1e-12, 1e-6, 1e-3, 0.1, 5.0}) {
    input.convolve_average(theta, starts, durations, value, {});
    for (std::size_t i = 0; i < 4; ++i) {
      // The average of 3 (1 - exp(-theta t)) / theta, in 100 digits' worth of care for small theta: a series.
      const double a = starts[i], b = a + durations[i];
      double expected = 0;
      if (theta * b < 0.5) {
        double term = 3, power_a = a * a, power_b = b * b;  // of sum 3 (-theta)^(k-1) t^k / k!, integrated
        for (int k = 1; k < 40; ++k) {
          term /= k;
          expected += term * (power_b - power_a) / (k + 1);
          term *= -theta;
          power_a *= a;
          power_b *= b;
        }
        expected /= durations[i];
      } else {
        expected = 3 / theta * (1 - (std::exp(-theta * a) - std::exp(-theta * b)) / (theta * durations[i]));
      }
      EXPECT_NEAR(value[i], expected, 1e-12 * expected) << theta << ' ' << i;
    }
  }
}

TEST(PetFrameAverage, AgreesWithQuadratureOfTheConvolution) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const Numbers starts = {0, 0.3, 27, 61.5, 1000, 4000}, durations = {0.3, 20, 30, 0.25, 600, 1200};
  Numbers value(starts.size());
  for (const auto interpolation : {PetInterpolation::spline, PetInterpolation::linear}) {
    const PetInput input(study.blood_time, study.blood_activity, interpolation);
    for (const double theta : {0.0, 1e-9, 1e-5, 1e-3, 0.03, 0.1, 0.7}) {
      input.convolve_average(theta, starts, durations, value, {});
      for (std::size_t i = 0; i < starts.size(); ++i) {
        const double end = starts[i] + durations[i];
        const double expected =
            integral(input, starts[i], end, [&](double t) { return input.convolve(theta, t); }) / durations[i];
        EXPECT_NEAR(value[i], expected, 1e-10 * expected) << theta << ' ' << i;
      }
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const double end = starts[i] + durations[i];
      const double expected = integral(input, starts[i], end, [&](double t) { return input(t); }) / durations[i];
      EXPECT_NEAR(input.average(starts[i], durations[i]), expected, 1e-11 * std::abs(expected)) << i;
    }
  }
}

TEST(PetFrameAverage, SlopeIsTheDerivative) {
  const PetInput input = simulate_pet({}, Streams({.seed = 1})).input();
  const Numbers starts = {0, 55, 4000}, durations = {55, 10, 600};
  Numbers value(3), slope(3), above(3), below(3);
  for (const double theta : {1e-5, 1e-3, 0.1, 2.0}) {
    const double h = theta * 1e-5;
    input.convolve_average(theta, starts, durations, value, slope);
    input.convolve_average(theta + h, starts, durations, above, {});
    input.convolve_average(theta - h, starts, durations, below, {});
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(slope[i], (above[i] - below[i]) / (2 * h), 1e-6 * std::abs(value[i]) / theta) << theta;
  }
}

TEST(PetFrameAverage, NothingHappensBeforeTheInjection) {
  const PetInput input = simulate_pet({}, Streams({.seed = 1})).input();
  Numbers straddling(1), inside(1);
  input.convolve_average(1e-3, Numbers{-30}, Numbers{90}, straddling, {});
  input.convolve_average(1e-3, Numbers{0}, Numbers{60}, inside, {});
  EXPECT_NEAR(straddling[0], inside[0] * 60 / 90, 1e-12 * inside[0]);
  EXPECT_NEAR(input.average(-30, 90), input.average(0, 60) * 60 / 90, 1e-12);
}

TEST(PetFrameAverage, TableHoldsAverages) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const Numbers starts = {0, 20, 60, 300, 1000, 4000}, durations = {20, 40, 60, 200, 600, 1200};
  for (const double volume : {0.0, 0.05}) {
    const PetFrames frames = averaged_frames(starts, durations);
    const ConvolutionTable table(study.input(), frames, 1e-5, 0.1, ConvolutionTable::kNodesPerOctave,
                                 make_blood(volume, study.input(), frames));
    Numbers k(6), exact(6);
    for (double theta = 1e-5; theta < 0.1; theta *= 1.07) {
      table.evaluate(theta, k);
      study.input().convolve_average(theta, starts, durations, exact, {});
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(k[i], exact[i], 1e-6 * exact[i]) << theta;
    }
  }
}

TEST(PetFrames, FromMidtimesAndFromDurations) {
  const PetFrames a = frames_from_midtimes(Numbers{5, 20, 60});
  EXPECT_EQ(a.dt, (Numbers{5, 15, 40}));
  EXPECT_FALSE(a.averaged());
  const PetFrames b = frames_from_durations(Numbers{0, 10, 30}, Numbers{10, 20, 60});
  EXPECT_EQ(b.time, (Numbers{5, 20, 60}));
  EXPECT_EQ(b.dt, (Numbers{10, 20, 60}));
  EXPECT_FALSE(b.averaged());
  const PetFrames c = averaged_frames(Numbers{0, 10, 30}, Numbers{10, 20, 60});
  EXPECT_TRUE(c.averaged());
  EXPECT_EQ(c.time, b.time);
}

TEST(PetFrames, DecayWeightIsTheMeanDecayFactor) {
  const double decay = std::log(2) / 1223;
  const Numbers dt = decay_weighted_dt(Numbers{0, 1223, 5000}, Numbers{1223, 1e-6, 600}, decay);
  EXPECT_NEAR(dt[0], 1223 * 0.5 / std::log(2), 1e-9);  // one half-life: 1/2 lost
  EXPECT_NEAR(dt[1], 0.5e-6, 1e-14);
  EXPECT_NEAR(dt[2], (std::exp(-5000 * decay) - std::exp(-5600 * decay)) / decay, 1e-10);
  EXPECT_EQ(decay_weighted_dt(Numbers{3, 9}, Numbers{6, 2}, 0), (Numbers{6, 2}));
  EXPECT_THROW(decay_weighted_dt(Numbers{0}, Numbers{1}, -1), InputError);
  EXPECT_THROW(decay_weighted_dt(Numbers{0}, Numbers{1}, kNaN), InputError);
}

TEST(PetFrames, RefusesWhatDoesNotFit) {
  const PetInput input(Numbers{0, 100}, Numbers{1, 1});
  const auto refuses = [&](const PetFrames& frames, const PetBlood& blood = {}) {
    EXPECT_THROW(check_frames(input, frames, blood), InputError);
  };
  check_frames(input, averaged_frames(Numbers{-5, 20, 50}, Numbers{20, 30, 50}), {});
  refuses(averaged_frames(Numbers{0, 9}, Numbers{10, 10}));     // overlap
  refuses(averaged_frames(Numbers{0, 60}, Numbers{10, 41}));    // beyond the input
  refuses(averaged_frames(Numbers{-20, 5}, Numbers{20, 10}));   // before the injection
  refuses(averaged_frames(Numbers{0, 10}, Numbers{10, 0}));     // no length
  refuses(averaged_frames(Numbers{0, kNaN}, Numbers{10, 10}));  // not a number
  refuses({{5, 15}, {10, 10}, {0}, {10}});
  refuses({{5}, {10}, {}, {10}});
  const PetFrames good = frames_from_durations(Numbers{0, 10}, Numbers{10, 10});
  check_frames(input, good, {0.05, {1, 2}});
  EXPECT_THROW(make_blood(0.05, input, {{5, 15}, {10, 10}, {0}, {10}}), InputError);
  EXPECT_THROW(make_blood(1, input, good), InputError);
  refuses(good, {1, {1, 2}});
  refuses(good, {-0.1, {1, 2}});
  refuses(good, {kNaN, {1, 2}});
  refuses(good, {0.05, {1}});
  refuses(good, {0.05, {1, kInf}});
  EXPECT_THROW(averaged_frames(Numbers{0, 1}, Numbers{1}), InputError);
}

}  // namespace
}  // namespace evident
