// The solver of the phantom against closed forms that it knows nothing of.
#include "imaging/phantom/kinetics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "models/pet/frames.hpp"
#include "models/pet/input.hpp"

namespace evident::imaging {
namespace {

using Numbers = std::vector<double>;

const Numbers kStarts = {0, 10, 20, 50, 120, 600, 3000}, kDurations = {10, 10, 30, 60, 300, 1800, 2000};

/// Integral over 0..t of exp(-rate s) s^power exp(-theta (t-s)), power 0 or 1.
double exponential_convolution(double rate, int power, double theta, double t) {
  const double gap = rate - theta;  // never near 0 in these tests
  const double a = std::exp(-theta * t), b = std::exp(-rate * t);
  return power == 0 ? (a - b) / gap : (a - b - gap * t * b) / (gap * gap);
}

/// Feng's input convolved with exp(-theta t), term by term; theta per minute, t in minutes.
double feng_convolution(double theta, double t) {
  const double l1 = 4.1339, l2 = 0.1191, l3 = 0.0104, a1 = 851.1225, a2 = 21.8798, a3 = 20.8113;
  return 0.25 * (a1 * exponential_convolution(l1, 1, theta, t) - (a2 + a3) * exponential_convolution(l1, 0, theta, t) +
                 a2 * exponential_convolution(l2, 0, theta, t) + a3 * exponential_convolution(l3, 0, theta, t));
}

/// phi and theta of up to two compartments, per minute, by the textbook formulas.
struct Modes {
  Numbers phi, theta;
};
Modes textbook_modes(const RateConstants& k) {
  if (k.order() == 1) return {{k.K1}, {k.k2}};
  const double s = k.k2 + k.k3 + k.k4, root = std::sqrt(s * s - 4 * k.k2 * k.k4);
  const double slow = (s - root) / 2, fast = (s + root) / 2, phi = k.K1 * (k.k3 + k.k4 - slow) / (fast - slow);
  return {{phi, k.K1 - phi}, {slow, fast}};
}

/// The same of any number, from the eigenvalues of the matrix of the equations.
Modes eigen_modes(const RateConstants& k) {
  Eigen::Matrix3d a;
  a << -(k.k2 + k.k3 + k.k5), k.k4, k.k6, k.k3, -k.k4, 0, k.k5, 0, -k.k6;
  const Eigen::EigenSolver<Eigen::Matrix3d> solver(a);
  const Eigen::Matrix3d vectors = solver.eigenvectors().real();
  const Eigen::Vector3d weights = vectors.inverse() * Eigen::Vector3d(k.K1, 0, 0);
  Modes out;
  for (int j = 0; j < 3; ++j) {
    out.phi.push_back(vectors.col(j).sum() * weights[j]);
    out.theta.push_back(-solver.eigenvalues()[j].real());
  }
  return out;
}

/// Frame averages of the sum of phi times the convolution, by quadrature over each frame.
Numbers by_modes(const Modes& modes) {
  Numbers out;
  for (std::size_t i = 0; i < kStarts.size(); ++i) {
    const double a = kStarts[i] / 60, b = a + kDurations[i] / 60;
    out.push_back(boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
                      [&](double t) {
                        double c = 0;
                        for (std::size_t d = 0; d < modes.phi.size(); ++d)
                          c += modes.phi[d] * feng_convolution(modes.theta[d], t);
                        return c;
                      },
                      a, b, 8, 1e-11) /
                  (b - a));
  }
  return out;
}

void expect_close(const Numbers& a, const Numbers& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * std::abs(b[i])) << "frame " << i;
}

TEST(PhantomKinetics, OneAndTwoCompartmentsHaveAClosedForm) {
  for (const RateConstants& k : {RateConstants{.K1 = 0.41, .k2 = 0.05},
                                 {.K1 = 0.12, .k2 = 0.04},
                                 {.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19},
                                 {.K1 = 0.18, .k2 = 0.25, .k3 = 0.18, .k4 = 0.04},
                                 {.K1 = 0.0918, .k2 = 0.4484, .k3 = 0.0482, .k4 = 0.1363}})
    expect_close(tissue_averages(k, feng_blood(), kStarts, kDurations), by_modes(textbook_modes(k)), 1e-7);
}

TEST(PhantomKinetics, ThreeCompartmentsByEigenvalues) {
  const RateConstants k{.K1 = 0.6, .k2 = 1.2, .k3 = 1.2, .k4 = 0.3, .k5 = 0.3, .k6 = 0.02};
  EXPECT_EQ(k.order(), 3);
  expect_close(tissue_averages(k, feng_blood(), kStarts, kDurations), by_modes(eigen_modes(k)), 1e-7);
}

TEST(PhantomKinetics, VolumeOfDistributionIsTheSumOverModes) {
  for (const RateConstants& k :
       {RateConstants{.K1 = 0.41, .k2 = 0.05}, {.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19}}) {
    const Modes m = textbook_modes(k);
    double sum = 0;
    for (std::size_t d = 0; d < m.phi.size(); ++d) sum += m.phi[d] / m.theta[d];
    EXPECT_NEAR(k.volume(), sum, 1e-12 * sum);
  }
  EXPECT_NEAR((RateConstants{.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19}).volume(), 0.44 / 0.07 * (1 + 0.15 / 0.19),
              1e-12);
  // At rest, tissue over plasma: a constant input for a long time.
  const PhantomBlood constant = sampled_blood({0, 1e6}, {3, 3}, {});
  for (const RateConstants& k : {RateConstants{.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19},
                                 {.K1 = 0.6, .k2 = 1.2, .k3 = 1.2, .k4 = 0.3, .k5 = 0.3, .k6 = 0.02}})
    EXPECT_NEAR(tissue_averages(k, constant, Numbers{9e5}, Numbers{1e4})[0], 3 * k.volume(), 1e-6 * k.volume());
}

/// The model under test elsewhere, given the same straight lines: its exact convolution and this solver agree.
TEST(PhantomKinetics, SampledBloodAgreesWithTheModelsConvolution) {
  Numbers times, plasma, whole;
  const PhantomBlood feng = feng_blood();
  for (double t = 5; t < 6000; t += t < 120 ? 5 : 60) {
    times.push_back(t);
    plasma.push_back(feng.parent(t));
    whole.push_back(feng.whole_blood(t));
  }
  const PhantomBlood blood = sampled_blood(times, plasma, whole);
  const RateConstants k{.K1 = 0.18, .k2 = 0.25, .k3 = 0.18, .k4 = 0.04};
  const Modes m = textbook_modes(k);
  const PetInput input(times, plasma, PetInterpolation::linear);
  const PetFrames frames = averaged_frames(kStarts, kDurations);
  Numbers expected(kStarts.size(), 0.0), value(kStarts.size());
  for (std::size_t d = 0; d < 2; ++d) {
    convolve_frames(input, frames, m.theta[d] / 60, value, {});
    for (std::size_t i = 0; i < value.size(); ++i) expected[i] += m.phi[d] / 60 * value[i];
  }
  expect_close(tissue_averages(k, blood, kStarts, kDurations), expected, 1e-7);
  expect_close(whole_blood_averages(blood, kStarts, kDurations),
               make_blood(0.05, PetInput(times, whole, PetInterpolation::linear), frames).activity, 1e-8);
}

TEST(PhantomKinetics, RefusesWhatCannotBe) {
  const RateConstants k{.K1 = 0.1, .k2 = 0.1};
  const PhantomBlood blood = feng_blood();
  EXPECT_THROW(tissue_averages(k, blood, Numbers{}, Numbers{}), InputError);
  EXPECT_THROW(tissue_averages(k, blood, Numbers{0, 5}, Numbers{10, 10}), InputError);
  EXPECT_THROW(tissue_averages(k, blood, Numbers{0}, Numbers{0}), InputError);
  EXPECT_THROW(tissue_averages({.K1 = -1, .k2 = 1}, blood, Numbers{0}, Numbers{1}), InputError);
  EXPECT_THROW(sampled_blood({0}, {1}, {}), InputError);
  EXPECT_THROW(sampled_blood({0, 1}, {1}, {}), InputError);
  EXPECT_THROW(sampled_blood({1, 1}, {1, 1}, {}), InputError);
  EXPECT_THROW(sampled_blood({-1, 1}, {1, 1}, {}), InputError);
  EXPECT_THROW(sampled_blood({0, 1}, {1, std::nan("")}, {}), InputError);
  EXPECT_THROW(sampled_blood({0, 1}, {1, -1}, {}), InputError);
  EXPECT_THROW(sampled_blood({0, 1}, {1, 1}, {1}), InputError);
  EXPECT_THROW(tissue_averages(k, sampled_blood({0, 100}, {1, 1}, {}), Numbers{0}, Numbers{101}), InputError);
}

}  // namespace
}  // namespace evident::imaging
