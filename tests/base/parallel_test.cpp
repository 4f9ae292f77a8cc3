#include "evident/base/context.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "evident/base/error.hpp"

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

// For half a second a run may end its step in good order.
TEST(Executor, StopsSoonAfterItIsAsked) {
  using Clock = std::chrono::steady_clock;
  for (unsigned threads : {1U, 3U}) {
    std::stop_source stop;
    const Executor executor(threads, stop.get_token());
    std::atomic<Clock::rep> asked = 0;
    const auto task = [&](std::size_t) {
      if (asked != 0) return;
      asked = Clock::now().time_since_epoch().count();
      stop.request_stop();
    };
    EXPECT_NO_THROW(executor.for_each(10, task));
    const auto for_ever = [&](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    EXPECT_THROW(executor.for_each(10'000'000, for_ever), RunError);
    const Clock::duration took(Clock::now().time_since_epoch().count() - asked);
    EXPECT_GE(took, std::chrono::milliseconds(400));
    EXPECT_LT(took, std::chrono::seconds(60));
  }
}

}  // namespace
}  // namespace evident
