// Models from shared libraries: what they compute, and what becomes of those that misbehave.
#include "external/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/error.hpp"
#include "evident/study/study.hpp"
#include "support/temporary_folder.hpp"

#ifdef __SANITIZE_ADDRESS__
// Up to GCC 13 the sanitizer takes a thread_local of a loaded library that happens to lie 16 bytes behind the start of
// a page (one in 64 does) for one of an old glibc, reads its size from what is not its header, and its search for leaks
// crashes: https://github.com/google/sanitizers/issues/1322. Without that guess all else is looked at as before.
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }
#endif

namespace evident::external {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<double> kY = {1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0};

std::string plugin(const std::string& name) { return std::string(EVIDENT_PLUGIN_FOLDER) + "/plugin_" + name + ".so"; }

std::shared_ptr<const Model> load(const std::string& mode = "", const std::string& name = "normal") {
  LibraryOptions options{.file = plugin(name), .columns = {{"y", kY}}};
  if (!mode.empty()) options.options.push_back({"mode", mode});
  return load_library(options);
}

template <class Error, class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

std::vector<double> likelihoods(const Model& model, std::size_t n) {
  BlockStorage theta(2, n);
  for (std::size_t i = 0; i < n; ++i) {
    theta(0, i) = 0.1 * static_cast<double>(i);
    theta(1, i) = 1 + 0.5 * static_cast<double>(i);
  }
  AlignedVector<double> out(n);
  model.log_likelihood(theta, out);
  return {out.begin(), out.end()};
}

TEST(Library, TellsItsParametersAndLikelihood) {
  const auto model = load();
  EXPECT_THAT(model->parameters().names(), ElementsAre("m", "lambda"));
  EXPECT_THAT(model->parameters().prior_text(1), HasSubstr("shape=1"));
  for (const std::size_t n : {1u, 5u, 64u, 67u}) {
    const std::vector<double> out = likelihoods(*model, n);
    for (std::size_t i = 0; i < n; ++i) {
      const double m = 0.1 * static_cast<double>(i), lambda = 1 + 0.5 * static_cast<double>(i);
      double wanted = 0;
      for (const double y : kY)
        wanted += -0.5 * std::log(2 * M_PI / lambda) - 0.5 * std::pow(y * std::sqrt(lambda) - m, 2);
      EXPECT_NEAR(out[i], wanted, 1e-11 * std::abs(wanted));
    }
  }
}

TEST(Library, NamesOfTheStudyComeFirst) {
  ParameterSpace space;
  space.add("a", normal(0, 1)).add("b", half_normal(1));
  const auto model = load_library({.file = plugin("normal"), .parameters = space, .columns = {{"y", kY}}});
  EXPECT_THAT(model->parameters().names(), ElementsAre("a", "b"));
}

TEST(Library, GradientAndPredictions) {
  const auto model = load();
  ASSERT_TRUE(model->has_gradient());
  BlockStorage theta(2, 3), d_prior(2, 3), d(2, 3);
  for (std::size_t i = 0; i < 3; ++i) theta(0, i) = 0.3, theta(1, i) = 0.7 + static_cast<double>(i);
  model->gradient(theta, d_prior, d);
  BlockStorage near = theta;
  const double h = 1e-6;
  for (std::size_t i = 0; i < 3; ++i) near(1, i) += h;
  AlignedVector<double> here(3), there(3);
  model->log_likelihood(theta, here);
  model->log_likelihood(near, there);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(d(1, i), (there[i] - here[i]) / h, 1e-4);

  ASSERT_EQ(model->observed().size(), 1u);
  EXPECT_EQ(model->observed()[0].values, kY);
  EXPECT_EQ(model->observation_count(), kY.size());
  BlockStorage draws(kY.size(), 3), again(kY.size(), 3), mean(kY.size(), 3);
  model->draw_observations(theta, Streams({.seed = 4}), 0, draws);
  model->draw_observations(theta, Streams({.seed = 4}), 0, again);
  model->predict(theta, mean);
  EXPECT_EQ(draws(2, 1), again(2, 1));
  EXPECT_NE(draws(2, 1), draws(2, 2));
  EXPECT_DOUBLE_EQ(mean(7, 0), 0.3 / std::sqrt(0.7));
}

TEST(Library, RefusesWhatCannotBeLoaded) {
  const auto refused = [](const std::string& name, const std::string& mode = "") {
    return message<InputError>([&] { load(mode, name); });
  };
  EXPECT_THAT(refused("nowhere"), HasSubstr("cannot be loaded"));
  EXPECT_THAT(refused("wrong_abi"), HasSubstr("built for version 99 of the interface, and this program has version 1"));
  EXPECT_THAT(refused("no_likelihood"), HasSubstr("has no function evident_model_log_likelihood"));
  EXPECT_THAT(refused("normal", "null"), HasSubstr("made no model: no model today"));
  EXPECT_THAT(refused("no_error", "null"), HasSubstr("the library gave no reason"));
  EXPECT_THAT(refused("normal", "throw early"), HasSubstr("threw an exception while it made the model: thrown early"));
  EXPECT_THAT(refused("normal", "no parameters"), HasSubstr("tells 0 parameters"));
  EXPECT_THAT(refused("normal", "nameless"), HasSubstr("gives parameter 1 no name"));
  EXPECT_THAT(refused("normal", "bad prior"), HasSubstr("did you mean 'gamma'"));
  EXPECT_THAT(refused("normal", "many tables"), HasSubstr("tables of observations; 0 to 100"));
  const TemporaryFolder folder;
  const std::string text = folder.write("text.so", "no library at all");
  EXPECT_THAT(message<InputError>([&] { load_library({.file = text}); }), HasSubstr("cannot be loaded"));
}

TEST(Library, ReportsWhatGoesWrongLater) {
  const auto failed = [](const std::string& mode) { return message<RunError>([&] { likelihoods(*load(mode), 3); }); };
  EXPECT_THAT(failed("fail"), HasSubstr("plugin_normal.so failed in evident_model_log_likelihood: a bad day"));
  EXPECT_THAT(failed("throw"), HasSubstr("threw an exception in evident_model_log_likelihood: thrown late"));
  EXPECT_THAT(failed("throw int"), HasSubstr("threw an exception in evident_model_log_likelihood"));
  const std::vector<double> half = likelihoods(*load("half"), 4);
  EXPECT_TRUE(std::isfinite(half[0]) && std::isnan(half[1]) && std::isfinite(half[2]) && std::isnan(half[3]));
  EXPECT_TRUE(std::isnan(likelihoods(*load("infinite"), 1)[0]));
}

TEST(LibraryDeathTest, OneThatCallsExitIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto model = load("exit");
  EXPECT_EXIT(
      likelihoods(*model, 1), testing::ExitedWithCode(1),
      "evident: the library plugin_normal.so ended the program in evident_model_log_likelihood: it called exit");
  EXPECT_EXIT(load("exit early"), testing::ExitedWithCode(1), "while it made the model");
}

/// The same model by evident itself gives the evidence; the two estimates share no code of the likelihood.
TEST(Library, EvidenceIsThatOfTheSameModelBuiltIn) {
  const TemporaryFolder folder;
  std::string data = "y\n";
  for (const double y : kY) data += std::to_string(y) + "\n";
  folder.write("data.csv", data);
  const std::string own = folder.write("own.toml",
                                       "[data]\nfile = \"data.csv\"\n[[model]]\nname = \"own\"\nkind = \"library\"\n"
                                       "library = \"" +
                                           plugin("normal") +
                                           "\"\n[model.parameters]\nm = \"normal(0, 10)\"\nlambda = \"gamma(shape=1, "
                                           "rate=1)\"\n[[model]]\nname = \"built in\"\nkind = \"linear-regression\"\n");
  const Comparison c = study::run(study::read_study(own, {.code = {.allowed = true}}));
  const double exact = [] {  // normal-gamma: t distribution of y with V = I + 100 * ones
    const auto n = static_cast<double>(kY.size());
    double sum = 0, squares = 0;
    for (const double y : kY) sum += y, squares += y * y;
    const double q = squares - 100 * sum * sum / (1 + 100 * n);
    return std::lgamma(1 + n / 2) - n / 2 * std::log(2 * M_PI) - 0.5 * std::log(1 + 100 * n) -
           (1 + n / 2) * std::log(1 + q / 2);
  }();
  for (const ModelResult& m : c.models) {
    EXPECT_LT(m.log_evidence.standard_error, 0.05) << m.name;
    EXPECT_NEAR(m.log_evidence.value, exact, 3 * m.log_evidence.standard_error) << m.name;
  }
}

TEST(Library, NeedsPermission) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.toml", "[[model]]\nname = \"own\"\nkind = \"library\"\nlibrary = \"" + plugin("normal") + "\"\n");
  EXPECT_THAT(message<InputError>([&] { study::read_study(file); }),
              HasSubstr("s.toml:4: 'library' in [[model]] runs code that is not evident's own"));
}

}  // namespace
}  // namespace evident::external
