// A checkpoint is of another run when anything differs that can change a result: every option of the table, to the last
// bit, the priors, the data, the text of the study.
#include "study/identity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "compare/identity.hpp"
#include "evident/model/model.hpp"
#include "study/read_options.hpp"
#include "study/sampler_options.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

/// What an option needs beside it, and two values that are as near to each other as they can be.
struct Case {
  std::vector<std::pair<std::string, std::string>> with;
  std::string a, b;
};

const std::map<std::string, Case>& cases() {
  static const std::string near = "0.90000000000000002", next = "0.90000000000000013";
  static const std::vector<std::pair<std::string, std::string>> ladder = {{"method", "population-mcmc"}},
                                                                linear = {{"schedule", "linear"}};
  static const std::map<std::string, Case> all = {
      {"method", {{}, "direct", "ais"}},
      {"particles", {{}, "1000", "1001"}},
      {"schedule", {{}, "linear", "prior"}},
      {"cess", {{}, near, next}},
      {"ess", {{{"schedule", "ess"}}, near, next}},
      {"alphas", {{}, "0.1,0.50000000000000000,1", "0.1,0.50000000000000011,1"}},
      {"steps", {linear, "500", "501"}},
      {"ladder", {ladder, "prior", "linear"}},
      {"power", {{{"schedule", "prior"}}, near, next}},
      {"seed", {{}, "1", "2"}},
      {"replicates", {{}, "2", "3"}},
      {"islands", {{}, "8", "9"}},
      {"recipe", {{}, "islands", "adaptive"}},
      {"precision", {{}, near, next}},
      {"decide", {{}, near, next}},
      {"time", {{}, "90s", "91s"}},
      {"resample", {{}, "stratified", "systematic"}},
      {"resample_threshold", {{}, near, next}},
      {"kernel", {{}, "random-walk", "crank-nicolson"}},
      {"grouping", {{}, "joint", "blocks"}},
      {"scale_rule", {{}, "adaptive", "band"}},
      {"scale", {{}, near, next}},
      {"band", {{{"scale_rule", "band"}}, "0.2," + near, "0.2," + next}},
      {"passes", {{}, "3", "4"}},
      {"waste_free", {{}, "10", "20"}},
      {"mix_scales", {{}, "true", "false"}},
      {"own_moves", {{}, "true", "false"}},
      {"max_prior_draws", {{}, "1000000", "1000001"}},
      {"nan_limit", {{}, near, next}},
      {"max_steps", {{}, "100000", "100001"}},
      {"jump_passes", {{{"method", "all-in-one"}}, "1", "2"}},
      {"chains", {ladder, "30", "31"}},
      {"burn_in", {ladder, "2000", "2001"}},
      {"iterations", {ladder, "5000", "5001"}},
      {"thin", {{{"method", "rjmcmc"}}, "1", "2"}},
      {"ladders", {ladder, "1", "2"}},
      {"update", {ladder, "parallel", "serial"}},
      {"adaptive_ladder", {ladder, "true", "false"}}};
  return all;
}

std::vector<Candidate> candidates(double width = 10) {
  ParameterSpace space;
  space.add("x", normal(0, width));
  return {{"m", 1, lift(space, [](auto theta) { return -theta[0] * theta[0]; }), {}}};
}

std::uint64_t fingerprint(std::vector<std::pair<std::string, std::string>> settings) {
  Settings given;
  for (const auto& [name, value] : settings) given.push_back(setting_of_text(sampler_option(name), value));
  return comparison_identity(candidates(), options_of(given)).fingerprint();
}

TEST(Identity, EveryOptionOfTheTableCounts) {
  for (const SamplerOption& option : sampler_options()) {
    const std::string name(option.name);
    if (name == "threads") continue;  // the one that changes no result
    ASSERT_TRUE(cases().contains(name)) << "add two values of " << name;
    const Case& c = cases().at(name);
    auto a = c.with, b = c.with;
    a.emplace_back(name, c.a);
    b.emplace_back(name, c.b);
    EXPECT_EQ(fingerprint(a), fingerprint(a)) << name;
    EXPECT_NE(fingerprint(a), fingerprint(b)) << name;
  }
  EXPECT_EQ(fingerprint({{"threads", "1"}}), fingerprint({{"threads", "4"}}));
}

TEST(Identity, PriorsCountToTheLastBit) {
  const CompareOptions options;
  EXPECT_NE(comparison_identity(candidates(10), options).fingerprint(),
            comparison_identity(candidates(std::nextafter(10.0, 11.0)), options).fingerprint());
}

TEST(Identity, StudyAndDataCount) {
  const TemporaryFolder folder;
  const std::string text =
      "[data]\nfile = \"data.csv\"\n[[model]]\nname = \"m\"\n[model.parameters]\na = \"normal(0, 1)\"\n"
      "[model.likelihood]\ny = \"normal(a, 1)\"\n";
  const auto identity = [&](const std::string& study, const std::string& data) {
    folder.write("data.csv", data);
    return study_identity(read_study(folder.write("study.toml", study))).fingerprint();
  };
  const std::string data = "y\n1\n2\n";
  const std::uint64_t own = identity(text, data);
  EXPECT_EQ(identity(text, data), own);
  EXPECT_NE(identity(text, "y\n1\n2.0000000000000004\n"), own);
  EXPECT_NE(identity(text + "# a remark\n", data), own);
}

}  // namespace
}  // namespace evident::study
