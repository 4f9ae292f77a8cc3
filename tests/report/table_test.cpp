#include "evident/report/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/made_up.hpp"
#include "report/text.hpp"

namespace evident::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(ResultTable, PlainTextHasNoBarAndNoColour) {
  EXPECT_EQ(to_table(made_up_comparison(), {}),
            "model   prior  log evidence  sd  path - direct  log BF to best  probability\n"
            "one    0.5000       -10.000   -         +0.250          -1.000       0.2500\n"
            "two    0.5000        -9.000   -         +0.250           0.000       0.7500\n");
}

TEST(ResultTable, BarsAppearWhenTheTerminalIsWideEnough) {
  TextStyle style{.width = 97, .terminal = true};
  EXPECT_THAT(to_table(made_up_comparison(), style), HasSubstr("0.7500  ###############\n"));
  style.unicode = true;
  EXPECT_THAT(to_table(made_up_comparison(), style), HasSubstr("0.7500  ███████████████\n"));
  style.width = 78;
  EXPECT_THAT(to_table(made_up_comparison(), style), Not(HasSubstr("█")));
}

TEST(ResultTable, LinesFitTheTerminal) {
  Comparison c = made_up_comparison();
  c.models[0].name = std::string(150, 'n');
  c.models[1].name = "日本語の名前";
  for (std::size_t width : {80u, 100u, 200u}) {
    for (const std::string& line : lines(to_table(c, {.width = width, .terminal = true, .unicode = true}))) {
      EXPECT_LE(display_width(line), width) << line;
    }
  }
}

TEST(ResultTable, ColoursOnlyWhenAsked) {
  EXPECT_THAT(to_table(made_up_comparison(), {.terminal = true}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_table(made_up_comparison(), {.terminal = true, .colour = true}), HasSubstr("\x1b[1;32mtwo"));
}

TEST(ResultTable, ImpossibleModelsAndTinyProbabilities) {
  Comparison c = made_up_comparison();
  c.models[0].log_evidence.value = -kInf;
  c.models[0].probability.value = 0;
  c.models[1].probability.value = 3e-9;
  c.models[1].spread.log_evidence_sd = 0.0421;
  const std::vector<std::string> out = lines(to_table(c, {}));
  EXPECT_THAT(out[1], HasSubstr("-inf"));
  EXPECT_THAT(out[1], HasSubstr("0.0000"));
  EXPECT_THAT(out[2], HasSubstr("3.0e-09"));
  EXPECT_THAT(out[2], HasSubstr("0.042"));
}

TEST(ResultTable, ASmallPossibleShareIsSaid) {
  Comparison c = made_up_comparison();
  c.models[0].possible_share = {0.6, 0.01};
  EXPECT_THAT(to_table(c, {}), Not(HasSubstr("possible")));
  c.models[1].possible_share = {0.0012, 0.00003};
  EXPECT_THAT(to_table(c, {}), HasSubstr("two is possible on 0.12 % of its prior, with an error of 0.003 %"));
  EXPECT_THAT(to_json(c, {}), HasSubstr("\"possible_share\": 0.0012,\n      \"possible_share_se\": 3e-05"));
}

TEST(ResultTable, MethodsWithoutEvidenceShowADashAndTheirSupport) {
  Comparison c = made_up_comparison();
  c.method = Method::rjmcmc;
  for (ModelResult& m : c.models) {
    m.log_evidence.value = m.log_evidence_path = kNaN;
    m.spread.probability_sd = 0.015;
    m.probability.standard_error = 0.0125;
    m.support = 250;
  }
  EXPECT_EQ(to_table(c, {}),
            "model   prior  log evidence  sd  log BF to best  support  prob. sd  prob. se  probability\n"
            "one    0.5000             -   -          -1.099      250    0.0150    0.0125       0.2500\n"
            "two    0.5000             -   -           0.000      250    0.0150    0.0125       0.7500\n");
}

TEST(ResultTable, ErrorsFromWithinARunHaveAColumn) {
  Comparison c = made_up_comparison();
  for (ModelResult& m : c.models) {
    m.replicates = {m.replicates[0], m.replicates[0]};
    for (Replicate& r : m.replicates) r.log_evidence.standard_error = 0.2;
    m.log_evidence_path = kNaN;
  }
  const std::vector<std::string> out = lines(to_table(c, {}));
  EXPECT_EQ(out[0], "model   prior  log evidence  sd     se  log BF to best  probability");
  EXPECT_EQ(out[1], "one    0.5000       -10.000   -  0.141          -1.000       0.2500");
}

TEST(ResultTable, OfALargeFamilyTheFirstAreShown) {
  Comparison c;
  for (int i = 0; i < 50; ++i) c.models.push_back(made_up_model("m" + std::to_string(i), -i, 0.02));
  EXPECT_EQ(lines(to_table(c, {})).size(), 51u) << "a list is told in full";
  c.runs.emplace_back();
  c.runs[0].warnings = {"jumps were rare"};
  const std::vector<std::string> out = lines(to_table(c, {}));
  ASSERT_EQ(out.size(), 43u);
  EXPECT_EQ(out[41], "... and 10 more, with probability 0.2000 together");
  EXPECT_EQ(out[42], "warning: jumps were rare");
}

TEST(ResultTable, OfManyRemarksTheFirstAreShown) {
  Comparison c = made_up_comparison();
  c.models[0].warnings.assign(100, "look here");
  const std::string text = to_table(c, {});
  std::size_t shown = 0;
  for (std::size_t at = text.find("look here"); at != std::string::npos; at = text.find("look here", at + 1)) ++shown;
  EXPECT_LE(shown, 40U);
  EXPECT_GE(shown, 30U);
  EXPECT_NE(text.find("more remarks like these; result.json has them all\n"), std::string::npos);
}

TEST(ResultTable, WhatWasNotJudgedIsSaidOnce) {
  Comparison c = made_up_comparison();
  for (ModelResult& m : c.models) {
    m.verdict = Verdict::unjudged;
    m.reasons = {{Alarm::no_check, Verdict::unjudged, "there is no check"}};
  }
  std::vector<std::string> shown = lines(to_table(c, {}));
  ASSERT_EQ(shown.size(), 4u);
  EXPECT_THAT(shown[1], HasSubstr("unjudged"));
  EXPECT_EQ(shown[3], "unjudged: there is no check");
  c.models[1].verdict = Verdict::trust;
  c.models[1].reasons.clear();
  shown = lines(to_table(c, {}));
  EXPECT_EQ(shown[3], "unjudged: one: there is no check");
}

TEST(ResultTable, WarningsFollowAndCannotCarryEscapes) {
  Comparison c = made_up_comparison();
  c.models[0].name = "red\x1b[31m";
  c.models[0].warnings = {"acceptance is low"};
  const std::string text = to_table(c, {});
  EXPECT_THAT(text, HasSubstr("warning: red [31m: acceptance is low\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace evident::report
