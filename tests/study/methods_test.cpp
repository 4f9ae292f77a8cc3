// Methods and families in study files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/study/study.hpp"
#include "study/messages.hpp"
#include "study/sampler_options.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kOne = "[[model]]\nname = \"a\"\nkind = \"gaussian-mixture\"\ncomponents = 1\n";
constexpr std::string_view kTwo = "[[model]]\nname = \"b\"\nkind = \"gaussian-mixture\"\ncomponents = 2\n";

class MethodStudy : public testing::Test {
 protected:
  MethodStudy() { folder_.write("data.csv", "y,x,z,w\n1,0,1,2\n2.5,1,0,1\n-1,-2,0.5,0\n4,2,3,1\n0,1,1,1.5\n"); }
  Study read(const std::string& text, const Overrides& overrides = {}) const {
    return read_study(folder_.write("s.toml", "[data]\nfile = \"data.csv\"\n" + text), overrides);
  }
  std::string problem(const std::string& text, const Overrides& overrides = {}) const {
    std::string message = message_of([&] { read(text, overrides); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
    return message;
  }
  static std::string models() { return std::string(kOne) + std::string(kTwo); }
  std::string sampler_problem(const std::string& keys) const { return problem("[sampler]\n" + keys + "\n" + models()); }
  CompareOptions options(const std::string& keys) const { return read("[sampler]\n" + keys + "\n" + models()).options; }

  TemporaryFolder folder_;
};

TEST_F(MethodStudy, MethodIsReadAndOverridden) {
  EXPECT_EQ(read(models()).options.method, Method::direct);
  EXPECT_EQ(options("method = \"bic\"").method, Method::bic);
  const Overrides other{.settings = {{"method", "ais"}}};
  EXPECT_EQ(read("[sampler]\nmethod = \"bic\"\n" + models(), other).options.method, Method::ais);
  EXPECT_EQ(sampler_problem("method = \"rjmcmcm\""),
            "s.toml:4: 'method' in [sampler] has no choice \"rjmcmcm\"; did you mean 'rjmcmc'?");
}

TEST_F(MethodStudy, KeysOfChainsArrive) {
  const CompareOptions ladder = options(
      "method = \"population-mcmc\"\nchains = 12\nburn_in = 30\niterations = 40\nladders = 3\nupdate = \"serial\"\n"
      "ladder = \"posterior\"\npower = 3\nadaptive_ladder = true\npasses = 2");
  EXPECT_EQ(ladder.population_mcmc.chains, 12u);
  EXPECT_EQ(ladder.population_mcmc.burn_in, 30u);
  EXPECT_EQ(ladder.population_mcmc.iterations, 40u);
  EXPECT_EQ(ladder.population_mcmc.ladders, 3u);
  EXPECT_EQ(ladder.population_mcmc.update, ChainUpdate::serial);
  EXPECT_EQ(std::get<PosteriorSchedule>(ladder.population_mcmc.ladder).power, 3);
  EXPECT_TRUE(ladder.population_mcmc.adaptive_ladder);
  EXPECT_EQ(ladder.smc->kernel.passes, 2u);
  const CompareOptions jumps =
      options("method = \"rjmcmc\"\nchains = 3\nburn_in = 200\niterations = 50\nthin = 5\njump_passes = 2");
  EXPECT_EQ(jumps.rjmcmc.chains, 3u);
  EXPECT_EQ(jumps.rjmcmc.burn_in, 200u);
  EXPECT_EQ(jumps.rjmcmc.iterations, 50u);
  EXPECT_EQ(jumps.rjmcmc.thin, 5u);
  EXPECT_EQ(jumps.jump_passes, 2u);
  EXPECT_EQ(options("method = \"harmonic-mean\"\nchains = 9").posterior_chain.chains, 9u);
  const CompareOptions gibbs = options("method = \"chib\"\nburn_in = 7\niterations = 77");
  EXPECT_EQ(gibbs.chib.burn_in, 7u);
  EXPECT_EQ(gibbs.chib.draws, 77u);
}

TEST_F(MethodStudy, KeysWithoutEffectAreErrors) {
  EXPECT_EQ(sampler_problem("chains = 4"),
            "s.toml:4: 'chains' in [sampler] has no effect with method \"direct\"; it belongs to population-mcmc, "
            "rjmcmc, harmonic-mean");
  EXPECT_THAT(sampler_problem("method = \"rjmcmc\"\nparticles = 100"),
              HasSubstr("s.toml:5: 'particles' in [sampler] has no effect"));
  EXPECT_THAT(sampler_problem("method = \"bic\"\npasses = 4"), HasSubstr("has no effect with method \"bic\""));
  EXPECT_THAT(sampler_problem("method = \"ais\"\nresample = \"residual\""), HasSubstr("has no effect"));
  EXPECT_THAT(sampler_problem("method = \"ais\"\nresample_threshold = 0.5"),
              HasSubstr("must be 0 with method \"ais\""));
  EXPECT_EQ(options("method = \"ais\"\nresample_threshold = 0").smc->resample_threshold, 0);
  EXPECT_THAT(sampler_problem("method = \"data-tempering\"\nown_moves = true"), HasSubstr("has no effect"));
  EXPECT_THAT(sampler_problem("method = \"population-mcmc\"\nladder = \"linear\"\npower = 2"),
              HasSubstr("'power' in [sampler] has no effect with ladder \"linear\""));
  EXPECT_THAT(sampler_problem("method = \"harmonic-mean\"\niterations = 3000000"),
              HasSubstr("times chains must not be"));
  EXPECT_THAT(sampler_problem("method = \"rjmcmc\"\nburn_in = 10"), HasSubstr("must be between 100 and"));
  EXPECT_THAT(problem("[sampler]\nmethod = \"population-mcmc\"\n" + models() + "[model.sampler]\npower = 2\n"),
              HasSubstr("is for the whole study"));
  EXPECT_THAT(problem("[sampler]\nmethod = \"population-mcmc\"\n" + models() + "[model.sampler]\ncess = 0.9\n"),
              HasSubstr("has no effect"));
}

TEST_F(MethodStudy, TheCommandLineMayChooseAMethodThatPassesOverKeys) {
  const std::string file = "[sampler]\nparticles = 50\nschedule = \"prior\"\npower = 3\n" + models();
  const Setting ladder{"method", "population-mcmc"}, gibbs{"method", "chib"};
  const Study study = read(file, {.settings = {ladder}});
  EXPECT_EQ(std::get<PowerSchedule>(study.options.population_mcmc.ladder).power, PowerSchedule{}.power)
      << "the power is that of the schedule";
  EXPECT_THAT(problem(file, {.settings = {ladder, {"particles", 10}}}),
              StartsWith("option particles has no effect with method \"population-mcmc\"; it belongs to direct,"));
  EXPECT_THAT(problem(file, {.settings = {gibbs, {"cess", 0.9}}}),
              StartsWith("option cess has no effect with method \"chib\""));
}

TEST_F(MethodStudy, ListedModelsBecomeAFamily) {
  const Study study =
      read("[sampler]\nmethod = \"all-in-one\"\n" + std::string(kTwo) + "weight = 3\n" + std::string(kOne));
  ASSERT_TRUE(study.family);
  ASSERT_EQ(study.family->listed.size(), 2u);
  EXPECT_EQ(study.family->listed[0], (std::pair<ModelIndex, std::string>(2, "b")));
  EXPECT_NEAR(study.family->family->prior().log_probability(2), std::log(0.75), 1e-12);
  EXPECT_EQ(study.family->family->model(2).parameters().size(), 6u);
  EXPECT_EQ(study.family_kind, "gaussian-mixture");
  EXPECT_FALSE(read(models()).family);
}

TEST_F(MethodStudy, ListedRegressionsBecomeAFamily) {
  const std::string r = "kind = \"linear-regression\"\n";
  const Study study = read("[sampler]\nmethod = \"rjmcmc\"\n[[model]]\nname = \"none\"\n" + r +
                           "[[model]]\nname = \"z\"\ncovariates = \"z\"\n" + r +
                           "[[model]]\nname = \"both\"\ncovariates = [\"x\", \"z\"]\n" + r);
  ASSERT_EQ(study.family->listed.size(), 3u);
  EXPECT_EQ(study.family->listed[0].first, 0u);
  EXPECT_EQ(study.family->listed[2].first, 3u);
  EXPECT_EQ(study.family->family->name(study.family->listed[1].first), "z");
  // The same model on its own and as one of the family.
  const Model &alone = *study.models[2].candidate.model, &one = study.family->family->model(3);
  EXPECT_EQ(alone.parameters().size(), one.parameters().size());
}

TEST_F(MethodStudy, ListsThatAreNoFamilyAreRefused) {
  const std::string smc1 = "[sampler]\nmethod = \"all-in-one\"\n";
  EXPECT_EQ(problem(smc1 + "[[model]]\nname = \"g\"\nkind = \"goodwin\"\ncomponents = 3\n"),
            "s.toml:5: method all-in-one needs moves between the models; kind \"goodwin\" has none; use direct");
  EXPECT_THAT(problem(smc1 + models() + "[[model]]\nname = \"r\"\nkind = \"linear-regression\"\n"),
              HasSubstr("'kind' in [[model]] must be that of 'a'"));
  EXPECT_THAT(problem(smc1 + models() + "labels = \"ordered\"\n"),
              HasSubstr("s.toml:13: 'labels' in [[model]] must be the same for 'a' and 'b'"));
  EXPECT_THAT(problem(smc1 + std::string(kOne) + "mu_sd = 2\n" + std::string(kTwo) + "mu_sd = 3\n"),
              HasSubstr("'mu_sd' in [[model]] must be the same"));
  EXPECT_NO_THROW(read(smc1 + std::string(kOne) + "mu_sd = 2\n" + std::string(kTwo) + "mu_sd = 2\n"));
  EXPECT_THAT(problem(smc1 + models() + "[[model]]\nname = \"c\"\nkind = \"gaussian-mixture\"\ncomponents = 1\n"),
              HasSubstr("models 'a' and 'c' are the same model"));
  EXPECT_THAT(problem(smc1 + models() + "weight = 0\n"), HasSubstr("'weight' in [[model]] must be above 0"));
  EXPECT_THAT(problem(smc1 + models() + "[model.sampler]\npasses = 2\n"), HasSubstr("[model.sampler] has no effect"));
  EXPECT_THAT(problem("[sampler]\nmethod = \"all-in-one\"\nscale_rule = \"manual\"\n" + models()),
              HasSubstr("is for one model at a time"));
  EXPECT_THAT(problem("[sampler]\nmethod = \"relative\"\n" + std::string(kOne)), HasSubstr("at least two"));
}

TEST_F(MethodStudy, AFamilyTableNeedsNoList) {
  const std::string sampler = "[sampler]\nmethod = \"all-in-one\"\n", kind = "[family]\nkind = \"gaussian-mixture\"\n";
  const Study limited = read(sampler + kind + "components = \"uniform(2, 5)\"\nlabels = \"ordered\"\n");
  ASSERT_EQ(limited.family->listed.size(), 4u);
  EXPECT_EQ(limited.family->listed[0].second, "2 components");
  EXPECT_TRUE(limited.models.empty());
  const Study unlimited = read(sampler + kind + "components = \"poisson(mean=3)\"\n");
  EXPECT_TRUE(unlimited.family->listed.empty());
  EXPECT_TRUE(unlimited.family->family->prior().has(50));

  const Study subsets = read(sampler + "[family]\nkind = \"linear-regression\"\ninclusion = 0.25\n");
  EXPECT_NEAR(subsets.family->family->prior().log_probability(0), 3 * std::log(0.75), 1e-12) << "three covariates";
  EXPECT_EQ(subsets.family->family->name(5), "x + w");
}

TEST_F(MethodStudy, BadFamilyTablesAreRefused) {
  const std::string sampler = "[sampler]\nmethod = \"all-in-one\"\n", kind = "[family]\nkind = \"gaussian-mixture\"\n";
  EXPECT_THAT(problem(kind + "components = \"uniform(1, 4)\"\n"),
              HasSubstr("s.toml:3: [family] needs a method that moves"));
  EXPECT_THAT(problem(sampler + kind), HasSubstr("needs components, for example"));
  EXPECT_THAT(problem(sampler + kind + "components = 4\n"), HasSubstr("'components' in [family] must be a text"));
  EXPECT_THAT(problem(sampler + kind + "components = \"binomial(3)\"\n"),
              HasSubstr("s.toml:7: 'components' in [family]"));
  EXPECT_THAT(problem(sampler + kind + "componets = \"uniform(1, 4)\"\n"), HasSubstr("did you mean 'components'?"));
  EXPECT_THAT(problem(sampler + kind + "components = \"uniform(1, 4)\"\n" + models()), HasSubstr("not both"));
  EXPECT_THAT(problem(sampler + "[family]\ncomponents = \"uniform(1, 4)\"\n"), HasSubstr("[family] has no kind"));
  EXPECT_THAT(problem(sampler + "[family]\nkind = \"pet-compartments\"\n"), HasSubstr("has none; use direct"));
  EXPECT_THAT(problem(sampler + "[family]\nkind = \"linear-regression\"\ninclusion = 1\n"),
              HasSubstr("'inclusion' in [family] must be above 0 and below 1"));
  EXPECT_THAT(problem("[sampler]\nmethod = \"relative\"\n" + kind + "components = \"poisson(2)\"\n"),
              HasSubstr("needs a list of at least two"));
  Overrides one;
  one.models = {"a"};
  EXPECT_THAT(problem(sampler + kind + "components = \"uniform(1, 4)\"\n", one),
              HasSubstr("no list of models to choose from"));
}

TEST_F(MethodStudy, MethodsThatAskMoreOfAModelSaySo) {
  folder_.write("series.csv", "time,x1\n1,1\n2,1.5\n3,1\n");
  const std::string goodwin = "[[model]]\nname = \"g\"\nkind = \"goodwin\"\ncomponents = 3\n";
  for (const char* method : {"chib", "data-tempering"}) {
    const std::string text =
        "[data]\nfile = \"series.csv\"\n[sampler]\nmethod = \"" + std::string(method) + "\"\n" + goodwin;
    EXPECT_THAT(message_of([&] { read_study(folder_.write("t.toml", text)); }),
                HasSubstr("model 'g': method " + std::string(method) + " needs "));
  }
  EXPECT_NO_THROW(options("method = \"chib\""));
  EXPECT_NO_THROW(options("method = \"data-tempering\""));
}

TEST_F(MethodStudy, RegressionsReadTheirFields) {
  const std::string head = "[[model]]\nname = \"r\"\nkind = \"linear-regression\"\n";
  const auto names = [&](const std::string& fields) {
    return read(head + fields).models[0].candidate.model->parameters().names();
  };
  EXPECT_THAT(names(""), testing::ElementsAre("precision", "intercept"));
  EXPECT_THAT(names("covariates = [\"w\", \"x\"]\n"),
              testing::ElementsAre("precision", "intercept", "beta[w]", "beta[x]"));
  EXPECT_THAT(names("response = \"z\"\ncovariates = \"y\"\nstandardise = false\ncoefficient_scale = 2\n"),
              testing::ElementsAre("precision", "intercept", "beta[y]"));
  EXPECT_THAT(problem(head + "covariates = [\"y\"]\n"), HasSubstr("names the response 'y' itself"));
  EXPECT_THAT(problem(head + "covariates = [\"v\"]\n"), HasSubstr("data.csv: has no column 'v'"));
  EXPECT_THAT(problem(head + "covariates = [\"x\", \"x\"]\n"), HasSubstr("model 'r': "));
  EXPECT_THAT(problem(head + "precision_rate = 0\n"), HasSubstr("must be above 0"));
}

}  // namespace
}  // namespace evident::study
