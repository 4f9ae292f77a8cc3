#include "evident/study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evident/base/error.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/smc/sampler.hpp"
#include "study/kinds.hpp"
#include "study/messages.hpp"
#include "study/sampler_options.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr std::string_view kModel = "[[model]]\nname = \"a\"\nkind = \"gaussian-mixture\"\ncomponents = 2\n";

class StudyTest : public testing::Test {
 protected:
  StudyTest() { folder_.write("data.csv", "y\n1\n2.5\n-1\n4\n"); }

  Study read(const std::string& text, const Overrides& overrides = {}) const {
    return read_study(folder_.write("s.toml", "[data]\nfile = \"data.csv\"\n" + text), overrides);
  }
  // The message without the name of the temporary folder.
  std::string problem(const std::string& text, const Overrides& overrides = {}) const {
    std::string message = message_of([&] { read(text, overrides); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    return message;
  }
  std::string sampler_problem(const std::string& keys) const {
    return problem("[sampler]\n" + keys + "\n" + std::string(kModel));
  }
  SmcOptions sampler(const std::string& keys) const {
    return read("[sampler]\n" + keys + "\n" + std::string(kModel)).models[0].candidate.smc.value();
  }

  TemporaryFolder folder_;
};

TEST_F(StudyTest, IslandsReplicatesAndGoals) {
  const auto with = [&](const std::string& keys, const Overrides& overrides = {}) {
    return read("[sampler]\n" + keys + "\n" + std::string(kModel), overrides).options;
  };
  EXPECT_EQ(with("replicates = 3").islands, 0u);
  EXPECT_EQ(with("islands = 5").islands, 5u);
  EXPECT_EQ(with("islands = 0").islands, 0u);
  EXPECT_EQ(with("", {.settings = {{"replicates", 2}}}).islands, 0u);
  EXPECT_EQ(with("replicates = 3", {.settings = {{"islands", 4}}}).islands, 4u);
  EXPECT_EQ(with("method = \"ais\"").islands, 0u);
  const Goal goal = with("precision = 0.1\ndecide = 0.9\ntime = \"1.5m\"").goal;
  EXPECT_EQ(goal.precision, 0.1);
  EXPECT_EQ(goal.decide, 0.9);
  EXPECT_EQ(goal.seconds, 90);
  EXPECT_EQ(with("precision = 0.1", {.settings = {{"decide", 0.8}}}).goal.precision, 0);
  for (const char* bad : {"precision = 0", "precision = -1", "decide = 1", "time = \"soon\"", "time = \"-3s\"",
                          "replicates = 2\nislands = 3", "replicates = 2\nprecision = 0.1", "islands = 1\ndecide = 0.9",
                          "method = \"ais\"\nprecision = 0.1"})
    EXPECT_THROW(with(bad), InputError) << bad;
}

TEST_F(StudyTest, MovesOfEveryKind) {
  EXPECT_EQ(sampler("kernel = \"independent\"").kernel.kind, KernelKind::independent);
  EXPECT_EQ(sampler("kernel = \"crank-nicolson\"").kernel.kind, KernelKind::crank_nicolson);
  EXPECT_EQ(sampler("scale_rule = \"jump\"").kernel.scale_rule, ScaleRule::jump);
  EXPECT_TRUE(sampler("").kernel.until_mixed.has_value());
  EXPECT_FALSE(sampler("passes = 4").kernel.until_mixed.has_value());
  const SmcOptions chains = sampler("particles = 1000\nwaste_free = 20");
  EXPECT_EQ(chains.waste_free, 20u);
  EXPECT_FALSE(chains.kernel.until_mixed.has_value());
  EXPECT_EQ(sampler("kernel = \"hmc\"").kernel.kind, KernelKind::hmc);
  EXPECT_THAT(sampler_problem("particles = 1000\nwaste_free = 7"), HasSubstr("divide"));
}

TEST_F(StudyTest, Durations) {
  EXPECT_EQ(read_duration("90"), 90);
  EXPECT_EQ(read_duration("90s"), 90);
  EXPECT_EQ(read_duration("2h"), 7200);
  for (const char* bad : {"", "s", "0", "-1m", "3d", "1e400", "nan", "5 m"})
    EXPECT_THROW(read_duration(bad), InputError);
}

TEST_F(StudyTest, DefaultsAreThoseOfTheLibrary) {
  const Study study = read(std::string(kModel));
  ASSERT_EQ(study.models.size(), 1u);
  EXPECT_EQ(study.models[0].kind, "gaussian-mixture");
  EXPECT_EQ(study.models[0].candidate.name, "a");
  EXPECT_EQ(study.models[0].candidate.weight, 1);
  EXPECT_EQ(study.models[0].candidate.smc->particles, SmcOptions{}.particles);
  EXPECT_EQ(std::get<CessSchedule>(study.models[0].candidate.smc->schedule).target,
            std::get<CessSchedule>(frozen_defaults().schedule).target);
  EXPECT_EQ(study.options.islands, 8u);
  EXPECT_FALSE(study.options.goal.asked());
  EXPECT_EQ(study.options.replicates, 1u);
  EXPECT_EQ(study.models[0].candidate.model->parameters().size(), 6u);
}

// Formulas have gradients; above 50 coordinates trajectories take the place of Crank-Nicolson moves.
TEST_F(StudyTest, ManyCoordinatesMoveAlongTheGradientUnlessTheFileSaysOtherwise) {
  const auto kernel = [&](int coordinates, const std::string& study_keys, const std::string& model_keys,
                          const Overrides& overrides = {}) {
    const std::string text = "[sampler]\n" + study_keys + "\n[[model]]\nname = \"a\"\n[model.parameters]\n\"theta[" +
                             std::to_string(coordinates) + "]\" = \"normal(0, 1)\"\n" +
                             "[model.likelihood]\ny = \"normal(sum(theta), 1)\"\n[model.sampler]\n" + model_keys;
    const Candidate c = read(text, overrides).models[0].candidate;
    return chosen_kernel(c.smc->kernel, *c.model);
  };
  EXPECT_EQ(kernel(51, "", "").kind, KernelKind::hmc);
  EXPECT_EQ(kernel(51, "", "").grouping, Grouping::joint);
  EXPECT_EQ(kernel(51, "particles = 300", "passes = 4").kind, KernelKind::hmc);
  EXPECT_EQ(kernel(50, "", "").kind, KernelKind::crank_nicolson);
  EXPECT_EQ(kernel(51, "kernel = \"crank-nicolson\"", "").kind, KernelKind::crank_nicolson);
  EXPECT_EQ(kernel(51, "", "kernel = \"random-walk\"").kind, KernelKind::random_walk);
  EXPECT_EQ(kernel(51, "", "grouping = \"single\"").grouping, Grouping::single);
  EXPECT_EQ(kernel(51, "", "", {.settings = {{"islands", 0}}}).kind, KernelKind::random_walk);
}

TEST_F(StudyTest, EveryKeyArrives) {
  const SmcOptions smc = sampler(
      "particles = 77\nschedule = \"posterior\"\nsteps = 9\npower = 3\nresample = \"systematic\"\nresample_threshold = "
      "0.25\n"
      "kernel = \"mala\"\ngrouping = \"single\"\nscale_rule = \"band\"\nband = [0.2, 0.3]\nscale = 1.5\npasses = 4\n"
      "mix_scales = true\nown_moves = false\nnan_limit = 0.5\nmax_steps = 12");
  EXPECT_EQ(smc.particles, 77u);
  EXPECT_EQ(std::get<PosteriorSchedule>(smc.schedule).steps, 9u);
  EXPECT_EQ(std::get<PosteriorSchedule>(smc.schedule).power, 3);
  EXPECT_EQ(smc.resample, ResampleScheme::systematic);
  EXPECT_EQ(smc.resample_threshold, 0.25);
  EXPECT_EQ(smc.kernel.kind, KernelKind::mala);
  EXPECT_EQ(smc.kernel.grouping, Grouping::single);
  EXPECT_EQ(smc.kernel.scale_rule, ScaleRule::band);
  EXPECT_EQ(smc.kernel.band_low, 0.2);
  EXPECT_EQ(smc.kernel.band_high, 0.3);
  EXPECT_EQ(smc.kernel.scale, 1.5);
  EXPECT_EQ(smc.kernel.passes, 4u);
  EXPECT_TRUE(smc.kernel.mix_scales);
  EXPECT_FALSE(smc.kernel.own_moves);
  EXPECT_EQ(smc.nan_limit, 0.5);
  EXPECT_EQ(smc.max_steps, 12u);
}

TEST_F(StudyTest, SchedulesAreChosenByNameOrByTheirKey) {
  EXPECT_EQ(std::get<EssSchedule>(sampler("ess = 0.9").schedule).target, 0.9);
  EXPECT_EQ(std::get<ListSchedule>(sampler("alphas = [0, 0.5, 1]").schedule).alphas, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(std::get<LinearSchedule>(sampler("schedule = \"linear\"\nsteps = 3").schedule).steps, 3u);
  EXPECT_THAT(sampler_problem("schedule = \"linear\"\ncess = 0.9"),
              HasSubstr("s.toml:5: 'cess' in [sampler] has no effect"));
  EXPECT_THAT(sampler_problem("cess = 0.9\ness = 0.9"), HasSubstr("'ess' in [sampler] has no effect"));
  EXPECT_THAT(sampler_problem("steps = 5"), HasSubstr("'steps' in [sampler] has no effect"));
  EXPECT_THAT(sampler_problem("schedule = \"linear\"\npower = 5"), HasSubstr("'power' in [sampler] has no effect"));
  EXPECT_THAT(sampler_problem("alphas = [0.5, 0.4, 1]"),
              EndsWith("'alphas' in [sampler] must increase, but 0.4 follows 0.5"));
  EXPECT_THAT(sampler_problem("alphas = [0.5]"), EndsWith("must end at 1"));
  EXPECT_THAT(sampler_problem("schedule = \"list\""), HasSubstr("needs the values"));
}

TEST_F(StudyTest, RangesAreChecked) {
  EXPECT_EQ(sampler_problem("particles = 0"),
            "s.toml:4: 'particles' in [sampler] must be between 2 and 100000000, was 0");
  EXPECT_EQ(sampler_problem("cess = 1"), "s.toml:4: 'cess' in [sampler] must be above 0 and below 1, was 1");
  EXPECT_EQ(sampler_problem("partciles = 9"),
            "s.toml:4: unknown key 'partciles' in [sampler]; did you mean 'particles'?");
  EXPECT_THAT(sampler_problem("particles = 9999999999999"), HasSubstr("between 2 and 100000000"));
  EXPECT_THAT(sampler_problem("threads = -1"), HasSubstr("between 0 and 1024"));
  EXPECT_THAT(sampler_problem("replicates = 0"), HasSubstr("between 1 and"));
  EXPECT_THAT(sampler_problem("seed = -4"), HasSubstr("'seed' in [sampler] must be between 0"));
  EXPECT_THAT(sampler_problem("scale_rule = \"band\"\nband = [0.5, 0.2]"), HasSubstr("low then high"));
  EXPECT_THAT(sampler_problem("scale_rule = \"adaptive\"\nband = [0.2, 0.5]"), HasSubstr("has no effect"));
  EXPECT_THAT(sampler_problem("resample = \"stratifed\""), HasSubstr("did you mean 'stratified'?"));
  EXPECT_THAT(sampler_problem("resample_threshold = 1.5"), HasSubstr("between 0 and 1"));
}

TEST_F(StudyTest, ModelsHaveTheirOwnSampler) {
  const Study study = read("[sampler]\nparticles = 50\nschedule = \"linear\"\nsteps = 7\n" + std::string(kModel) +
                           "[model.sampler]\nsteps = 9\n[[model]]\nname = \"b\"\nkind = \"gaussian-mixture\"\n"
                           "components = 1\n[model.sampler]\ncess = 0.9\n");
  EXPECT_EQ(study.models[0].candidate.smc->particles, 50u);
  EXPECT_EQ(std::get<LinearSchedule>(study.models[0].candidate.smc->schedule).steps, 9u);
  EXPECT_EQ(std::get<CessSchedule>(study.models[1].candidate.smc->schedule).target, 0.9);
  EXPECT_THAT(problem(std::string(kModel) + "[model.sampler]\nseed = 9\n"), HasSubstr("put it in [sampler]"));
  EXPECT_THAT(problem(std::string(kModel) + "[model.sampler]\nces = 0.9\n"), HasSubstr("did you mean 'cess'?"));
}

TEST_F(StudyTest, TheCommandLineHasTheLastWord) {
  const Study study =
      read(std::string(kModel) + "[model.sampler]\nparticles = 50\ncess = 0.9\n",
           {.settings = {{"particles", 60}, {"cess", 0.95}, {"seed", 5}, {"threads", 3}, {"replicates", 2}}});
  EXPECT_EQ(study.models[0].candidate.smc->particles, 60u);
  EXPECT_EQ(std::get<CessSchedule>(study.models[0].candidate.smc->schedule).target, 0.95);
  EXPECT_EQ(study.options.seed, 5u);
  EXPECT_EQ(study.options.threads, 3u);
  EXPECT_EQ(study.options.replicates, 2u);
}

TEST_F(StudyTest, ModelsCanBeChosen) {
  const std::string two =
      std::string(kModel) + "[[model]]\nname = \"bee\"\nkind = \"gaussian-mixture\"\ncomponents = 1\n";
  Overrides only;
  only.models = {"bee"};
  const Study study = read(two, only);
  ASSERT_EQ(study.models.size(), 1u);
  EXPECT_EQ(study.models[0].candidate.name, "bee");
  only.models = {"be"};
  EXPECT_THAT(problem(two, only), HasSubstr("did you mean 'bee'?"));
}

TEST_F(StudyTest, ModelTablesAreChecked) {
  EXPECT_EQ(problem(""), "s.toml: has no models; add at least one [[model]] table");
  EXPECT_THAT(problem(std::string(kModel) + std::string(kModel)),
              HasSubstr("s.toml:8: 'name' in [[model]] \"a\" is used twice"));
  EXPECT_THAT(problem("[[model]]\nname = \"\"\nkind = \"gaussian-mixture\"\n"),
              HasSubstr("'name' in [[model]] must not be empty"));
  EXPECT_THAT(problem("[[model]]\nname = \"a\\nb\"\nkind = \"gaussian-mixture\"\n"), HasSubstr("control characters"));
  EXPECT_THAT(problem("[[model]]\nname = \"a\"\n"), HasSubstr("s.toml:3: [[model]] has no kind"));
  EXPECT_THAT(problem("[[model]]\nname = \"a\"\nkind = \"gausian-mixture\"\n"),
              HasSubstr("did you mean 'gaussian-mixture'?"));
  EXPECT_THAT(problem(std::string(kModel) + "weight = -1\n"),
              HasSubstr("s.toml:7: 'weight' in [[model]] must be at least 0, was -1"));
  EXPECT_EQ(problem(std::string(kModel) + "weight = 0\n"), "s.toml: the weights of all models are 0");
  EXPECT_THAT(problem(std::string(kModel) + "lables = \"free\"\n"), HasSubstr("did you mean 'labels'?"));
  EXPECT_THAT(problem("[[model]]\nname = \"a\"\nkind = \"gaussian-mixture\"\n"), HasSubstr("needs components"));
  EXPECT_THAT(problem(std::string(kModel) + "column = \"z\"\n"), HasSubstr("data.csv: has no column 'z'"));
  EXPECT_THAT(problem("[[modle]]\nname = \"a\"\n"), HasSubstr("s.toml:3: unknown key 'modle'; did you mean 'model'?"));
  EXPECT_THAT(problem("colum = 1\n"), HasSubstr("unknown key 'colum' in [data]; did you mean 'column'?"));
}

TEST_F(StudyTest, AModelsOwnComplaintGetsAPlace) {
  folder_.write("data.csv", "y\n1\n1\n");
  EXPECT_THAT(problem(std::string(kModel)), testing::StartsWith("s.toml:3: model 'a': "));
}

TEST_F(StudyTest, ManualScalesAndGradientsNeedAKindThatHasThem) {
  EXPECT_TRUE(sampler("scale_rule = \"manual\"").kernel.manual);
  EXPECT_DOUBLE_EQ(sampler("scale_rule = \"manual\"").kernel.manual(0, 1.0), 0.15);
}

TEST_F(StudyTest, DataErrorsPointAtTheKey) {
  const std::string file = folder_.write("t.toml", "[data]\nfile = \"nope.csv\"\n" + std::string(kModel));
  EXPECT_THAT(message_of([&] { read_study(file); }), HasSubstr("t.toml:2: 'file' in [data] names"));
  const std::string none = folder_.write("u.toml", std::string(kModel));
  EXPECT_THAT(message_of([&] { read_study(none); }), HasSubstr("[data] names no file"));
  const std::string key = folder_.write("v.toml", "[data]\nfiel = \"data.csv\"\n" + std::string(kModel));
  EXPECT_THAT(message_of([&] { read_study(key); }), HasSubstr("did you mean 'file'?"));
  const std::string split =
      folder_.write("w.toml", "[data]\nfile = \"data.csv\"\ndelimiter = \"ab\"\n" + std::string(kModel));
  EXPECT_THAT(message_of([&] { read_study(split); }), HasSubstr("'delimiter' in [data] must be one of"));
}

TEST(Kinds, FieldsAreNamedOnceAndExplained) {
  for (const Kind* kind : kinds()) {
    std::vector<std::string_view> names;
    for (const Field& field : kind->fields) {
      EXPECT_FALSE(field.meaning.empty()) << field.name;
      EXPECT_FALSE(field.type.empty()) << field.name;
      EXPECT_EQ(std::ranges::count(names, field.name), 0) << field.name;
      names.push_back(field.name);
    }
    EXPECT_EQ(find_kind(kind->name), kind);
  }
  EXPECT_EQ(find_kind("no such kind"), nullptr);
}

}  // namespace
}  // namespace evident::study
