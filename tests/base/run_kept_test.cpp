#include "base/run_kept.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <string>

#include "support/thread_team.hpp"

namespace evident {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Memory final : public CheckpointStore {
 public:
  std::optional<Bytes> find(const std::string& key) override {
    const auto at = kept_.find(key);
    return at == kept_.end() ? std::nullopt : std::optional(at->second);
  }
  void keep(const std::string& key, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    kept_[key].assign(bytes.begin(), bytes.end());
  }
  std::size_t size() const { return kept_.size(); }

 private:
  std::map<std::string, Bytes> kept_;
  std::mutex mutex_;
};

std::string text(std::size_t job) { return "result " + std::to_string(job); }

struct Ranks {
  std::size_t count;
  unsigned threads;
};

class RunKept : public testing::TestWithParam<Ranks> {
 protected:
  static constexpr std::size_t kJobs = 9;

  KeptJobs<std::string> jobs(Team& team) {
    return {.count = kJobs,
            .slot =
                [&](std::size_t j) {
                  return CheckpointSlot{team.leads() ? &store_ : &empty_, std::to_string(j)};
                },
            .run = [&](std::size_t j, const Executor&, Team&) -> std::optional<std::string> {
              ++begun_[j];
              if (j == left_out_) return std::nullopt;
              return text(j);
            }};
  }
  void keep(std::size_t job) { store_.keep(std::to_string(job), pack_value(text(job))); }
  template <class F>
  void on_ranks(const F& f) {
    test::run_team(GetParam().count, [&](Team& team) { f(team, Executor(GetParam().threads)); });
  }

  Memory store_, empty_;
  std::vector<std::atomic<int>> begun_ = std::vector<std::atomic<int>>(kJobs);
  std::size_t left_out_ = kJobs;
};
INSTANTIATE_TEST_SUITE_P(RanksAndThreads, RunKept,
                         testing::Values(Ranks{1, 1}, Ranks{1, 3}, Ranks{2, 1}, Ranks{3, 2}, Ranks{5, 1}));

TEST_P(RunKept, EveryRankGetsEveryResultInOrder) {
  left_out_ = 4;
  on_ranks([&](Team& team, const Executor& executor) {
    const auto all = run_kept(jobs(team), team, executor);
    ASSERT_THAT(all, SizeIs(kJobs));
    for (std::size_t j = 0; j < kJobs; ++j) EXPECT_EQ(all[j].value_or("none"), j == 4 ? "none" : text(j));
  });
  EXPECT_EQ(store_.size(), kJobs - 1);
}

TEST_P(RunKept, WhatWasKeptIsNotDoneAgain) {
  keep(2);
  keep(7);
  on_ranks([&](Team& team, const Executor& executor) {
    const auto all = run_kept(jobs(team), team, executor);
    for (std::size_t j = 0; j < kJobs; ++j) EXPECT_EQ(all[j], text(j));
  });
  EXPECT_EQ(begun_[2] + begun_[7], 0);
  EXPECT_EQ(begun_[3], 1);
}

TEST_P(RunKept, Rank0TakesEachResultOnceWhenItComes) {
  keep(2);
  keep(7);
  std::vector<int> taken(kJobs);  // under no lock: calls come one at a time
  std::vector<std::size_t> found;
  bool begun = false;
  on_ranks([&](Team& team, const Executor& executor) {
    KeptJobs<std::string> own = jobs(team);
    own.take = [&](std::size_t j, const std::string& result, bool was_found) {
      EXPECT_TRUE(team.leads());
      EXPECT_EQ(result, text(j));
      EXPECT_EQ(was_found, !begun);
      EXPECT_TRUE(store_.find(std::to_string(j)));  // kept before it is taken
      ++taken[j];
      if (was_found) found.push_back(j);
    };
    own.begun = [&] { begun = true; };
    EXPECT_THAT(run_kept(own, team, executor), IsEmpty());
  });
  EXPECT_THAT(taken, Each(1));
  EXPECT_THAT(found, ElementsAre(2, 7));
  EXPECT_EQ(begun_[2] + begun_[7], 0);
  EXPECT_EQ(store_.size(), kJobs);
}

TEST_P(RunKept, RanksEndWhenAllWasKept) {
  for (std::size_t j = 0; j < kJobs; ++j) keep(j);
  std::size_t taken = 0;
  on_ranks([&](Team& team, const Executor& executor) {
    KeptJobs<std::string> own = jobs(team);
    own.take = [&](std::size_t, const std::string&, bool) { ++taken; };
    run_kept(own, team, executor);
  });
  EXPECT_EQ(taken, kJobs);
  EXPECT_EQ(std::accumulate(begun_.begin(), begun_.end(), 0), 0);
}

TEST_P(RunKept, AStopKeepsWhatIsDone) {
  std::stop_source stop;
  EXPECT_THROW(on_ranks([&](Team& team, const Executor& executor) {
                 KeptJobs<std::string> own = jobs(team);
                 own.take = [&](std::size_t, const std::string&, bool) { stop.request_stop(); };
                 run_kept(own, team, executor, stop.get_token());
               }),
               RunError);
  EXPECT_GE(store_.size(), 1U);
  EXPECT_LT(store_.size(), kJobs);
}

TEST_P(RunKept, AnotherFormIsThatOfStoreAndRanks) {
  on_ranks([&](Team& team, const Executor& executor) {
    KeptJobs<std::string> own = jobs(team);
    own.pack = [](const std::string& x) {
      const auto bytes = std::as_bytes(std::span(x));
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    own.unpack = [](std::span<const std::byte> bytes) {
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const auto all = run_kept(own, team, executor);
    for (std::size_t j = 0; j < kJobs; ++j) EXPECT_EQ(all[j], text(j));
  });
  EXPECT_EQ(store_.find("3")->size(), text(3).size());
}

}  // namespace
}  // namespace evident
