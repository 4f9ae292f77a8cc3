#include "models/pet/convolution_table.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "models/pet/simulate.hpp"
#include "models/pet/study_data.hpp"

namespace evident {
namespace {

/// K and A (the same with |CP|) by adaptive quadrature.
struct Convolved {
  double value, size;
};
Convolved by_quadrature(const PetInput& input, double theta, double t) {
  Convolved out{0, 0};
  for (const auto& piece : input.pieces()) {
    if (piece.start >= t) break;
    const double end = std::min(piece.start + piece.length, t);
    const auto integrate = [&](auto f) {
      return boost::math::quadrature::gauss_kronrod<double, 15>::integrate(
          [&](double s) { return f(input(s)) * std::exp(-theta * (t - s)); }, piece.start, end, 5, 1e-12);
    };
    out.value += integrate([](double v) { return v; });
    out.size += integrate([](double v) { return std::abs(v); });
  }
  return out;
}

/// Largest |table - quadrature| / A over rates from end to end.
double worst_error(const ConvolutionTable& table, int rates, std::size_t frame_step) {
  std::vector<double> k(table.size());
  double worst = 0;
  for (int j = 0; j <= rates; ++j) {
    const double share = static_cast<double>(j) / rates;
    const double inside = table.theta_min() * std::pow(table.theta_max() / table.theta_min(), share);
    const double theta = j == 0 ? table.theta_min() : j == rates ? table.theta_max() : inside;
    EXPECT_TRUE(table.covers(theta));
    table.evaluate(theta, k);
    for (std::size_t i = 0; i < table.size(); i += frame_step) {
      const Convolved exact = by_quadrature(table.input(), theta, table.frames().time[i]);
      worst = std::max(worst, std::abs(k[i] - exact.value) / exact.size);
    }
  }
  return worst;
}

TEST(ConvolutionTable, WithinAMillionthOfQuadratureForSampledBlood) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const ConvolutionTable table(study.input(), study.frames, 1e-5, 0.1);
  EXPECT_LT(worst_error(table, 211, 1), 1e-6);
}

TEST(ConvolutionTable, WithinAMillionthOfQuadratureForThePublishedInput) {
  const auto data = testing::published_pet();
  if (!data) GTEST_SKIP() << "needs pet/plasma-input.csv: set EVIDENT_DATA to the data folder";
  const ConvolutionTable table(PetInput(data->blood_time, data->blood_activity), data->frames, 1e-5, 0.1);
  EXPECT_LT(worst_error(table, 37, 3), 1e-6);
}

TEST(ConvolutionTable, ErrorFallsWithTheFourthPowerOfTheStep) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const double coarse = worst_error({study.input(), study.frames, 1e-5, 0.1, 6}, 400, 5);
  const double fine = worst_error({study.input(), study.frames, 1e-5, 0.1, 12}, 400, 5);
  EXPECT_GT(coarse / fine, 8);
}

TEST(ConvolutionTable, NodesAreExact) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const ConvolutionTable table(study.input(), study.frames, 1e-4, 1e-2);
  std::vector<double> k(table.size()), exact(table.size());
  for (std::size_t node = 1; node + 2 < table.node_count(); node += 17) {
    const double theta = octave_rate(table.first_octave() + static_cast<double>(node) / table.nodes_per_octave());
    table.evaluate(theta, k);
    table.exact(theta, exact);
    for (std::size_t i = 0; i < k.size(); ++i) EXPECT_NEAR(k[i], exact[i], 1e-12 * exact[i]);
  }
}

TEST(ConvolutionTable, OutsideItsRangeItIsExact) {
  const PetStudy study = simulate_pet({}, Streams({.seed = 1}));
  const ConvolutionTable table(study.input(), study.frames, 1e-3, 1e-2);
  std::vector<double> k(table.size()), exact(table.size());
  for (const double theta : {-1e-4, 0.0, 1e-300, 1e-5, std::nextafter(1e-3, 0), std::nextafter(1e-2, 1), 0.5, 10.0}) {
    EXPECT_FALSE(table.covers(theta));
    table.evaluate(theta, k);
    table.exact(theta, exact);
    EXPECT_EQ(k, exact) << theta;
  }
}

TEST(ConvolutionTable, OctavePositionIsInvertedAndSmooth) {
  for (double theta = 1e-7; theta < 3; theta *= 1.37) {
    EXPECT_NEAR(octave_rate(octave_position(theta)), theta, 1e-14 * theta);
    EXPECT_NEAR(octave_position(theta), std::log2(theta), 0.012);
  }
  // The slope is the same on both sides of a power of two.
  const double h = 1e-7;
  const double left = (octave_position(0.25) - octave_position(0.25 - h)) / h;
  const double right = (octave_position(0.25 + h) - octave_position(0.25)) / h;
  EXPECT_NEAR(left, right, 1e-4);
}

TEST(ConvolutionTable, RefusesWhatDoesNotFit) {
  const PetInput input(std::vector<double>{0, 100}, std::vector<double>{1, 1});
  EXPECT_THROW(ConvolutionTable(input, {{50, 101}, {1, 1}}, 1e-3, 1), InputError);
  EXPECT_THROW(ConvolutionTable(input, {{50, 40}, {1, 1}}, 1e-3, 1), InputError);
  EXPECT_THROW(ConvolutionTable(input, {{50}, {0}}, 1e-3, 1), InputError);
  EXPECT_THROW(ConvolutionTable(input, {{50}, {1, 1}}, 1e-3, 1), InputError);
  EXPECT_THROW(ConvolutionTable(input, {{50}, {1}}, 0, 1), InputError);
  EXPECT_THROW(ConvolutionTable(input, {{}, {}}, 1e-3, 1), InputError);
}

}  // namespace
}  // namespace evident
