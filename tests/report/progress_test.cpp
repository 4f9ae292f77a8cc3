#include "report/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "report/made_up.hpp"

namespace evident::report {
namespace {

using testing::HasSubstr;

ProgressOptions options(std::vector<std::string> names, TextStyle style, double interval = 5) {
  ProgressOptions o;
  o.schedules.assign(names.size(), CessSchedule{0.99});
  o.names = std::move(names);
  o.style = [style] { return style; };
  o.plain_interval = interval;
  return o;
}

TEST(StepsLeft, CountsDownFixedSchedules) {
  const Trace trace = made_up_trace();  // two steps done
  EXPECT_EQ(steps_left(LinearSchedule{10}, trace), 8);
  EXPECT_EQ(steps_left(PowerSchedule{10, 5}, trace), 8);
  EXPECT_EQ(steps_left(ListSchedule{{0.1, 0.5, 1}}, trace), 1);
}

TEST(StepsLeft, ForecastsAdaptiveSchedulesWhereTheSpreadFallsLikeOneOverAlpha) {
  // A step is sqrt(-log cess) / sd long; sd = c / alpha gives log-equal steps that can be counted.
  const double cess = 0.999, c = 3;
  const double step_in_log = std::sqrt(-std::log(cess)) / c;
  Trace trace;
  trace.steps.resize(2);
  trace.steps[1].alpha = 0.01;
  trace.steps[1].variance = std::pow(c / 0.01, 2);
  EXPECT_NEAR(steps_left(CessSchedule{cess}, trace), std::log(1 / 0.01) / step_in_log, 1e-9);
  trace.steps[1].alpha = 1;
  EXPECT_EQ(steps_left(CessSchedule{cess}, trace), 0);
  trace.steps[1].alpha = 0;
  EXPECT_TRUE(std::isnan(steps_left(CessSchedule{cess}, trace)));
}

TEST(Progress, PlainLinesTellStartAndEnd) {
  std::string text;
  {
    Progress progress(options({"one", "three"}, {}), [&](std::string_view s) { text += s; });
    progress.on_start(1, 0);
    progress.on_step(1, 0, made_up_trace());
    progress.on_finish(1, 0, made_up_replicate());
  }
  EXPECT_THAT(text, HasSubstr("three  started\n"));
  EXPECT_THAT(text, HasSubstr("three  log evidence -3.500  2 steps  accept 0.38"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("one"), std::string::npos) << "it never started";
}

TEST(Progress, RunsWithoutStepsOrEvidenceAreToldToo) {
  std::string text;
  ProgressOptions o = options({"rjmcmc"}, {});
  o.replicates = 2;
  Progress progress(std::move(o), [&](std::string_view s) { text += s; });
  for (std::size_t r : {0u, 1u}) {
    progress.on_start(0, r);
    progress.on_finish(0, r, Replicate{});
  }
  EXPECT_THAT(text, testing::MatchesRegex("rjmcmc  started\nrjmcmc  2 runs  [0-9.]+ s\n"));
}

TEST(Progress, ReplicatesAreToldOnceAllAreDone) {
  std::string text;
  ProgressOptions o = options({"one"}, {});
  o.replicates = 2;
  Progress progress(std::move(o), [&](std::string_view s) { text += s; });
  for (std::size_t r : {0u, 1u}) {
    EXPECT_EQ(text.find("log evidence"), std::string::npos);
    progress.on_start(0, r);
    progress.on_finish(0, r, made_up_replicate());
  }
  EXPECT_THAT(text, HasSubstr("log evidence -3.500 (sd 0.000, 2 runs)"));
}

TEST(Progress, LiveLinesAreRedrawnAndRemoved) {
  std::mutex mutex;
  std::condition_variable written;
  std::string text;
  const TextStyle style{.width = 60, .terminal = true, .cursor = true};
  Progress progress(options({"one", "two"}, style), [&](std::string_view s) {
    std::lock_guard lock(mutex);
    text += s;
    written.notify_all();
  });
  progress.on_start(0, 0);
  progress.on_start(1, 0);
  progress.on_step(0, 0, made_up_trace());
  {
    std::unique_lock lock(mutex);
    written.wait_for(lock, std::chrono::minutes(1), [&] { return text.find("\r\x1b[2A\x1b[J") != std::string::npos; });
  }
  progress.on_finish(0, 0, made_up_replicate());
  progress.close();
  std::lock_guard lock(mutex);
  EXPECT_THAT(text, HasSubstr("\r\x1b[2A\x1b[J")) << "two lines are drawn over";
  EXPECT_THAT(text, HasSubstr("log evidence -3.500"));
  const std::size_t last_erase = text.rfind("\x1b[J");
  EXPECT_EQ(text.find("two", last_erase), std::string::npos) << "no live line is left at the end";
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string line = text.substr(at, end - at);
    if (const std::size_t erase = line.rfind("\x1b[J"); erase != std::string::npos) line = line.substr(erase + 3);
    EXPECT_LT(display_width(line), 60u) << line;
  }
}

TEST(Progress, ManyThreadsMayReportAtOnce) {
  std::size_t written = 0;
  const TextStyle style{.terminal = true, .cursor = true};
  Progress progress(options({"a", "b", "c", "d"}, style), [&](std::string_view s) { written += s.size(); });
  std::vector<std::jthread> threads;
  for (std::size_t m = 0; m < 4; ++m) {
    threads.emplace_back([&, m] {
      progress.on_start(m, 0);
      for (int i = 0; i < 20000; ++i) progress.on_step(m, 0, made_up_trace());
      progress.on_finish(m, 0, made_up_replicate());
    });
  }
  threads.clear();
  progress.close();
  EXPECT_GT(written, 0u);
}

}  // namespace
}  // namespace evident::report
