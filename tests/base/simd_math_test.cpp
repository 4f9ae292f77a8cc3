// The vector functions of src/base/simd_math-inl.hpp against long double arithmetic, on every SIMD target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/simd_math_test.cpp"  // NOLINT
#include <hwy/foreach_target.h>                       // must come before highway.h
#include <hwy/highway.h>

#include "../src/base/simd_math-inl.hpp"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace evident {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;

// Sizes are multiples of 8, as in all kernels.
void Exp(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(FastExp(d, hn::LoadU(d, x + i)), d, out + i);
}
void Exp2(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(FastExp2Bounded(d, hn::LoadU(d, x + i)), d, out + i);
}
void Exp2Clamped(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(FastExp2Clamped(d, hn::LoadU(d, x + i)), d, out + i);
}
// Two vectors at once; the size is a multiple of 8, so of two vectors, too.
void Exp2Pairs(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += 2 * hn::Lanes(d)) {
    hn::Vec<D> v[2] = {hn::LoadU(d, x + i), hn::LoadU(d, x + i + hn::Lanes(d))};
    FastExp2Clamped(d, v);
    hn::StoreU(v[0], d, out + i);
    hn::StoreU(v[1], d, out + i + hn::Lanes(d));
  }
}
void Log(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(FastLog(d, hn::LoadU(d, x + i)), d, out + i);
}
void LogPositive(const double* x, double* out, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(FastLogPositive(d, hn::LoadU(d, x + i)), d, out + i);
}
// The same with factors dealt out to two products.
double SumOfLogsMerged(const double* x, std::size_t n) {
  const D d;
  LogProduct<D> even(d), odd(d);
  for (std::size_t i = 0; i < n; ++i) (i % 2 == 0 ? even : odd).Multiply(hn::Set(d, x[i]));
  even.Merge(odd);
  return hn::GetLane(even.Log());
}
// The same n factors in every lane; `every` = 0: any factor, otherwise unchecked with that period.
double SumOfLogs(const double* x, std::size_t n, std::size_t every) {
  const D d;
  LogProduct<D> product(d);
  for (std::size_t i = 0; i < n; ++i) {
    if (every == 0) {
      product.Multiply(hn::Set(d, x[i]));
    } else {
      product.MultiplyUnchecked(hn::Set(d, x[i]));
      if ((i + 1) % every == 0) product.Renormalise();
    }
  }
  return hn::GetLane(product.Log());
}

}  // namespace HWY_NAMESPACE
}  // namespace evident
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace evident {
namespace {
HWY_EXPORT(Exp);
HWY_EXPORT(Exp2);
HWY_EXPORT(Exp2Clamped);
HWY_EXPORT(Exp2Pairs);
HWY_EXPORT(Log);
HWY_EXPORT(LogPositive);
HWY_EXPORT(SumOfLogs);
HWY_EXPORT(SumOfLogsMerged);

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

double ulps(double value, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double ulp = std::nextafter(std::abs(nearest), kInfinity) - std::abs(nearest);
  return static_cast<double>(std::abs((static_cast<long double>(value) - exact) / ulp));
}

class SimdMath : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().DeInit();
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }

  static std::vector<double> uniform(double low, double high, std::size_t n) {
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> u(low, high);
    std::vector<double> x(n);
    for (double& v : x) v = u(engine);
    return x;
  }
  static std::vector<double> exp(std::vector<double> x) {
    const std::size_t n = x.size();
    x.resize((n + 7) / 8 * 8, 0.0);
    std::vector<double> y(x.size());
    HWY_DYNAMIC_DISPATCH(Exp)(x.data(), y.data(), x.size());
    y.resize(n);
    return y;
  }
  static std::vector<double> exp2(std::vector<double> x) {
    const std::size_t n = x.size();
    x.resize((n + 7) / 8 * 8, 0.0);
    std::vector<double> y(x.size());
    HWY_DYNAMIC_DISPATCH(Exp2)(x.data(), y.data(), x.size());
    y.resize(n);
    return y;
  }
  static std::vector<double> log(std::vector<double> x) {
    const std::size_t n = x.size();
    x.resize((n + 7) / 8 * 8, 1.0);
    std::vector<double> y(x.size());
    HWY_DYNAMIC_DISPATCH(Log)(x.data(), y.data(), x.size());
    y.resize(n);
    return y;
  }
  static double sum_of_logs(const std::vector<double>& x, std::size_t every) {
    return HWY_DYNAMIC_DISPATCH(SumOfLogs)(x.data(), x.size(), every);
  }
};

TEST_P(SimdMath, ExpIsAccurate) {
  for (const double range : {1e-3, 1.0, 20.0, 707.9}) {
    const auto x = uniform(-range, range, 20000);
    const auto y = exp(x);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulps(y[i], std::exp((long double)x[i])));
    EXPECT_LE(worst, 2.5) << "range " << range;
  }
}

TEST_P(SimdMath, ExpAtTheEdges) {
  const auto y =
      exp({0.0, -0.0, -708.0, -708.1, -1e300, -kInfinity, 709.78, 710.0, 1e300, kInfinity, kNotANumber, 1e-320});
  EXPECT_EQ(y[0], 1.0);
  EXPECT_EQ(y[1], 1.0);
  EXPECT_LE(ulps(y[2], std::exp(-708.0L)), 2.5);
  EXPECT_EQ(y[3], 0.0);
  EXPECT_EQ(y[4], 0.0);
  EXPECT_EQ(y[5], 0.0);
  EXPECT_LE(ulps(y[6], std::exp((long double)709.78)), 2.5);
  for (int i = 7; i < 10; ++i) EXPECT_EQ(y[static_cast<std::size_t>(i)], y[6]);
  EXPECT_TRUE(std::isnan(y[10]));
  EXPECT_EQ(y[11], 1.0);
}

TEST_P(SimdMath, Exp2IsAccurate) {
  for (const double range : {1e-3, 1.0, 30.0, 1021.9}) {
    const auto x = uniform(-range, range, 20000);
    const auto y = exp2(x);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulps(y[i], std::exp2((long double)x[i])));
    EXPECT_LE(worst, 2.0) << "range " << range;
  }
  const auto y = exp2({0.0, -1022.0, -1022.5, -1e300, -kInfinity, 1023.75, kNotANumber});
  EXPECT_EQ(y[0], 1.0);
  EXPECT_EQ(y[1], std::numeric_limits<double>::min());
  EXPECT_EQ(y[2], 0.0);
  EXPECT_EQ(y[3], 0.0);
  EXPECT_EQ(y[4], 0.0);
  EXPECT_LE(ulps(y[5], std::exp2(1023.75L)), 2.0);
  EXPECT_TRUE(std::isnan(y[6]));
}

TEST_P(SimdMath, ClampedExp2DiffersOnlyBelowTheRange) {
  auto x = uniform(-1021.9, 1023.9, 4000);
  const auto expected = exp2(x);
  std::vector<double> y(x.size());
  HWY_DYNAMIC_DISPATCH(Exp2Clamped)(x.data(), y.data(), x.size());
  EXPECT_EQ(y, expected);
  HWY_DYNAMIC_DISPATCH(Exp2Pairs)(x.data(), y.data(), x.size());
  EXPECT_EQ(y, expected) << "several vectors at once";
  x = {-1022.0, -1022.1, -1e300, -kInfinity, kNotANumber, 0.0, 1.0, -1.0};
  HWY_DYNAMIC_DISPATCH(Exp2Clamped)(x.data(), y.data(), x.size());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], std::numeric_limits<double>::min());
  EXPECT_TRUE(std::isnan(y[4]));
  EXPECT_EQ(y[6], 2.0);
}

TEST_P(SimdMath, LogIsAccurate) {
  for (const double range : {0.3, 3.0, 50.0, 700.0, 744.0}) {
    auto x = uniform(-range, range, 20000);
    for (double& v : x) v = std::exp(std::min(v, 709.0));
    const auto y = log(x);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulps(y[i], std::log((long double)x[i])));
    EXPECT_LE(worst, 1.2) << "range " << range;
    if (range > 700) continue;  // subnormal numbers
    std::vector<double> positive(x.size());
    HWY_DYNAMIC_DISPATCH(LogPositive)(x.data(), positive.data(), x.size());
    EXPECT_EQ(positive, y) << "range " << range;
  }
  const auto y = log({1.0, 0.0, -0.0, kInfinity, -1.0, -kInfinity, kNotANumber, 5e-324, 1.7976931348623157e308});
  EXPECT_EQ(y[0], 0.0);
  EXPECT_EQ(y[1], -kInfinity);
  EXPECT_EQ(y[2], -kInfinity);
  EXPECT_EQ(y[3], kInfinity);
  for (std::size_t i = 4; i < 7; ++i) EXPECT_TRUE(std::isnan(y[i]));
  EXPECT_LE(ulps(y[7], std::log((long double)5e-324)), 1.2);
  EXPECT_LE(ulps(y[8], std::log((long double)1.7976931348623157e308)), 1.2);
}

TEST_P(SimdMath, ProductOfManyFactors) {
  auto x = uniform(std::log(1e-15), std::log(1e15), 1003);
  long double exact = 0;
  for (double& v : x) {
    v = std::exp(v);
    exact += std::log((long double)v);
  }
  // Each multiplication adds at most half an ulp of relative error.
  const double tolerance = 1003 * 1.2e-16 + std::abs(static_cast<double>(exact)) * 4e-16;
  EXPECT_NEAR(sum_of_logs(x, 20), static_cast<double>(exact), tolerance);
  // Powers of two are exact: the period of renormalisation leaves no trace.
  EXPECT_EQ(sum_of_logs(x, 20), sum_of_logs(x, 1));
  EXPECT_EQ(sum_of_logs(x, 20), sum_of_logs(x, 7));
  EXPECT_NEAR(HWY_DYNAMIC_DISPATCH(SumOfLogsMerged)(x.data(), x.size()), static_cast<double>(exact), tolerance);
}

TEST_P(SimdMath, ProductOfExtremeFactors) {
  const std::vector<double> x = {1e300, 1e308, 3e-308, 1e-300, 2e-300, 1e-305, 1.7e308, 1.0};
  long double exact = 0;
  for (const double v : x) exact += std::log((long double)v);
  EXPECT_NEAR(sum_of_logs(x, 0), static_cast<double>(exact), 1e-12);
  EXPECT_EQ(sum_of_logs({}, 20), 0.0);
  EXPECT_EQ(sum_of_logs({2.0, 0.0, 3.0}, 1), -kInfinity);
  EXPECT_EQ(sum_of_logs({2.0, 0.0, 3.0}, 0), -kInfinity);
  EXPECT_EQ(sum_of_logs({2.0, kInfinity, 3.0}, 0), kInfinity);
  EXPECT_TRUE(std::isnan(sum_of_logs({2.0, kNotANumber, 3.0}, 0)));
  EXPECT_NEAR(sum_of_logs({1e-310, 4.0}, 0), std::log(1e-310) + std::log(4.0), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Targets, SimdMath, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return hwy::TargetName(test.param); });

}  // namespace
}  // namespace evident
#endif  // HWY_ONCE
