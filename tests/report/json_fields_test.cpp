#include "report/json_fields.hpp"

#include <gtest/gtest.h>

#include "compare/summary_fields.hpp"
#include "report/document_parts.hpp"
#include "report/predictive_fields.hpp"
#include "report/short_number.hpp"

namespace evident::report {
namespace {

const ParameterSummary kParameter = {
    .name = "mu", .mean = 1.0 / 3, .sd = kNaN, .q05 = -3, .q25 = 0, .q50 = 1, .q75 = 2, .q95 = kInf};

TEST(JsonFields, StandInTheOrderOfTheList) {
  EXPECT_EQ(json_of(kParameter).dump(),
            R"({"name":"mu","mean":0.3333333333333333,"sd":null,"q05":-3.0,"q25":0.0,"q50":1.0,"q75":2.0,"q95":null})");
  EXPECT_EQ(json_of(std::vector{kParameter}, short_number).dump(),
            R"([{"name":"mu","mean":0.333333,"sd":null,"q05":-3,"q25":0,"q50":1,"q75":2,"q95":null}])");
  EXPECT_EQ(json_of(std::vector<ParameterSummary>{}).dump(), "[]");
}

TEST(JsonFields, EnumeratorsAreTheirNames) {
  EXPECT_EQ(json_of(std::vector{Reason{Alarm::at_bound, Verdict::trust, "why"}}).dump(),
            R"([{"code":"at-bound","level":"trust","text":"why"}])");
}

TEST(JsonFields, ListsAreNested) {
  const PredictedHistogram h{.edges = {0, 1}, .observed = {5}, .band = {.q50 = {kNaN}}};
  EXPECT_EQ(json_of(h, short_number).dump(),
            R"({"edges":[0,1],"observed":[5],"band":{"q05":[],"q25":[],"q50":[null],"q75":[],"q95":[]}})");
}

TEST(JsonFields, AnEstimateIsTwoKeysAndAnIntervalAPair) {
  Json out;
  put("log_evidence", Estimate{-10, 0.5, 7}, out);
  put("other", Estimate{}, out);
  EXPECT_EQ(out.dump(), R"({"log_evidence":-10.0,"log_evidence_se":0.5,"other":null,"other_se":null})");
  EXPECT_EQ(json_of(Interval{0.25, 0.75}).dump(), "[0.25,0.75]");
  EXPECT_TRUE(json_of(Interval{}).is_null());
}

TEST(JsonFields, AreReadBackFromTheSameKeys) {
  const Stored stored(Json::parse(json_of(kParameter).dump()), "result.json");
  const auto back = fields_of<ParameterSummary>(stored);
  EXPECT_EQ(back.name, "mu");
  EXPECT_EQ(back.mean, 1.0 / 3);
  EXPECT_TRUE(std::isnan(back.q95)) << "what is not finite is null in the file";
  EXPECT_EQ(json_of(back).dump(), json_of(kParameter).dump());
  const auto none = fields_of<PredictiveCheck>(Stored(Json::object(), "one.json"));
  EXPECT_TRUE(none.observed.empty() && std::isnan(none.p_value));
}

}  // namespace
}  // namespace evident::report
