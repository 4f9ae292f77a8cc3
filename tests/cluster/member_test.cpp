#include "cluster/member.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pack.hpp"
#include "evident/base/error.hpp"
#include "support/messages.hpp"

namespace evident::cluster {
namespace {

Member member(std::string place, std::vector<bool> processors, unsigned asked = 0) {
  return {.build = "evident 1.2.3",
          .place = std::move(place),
          .host = "node",
          .process = 1,
          .asked = asked,
          .processors = std::move(processors)};
}

TEST(Member, ThreadsAreTheProcessorsThatARankHasToItself) {
  // Bound to cores of their own; one machine for all; two machines; more ranks than cores.
  EXPECT_EQ(threads_for(0, {member("a", {true, true, false, false}), member("a", {false, false, true, true})}), 2U);
  const std::vector<bool> four(4, true);
  EXPECT_EQ(threads_for(1, {member("a", four), member("a", four)}), 2U);
  EXPECT_EQ(threads_for(1, {member("a", four), member("b", four)}), 4U);
  EXPECT_EQ(threads_for(2, {member("a", {true}), member("a", {true}), member("a", {true})}), 1U);
  EXPECT_EQ(threads_for(0, {member("a", {}), member("a", four)}), 1U);
}

TEST(Member, ThreadsThatTheEnvironmentNamesCount) {
  EXPECT_EQ(threads_for(0, {member("a", {true, true}, 7), member("a", {true, true})}), 7U);
}

TEST(Member, SurvivesTheWayThereAndDamageIsSeen) {
  const Member me = this_member();
  const std::vector<std::byte> bytes = packed(me);
  const Member back = unpacked(bytes);
  EXPECT_EQ(back.place, me.place);
  EXPECT_EQ(back.process, getpid());
  EXPECT_EQ(back.processors, me.processors);
  EXPECT_THROW(unpacked(std::span(bytes).first(bytes.size() / 2)), RunError);
  EXPECT_EQ(words_for(2, {.build = "", .place = "", .host = "node7", .process = 4711, .asked = 0, .processors = {}}),
            "rank 2 (process 4711 on node7)");
}

TEST(Member, AnotherBuildIsSeenWhateverElseItPacks) {
  const std::vector<std::byte> one = packed(this_member("1e68d1c9b3a2")), other = packed(this_member("25d0cafe0000"));
  EXPECT_EQ(unpacked_all({one, one}).size(), 2U);
  const std::string own = this_member("1e68d1c9b3a2").build;
  EXPECT_THAT(own, testing::MatchesRegex("evident [0-9.]+ .commit 1e68d1c9b3a2."));
  EXPECT_THAT(this_member().build, testing::MatchesRegex("evident [0-9.]+"));
  const auto refusal = [](const std::vector<std::vector<std::byte>>& all) {
    return message_of<InputError>([&] { unpacked_all(all); });
  };
  EXPECT_EQ(refusal({one, one, other}), "rank 2 runs " + this_member("25d0cafe0000").build + ", and rank 0 " + own +
                                            "; start the same program on all ranks");
  Packer before;  // as versions did that did not say what they are
  before.put(std::string("node 4ea5-b007 pid:[4026531836]"));
  before.put(std::string("node"));
  Packer later;  // more fields
  later.put(std::string("evident 7.0.0"));
  later.put(3.0);
  const std::vector<std::byte> old = before.finish(), young = later.finish();
  EXPECT_THAT(refusal({one, old}), testing::StartsWith("rank 1 runs an older evident, and rank 0 " + own));
  EXPECT_THAT(refusal({old, one}), testing::StartsWith("rank 1 runs " + own + ", and rank 0 an older evident"));
  EXPECT_THAT(refusal({one, young}), testing::StartsWith("rank 1 runs evident 7.0.0, and"));
  EXPECT_THAT(refusal({one, {}}), testing::StartsWith("rank 1 runs an older evident"));
}

TEST(Member, AProcessThatEndedIsGone) {
  EXPECT_FALSE(is_gone(getpid()));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(is_gone(child));  // not yet waited for
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_gone(child));
}

}  // namespace
}  // namespace evident::cluster
