// The examples of docs/formulas.md are read as they stand there, and its lists are complete.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "evident/formula/model.hpp"
#include "evident/study/study.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

std::string page() {
  std::ifstream in(test::source_folder() / "docs" / "formulas.md");
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(FormulaDocs, EveryExampleIsAStudy) {
  TemporaryFolder folder;
  folder.write("decay.csv", "t,y\n0,9.8\n1,6.1\n2,3.9\n5,1.2\n");
  folder.write("visits.csv", "clinic,score\nB,3\nA,2\nA,\nC,5\n");
  folder.write("weights.csv", "weight\n60\n72\n80\n91\n");
  folder.write("growth.csv", "t,size\n0,1.1\n1,1.9\n4,9.5\n");
  folder.write("galaxies.csv", "y\n9.2\n19.5\n20.1\n33.0\n");
  const std::string text = page();
  std::size_t examples = 0;
  for (std::size_t at = 0; (at = text.find("```toml\n", at)) != std::string::npos;) {
    const std::size_t begin = at + 8, end = text.find("```", begin);
    ASSERT_NE(end, std::string::npos);
    const Study study = read_study(folder.write("s.toml", text.substr(begin, end - begin)));
    for (const StudyModel& m : study.models) {
      const Model& model = *m.candidate.model;
      BlockStorage theta(model.parameters().size(), 64);
      model.draw_prior(Streams({.seed = 1}), 0, theta);
      std::vector<double> values(64);
      model.log_likelihood(theta, values);
      for (const double v : values) EXPECT_TRUE(std::isfinite(v)) << m.candidate.name;
    }
    ++examples;
    at = end + 3;
  }
  EXPECT_EQ(examples, 4u);
}

TEST(FormulaDocs, NamesEveryFunctionAndDistribution) {
  const std::string text = page();
  const auto is_there = [&](const std::string& name) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at) {
      const auto in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
      };
      if ((at == 0 || !in_word(text[at - 1])) && !in_word(text[at + name.size()])) return true;
    }
    return false;
  };
  for (const std::string& name : formula::function_names()) EXPECT_TRUE(is_there(name)) << name;
  for (const std::string& name : formula::distribution_names())
    EXPECT_TRUE(name.starts_with("gamma-") || is_there(name)) << name;
}

}  // namespace
}  // namespace evident::study
