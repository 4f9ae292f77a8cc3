// The registry of known answers, and its table in the documentation.
#include "problems/registry.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "support/source_folder.hpp"

namespace evident::problems {
namespace {

std::string row(std::string_view name, double log_evidence, double error, std::string_view how) {
  char numbers[80];
  if (error > 0)
    std::snprintf(numbers, sizeof numbers, "%.6f | %g", log_evidence, error);
  else
    std::snprintf(numbers, sizeof numbers, "%.6f | rounding", log_evidence);
  return "| " + std::string(name) + " | " + numbers + " | " + std::string(how) + " |";
}

std::vector<std::string> rows() {
  std::vector<std::string> out;
  for (const Problem& p : registry()) out.push_back(row(p.name, p.log_evidence, p.standard_error, p.how));
  for (const Known& k : known_with_data()) out.push_back(row(k.name, k.log_evidence, k.standard_error, k.how));
  return out;
}

TEST(Registry, IsTheTableOfTheDocumentation) {
  const auto path = test::source_folder() / "docs" / "correctness.md";
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  std::string missing;
  for (const std::string& r : rows())
    if (text.str().find(r + "\n") == std::string::npos) missing += r + "\n";
  EXPECT_EQ(missing, "") << "docs/correctness.md lacks these rows";
}

TEST(Registry, NamesAreUniqueAndEveryAnswerSaysHowItIsKnown) {
  std::set<std::string> names;
  for (const Problem& p : registry()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.how.empty()) << p.name;
    EXPECT_TRUE(std::isfinite(p.log_evidence) && p.standard_error >= 0) << p.name;
    ASSERT_NE(p.model, nullptr) << p.name;
    EXPECT_GT(p.model->parameters().size(), 0U) << p.name;
  }
  for (const Known& k : known_with_data()) EXPECT_TRUE(names.insert(std::string(k.name)).second) << k.name;
}

}  // namespace
}  // namespace evident::problems
