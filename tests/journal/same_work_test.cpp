// Ranks that are about to do something else than rank 0 are refused, with one message on all of them.
#include "journal/same_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "support/thread_team.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

JournalIdentity work(const std::string& seed, std::uint64_t data = 1) {
  JournalIdentity out;
  out.fact("evident", "1.0");
  out.fact("seed", seed);
  out.mix(data);
  return out;
}

/// What each of three ranks was told, when rank 2 is about to do `other`.
std::vector<std::string> told(const JournalIdentity& other) {
  std::mutex mutex;
  std::vector<std::string> out;
  test::run_team(3, [&](Team& team) {
    std::string what;
    try {
      require_same_work(team.rank() == 2 ? other : work("7"), team);
    } catch (const InputError& e) {
      what = e.what();
    }
    const std::lock_guard lock(mutex);
    out.push_back(what);
  });
  return out;
}

TEST(SameWork, IsWantedOfAllRanks) {
  for (const std::string& what : told(work("7"))) EXPECT_EQ(what, "");
  for (const std::string& what : told(work("8"))) {
    EXPECT_THAT(what, HasSubstr("rank 2 is not about to do the work of rank 0: seed is 8 there and 7 on rank 0"));
    EXPECT_THAT(what, HasSubstr("start the same command on all ranks"));
  }
  for (const std::string& what : told(work("7", 2))) EXPECT_THAT(what, HasSubstr("it reads other data than rank 0"));
  JournalIdentity a = work("7"), b = work("7");
  for (JournalIdentity* of : {&a, &b}) of->fact("log likelihood of model 'm' at two draws", of == &a ? "1" : "2");
  for (JournalIdentity* of : {&a, &b}) of->fact("sum of data.csv", of == &a ? "ab" : "cd");
  test::run_team(2, [&](Team& team) {
    try {
      require_same_work(team.leads() ? a : b, team);
      ADD_FAILURE() << "other data was not noticed";
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("sum of data.csv is cd there and ab on rank 0"));
    }
  });
  JournalIdentity more = work("7");
  more.fact("precision", "0.1");
  for (const std::string& what : told(more)) EXPECT_THAT(what, HasSubstr("rank 2 is not about to do"));
}

}  // namespace
}  // namespace evident
