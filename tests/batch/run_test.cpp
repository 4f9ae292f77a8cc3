#include "batch/run.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "batch/gather.hpp"
#include "evident/base/error.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::batch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Batches : public testing::Test {
 protected:
  Batches() {
    study_ = folder_.write("s.toml",
                           "[sampler]\nparticles = 50\ncess = 0.8\nreplicates = 1\n[[model]]\nname = \"m\"\n"
                           "[model.parameters]\nmu = \"normal(0, 1)\"\n[model.likelihood]\ny = \"normal(mu, 1)\"\n");
    for (int k = 0; k < 7; ++k) folder_.write("d" + std::to_string(k) + ".csv", "y\n" + std::to_string(k) + "\n1\n");
  }

  Plan plan(const std::string& out, Shard shard = {}) const {
    return {.list = items_of_files(study_, {(folder_.path() / "d*.csv").string()}),
            .folder = folder_.path() / out,
            .title = "s.toml",
            .shard = shard};
  }
  /// All tables, without times.
  std::string results(const std::string& out) const {
    std::string text;
    for (const std::string& name : Tables::names()) text += contents((folder_.path() / out / name).string());
    text = std::regex_replace(text, std::regex("\"seconds\":[-+0-9.e]+"), "");
    return std::regex_replace(text, std::regex(",[-+0-9.e]+,\n"), "\n");
  }

  TemporaryFolder folder_;
  std::string study_;
};

TEST_F(Batches, ShardsGatheredAreTheWhole) {
  const Summary whole = run_batch(plan("whole"), {.threads = 2});
  EXPECT_EQ(whole.data_sets, 7U);
  EXPECT_EQ(whole.failed, 0U);
  for (std::uint64_t i = 1; i <= 3; ++i)
    EXPECT_EQ(run_batch(plan("out", {.number = i, .count = 3, .is_whole = false}), {.threads = 1}).data_sets,
              i == 1 ? 3U : 2U);
  for (const std::size_t open : {std::size_t{0}, std::size_t{1}, std::size_t{400}}) {
    const Summary gathered =
        gather({.from = {folder_.path() / "out"}, .out = folder_.path() / "out", .most_open_files = open});
    EXPECT_EQ(gathered.data_sets, 7U);
    EXPECT_EQ(results("out"), results("whole"));
  }
}

TEST_F(Batches, MessagesOfDataSetsAreSpelledForTheirUser) {
  const std::string study = folder_.write("code.toml",
                                          "[[model]]\nname = \"m\"\nkind = \"process\"\ncommand = [\"true\"]\n"
                                          "[model.parameters]\nmu = \"normal(0, 1)\"\n");
  Plan code{.list = {.items = {{.name = "a", .study = study, .data = {}}}, .study = {}, .source = "a list"},
            .folder = folder_.path() / "plain"};
  run_batch(code, {.threads = 1});
  EXPECT_THAT(results("plain"), HasSubstr("when you trust it, add option allow_code"));
  code.folder = folder_.path() / "own";
  code.spelling = [](std::string_view key, std::string_view) { return "/" + std::string(key); };
  run_batch(code, {.threads = 1});
  EXPECT_THAT(results("own"), HasSubstr("when you trust it, add /allow_code"));
}

TEST_F(Batches, ProgressCountsWhatWasThere) {
  run_batch(plan("out"), {.threads = 1});
  const std::string before = results("out");
  folder_.write("d3.csv", "y\n9\n");
  Progress last;
  run_batch(plan("out"), {.threads = 1, .resume = true}, [&](const Progress& p) { last = p; });
  EXPECT_EQ(last.done, 7U);
  EXPECT_EQ(last.resumed, 6U);
  EXPECT_EQ(last.changed, 1U);
  EXPECT_NE(results("out"), before);
}

TEST_F(Batches, AStopKeepsWhatIsDone) {
  std::stop_source stop;
  const auto after_two = [&](const Progress& p) {
    if (p.done == 2) stop.request_stop();
  };
  EXPECT_THROW(run_batch(plan("out"), {.threads = 1}, after_two, stop.get_token()), RunError);
  EXPECT_FALSE(fs::exists(folder_.path() / "out/results.csv"));
  Progress last;
  run_batch(plan("out"), {.threads = 1, .resume = true}, [&](const Progress& p) { last = p; });
  EXPECT_EQ(last.resumed, 2U);
  run_batch(plan("whole"), {.threads = 1});
  EXPECT_EQ(results("out"), results("whole"));
}

TEST_F(Batches, JournalsOfOthersAreRefused) {
  run_batch(plan("out", {.number = 1, .count = 1, .is_whole = false}), {.threads = 1});
  JournalIdentity pet;
  pet.fact("particles", "1");
  Journal::create(folder_.path() / "out/shards/other.journal", pet);
  EXPECT_THAT(
      message_of<InputError>([&] { gather({.from = {folder_.path() / "out"}, .out = folder_.path() / "out"}); }),
      HasSubstr("is not that of a shard"));
}

}  // namespace
}  // namespace evident::batch
