// The published data of the paper, through a study file, against values computed independently.
#include <gtest/gtest.h>

#include <cmath>

#include "evident/compare/compare.hpp"
#include "evident/study/study.hpp"
#include "problems/registry.hpp"
#include "support/data_path.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

Comparison run(const std::string& text, std::size_t replicates) {
  const TemporaryFolder folder;
  study::Study study = study::read_study(folder.write("study.toml", text),
                                         {.settings = {{"replicates", replicates}}, .code = {.outside = true}});
  study.options.threads = 2;
  return compare(study.candidates(), study.options);
}

void expect_evidence(const ModelResult& m, std::string_view problem) {
  const problems::Known& reference = problems::known(problem);
  const auto n = static_cast<double>(m.replicates.size());
  const double error = std::hypot(m.spread.log_evidence_sd / std::sqrt(n), reference.standard_error);
  EXPECT_NEAR(m.log_evidence.value, reference.log_evidence, 3 * error) << m.name << ", standard error " << error;
}

TEST(ReferenceData, PetCompartments) {
  const auto data = test::shared_data("pet");
  if (!data) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
  const std::string input = "input = \"" + (*data / "plasma-input.csv").string() + "\"\n";
  const Comparison c = run("[data]\nfile = \"" + (*data / "time-activity.csv").string() + "\"\n" +
                               "[[model]]\nname = \"M1\"\nkind = \"pet-compartments\"\ncompartments = 1\n" + input +
                               "[[model]]\nname = \"M2\"\nkind = \"pet-compartments\"\ncompartments = 2\n" + input,
                           20);
  expect_evidence(c.models[0], "PET, 1 compartment");
  expect_evidence(c.models[1], "PET, 2 compartments");
  EXPECT_LT(std::hypot(c.models[0].spread.log_evidence_sd, c.models[1].spread.log_evidence_sd), 0.117);
  for (const ParameterSummary& p : c.models[1].parameters) {
    if (p.name != "V_D") continue;
    EXPECT_NEAR(p.mean, 10.40, 0.02);
    EXPECT_NEAR(p.sd, 0.26, 0.02);
  }
}

TEST(ReferenceData, GaussianMixture) {
  const auto data = test::shared_data("gmm/observations.csv");
  if (!data) GTEST_SKIP() << "no reference data; set EVIDENT_DATA to their folder";
  std::string text = "[data]\nfile = \"" + data->string() + "\"\n[sampler]\ncess = 0.998\n";
  for (const char* k : {"1", "4", "5"})
    text += std::string("[[model]]\nname = \"") + k + "\"\nkind = \"gaussian-mixture\"\ncomponents = " + k + "\n";
  const Comparison c = run(text, 6);
  expect_evidence(c.models[0], "mixture, 1 component");
  expect_evidence(c.models[1], "mixture, 4 components");
  expect_evidence(c.models[2], "mixture, 5 components");
}

}  // namespace
}  // namespace evident
