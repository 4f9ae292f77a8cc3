#include "models/pet/input.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "models/pet/simulate.hpp"

namespace evident {
namespace {

/// K by adaptive quadrature of the interpolated curve, piece by piece.
double by_quadrature(const PetInput& input, double theta, double t) {
  double sum = 0;
  for (const auto& piece : input.pieces()) {
    if (piece.start >= t) break;
    const double end = std::min(piece.start + piece.length, t);
    sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(
        [&](double s) { return input(s) * std::exp(-theta * (t - s)); }, piece.start, end, 8, 1e-13);
  }
  return sum;
}

std::vector<double> cubic(const std::vector<double>& x) {
  std::vector<double> y;
  for (const double v : x) y.push_back(1 - 2 * v + 0.3 * v * v - 0.01 * v * v * v);
  return y;
}

TEST(PetInput, SplineReproducesACubicAndExtendsItToZero) {
  const std::vector<double> x = {0.5, 1, 2.5, 3, 4.5, 7, 7.5, 9};
  const PetInput input(x, cubic(x));
  for (double t = 0; t <= 9; t += 0.125) EXPECT_NEAR(input(t), cubic({t})[0], 1e-12) << t;
  EXPECT_EQ(input.pieces().front().start, 0);
}

TEST(PetInput, SplineHasTwoContinuousDerivatives) {
  const std::vector<double> x = {0, 1, 2, 4, 5, 8}, y = {0, 5, 3, 2, 2.5, 1};
  const PetInput input(x, y);
  const auto pieces = input.pieces();
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto& p = pieces[i];
    const double h = p.length;
    EXPECT_NEAR(p.c[0] + h * (p.c[1] + h * (p.c[2] + h * p.c[3])), y[i + 1], 1e-12);
    EXPECT_NEAR(p.c[1] + h * (2 * p.c[2] + h * 3 * p.c[3]), pieces[i + 1].c[1], 1e-12);
    EXPECT_NEAR(p.c[2] + 3 * h * p.c[3], pieces[i + 1].c[2], 1e-12);
  }
  // The third derivative at an end is that of the cubic through the four samples there, by divided differences.
  const auto third = [&](std::size_t a) {
    const auto first = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
    const auto second = [&](std::size_t i) { return (first(i + 1) - first(i)) / (x[i + 2] - x[i]); };
    return (second(a + 1) - second(a)) / (x[a + 3] - x[a]);
  };
  EXPECT_NEAR(pieces.front().c[3], third(0), 1e-12);
  EXPECT_NEAR(pieces.back().c[3], third(2), 1e-12);
}

TEST(PetInput, FewSamples) {
  const std::vector<double> x = {0, 1, 3}, parabola = {1, 2, 10};  // 1 + x^2... through (0,1), (1,2), (3,10)
  const PetInput three(x, parabola);
  EXPECT_NEAR(three(2), 5, 1e-12);
  const PetInput two(std::vector<double>{0, 2}, std::vector<double>{1, 5});
  EXPECT_NEAR(two(1.5), 4, 1e-12);
}

TEST(PetInput, LinearStartsAtZeroUnlessGiven) {
  const std::vector<double> x = {2, 4}, y = {6, 2};
  EXPECT_DOUBLE_EQ(PetInput(x, y, PetInterpolation::linear)(1), 3);
  EXPECT_DOUBLE_EQ(PetInput(x, y, PetInterpolation::linear, 10.0)(1), 8);
  EXPECT_DOUBLE_EQ(PetInput(x, y, PetInterpolation::linear)(3), 4);
  EXPECT_THROW(PetInput(x, y, PetInterpolation::spline, 1.0), InputError);
}

TEST(PetInput, SamplesBeforeZeroAreCut) {
  const std::vector<double> x = {-3, -1, 1, 2}, y = {0, 0, 4, 4};
  const PetInput input(x, y, PetInterpolation::linear);
  EXPECT_DOUBLE_EQ(input(0), 2);
  EXPECT_NEAR(input.convolve(0, 1), 3, 1e-14);
}

TEST(PetInput, RefusesBadSamples) {
  const std::vector<double> two = {1, 2}, one = {1}, falling = {2, 1}, nan = {1, std::nan("")}, early = {-2, -1};
  EXPECT_THROW(PetInput(two, one), InputError);
  EXPECT_THROW(PetInput(one, one), InputError);
  EXPECT_THROW(PetInput(falling, two), InputError);
  EXPECT_THROW(PetInput(two, nan), InputError);
  EXPECT_THROW(PetInput(early, two), InputError);
  EXPECT_THROW(PetInput(two, two).convolve(0.1, 3), InputError);
}

TEST(PetConvolution, ConstantInputHasAClosedForm) {
  const PetInput input(std::vector<double>{0, 7, 500, 1000}, std::vector<double>{3, 3, 3, 3});
  for (const double theta : {1e-300, 1e-12, 1e-6, 1e-3, 0.004, 0.1, 5.0, 1e3})
    for (const double t : {0.5, 7.0, 33.0, 1000.0}) {
      const double expected = 3 * -std::expm1(-theta * t) / theta;
      EXPECT_NEAR(input.convolve(theta, t), expected, 1e-13 * expected) << theta << ' ' << t;
    }
  EXPECT_DOUBLE_EQ(input.convolve(0, 1000), 3000);
}

TEST(PetConvolution, AgreesWithQuadrature) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const PetInput linear(study.blood_time, study.blood_activity, PetInterpolation::linear);
  for (const PetInput& input : {study.input(), linear})
    for (const double theta : {0.0, 1e-9, 1e-5, 1e-3, 0.03, 0.1, 0.7})
      for (const double t : {0.3, 27.5, 60.0, 280.0, 5035.0}) {
        const double expected = by_quadrature(input, theta, t);
        EXPECT_NEAR(input.convolve(theta, t), expected, 1e-11 * expected) << theta << ' ' << t;
      }
}

TEST(PetConvolution, SlopeIsTheDerivative) {
  const PetInput input = simulate_pet({}, Streams({.seed = 1})).input();
  const std::vector<double> times = {10, 100, 5000};
  std::vector<double> value(3), slope(3), above(3), below(3);
  for (const double theta : {1e-5, 1e-3, 0.1, 2.0}) {
    const double h = theta * 1e-5;
    input.convolve(theta, times, value, slope);
    input.convolve(theta + h, times, above, {});
    input.convolve(theta - h, times, below, {});
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(slope[i], (above[i] - below[i]) / (2 * h), 1e-6 * std::abs(value[i]) / theta) << theta;
  }
}

}  // namespace
}  // namespace evident
