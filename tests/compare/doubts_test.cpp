// Islands in doubt: what a comparison does about it by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evident/compare/compare.hpp"
#include "evident/dist/distribution.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/published.hpp"

namespace evident {
namespace {

ModelResult answer(const std::shared_ptr<const Model>& model, std::size_t particles, std::uint64_t seed,
                   const Goal& goal = {}) {
  CompareOptions o{.smc = frozen_defaults(), .seed = seed, .threads = 2, .islands = 8, .goal = goal};
  o.smc->particles = particles;
  return compare({{"model", 1.0, model}}, o).models.front();
}

// With 60 particles some islands find the narrow normal, which has nearly all of the evidence, and others do not.
TEST(Doubts, ContradictionsAreMetWithMoreParticles) {
  const auto problem = problems::spike_in_normal(3, 0.15, 100, 3);
  constexpr std::size_t kFew = 60;
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const ModelResult m = answer(problem.model, kFew, seed);
    const std::size_t particles = m.replicates.front().trace.particles;
    EXPECT_EQ(m.replicates.size(), 8u);
    EXPECT_TRUE(particles == kFew || particles == 2 * kFew || particles == 4 * kFew) << particles;
    EXPECT_EQ(m.pilot->trace.particles, particles);
    EXPECT_EQ(m.earlier_evaluations > 0, particles > kFew);
    const auto in_doubt = [](const Reason& r) {
      return r.level > Verdict::trust && (r.code == Alarm::islands_disagree || r.code == Alarm::one_island_carries ||
                                          r.code == Alarm::bridge_disagrees);
    };
    const bool doubtful = std::ranges::any_of(m.reasons, in_doubt);
    EXPECT_TRUE(!doubtful || particles == 4 * kFew) << particles;
    EXPECT_TRUE(doubtful || std::abs(m.log_evidence.value - problem.log_evidence) < 4 * m.log_evidence.standard_error);
    again += particles > kFew;
  }
  EXPECT_GT(again, 0);
  // Who asks for an answer within a time gets what there is.
  const ModelResult hurried = answer(problem.model, kFew, 1, {.seconds = 1e-6});
  EXPECT_LE(hurried.replicates.front().trace.particles, kFew);
}

/// A broad normal, and far from it one so narrow that no climber finds it, with `odds` times its evidence; the model's
/// own move knows of both.
class Hidden final : public Model {
 public:
  static constexpr std::size_t d = 4;
  static constexpr double kPlace = 4, kSd = 1e-3, kHalf = 8;
  explicit Hidden(double odds) : odds_(odds) {
    for (const char* name : {"a", "b", "c", "d"}) space_.add(name, uniform(-kHalf, kHalf));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i)
      out[i] = log_add_exp(log_density(theta, i, 0, 1), std::log(odds_) + log_density(theta, i, kPlace, kSd));
  }
  double log_evidence() const { return std::log(1 + odds_) - d * std::log(2 * kHalf); }

  bool has_own_move() const override { return true; }
  std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const override {
    const std::size_t n = state.theta.size();
    BlockStorage uniforms(2, n), normals(d, n), to(d, n);
    DrawIdentity id{random.step, random.first_particle, Purpose::model_move, 2 * random.pass};
    random.streams.fill_uniform(id, uniforms);
    ++id.pass;
    random.streams.fill_normal(id, normals);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j)
        to(j, i) = uniforms(0, i) < 0.5 ? normals(j, i) : kPlace + kSd * normals(j, i);
    AlignedVector<double> prior(n), likelihood(n);
    log_prior(to, prior);
    log_likelihood(to, likelihood);
    for (std::size_t i = 0; i < n; ++i) {
      const double ratio = prior[i] - state.log_prior[i] + alpha * (likelihood[i] - state.log_likelihood[i]) +
                           log_proposal(state.theta, i) - log_proposal(to, i);
      if (!(std::log(uniforms(1, i)) < ratio)) continue;
      for (std::size_t j = 0; j < d; ++j) state.theta(j, i) = to(j, i);
      state.log_prior[i] = prior[i];
      state.log_likelihood[i] = likelihood[i];
    }
    return n;
  }

 private:
  static double log_density(ConstBlock theta, std::size_t i, double place, double sd) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += normal(place, sd).log_density(theta(j, i));
    return sum;
  }
  static double log_proposal(ConstBlock theta, std::size_t i) {
    return std::log(0.5) + log_add_exp(log_density(theta, i, 0, 1), log_density(theta, i, kPlace, kSd));
  }
  ParameterSpace space_;
  double odds_;
};

// Particles go over from one phase to the other, which is an alarm; nested sampling misses the narrow one, and must not
// put what islands and bridges agree on in doubt.
void expect_noted(double odds, std::size_t particles) {
  const auto model = std::make_shared<Hidden>(odds);
  const ModelResult m = answer(model, particles, 1);
  EXPECT_NEAR(m.log_evidence.value, model->log_evidence(), 4 * m.log_evidence.standard_error);
  EXPECT_LT(m.log_evidence.standard_error, 0.2);
  const auto noted = [](const Reason& r) { return r.code == Alarm::nested_disagrees && r.level == Verdict::trust; };
  EXPECT_TRUE(std::ranges::any_of(m.reasons, noted));
  EXPECT_EQ(*m.verdict, Verdict::trust);
}
TEST(Doubts, NestedSamplingThatMissesAPeakIsOnlyNoted) { expect_noted(100, 400); }
// Too little for the small run to be sure of it: the referee is asked.
TEST(Doubts, NestedSamplingThatMissesHalfIsOnlyNoted) { expect_noted(2, 1000); }

}  // namespace
}  // namespace evident
