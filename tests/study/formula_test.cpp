// Formulas in study files: data, places of messages, and the evidence of eight schools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/study/study.hpp"
#include "problems/published.hpp"
#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FormulaStudyTest : public testing::Test {
 protected:
  FormulaStudyTest() {
    folder_.write("d.csv", "t,y,group\n0,1,b\n1,2,a\n2,,b\n3,4,c\n");
    folder_.write("more.csv", "z\n1\n2\n3\n4\n");
    folder_.write("other.csv", "u\n1\n2\n");
  }
  Study read(const std::string& text) const { return read_study(folder_.write("s.toml", text)); }
  std::string problem(const std::string& text) const {
    std::string message = message_of([&] { read(text); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    return message;
  }
  TemporaryFolder folder_;
};

const std::string kModel = "[[model]]\nname = \"m\"\n[model.parameters]\nm = \"normal(0, 1)\"\n[model.likelihood]\n";

TEST_F(FormulaStudyTest, TheKindIsFormulaWhenThereIsALikelihood) {
  const Study study = read("[data]\nfile = \"d.csv\"\n" + kModel + "t = \"normal(m, 1)\"\n");
  EXPECT_EQ(study.models[0].kind, "formula");
  EXPECT_EQ(study.models[0].candidate.model->observation_count(), 4u);
  EXPECT_TRUE(study.models[0].candidate.model->has_gradient());
}

TEST_F(FormulaStudyTest, MessagesPointIntoTheFile) {
  EXPECT_EQ(problem("[data]\nfile = \"d.csv\"\n" + kModel + "t = \"normal(mm, 1)\"\n"),
            "s.toml:8:13: there is no name 'mm'; did you mean 'm'?\n  normal(mm, 1)\n         ^");
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n" + kModel + "t = \"\"\"\nnormal(m,\n  1 +)\"\"\"\n"),
              HasSubstr("s.toml:10:6: "));
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n" + kModel + "tt = \"normal(m, 1)\"\n"),
              HasSubstr("s.toml:8:1: there is no name 'tt'"));
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n" + kModel + "t = true\n"), HasSubstr("must be a formula in quotes"));
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n[[model]]\nname = \"m\"\nkind = \"formula\"\n"),
              HasSubstr("needs a likelihood"));
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n" + kModel + "group = \"normal(m, 1)\"\n"), HasSubstr("d.csv:2: 'b'"));
}

TEST_F(FormulaStudyTest, MissingValues) {
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\n" + kModel + "y = \"normal(m, 1)\"\n"),
              HasSubstr("d.csv:4: column 'y': the value is missing; drop_missing = true"));
  // A row that one model cannot use is left out for all.
  const std::string two = "[data]\nfile = \"d.csv\"\ndrop_missing = true\n" + kModel +
                          "y = \"normal(m, 1)\"\n[[model]]\nname = \"n\"\n[model.parameters]\nm = \"normal(0, "
                          "1)\"\n[model.likelihood]\nt = \"normal(m, 1)\"\n";
  for (const StudyModel& m : read(two).models) EXPECT_EQ(m.candidate.model->observation_count(), 3u);
  EXPECT_THAT(problem("[data]\nfile = \"d.csv\"\ndrop_missing = true\n[[model]]\nname = \"a\"\nkind = "
                      "\"gaussian-mixture\"\ncomponents = 2\n"),
              HasSubstr("all models of the study are formulas"));
}

TEST_F(FormulaStudyTest, SeveralFilesConstantsAndCategories) {
  const Study study = read(
      "[data]\nfile = [\"d.csv\", \"more.csv\", \"other.csv\"]\n[data.constants]\nscale = 2\n[[model]]\nname = "
      "\"m\"\n[model.parameters]\n\"e[group]\" = \"normal(0, 1)\"\n[model.let]\nmean = \"e[group] * z\"\nfixed = "
      "3\n[model.likelihood]\nt = \"normal(mean, scale)\"\nu = \"normal(e[1], fixed)\"\n");
  const Model& model = *study.models[0].candidate.model;
  EXPECT_EQ(model.observation_count(), 6u);
  EXPECT_THAT(model.parameters().names(), ElementsAre("e[a]", "e[b]", "e[c]"));
  EXPECT_THAT(problem("[data]\nfile = [\"d.csv\", \"d.csv\"]\n" + kModel + "t = \"normal(m, 1)\"\n"),
              HasSubstr("names must differ"));
  EXPECT_THAT(problem("[data]\nfile = [\"d.csv\", \"other.csv\"]\n" + kModel + "t = \"normal(m + u, 1)\"\n"),
              HasSubstr("different rows"));
}

// Eight schools: mu with prior variance 25, tau ~ half-cauchy(5), and all schools alike; the evidence by quadrature.
TEST_F(FormulaStudyTest, EvidenceOfEightSchools) {
  folder_.write("schools.csv", "school,y,sigma\nA,28,15\nB,8,10\nC,-3,16\nD,7,11\nE,-1,9\nF,1,11\nG,18,10\nH,12,18\n");
  const Study study = read(
      "[data]\nfile = \"schools.csv\"\n[sampler]\nparticles = 1000\nreplicates = 8\nseed = 5\n"
      "[[model]]\nname = \"own\"\n[model.parameters]\nmu = \"normal(0, 5)\"\ntau = \"half-cauchy(5)\"\n"
      "\"theta[school]\" = \"normal(mu, tau)\"\n[model.likelihood]\ny = \"normal(theta[school], sigma)\"\n"
      "[[model]]\nname = \"pooled\"\n[model.parameters]\nmu = \"normal(0, 5)\"\n[model.likelihood]\ny = \"normal(mu, "
      "sigma)\"\n");
  const Comparison c = run(study);
  const double exact[] = {problems::eight_schools().log_evidence, problems::pooled_schools().log_evidence};
  for (std::size_t k = 0; k < 2; ++k) {
    const double error = c.models[k].log_evidence.standard_error;
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.05);
    EXPECT_NEAR(c.models[k].log_evidence.value, exact[k], 3 * error) << c.models[k].name;
  }
}

}  // namespace
}  // namespace evident::study
