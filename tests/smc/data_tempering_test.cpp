#include "smc/data_tempering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"
#include "problems/problems.hpp"

namespace evident {
namespace {

struct Summary {
  double mean = 0, error = 0;
};

template <class F>
Summary over_seeds(std::uint32_t seeds, const F& log_evidence) {
  std::vector<double> x(seeds);
  Executor(2).for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    x[r] = log_evidence(Context{Streams({.seed = 2002, .replicate = static_cast<std::uint32_t>(r)}), alone});
  });
  Summary s;
  for (const double v : x) s.mean += v / seeds;
  for (const double v : x) s.error += (v - s.mean) * (v - s.mean);
  s.error = std::sqrt(s.error / (seeds - 1) / seeds);
  return s;
}

TEST(DataTempering, PredictivesAddUpToTheExactEvidence) {
  for (const auto& problem : {problems::conjugate_normal(10, 2), problems::conjugate_normal(40, 3)}) {
    const Summary s = over_seeds(
        20, [&](const Context& c) { return data_tempering(*problem.model, {.particles = 1000}, c).log_evidence(); });
    EXPECT_NEAR(s.mean, problem.log_evidence, 3 * s.error) << problem.name << ", standard error " << s.error;
    EXPECT_LT(s.error, 0.05) << problem.name;
  }
}

TEST(DataTempering, EachPredictiveIsExactOnline) {
  // The first ten observations of a long series are those of the shorter one only in one dimension.
  const auto longer = problems::conjugate_normal(12, 1), shorter = problems::conjugate_normal(5, 1);
  const Summary s = over_seeds(20, [&](const Context& c) {
    const auto run = data_tempering(*longer.model, {.particles = 1000}, c);
    double sum = 0;
    for (std::size_t t = 0; t < 5; ++t) sum += run.log_predictive[t];
    return sum;
  });
  EXPECT_NEAR(s.mean, shorter.log_evidence, 3 * s.error);
}

TEST(DataTempering, AgreesWithDirectEvidenceOnAMixture) {
  const GaussianMixture model({.components = 2},
                              simulate_mixture({{-1, 2}, {0.6, 0.6}, {1, 1}}, 30, Streams({.seed = 77})));
  const Summary data =
      over_seeds(10, [&](const Context& c) { return data_tempering(model, {.particles = 1000}, c).log_evidence(); });
  const Summary direct = over_seeds(6, [&](const Context& c) {
    return standard_estimate(direct_evidence(model, {.schedule = CessSchedule{0.99}}, c).trace);
  });
  EXPECT_NEAR(data.mean, direct.mean, 3 * std::hypot(data.error, direct.error));
  EXPECT_LT(data.error, 0.1);
}

TEST(DataTempering, LeavesAPopulationLikeAnyOther) {
  const auto problem = problems::conjugate_normal(20, 2);
  const Executor executor(1);
  const auto run = data_tempering(*problem.model, {.particles = 500}, {Streams({.seed = 3}), executor});
  EXPECT_EQ(run.log_predictive.size(), 20U);
  EXPECT_EQ(run.trace.steps.front().alpha, 0.0);
  EXPECT_EQ(run.trace.steps.back().alpha, 1.0);
  for (std::size_t t = 1; t < run.trace.steps.size(); ++t)
    EXPECT_GT(run.trace.steps[t].alpha, run.trace.steps[t - 1].alpha);
  EXPECT_NEAR(run.log_evidence(), standard_estimate(run.trace), 1e-9);
  AlignedVector<double> likelihood(500), prior(500);
  problem.model->log_likelihood(run.particles.theta, likelihood);
  problem.model->log_prior(run.particles.theta, prior);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_NEAR(run.particles.log_likelihood[i], likelihood[i], 1e-9);
    EXPECT_NEAR(run.particles.log_prior[i], prior[i] + run.particles.log_jacobian[i], 1e-9);
  }
}

TEST(DataTempering, SameBitsForAnyNumberOfThreads) {
  const auto problem = problems::conjugate_normal(10, 2);
  const Executor one(1), three(3);
  const auto a = data_tempering(*problem.model, {.particles = 300}, {Streams({.seed = 3}), one});
  const auto b = data_tempering(*problem.model, {.particles = 300}, {Streams({.seed = 3}), three});
  EXPECT_EQ(a.log_predictive, b.log_predictive);
}

TEST(DataTempering, SaysWhatItCannotDo) {
  const Executor executor(1);
  const Context context{Streams({.seed = 3}), executor};
  ParameterSpace space;
  space.add("x", normal(0, 1));
  const auto whole = lift(space, [](std::span<const double>) { return 0.0; });
  EXPECT_THROW(data_tempering(*whole, {}, context), InputError);
  const auto problem = problems::conjugate_normal(10, 2);
  EXPECT_THROW(data_tempering(*problem.model, {.kernel = {.kind = KernelKind::mala}}, context), InputError);
}

/// Its third observation cannot be.
class Impossible final : public Model {
 public:
  Impossible() { space_.add("x", normal(0, 1)); }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override { log_likelihood_of(theta, 0, 4, out); }
  std::size_t observation_count() const override { return 4; }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = first <= 2 && first + count > 2 ? -kInf : 0.0;
  }

 private:
  ParameterSpace space_;
};

TEST(DataTempering, NamesTheObservationThatCannotBe) {
  const Executor executor(1);
  try {
    data_tempering(Impossible(), {.particles = 100}, {Streams({.seed = 3}), executor});
    FAIL() << "it ended";
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("observation 3"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace evident
