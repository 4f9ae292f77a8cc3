#include "batch/item_result.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "batch/run_item.hpp"
#include "batch/tables.hpp"
#include "evident/base/error.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::batch {
namespace {

using testing::HasSubstr;

ItemResult some_result() {
  ItemResult r{.name = "a, \"b\"", .study = "s.toml", .data = "d.csv"};
  r.method = "direct";
  r.seed = ~std::uint64_t{0};
  r.seconds = 0.1;
  r.models.push_back({.name = "one", .log_evidence = {-1.0 / 3}, .probability = {0.25}, .verdict = "trust"});
  r.models.push_back({.name = "two", .log_evidence = {-kInf, 1e-300}, .probability = {0.75}});
  r.models[0].parameters.push_back(
      {.name = "x", .mean = 0.1, .sd = 2, .q05 = -1, .q25 = 0, .q50 = 0.1, .q75 = 1, .q95 = 3});
  r.warnings = {"w"};
  r.inputs = {{"d.csv", 17}};
  return r;
}

TEST(ItemResults, AreTheSameAfterTheJournal) {
  const ItemResult r = some_result();
  const std::vector<std::byte> bytes = pack(r);
  const ItemResult back = unpack(bytes);
  EXPECT_EQ(pack(back), bytes);
  EXPECT_EQ(back.models[1].log_evidence.value, -kInf);
  EXPECT_TRUE(std::isnan(back.models[0].log_evidence.standard_error));
  EXPECT_EQ(back.models[0].parameters[0].q95, 3);
  EXPECT_EQ(back.inputs, r.inputs);
  EXPECT_EQ(*back.best(), 1U);
}

TEST(ItemResults, DamageIsFound) {
  const std::vector<std::byte> bytes = pack(some_result());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> bad = bytes;
    bad[i] ^= std::byte{1};
    EXPECT_THROW(unpack(bad), RunError);
    EXPECT_THROW(unpack(std::span(bytes).first(i)), RunError);
  }
  ItemResult none = some_result();
  for (ModelRow& m : none.models) m.probability.value = kNaN;
  EXPECT_THROW(unpack(pack(none)), RunError);  // neither a result nor a failure
}

TEST(ItemResults, SeedsDependOnSeedAndName) {
  EXPECT_EQ(item_seed(1, "a"), item_seed(1, "a"));
  EXPECT_NE(item_seed(1, "a"), item_seed(1, "b"));
  EXPECT_NE(item_seed(1, "a"), item_seed(2, "a"));
  EXPECT_NE(item_seed(1, ""), 1U);
}

TEST(BatchTables, AppearWholeOrNotAtAll) {
  const TemporaryFolder folder;
  ItemResult failed{.name = "bad", .study = "s.toml", .data = "d.csv"};
  failed.message = "why, \"this\"";
  const std::filesystem::path work = folder.path() / "work";
  std::filesystem::create_directory(work);
  {
    Tables tables(work, {.version = "1", .study = "s.toml"});
    tables.add(some_result());
  }
  EXPECT_TRUE(std::filesystem::is_empty(work));
  Tables tables(work, {.version = "1", .study = "s.toml"});
  tables.add(some_result());
  tables.add(failed);
  const Summary summary = tables.publish(folder.path());
  EXPECT_EQ(summary.data_sets, 2U);
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_EQ(summary.results, folder.path() / "results.csv");
  EXPECT_TRUE(std::filesystem::is_empty(work));
  EXPECT_EQ(contents((folder.path() / "results.csv").string()),
            "name,status,model,best,log_evidence,log_evidence_se,probability,probability_se,probability_low,"
            "probability_high,verdict,seconds,message\n"
            "\"a, \"\"b\"\"\",ok,one,no,-0.3333333333333333,,0.25,,,,trust,0.1,\n"
            "\"a, \"\"b\"\"\",ok,two,yes,-inf,1e-300,0.75,,,,,0.1,\n"
            "bad,failed,,,,,,,,,,0,\"why, \"\"this\"\"\"\n");
  EXPECT_EQ(contents((folder.path() / "parameters.csv").string()),
            "name,model,parameter,mean,sd,q05,q25,q50,q75,q95\n\"a, \"\"b\"\"\",one,x,0.1,2,-1,0,0.1,1,3\n");
  EXPECT_THAT(contents((folder.path() / "results.json").string()), HasSubstr("\"seed\":18446744073709551615"));
  EXPECT_THAT(to_text(summary, {}), HasSubstr("failed: bad: why"));
  EXPECT_THAT(failure_text(summary), HasSubstr("1 of 2 data sets failed (bad: why"));
}

TEST(BatchTables, TheSummaryOfManyIsShort) {
  Summary summary;
  for (int i = 0; i < 1000; ++i) {
    ItemResult r = some_result();
    r.models[0].name = "family " + std::to_string(i);
    summary.add(r);
  }
  EXPECT_EQ(summary.data_sets, 1000U);
  EXPECT_LE(summary.models.size(), 1000U);
  const std::string text = to_text(summary, {});
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 60);
  EXPECT_THAT(text, HasSubstr("... and 980 more"));
}

}  // namespace
}  // namespace evident::batch
