#include "evident/report/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evident/base/error.hpp"
#include "evident/smc/sampler.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "report/files.hpp"
#include "report/made_up.hpp"
#include "report/netcdf.hpp"
#include "report/study_report.hpp"
#include "support/temporary_folder.hpp"

namespace evident::report {
namespace {

using ::testing::HasSubstr;

std::string bytes_of(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

struct Ran {
  std::vector<Candidate> candidates;
  CompareOptions options;
  Comparison comparison;
};

/// With islands, so that there are verdicts, reasons and intervals.
const Ran& small_run() {
  static const Ran ran = [] {
    const std::vector<double> y{1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0, 0.5, 1.75};
    Ran out;
    for (std::size_t k = 1; k < 3; ++k)
      out.candidates.push_back({k == 1 ? "one" : "two, \"2\" </script>", 1,
                                std::make_shared<GaussianMixture>(GaussianMixtureOptions{.components = k}, y)});
    out.options = {.smc = frozen_defaults(), .seed = 5, .islands = 2};
    out.options.smc->particles = 200;
    out.comparison = compare(out.candidates, out.options);
    return out;
  }();
  return ran;
}

Document whole(const Ran& ran) {
  Document out(ran.comparison, {.study = "study.toml", .kinds = {"gaussian-mixture", "gaussian-mixture"}});
  out.add_models(ran.candidates, ran.options);
  return out;
}

void expect_same(const Document& a, const Document& b) {
  EXPECT_EQ(a.files(), b.files());
  EXPECT_EQ(study_report_json(a), study_report_json(b));
  if (has_study_report()) {
    EXPECT_EQ(study_report(a), study_report(b));
  }
}

/// From memory, by way of a folder, and by way of texts.
void expect_same_when_read_back(const Document& document) {
  const TemporaryFolder folder;
  write_files(document, folder.path());
  const Document read = Document::read(folder.path());
  expect_same(document, read);
  expect_same(document, Document::read(document.files()));
  EXPECT_EQ(study_report_json(document), study_report_json(folder.path())) << "which reads no more than it shows";
}

TEST(Document, IsTheSameFromMemoryAndFromItsFolder) {
  const Document document = whole(small_run());
  EXPECT_EQ(document.files().size(), 2 + 2 * 4 + 1u) << "two documents, four files of each model, the averages";
  EXPECT_EQ(document.json(), to_json(small_run().comparison, {"study.toml", {"gaussian-mixture", "gaussian-mixture"}}));
  expect_same_when_read_back(document);
}

TEST(Document, GivesTheSameNetcdfFromMemoryAndFromItsFolder) {
  if (!has_netcdf()) GTEST_SKIP() << "built without netCDF";
  const Ran& ran = small_run();
  const Document document = whole(ran);
  const Document numbers(ran.comparison, {});
  const Document read = Document::read(document.files());
  const TemporaryFolder folder;
  const auto written = [&](const char* name, const Document& from) {
    std::vector<std::string> out;
    for (const auto& file : write_netcdf(folder.path() / name, from, ran.candidates, ran.options))
      out.push_back(bytes_of(file));
    return out;
  };
  const std::vector<std::string> files = written("whole.nc", document);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_GT(files[0].size(), 10000u);
  EXPECT_TRUE(files == written("read.nc", read));
  EXPECT_TRUE(files == written("numbers.nc", numbers)) << "what it lacks is made from the models";
}

TEST(Document, IsTheSameWithEveryAwkwardValue) {
  Comparison c = made_up_comparison();
  c.models[0].log_evidence.value = -kInf;
  c.models[0].log_evidence.standard_error = kInf;
  c.models[0].probability_interval = {-kInf, kInf};
  c.models[1].log_evidence_path = kNaN;
  c.models[1].parameters[0].sd = kInf;
  c.models[1].replicates[0].trace.steps[1].finer[0] = -kInf;
  c.models[1].draws.log_likelihood = c.models[1].draws.log_prior = {};
  c.models[0].draws.names = {"weight", "line\nbreak"};
  expect_same_when_read_back(Document(c, {.study = "s.toml", .kinds = {}}));
}

TEST(Document, IsTheSameForALargeFamily) {
  Comparison c = made_up_comparison();
  for (std::size_t k = 0; k < 130; ++k) c.models.push_back(made_up_model("m" + std::to_string(k), -12, 0));
  c.models[120].probability.value = 0.9;  // it is shown, but has no file of its own
  c.runs = {made_up_replicate()};
  const Document document(c, {.study = "s.toml", .kinds = {}});
  EXPECT_EQ(document.files().size(), 1 + 2 * 100 + 1u);
  EXPECT_NE(document.draws(131), nullptr);
  const TemporaryFolder folder;
  write_files(document, folder.path());
  const Document read = Document::read(folder.path());
  EXPECT_EQ(read.draws(131), nullptr);
  expect_same(document, read);
  EXPECT_EQ(study_report_json(document), study_report_json(folder.path()));
}

TEST(Document, AParameterMayBeCalledWeight) {
  Comparison c = made_up_comparison();
  c.models[0].draws.names[0] = c.models[0].parameters[0].name = "weight";
  const Document document(c, {.study = "s.toml", .kinds = {}});
  const Document read = Document::read(document.files());
  EXPECT_EQ(read.draws(0)->names, c.models[0].draws.names);
  EXPECT_EQ(read.draws(0)->weights, c.models[0].draws.weights);
  const auto json = nlohmann::json::parse(study_report_json(document));
  EXPECT_EQ(json["models"][0]["draws"][0], (nlohmann::json{0, 0.1, 0.2})) << "the parameter, not the weights";
}

TEST(Document, TextsWithoutAResultAreRefused) {
  try {
    Document::read(Document::Files{{"study.json", "{}"}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("there is no result.json"));
  }
}

}  // namespace
}  // namespace evident::report
