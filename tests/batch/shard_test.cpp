#include "batch/shard.hpp"

#include <gmock/gmock.h>

#include <map>

#include "evident/base/error.hpp"
#include "support/messages.hpp"

namespace evident::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::string() : at->second;
  };
}

TEST(Shards, EachDataSetIsInOneOfThem) {
  for (const std::uint64_t count : {1, 2, 3, 7, 11, 1000}) {
    std::vector<int> seen(10);
    for (std::uint64_t i = 1; i <= count; ++i) {
      const Shard shard{.number = i, .count = count};
      const std::vector<std::uint64_t> own = shard.items(seen.size());
      EXPECT_EQ(own.size(), shard.size(seen.size()));
      for (const std::uint64_t item : own) ++seen[item];
    }
    EXPECT_THAT(seen, testing::Each(1)) << count;
  }
  EXPECT_THAT((Shard{.number = 2, .count = 4}.items(10)), ElementsAre(1, 5, 9));
  EXPECT_THAT((Shard{.number = kMaxShards, .count = kMaxShards}.items(10)), IsEmpty());
  EXPECT_EQ((Shard{.number = 3, .count = 7}.size(0)), 0U);
}

TEST(Shards, AreRead) {
  const Shard shard = parse_shard("3/10");
  EXPECT_EQ(shard.text(), "3/10");
  EXPECT_FALSE(shard.is_whole);
  EXPECT_EQ(parse_shard("1000000000/1000000000").count, kMaxShards);
  for (const char* bad : {"", "3", "0/3", "4/3", "0/0", "-1/2", "1/-2", " 1/2", "1/2 ", "1/2/3", "+1/2", "0x1/2",
                          "1/18446744073709551617", "99999999999999999999/2", "auto/"})
    EXPECT_THAT(message_of<InputError>([&] {
                  parse_shard(bad, environment({{"SGE_TASK_ID", "1"}}));
                }),
                HasSubstr("option shard"))
        << bad;
}

TEST(Shards, ComeFromTheScheduler) {
  const auto slurm = [](const char* id, const char* first, const char* last, const char* count) {
    return environment({{"SLURM_ARRAY_TASK_ID", id},
                        {"SLURM_ARRAY_TASK_MIN", first},
                        {"SLURM_ARRAY_TASK_MAX", last},
                        {"SLURM_ARRAY_TASK_COUNT", count}});
  };
  EXPECT_EQ(parse_shard("auto", slurm("1", "1", "10", "10")).text(), "1/10");
  EXPECT_EQ(parse_shard("auto", slurm("0", "0", "9", "10")).text(), "1/10");
  EXPECT_EQ(parse_shard("auto", slurm("9", "0", "9", "10")).text(), "10/10");
  // A part of an array that is run again looks like a smaller one: it is refused rather than guessed.
  EXPECT_THAT(message_of<InputError>([&] { parse_shard("auto", slurm("3", "3", "3", "1")); }), HasSubstr("auto/N"));
  EXPECT_THAT(message_of<InputError>([&] { parse_shard("auto", slurm("1", "1", "7", "3")); }), HasSubstr("auto/N"));
  EXPECT_EQ(parse_shard("auto/10", slurm("3", "3", "3", "1")).text(), "3/10");
  EXPECT_THAT(message_of<InputError>([&] { parse_shard("auto/10", slurm("0", "0", "9", "10")); }),
              HasSubstr("this is task 0"));
  EXPECT_EQ(
      parse_shard("auto", environment({{"SGE_TASK_ID", "2"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "3"}})).text(),
      "2/3");
  EXPECT_EQ(parse_shard("auto", environment({{"LSB_JOBINDEX", "2"}, {"LSB_JOBINDEX_END", "3"}})).text(), "2/3");
  EXPECT_THAT(message_of<InputError>([&] {
                parse_shard("auto", environment({{"LSB_JOBINDEX", "0"}}));
              }),
              HasSubstr("no task of an array"));
  EXPECT_THAT(message_of<InputError>([&] {
                parse_shard("auto", environment({{"PBS_ARRAY_INDEX", "2"}}));
              }),
              HasSubstr("auto/N"));
  EXPECT_THAT(message_of<InputError>([&] {
                parse_shard("auto", environment({{"SGE_TASK_ID", "x"}}));
              }),
              HasSubstr("no number"));
}

}  // namespace
}  // namespace evident::batch
