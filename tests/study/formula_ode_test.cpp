// [model.ode] in study files: what it reads, and where its messages point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/study/study.hpp"
#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using testing::HasSubstr;

class OdeStudyTest : public testing::Test {
 protected:
  OdeStudyTest() { folder_.write("d.csv", "t,y,unused,group\n0,1,1,a\n1,2,,b\n2,3,3,a\n"); }

  /// Line 9 is the first below [model.ode].
  static std::string study(const std::string& ode, const std::string& likelihood = "y = \"normal(n, 1)\"") {
    return "[data]\nfile = \"d.csv\"\n[[model]]\nname = \"m\"\n[model.parameters]\nk = "
           "\"half-normal(1)\"\n\n[model.ode]\n" +
           ode + "[model.likelihood]\n" + likelihood + "\n";
  }
  Study read(const std::string& ode) const { return read_study(folder_.write("s.toml", study(ode))); }
  std::string problem(const std::string& ode) const {
    std::string message = message_of([&] { read(ode); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    return message;
  }
  TemporaryFolder folder_;
};

TEST_F(OdeStudyTest, IsReadWithAllItsKeys) {
  const std::string states = "n = { start = 3, rate = \"-k * n\" }\n";
  const Study plain = read("time = \"t\"\n" + states);
  const Study full =
      read("time = \"t\"\nfrom = \"1 - 1\"\ntolerance = 1e-9\nabsolute = 1e-14\nmax_steps = 500\n" + states);
  BlockStorage theta(1, 1);
  theta(0, 0) = 0.7;
  std::vector<double> a(1), b(1);
  plain.models[0].candidate.model->log_likelihood(theta, a);
  full.models[0].candidate.model->log_likelihood(theta, b);
  EXPECT_NEAR(a[0], b[0], 1e-4);
  EXPECT_NE(a[0], b[0]);  // the tolerances differ
  EXPECT_TRUE(plain.models[0].candidate.model->has_gradient());
  const std::vector<Observed> seen = plain.models[0].candidate.model->observed();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].axis_name, "t");
}

TEST_F(OdeStudyTest, PredictsAndDraws) {
  const Study s = read("time = \"t\"\nn = { start = 3, rate = \"-k * n\" }\n");
  const Model& model = *s.models[0].candidate.model;
  BlockStorage theta(1, 2), mean(3, 2), draws(3, 2);
  theta(0, 0) = 0.7;
  theta(0, 1) = 2;
  model.predict(theta, mean);
  model.draw_observations(theta, Streams({.seed = 1}), 0, draws);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_NEAR(mean(r, i), 3 * std::exp(-theta(0, i) * static_cast<double>(r)), 1e-4);
      EXPECT_NEAR(draws(r, i), mean(r, i), 5);
      EXPECT_NE(draws(r, i), mean(r, i));
    }
  ASSERT_TRUE(model.has_sequence());
  std::vector<double> whole(2), part(2), sum(2);
  model.log_likelihood(theta, whole);
  for (std::size_t r = 0; r < 3; ++r) {
    model.log_likelihood_of(theta, r, 1, part);
    for (std::size_t i = 0; i < 2; ++i) sum[i] += part[i];
  }
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(sum[i], whole[i], 1e-9);
}

TEST_F(OdeStudyTest, MessagesPointIntoTheFile) {
  EXPECT_EQ(problem("time = \"t\"\nn = { start = \"3\", rate = \"-k * m\" }\n"),
            "s.toml:10:33: there is no name 'm'\n  -k * m\n       ^");
  EXPECT_EQ(
      problem("time = \"t\"\nn = { start = \"3 + y\", rate = \"-k\" }\n"),
      "s.toml:10:20: 'y' has a value per row of the data; a start value is formed without data\n  3 + y\n      ^");
  EXPECT_EQ(problem("time = \"t\"\nn = { rate = \"-k * n\" }\n"),
            "s.toml:10:1: state 'n' has no start: n = { start = \"n0\", rate = \"r * n\" }\n  n\n  ^");
  EXPECT_THAT(problem("time = \"t\"\nn = { start = 1, rat = \"-k * n\" }\n"),
              HasSubstr("s.toml:10:18: a state has 'start' and 'rate', no 'rat'"));
  EXPECT_THAT(problem("time = \"t\"\nn = \"-k * n\"\n"),
              HasSubstr("s.toml:10:1: a state needs a start value and a rate"));
  EXPECT_THAT(problem("n = { start = 1, rate = \"-k * n\" }\n"), HasSubstr("needs the column with the times"));
  EXPECT_THAT(problem("time = \"t\"\n"), HasSubstr("s.toml:9:9: there is no state"));
  EXPECT_THAT(problem("time = \"tt\"\nn = { start = 1, rate = \"-k * n\" }\n"),
              HasSubstr("s.toml:9:9: there is no name 'tt'; did you mean 't'?"));
  EXPECT_THAT(problem("time = \"group\"\nn = { start = 1, rate = \"-k * n\" }\n"), HasSubstr("d.csv:2: 'a'"));
  EXPECT_THAT(problem("time = \"t\"\nfrom = 1\nn = { start = 1, rate = \"-k * n\" }\n"),
              HasSubstr("s.toml:9:9: 0 in row 1 of 't' lies before 1"));
  EXPECT_THAT(problem("time = \"t\"\ny = { start = 1, rate = \"-k\" }\n"),
              HasSubstr("s.toml:10:1: 'y' is a column of the data already"));
  EXPECT_THAT(problem("time = \"t\"\ntolerance = 0\nn = { start = 1, rate = \"-k * n\" }\n"),
              HasSubstr("s.toml:10: 'tolerance'"));
  EXPECT_THAT(problem("time = \"unused\"\nn = { start = 1, rate = \"-k * n\" }\n"),
              HasSubstr("d.csv:3: column 'unused': the value is missing"));
}

}  // namespace
}  // namespace evident::study
