#include "base/team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <numeric>

#include "base/pack.hpp"
#include "base/partition.hpp"
#include "base/work_queue.hpp"
#include "evident/base/random.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Team, AloneHasWhatItHad) {
  Team& team = team_of_one();
  EXPECT_TRUE(team.leads());
  EXPECT_TRUE(team.single());
  EXPECT_EQ(text_of(team.all_gather_bytes(bytes_of("x")).front()), "x");
  EXPECT_EQ(text_of(team.broadcast(bytes_of("abc"))), "abc");
  EXPECT_EQ(team.traffic().operations, 0U);
}

TEST(Team, GathersBytesOfAnyLengthInTheOrderOfRanks) {
  test::run_team(4, [](Team& team) {
    const auto all =
        team.all_gather_bytes(bytes_of(std::string(team.rank() * 3, static_cast<char>('a' + team.rank()))));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(text_of(all[0]), "");
    EXPECT_EQ(text_of(all[1]), "bbb");
    EXPECT_EQ(text_of(all[3]), "ddddddddd");
    EXPECT_EQ(text_of(team.broadcast(bytes_of(team.leads() ? "first" : "other"))), "first");
    EXPECT_GT(team.traffic().operations, 0U);
  });
}

TEST(Team, SharesAreEvenAndInOrder) {
  EXPECT_THAT(even_shares(10, 4), ElementsAre(0, 2, 5, 7, 10));
  EXPECT_THAT(even_shares(2, 4), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(even_shares(0, 2), ElementsAre(0, 0, 0));
}

TEST(Pack, ReadsBackWhatWasPutAndRefusesDamage) {
  Packer out;
  out.put(3.25);
  out.put(std::string("text"));
  out.put_doubles(std::vector<double>{1, -0.0, std::numeric_limits<double>::quiet_NaN()});
  const std::vector<std::byte> bytes = out.finish();
  Unpacker in(bytes);
  EXPECT_EQ(in.get<double>(), 3.25);
  EXPECT_EQ(in.get_text(), "text");
  EXPECT_EQ(in.get_doubles().size(), 3U);
  in.end();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[i] ^= std::byte{4};
    EXPECT_THROW(Unpacker{damaged}, RunError) << i;
    EXPECT_THROW(Unpacker{std::span(bytes).first(i)}, RunError) << i;
  }
}

TEST(Pack, NeverBelievesALength) {
  Packer out;
  out.put(std::uint64_t{1} << 62U);
  const std::vector<std::byte> bytes = out.finish();
  EXPECT_THROW(Unpacker(bytes).get_text(), RunError);
  EXPECT_THROW(Unpacker(bytes).get_doubles(), RunError);
  EXPECT_THROW(Unpacker(bytes).get_count(8), RunError);
}

/// Numbers whose sum depends on the order.
double number(std::size_t block, std::size_t j) {
  return std::sin(static_cast<double>(block * 7 + j)) * std::pow(10.0, static_cast<double>(block % 9));
}

TEST(TreeSums, AreTheSameBitsForAnyNumberOfRanks) {
  for (const std::size_t particles : {1UL, 64UL, 65UL, 1000UL, 5000UL}) {
    const std::size_t blocks = block_count(particles), middle = blocks / 2;
    const auto values = [](std::size_t b, double* out) {
      for (std::size_t j = 0; j < 3; ++j) out[j] = number(b, j);
    };
    const std::vector<TreeSum> sums = {{0, blocks, 3, values}, {middle, blocks, 3, values}, {0, middle, 3, values}};
    const auto expected = tree_sums(sums, nullptr);
    double plain = 0, size = 0;
    for (std::size_t b = 0; b < blocks; ++b) plain += number(b, 1), size += std::abs(number(b, 1));
    EXPECT_NEAR(expected[0][1], plain, 1e-14 * size);
    for (const std::size_t ranks : {2UL, 3UL, 4UL, 7UL})
      test::run_team(ranks, [&](Team& team) {
        const BlockPartition partition = partition_blocks(team, particles);
        std::vector<TreeSum> own = sums;
        for (TreeSum& s : own)
          s.values = [&](std::size_t b, double* out) {
            ASSERT_TRUE(b >= partition.begin() && b < partition.end());
            values(b, out);
          };
        EXPECT_EQ(tree_sums(own, &partition), expected) << particles << " particles, " << ranks << " ranks";
      });
  }
}

class Dealt : public testing::TestWithParam<std::pair<std::size_t, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(RanksAndThreads, Dealt,
                         testing::Values(std::pair(1UL, 1U), std::pair(1UL, 3U), std::pair(2UL, 1U), std::pair(3UL, 2U),
                                         std::pair(5UL, 1U)));

TEST_P(Dealt, EveryPieceIsTakenOnce) {
  const auto [ranks, threads] = GetParam();
  for (const std::size_t count : {0UL, 1UL, 40UL}) {
    std::map<std::uint64_t, std::string> taken;
    std::mutex mutex;
    test::run_team(ranks, [&, threads = threads](Team& team) {
      const Executor executor(threads);
      WorkQueue job{.pieces = {},
                    .work = [](std::uint64_t n) { return bytes_of("piece " + std::to_string(n)); },
                    .take =
                        [&](std::uint64_t n, std::span<const std::byte> bytes) {
                          const std::lock_guard lock(mutex);
                          EXPECT_TRUE(taken.emplace(n, text_of(bytes)).second);
                        }};
      for (std::size_t i = 0; i < count; ++i) job.pieces.push_back(2 * i + 1);
      run_queue(job, team, executor);
      run_queue({.pieces = {}, .work = {}, .take = {}}, team,
                executor);  // letters of the first do not disturb the next
    });
    ASSERT_EQ(taken.size(), count);
    for (const auto& [n, text] : taken) EXPECT_EQ(text, "piece " + std::to_string(n));
  }
}

TEST(WorkQueue, AnErrorOfAnyRankEndsAll) {
  for (std::size_t bad = 0; bad < 3; ++bad) {
    std::atomic<std::size_t> ended{0};
    std::atomic<bool> thrown{false};
    const auto f = [&](Team& team) {
      struct Count {
        std::atomic<std::size_t>& n;
        ~Count() { ++n; }
      } count{ended};
      const Executor executor(1);
      std::vector<std::uint64_t> pieces(30);
      std::iota(pieces.begin(), pieces.end(), std::uint64_t{0});
      const auto work = [&](std::uint64_t) -> std::vector<std::byte> {
        if (team.rank() == bad) {
          thrown = true;
          thrown.notify_all();
          throw RunError("rank is bad");
        }
        thrown.wait(false);  // something is left for that rank
        return {};
      };
      run_queue({.pieces = pieces, .work = work, .take = [](std::uint64_t, std::span<const std::byte>) {}}, team,
                executor);
    };
    EXPECT_THAT([&] { test::run_team(3, f); }, ThrowsMessage<RunError>(HasSubstr("rank is bad")));
    EXPECT_EQ(ended, 3U);
  }
}

// Rank 2 ends its piece only when rank 0 has all results: the deal would never end if it waited for that rank.
TEST(WorkQueue, ASlowRankDoesNotHoldTheRestBack) {
  std::atomic<bool> begun{false}, release{false};
  test::run_team(3, [&](Team& team) {
    const Executor executor(1);
    std::atomic<std::size_t> taken{0};
    WorkQueue job{.pieces = {0, 1, 2, 3, 4, 5},
                  .work =
                      [&](std::uint64_t) {
                        if (team.rank() == 2) {
                          begun = true;
                          begun.notify_all();
                          release.wait(false);
                        }
                        begun.wait(false);  // it has a piece before the others can have done them all
                        return std::vector<std::byte>();
                      },
                  .take = [&](std::uint64_t, std::span<const std::byte>) { ++taken; }};
    run_queue(job, team, executor);
    if (!team.leads()) return;
    EXPECT_EQ(taken, 6U);
    release = true;
    release.notify_all();
  });
}

TEST(WorkQueue, RefusesResultsThatWereNotAskedFor) {
  std::atomic<bool> posted{false};
  const auto f = [&](Team& team) {
    const Executor executor(1);
    if (team.leads()) {
      run_queue({.pieces = {0, 1},
                 .work =
                     [&](std::uint64_t) {
                       posted.wait(false);
                       dynamic_cast<test::ThreadTeam&>(team).wait_until_read();
                       return std::vector<std::byte>();
                     },
                 .take = [](std::uint64_t, std::span<const std::byte>) {}},
                team, executor);
      return;
    }
    Packer letter;  // "done", of piece 7 in occasion 1
    letter.put(std::uint8_t{1});
    letter.put(std::uint64_t{1});
    letter.put(std::uint64_t{7});
    letter.put_bytes({});
    team.post(0, letter.finish());
    posted = true;
    posted.notify_all();
  };
  EXPECT_THAT([&] { test::run_team(2, f); }, ThrowsMessage<RunError>(HasSubstr("damaged")));
}

}  // namespace
}  // namespace evident
