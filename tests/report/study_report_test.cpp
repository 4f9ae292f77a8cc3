#include "report/study_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evident/base/error.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "report/files.hpp"
#include "report/html.hpp"
#include "report/made_up.hpp"
#include "report/number_table.hpp"
#include "support/temporary_folder.hpp"

namespace evident::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string content(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

const char* const kHostile = "</script><img src=x onerror=alert(1)>";

std::vector<Candidate> mixtures() {
  const std::vector<double> y{1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0, 0.5, 1.75};
  const auto make = [&](std::size_t k) {
    return std::make_shared<GaussianMixture>(GaussianMixtureOptions{.components = k}, y);
  };
  return {{"one", 1.0, make(1)}, {kHostile, 1.0, make(2)}};
}

/// A small comparison, with all its files.
Comparison write_study(const std::filesystem::path& folder, unsigned threads = 1) {
  CompareOptions options{
      .smc = SmcOptions{.particles = 128, .schedule = CessSchedule{0.9}}, .seed = 5, .threads = threads, .islands = 0};
  const std::vector<Candidate> candidates = mixtures();
  const Comparison c = compare(candidates, options);
  Document document(c, {.study = "study.toml", .kinds = {"gaussian-mixture", "gaussian-mixture"}});
  document.add_models(candidates, options);
  write_files(document, folder);
  return c;
}

std::string refusal(const std::filesystem::path& folder) {
  try {
    study_report_json(folder);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(StrengthWords, AreThoseOfKassAndRaftery) {
  EXPECT_EQ(strength_words(0), "not worth more than a bare mention");
  EXPECT_EQ(strength_words(std::log(2.99)), "not worth more than a bare mention");
  EXPECT_EQ(strength_words(std::log(3.01)), "positive");
  EXPECT_EQ(strength_words(std::log(20.1)), "strong");
  EXPECT_EQ(strength_words(std::log(149)), "strong");
  EXPECT_EQ(strength_words(1e6), "very strong");
}

TEST(StudyReport, HasEverythingOfTheFolder) {
  const TemporaryFolder folder;
  const Comparison c = write_study(folder.path());
  const json data = json::parse(study_report_json(folder.path()));
  ASSERT_EQ(data["models"].size(), 2u);
  const std::size_t best = c.models[0].probability.value > c.models[1].probability.value ? 0 : 1;
  EXPECT_EQ(data["best"], best);
  EXPECT_THAT(data["verdict"][0].get<std::string>(), HasSubstr("most probable of 2 models"));
  for (std::size_t k = 0; k < 2; ++k) {
    const json& m = data["models"][k];
    EXPECT_EQ(m["name"], c.models[k].name);
    EXPECT_NEAR(m["probability"], c.models[k].probability.value, 1e-5);
    EXPECT_DOUBLE_EQ(m["log_evidence"], c.models[k].log_evidence.value);
    EXPECT_EQ(m["trace"]["steps"], c.models[k].steps());
    EXPECT_EQ(m["trace"]["path"]["alpha"][0], 0);
    EXPECT_EQ(m["trace"]["path"]["alpha"].back(), 1);
    ASSERT_EQ(m["parameters"].size(), c.models[k].parameters.size());
    const json& mu = m["parameters"][0];
    EXPECT_EQ(mu["name"], "mu[1]");
    EXPECT_THAT(mu["prior"].get<std::string>(), HasSubstr("normal("));
    EXPECT_EQ(mu["density"]["x"].size(), mu["density"]["prior"].size());
    EXPECT_EQ(mu["density"]["x"].size(), mu["density"]["posterior"].size());
    EXPECT_EQ(m["draws"].size(), m["parameters"].size());
    EXPECT_EQ(m["draws"][0].size(), 128u);
    EXPECT_EQ(m["predictive"]["series"][0]["values"].size(), 10u);
    EXPECT_FALSE(m["predictive"]["checks"].empty());
  }
  EXPECT_EQ(data["averaged"]["models"].size(), 2u);
  EXPECT_NEAR(data["averaged"]["probability"], 1, 1e-5);
  EXPECT_EQ(data["seed"], "5");
  EXPECT_EQ(data["settings"][1], (json{"Particles", "128"}));
  EXPECT_NEAR(data["log_bayes_factors"][0][1], c.log_bayes_factor(0, 1), 1e-4);
  EXPECT_TRUE(data["notes"].empty()) << data["notes"];
}

TEST(StudyReport, FilesAreTheSameForAnyNumberOfThreads) {
  const TemporaryFolder one, three;
  write_study(one.path(), 1);
  write_study(three.path(), 3);
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(one.path())) {
    const std::string name = entry.path().filename().string();
    if (name == "result.json" || name.ends_with("-trace.csv")) continue;  // they tell seconds
    EXPECT_EQ(content(entry.path()), content(three.path() / name)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 2 * 3 + 2u) << "draws, priors and predictions of two models, those of both, study.json";
}

TEST(StudyReport, PageEscapesNames) {
  if (!has_study_report()) GTEST_SKIP() << "built without reports";
  const TemporaryFolder folder;
  write_study(folder.path());
  const std::string page = study_report(folder.path());
  EXPECT_THAT(page, HasSubstr("Model comparison: study.toml"));
  EXPECT_EQ(page.find(kHostile), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;img")) << "in the summary for readers without JavaScript";
}

TEST(StudyReport, AResultAloneWillDo) {
  const TemporaryFolder folder;
  Comparison c = made_up_comparison();
  for (ModelResult& m : c.models) {
    m.draws = {};
    m.replicates.front().trace = {};
  }
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  const json data = json::parse(study_report_json(folder.path()));
  EXPECT_EQ(data["seed"], "18446744073709551615") << "all 64 bits";
  EXPECT_TRUE(data["models"][0]["trace"].is_null());
  EXPECT_TRUE(data["models"][0]["predictive"].is_null());
  const std::string missing = data["missing"].dump();
  EXPECT_THAT(missing, HasSubstr("No evidence path"));
  EXPECT_THAT(missing, HasSubstr("No posterior"));
  EXPECT_THAT(missing, HasSubstr("No predictions"));
}

TEST(StudyReport, WithoutVerdictsNothingIsSaidOfTrust) {
  const TemporaryFolder folder;
  Comparison c = made_up_comparison();
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  EXPECT_EQ(json::parse(study_report_json(folder.path()))["verdict"].size(), 1u);
  c.models[0].verdict = Verdict::trust;
  c.models[1].verdict = Verdict::do_not_trust;
  c.models[1].reasons = {{Alarm::phase_transition, Verdict::do_not_trust, "two groups"}};
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  const json data = json::parse(study_report_json(folder.path()));
  EXPECT_EQ(data["trust"], "do not trust");
  EXPECT_THAT(data["verdict"][1].get<std::string>(), HasSubstr("“two”"));
  c.models[1].dropped = true;  // it cannot matter
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  EXPECT_EQ(json::parse(study_report_json(folder.path()))["trust"], "trust");
}

TEST(StudyReport, UnjudgedIsNotTrust) {
  const TemporaryFolder folder;
  Comparison c = made_up_comparison();
  for (ModelResult& m : c.models) {
    m.verdict = Verdict::unjudged;
    m.reasons = {{Alarm::no_check, Verdict::unjudged, "there is no check for this"}};
  }
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  json data = json::parse(study_report_json(folder.path()));
  EXPECT_EQ(data["trust"], "unjudged");
  EXPECT_THAT(data["verdict"][1].get<std::string>(), HasSubstr("unjudged"));
  EXPECT_THAT(data["verdict"][1].get<std::string>(), HasSubstr("there is no check for this"));
  EXPECT_EQ(data["models"][0]["verdict"], "unjudged");
  EXPECT_EQ(data["models"][0]["reasons"][0]["text"], "there is no check for this");

  // One that is less probable than a model that was judged.
  c.models[1].verdict = Verdict::trust;
  c.models[1].reasons.clear();
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  data = json::parse(study_report_json(folder.path()));
  EXPECT_EQ(data["trust"], "trust");
  EXPECT_THAT(data["verdict"][2].get<std::string>(), HasSubstr("1 less probable model is unjudged"));

  // A judged alarm counts for more than what was not judged.
  c.models[1].verdict = Verdict::unjudged;
  c.models[0].verdict = Verdict::run_longer;
  write_files(Document(c, {.study = "s.toml", .kinds = {}}), folder.path());
  EXPECT_EQ(json::parse(study_report_json(folder.path()))["trust"], "run longer");
}

TEST(StudyReport, ForeignAndDamagedFoldersAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal(folder.path() / "nowhere"), HasSubstr("there is no such folder"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("there is no result.json"));
  EXPECT_THAT(refusal(folder.write("file", "x")), HasSubstr("not a folder"));
  for (const char* text :
       {"", "{", "nonsense", "[]", "3", "{}", "{\"schema\": 2, \"models\": []}", "{\"schema\": 1}",
        "{\"schema\": 1, \"models\": []}", "{\"schema\": 1, \"models\": {}}", "{\"schema\": 1, \"models\": [3]}",
        "{\"schema\": 1, \"models\": [{\"name\": 3}]}",
        "{\"schema\": 1, \"models\": [{\"name\": \"a\", \"probability\": \"x\"}]}",
        "{\"schema\": \"1\", \"models\": [{\"name\": \"a\"}]}",
        "{\"schema\": 1, \"study\": 7, \"models\": [{\"name\": \"a\"}]}",
        "{\"schema\": 1, \"models\": [{\"name\": \"a\", \"parameters\": [7]}]}",
        "{\"schema\": 1, \"models\": [{\"name\": \"a\", \"reasons\": [7]}]}",
        "{\"schema\": 1, \"models\": [{\"name\": \"a\", \"replicates\": [7]}]}",
        "{\"schema\": 1, \"log_bayes_factors\": [7], \"models\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}"}) {
    folder.write("result.json", text);
    EXPECT_THAT(refusal(folder.path()), HasSubstr("result.json: ")) << text;
  }
}

TEST(StudyReport, DeepNestingIsAnErrorNotACrash) {
  const TemporaryFolder folder;
  const std::string deep(200000, '[');
  folder.write("result.json",
               "{\"schema\": 1, \"models\": [{\"name\": \"a\"}], \"x\": " + deep + std::string(deep.size(), ']') + "}");
  EXPECT_THAT(refusal(folder.path()), HasSubstr("result.json: nested more than 100 levels deep"));
}

TEST(StudyReport, EveryCutOfEveryFileIsRefusedOrReported) {
  const TemporaryFolder folder;
  write_study(folder.path());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files.push_back(entry.path());
  for (const std::filesystem::path& file : files) {
    const std::string whole = content(file);
    for (const std::size_t parts : {1, 2, 3, 5, 7}) {
      std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() * (parts - 1) / parts);
      const std::string said = refusal(folder.path());
      const bool cut_at_a_line = said.empty() && file.extension() == ".csv";
      EXPECT_TRUE(cut_at_a_line || said.find(file.filename().string()) != std::string::npos) << file << ": " << said;
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_EQ(refusal(folder.path()), "");
}

TEST(StudyReport, PredictionsOfOddLengthsAreRefused) {
  const TemporaryFolder folder;
  write_study(folder.path());
  const std::filesystem::path file = folder.path() / "one-predictive.json";
  const json whole = json::parse(content(file));
  const auto with = [&](const auto& change) {
    json changed = whole;
    change(changed);
    std::ofstream(file, std::ios::binary) << changed.dump();
    return refusal(folder.path());
  };
  EXPECT_THAT(with([](json& j) { j["series"][0]["mean"].erase(0); }), HasSubstr("'mean'"));
  EXPECT_THAT(with([](json& j) { j["series"][0]["band"].erase("q05"); }), HasSubstr("'q05'"));
  EXPECT_THAT(with([](json& j) { j["series"][0]["band"] = 3; }), HasSubstr("'band'"));
  EXPECT_THAT(with([](json& j) { j["series"][0]["values"] = "x"; }), HasSubstr("one-predictive.json"));
  EXPECT_THAT(with([](json& j) { j["series"][0]["histogram"]["edges"].erase(0); }), HasSubstr("'edges'"));
  EXPECT_THAT(with([](json& j) { j["series"][0]["replicates"][0].erase(0); }), HasSubstr("'replicates'"));
  EXPECT_THAT(with([](json& j) { j["checks"] = {1}; }), HasSubstr("one-predictive.json"));
  EXPECT_EQ(with([](json&) {}), "");
}

TEST(NumberTable, ReadsWhatIsWritten) {
  const NumberTable t = parse_numbers(numbers_csv(draws_table(made_up_model("a", 0, 1).draws)), "f.csv");
  EXPECT_EQ(t.names, (std::vector<std::string>{"weight", "log_likelihood", "log_prior", "mu", "a,\"b\""}));
  EXPECT_EQ(*t.find("weight"), (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_EQ(t.find("log_likelihood")->back(), -kInf);
  EXPECT_EQ(t.find("nothing"), nullptr);
}

TEST(NumberTable, SaysWhereItIsWrong) {
  const auto said = [](const std::string& text) {
    try {
      parse_numbers(text, "f.csv");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(said(""), HasSubstr("f.csv:1:"));
  EXPECT_THAT(said("a,b"), HasSubstr("f.csv:1:"));
  EXPECT_THAT(said("a,b\n1\n"), HasSubstr("f.csv:2: the line must have 2 cells"));
  EXPECT_THAT(said("a,b\n1,2,3\n"), HasSubstr("f.csv:2:"));
  EXPECT_THAT(said("a,b\n1,2\n3,x\n"), HasSubstr("f.csv:3: 'x' is no number"));
  EXPECT_THAT(said("a,b\n1,\n"), HasSubstr("f.csv:2: '' is no number"));
  EXPECT_THAT(said("a,b\n1,2"), HasSubstr("f.csv:2: the file ends"));
  EXPECT_THAT(said("\"a\nb\",c\n1,2\n9,\x01\n"), HasSubstr("f.csv:4:"));
  EXPECT_EQ(said("a,b\n1,nan\n-inf,1e-300\n"), "");
}

}  // namespace
}  // namespace evident::report
