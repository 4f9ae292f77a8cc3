// docs/verdict.md has the thresholds and the decision table as they are in the sources. To bring the page up to date:
//
//   EVIDENT_WRITE_DOCS=1 build/release/tests/test_judge --gtest_filter='VerdictPage.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "base/number_text.hpp"
#include "judge/decision.hpp"
#include "judge/thresholds.hpp"
#include "support/source_folder.hpp"

namespace evident {
namespace {

std::string thresholds_table() {
  std::ostringstream out;
  out << "| threshold | value | meaning | false alarms | source |\n|---|---|---|---|---|\n";
  for (const Threshold& t : kThresholds)
    out << "| " << t.name << " | " << number(t.value) << " | " << t.meaning << " | " << t.false_alarms << " | "
        << t.source << " |\n";
  return out.str();
}

std::string_view words(Ruling ruling) {
  switch (ruling) {
    case Ruling::alarms_stand:
      return "the alarms stand";
    case Ruling::ask_referee:
      return "nested sampling with as many particles is asked: a pilot and four islands";
    case Ruling::islands_are_right:
      return "the islands are right; phases become a note";
    case Ruling::bridge_is_right:
      return "the bridge is the answer; scatter and phases become a note";
    case Ruling::phases_are_harmless:
      return "phases become a note";
    case Ruling::referee_failed:
      return "run longer";
    case Ruling::referee_disagrees:
      return "do not trust, or run longer where the referee is too rough";
  }
  return "";
}

std::string decisions_table() {
  std::ostringstream out;
  out << "| when | then | why |\n|---|---|---|\n";
  for (const DecisionRow& row : decision_table())
    out << "| " << row.when << " | " << words(row.ruling) << " | " << row.why << " |\n";
  return out.str();
}

class Page {
 public:
  Page() : file_(test::source_folder() / "docs/verdict.md") {
    std::ifstream in(file_);
    std::ostringstream all;
    all << in.rdbuf();
    text_ = all.str();
  }

  /// What stands between two marks; replaced when the page is to be written.
  void expect(const std::string& mark, const std::string& wanted) {
    const std::string begin = "<!-- " + mark + " -->\n", end = "<!-- end of " + mark + " -->\n";
    const std::size_t from = text_.find(begin), to = text_.find(end);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << mark;
    const std::size_t first = from + begin.size();
    if (std::getenv("EVIDENT_WRITE_DOCS") == nullptr) {
      EXPECT_EQ(text_.substr(first, to - first), wanted) << "the head of this file says how to write the page";
      return;
    }
    text_.replace(first, to - first, wanted);
    std::ofstream(file_) << text_;
  }

 private:
  std::filesystem::path file_;
  std::string text_;
};

TEST(VerdictPage, HasTheThresholds) { Page().expect("thresholds", thresholds_table()); }
TEST(VerdictPage, HasTheDecisions) { Page().expect("decisions", decisions_table()); }

}  // namespace
}  // namespace evident
