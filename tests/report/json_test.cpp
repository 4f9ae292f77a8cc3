#include "evident/report/document.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/made_up.hpp"

namespace evident::report {
namespace {

nlohmann::json parsed(const Comparison& c) {
  return nlohmann::json::parse(to_json(c, {.study = "s.toml", .kinds = {"k1", "k2"}}));
}

TEST(Json, TellsTheComparison) {
  const nlohmann::json j = parsed(made_up_comparison());
  EXPECT_EQ(j["schema"], 1);
  EXPECT_EQ(j["seed"].get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(j["study"], "s.toml");
  EXPECT_EQ(j["seconds"], 1.5);
  const nlohmann::json& two = j["models"][1];
  EXPECT_EQ(two["name"], "two");
  EXPECT_EQ(two["kind"], "k2");
  EXPECT_EQ(two["log_evidence"], -9.0);
  EXPECT_EQ(two["log_evidence_path"], -8.75);
  EXPECT_EQ(two["probability"], 0.75);
  EXPECT_EQ(two["steps"], 2);
  EXPECT_EQ(two["particles"], 4);
  EXPECT_EQ(two["resamplings"], 1);
  EXPECT_EQ(two["likelihood_evaluations"], 12);
  EXPECT_EQ(two["acceptance"], 0.375);
  EXPECT_EQ(two["parameters"][0]["q95"], 5.0);
  EXPECT_EQ(two["path_sampling"]["rules"]["trapezoid"].size(), 4u);
  EXPECT_EQ(j["log_bayes_factors"][1][0], 1.0);
  EXPECT_EQ(j["log_bayes_factors"][0][1], -1.0);
  EXPECT_EQ(j["log_bayes_factors"][0][0], 0.0);
}

TEST(Json, TellsWhatNanCanHide) {
  Comparison c = made_up_comparison();
  EXPECT_TRUE(parsed(c)["models"][0]["nan"].is_null());
  c.models[0].nan = FoundNan{.met = 3,
                             .evaluations = 100,
                             .of_prior = 0.25,
                             .of_posterior = 0.5,
                             .too_low = 0.125,
                             .fresh_evaluations = 3000,
                             .places = {{{1.5, -2}, "log(-2) is NaN"}, {{3, 4}, ""}}};
  const nlohmann::json nan = parsed(c)["models"][0]["nan"];
  EXPECT_EQ(nan["of_prior"], 0.25);
  EXPECT_EQ(nan["of_posterior"], 0.5);
  EXPECT_EQ(nan["log_evidence_too_low"], 0.125);
  EXPECT_EQ(nan["likelihood_evaluations"], 3000);
  EXPECT_EQ(nan["places"][0]["at"], (std::vector{1.5, -2.0}));
  EXPECT_EQ(nan["places"][0]["why"], "log(-2) is NaN");
  EXPECT_TRUE(nan["places"][1]["why"].is_null());
}

TEST(Json, NumbersThatAreNotFiniteBecomeNull) {
  Comparison c = made_up_comparison();
  c.models[0].log_evidence.value = -kInf;
  const nlohmann::json j = parsed(c);
  EXPECT_TRUE(j["models"][0]["log_evidence"].is_null());
  EXPECT_TRUE(j["models"][0]["log_evidence_sd"].is_null()) << "one replicate has no standard deviation";
  EXPECT_TRUE(j["log_bayes_factors"][0][1].is_null());
}

TEST(Json, WhatAMethodCannotTellIsNull) {
  Comparison c = made_up_comparison();
  c.method = Method::rjmcmc;
  for (ModelResult& m : c.models) {
    m.log_evidence.value = m.log_evidence_path = m.spread.log_evidence_mean = kNaN;
    m.probability.standard_error = 0.01;
    m.support = 250;
    Replicate visits;
    visits.probability = m.probability;
    visits.support = 250;
    m.replicates = {visits};
  }
  Replicate run;
  run.trace.evaluations = 77;
  run.details = {{"jump_acceptance:split", 0.25}, {"jump_acceptance:birth", kNaN}};
  run.warnings = {"slow"};
  c.runs = {run};
  const nlohmann::json j = parsed(c);
  EXPECT_EQ(j["method"], "rjmcmc");
  const nlohmann::json& two = j["models"][1];
  for (const char* key : {"log_evidence", "log_evidence_path", "log_evidence_sd", "probability_sd", "steps",
                          "particles", "acceptance", "resamplings", "path_sampling", "likelihood_evaluations"}) {
    ASSERT_TRUE(two.contains(key)) << key;
    EXPECT_TRUE(two[key].is_null()) << key;
  }
  EXPECT_EQ(two["probability_se"], 0.01);
  EXPECT_EQ(two["support"], 250);
  EXPECT_EQ(two["replicates"][0]["probability"], 0.75);
  EXPECT_TRUE(two["replicates"][0]["log_evidence"].is_null());
  EXPECT_DOUBLE_EQ(j["log_bayes_factors"][1][0].get<double>(), std::log(3.0)) << "from the probabilities";
  ASSERT_EQ(j["runs"].size(), 1u);
  EXPECT_EQ(j["runs"][0]["likelihood_evaluations"], 77);
  EXPECT_EQ(j["runs"][0]["details"]["jump_acceptance:split"], 0.25);
  EXPECT_TRUE(j["runs"][0]["details"]["jump_acceptance:birth"].is_null());
  EXPECT_EQ(j["runs"][0]["warnings"][0], "slow");
}

TEST(Json, TheMatrixOfALargeFamilyIsCut) {
  Comparison c;
  for (int i = 0; i < 300; ++i) c.models.push_back(made_up_model("m" + std::to_string(i), -i, 0.1));
  EXPECT_EQ(parsed(c)["log_bayes_factors"].size(), 300u) << "a list is told in full";
  c.runs.emplace_back();
  EXPECT_EQ(parsed(c)["log_bayes_factors"].size(), 100u);
  EXPECT_EQ(parsed(c)["models"].size(), 300u);
}

TEST(Json, HostileNamesStayText) {
  Comparison c = made_up_comparison();
  c.models[0].name = "a\"],\n\\\x01";
  c.models[1].name = "broken \xFF utf-8";
  const nlohmann::json j = parsed(c);
  EXPECT_EQ(j["models"][0]["name"], "a\"],\n\\\x01");
  EXPECT_EQ(j["models"][1]["name"], "broken \xEF\xBF\xBD utf-8");
}

TEST(Json, NumbersSurviveTheRoundTrip) {
  Comparison c = made_up_comparison();
  c.models[0].log_evidence.value = -0.1 - 0.2;
  EXPECT_EQ(parsed(c)["models"][0]["log_evidence"].get<double>(), -0.1 - 0.2);
}

}  // namespace
}  // namespace evident::report
