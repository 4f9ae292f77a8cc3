#include "base/simd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>

#include "evident/base/error.hpp"

namespace evident {
namespace {

TEST(SimdTargets, OneOfThemIsInUse) {
  const std::vector<SimdTarget> all = simd_targets();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(std::ranges::count_if(all, &SimdTarget::in_use), 1);
  for (const SimdTarget& target : all) {
    EXPECT_FALSE(target.name.empty());
    EXPECT_TRUE(!target.in_use || target.available) << target.name;
  }
  // Every machine can run the plainest one.
  EXPECT_TRUE(all.front().available);
}

TEST(SimdTargets, TheBestAvailableOneIsInUse) {
  const std::vector<SimdTarget> all = simd_targets();
  const auto used = std::ranges::find_if(all, &SimdTarget::in_use);
  EXPECT_TRUE(std::none_of(used + 1, all.end(), [](const SimdTarget& target) { return target.available; }));
}

TEST(SimdTargets, AnotherOneCanBeUsedForAWhile) {
  const std::vector<SimdTarget> before = simd_targets();
  const std::string best = std::ranges::find_if(before, &SimdTarget::in_use)->name;
  for (const SimdTarget& target : before) {
    if (!target.available) continue;
    const UseSimdTarget use(target.name);
    EXPECT_EQ(hwy::SupportedTargets() & HWY_TARGETS, target.number);
  }
  const std::vector<SimdTarget> after = simd_targets();
  EXPECT_EQ(std::ranges::find_if(after, &SimdTarget::in_use)->name, best);
  EXPECT_THROW(UseSimdTarget("ABACUS"), InputError);
}

}  // namespace
}  // namespace evident
