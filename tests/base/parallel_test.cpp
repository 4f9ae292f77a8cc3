#include "evident/base/context.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace evident {
namespace {

TEST(Executor, RunsEveryTaskOnce) {
  for (unsigned threads : {1U, 2U, 3U, 7U}) {
    const Executor executor(threads);
    EXPECT_EQ(executor.threads(), threads);
    std::vector<std::atomic<int>> seen(1000);
    executor.for_each(seen.size(), [&](std::size_t i) { ++seen[i]; });
    for (const auto& s : seen) ASSERT_EQ(s, 1);
  }
}

TEST(Executor, ZeroThreadsMeansOnePerCore) { EXPECT_GE(Executor(0).threads(), 1U); }

TEST(Executor, NestedLoopsFinish) {
  const Executor executor(4);
  std::atomic<int> count = 0;
  executor.for_each(8, [&](std::size_t) { executor.for_each(50, [&](std::size_t) { ++count; }); });
  EXPECT_EQ(count, 400);
}

TEST(Executor, PassesExceptionsOn) {
  for (unsigned threads : {1U, 3U}) {
    const Executor executor(threads);
    EXPECT_THROW(executor.for_each(100,
                                   [](std::size_t i) {
                                     if (i == 50) throw std::runtime_error("fifty");
                                   }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace evident
