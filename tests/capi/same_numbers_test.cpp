// The C interface gives the numbers of the C++ one, to the last bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "evident/compare/compare.hpp"
#include "evident/evident.h"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

double log_density(double mu, double tau) {
  double sum = 0;
  for (const double y : {1.5, -0.5, 2.25, 3.0}) sum += 0.5 * (std::log(tau) - kLog2Pi - tau * (y - mu) * (y - mu));
  return sum;
}

double callback(void* /*user*/, const double* theta) { return log_density(theta[0], theta[1]); }

/// A study with one model, as C makes it.
class CStudy {
 public:
  CStudy() : handle_(evident_study_new()) {}
  ~CStudy() {
    evident_result_free(result_);
    evident_study_free(handle_);
  }
  CStudy(const CStudy&) = delete;
  CStudy& operator=(const CStudy&) = delete;

  void set(const char* key, const char* value) {
    ASSERT_EQ(evident_study_set(handle_, key, value), EVIDENT_OK) << error();
  }
  void add(double (*function)(void*, const double*)) {
    const evident_parameter parameters[] = {{"mu", "normal(0, 10)"}, {"tau", "gamma(shape=2, rate=1)"}};
    evident_functions f{};
    f.size = sizeof f;
    f.log_likelihood = function;
    ASSERT_EQ(evident_study_add_model(handle_, "m", 1, parameters, 2, &f), EVIDENT_OK) << error();
  }
  int run() { return evident_study_run(handle_, &result_); }
  std::string error() const { return evident_study_error(handle_); }
  evident_result* result() const { return result_; }

 private:
  evident_study* handle_;
  evident_result* result_ = nullptr;
};

Comparison in_cpp(CompareOptions options) {
  ParameterSpace space;
  space.add("mu", normal(0, 10)).add("tau", parse_distribution("gamma(shape=2, rate=1)"));
  const auto model = lift(space, [](std::span<const double> theta) { return log_density(theta[0], theta[1]); });
  return compare({{.name = "m", .weight = 1, .model = model, .smc = {}}}, options);
}

void expect_same(const CStudy& study, const ModelResult& wanted) {
  evident_estimate z{};
  ASSERT_EQ(evident_result_log_evidence(study.result(), 0, &z), EVIDENT_OK);
  EXPECT_EQ(z.value, wanted.log_evidence.value);
  EXPECT_EQ(z.standard_error, wanted.log_evidence.standard_error);
  const std::size_t n = wanted.draws.weights.size();
  ASSERT_EQ(evident_result_draw_count(study.result(), 0), n);
  std::vector<double> values(2 * n), weights(n);
  ASSERT_EQ(evident_result_draws(study.result(), 0, values.data(), 2 * n, weights.data(), n), EVIDENT_OK);
  EXPECT_EQ(weights, wanted.draws.weights);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(values[i], wanted.draws.values(0, i));
    EXPECT_EQ(values[n + i], wanted.draws.values(1, i));
  }
}

TEST(CInterface, IslandsGiveTheNumbersOfCpp) {
  CStudy study;
  study.set("seed", "5");
  study.set("particles", "200");
  study.set("islands", "4");
  study.set("threads", "2");
  study.add(callback);
  ASSERT_EQ(study.run(), EVIDENT_OK) << study.error();
  CompareOptions options{.smc = frozen_defaults(), .seed = 5, .threads = 1, .islands = 4};
  options.smc->particles = 200;
  expect_same(study, in_cpp(options).models[0]);
}

TEST(CInterface, AdaptiveRunsGiveTheNumbersOfCpp) {
  CStudy study;
  study.set("seed", "6");
  study.set("particles", "200");
  study.set("replicates", "2");
  study.set("cess", "0.9");
  study.add(callback);
  ASSERT_EQ(study.run(), EVIDENT_OK) << study.error();
  CompareOptions options = default_options(Method::direct, Recipe::adaptive);
  options.seed = 6;
  options.threads = 1;
  options.replicates = 2;
  options.smc->particles = 200;
  options.smc->schedule = CessSchedule{0.9};
  expect_same(study, in_cpp(options).models[0]);
}

TEST(CInterface, AnExceptionOfACallbackEndsTheRunAndNoMore) {
  CStudy study;
  study.set("particles", "100");
  study.add([](void*, const double*) -> double { throw std::runtime_error("no more"); });
  EXPECT_EQ(study.run(), EVIDENT_RUN_ERROR);
  EXPECT_THAT(study.error(), HasSubstr("log_likelihood threw an exception: no more"));
}

}  // namespace
}  // namespace evident
