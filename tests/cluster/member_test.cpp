#include "cluster/member.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evident/base/error.hpp"

namespace evident::cluster {
namespace {

Member member(std::string place, std::vector<bool> processors, unsigned asked = 0) {
  return {.place = std::move(place), .host = "node", .process = 1, .asked = asked, .processors = std::move(processors)};
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
  EXPECT_EQ(words_for(2, {.place = "", .host = "node7", .process = 4711, .asked = 0, .processors = {}}),
            "rank 2 (process 4711 on node7)");
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
