// Tests that run on every SIMD target that this CPU has.
//
//   class Exp : public test::EveryTarget {};
//   INSTANTIATE_TEST_SUITE_P(Simd, Exp, test::targets());
//   TEST_P(Exp, IsRight) { ... normals(17, 2.0) ... }
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

#include "evident/base/block.hpp"
#include "evident/base/random.hpp"

namespace evident::test {

class EveryTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    if ((hwy::SupportedTargets() & GetParam()) == 0) GTEST_SKIP() << "this CPU lacks the target";
    hwy::SetSupportedTargetsForTest(GetParam());
  }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }

  /// Normal numbers of a standard deviation, the same for the same pass.
  static AlignedVector<double> normals(std::size_t n, double sd, std::uint32_t pass = 0) {
    BlockStorage out(1, n);
    Streams({.seed = 5}).fill_normal({.purpose = Purpose::other, .pass = pass}, out);
    AlignedVector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = sd * out(0, i);
    return v;
  }
  /// Unequal weights that add up to one.
  static AlignedVector<double> weights(std::size_t n) {
    AlignedVector<double> w(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += w[i] = 0.1 + static_cast<double>(i % 3);
    for (double& v : w) v /= sum;
    return w;
  }
};

inline auto targets() { return testing::Values(HWY_SCALAR, HWY_SSE4, HWY_AVX2); }

}  // namespace evident::test
