// The jump that docs/jumps.md shows as an example: one rate for two counts, or one rate each. It is checked as all
// jumps are.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include "evident/model/model.hpp"
#include "model/model_priors.hpp"
#include "support/jump_check.hpp"

namespace evident {
namespace {

// docs/jumps.md, begin
class ShareOrPart final : public Jump {
 public:
  std::string_view name() const override { return "share/part"; }
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                   Stream&) const override {
    return models.has(3 - from) ? std::optional(JumpChoice{3 - from, 0}) : std::nullopt;
  }
  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                    const JumpChoice& choice) const override {
    return choice == JumpChoice{3 - from, 0} && models.has(choice.to) ? 0 : -kInf;
  }
  std::size_t auxiliaries(ModelIndex from, ModelIndex) const override { return from == 1 ? 1 : 0; }
  void draw_auxiliaries(ModelIndex, const JumpChoice&, std::span<const double>, Stream& random,
                        std::span<double> u) const override {
    if (!u.empty()) u[0] = law_.draw(random);
  }
  double log_auxiliary(ModelIndex, const JumpChoice&, std::span<const double>,
                       std::span<const double> u) const override {
    return u.empty() ? 0 : law_.log_density(u[0]);
  }
  std::optional<JumpImage> map(ModelIndex from, const JumpChoice&, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    if (from == 1) {  // (rate, u) -> (rate u, rate / u)
      theta_to[0] = theta[0] * u[0];
      theta_to[1] = theta[0] / u[0];
      return JumpImage{{1, 0}, std::log(2 * theta[0] / u[0])};
    }
    theta_to[0] = std::sqrt(theta[0] * theta[1]);
    u_to[0] = std::sqrt(theta[0] / theta[1]);
    return JumpImage{{2, 0}, -std::log(2 * theta_to[0] / u_to[0])};
  }

 private:
  Distribution law_ = lognormal(0, 0.5);
};
// docs/jumps.md, end

class Rates final : public ModelFamily {
 public:
  explicit Rates(std::array<double, 2> counts) {
    for (const std::size_t k : {0, 1}) {
      ParameterSpace space;
      for (std::size_t j = 0; j <= k; ++j) space.add("rate[" + std::to_string(j + 1) + "]", gamma_rate(2, 1));
      models_[k] = lift(space, [counts](std::span<const double> rate) {
        return poisson(rate[0]).log_density(counts[0]) + poisson(rate[rate.size() - 1]).log_density(counts[1]);
      });
    }
    jumps_.push_back(std::make_unique<ShareOrPart>());
  }
  const Model& model(ModelIndex k) const override { return *models_[k - 1]; }
  std::string name(ModelIndex k) const override { return k == 1 ? "one rate" : "two rates"; }
  const ModelPrior& prior() const override { return prior_; }
  const std::vector<std::unique_ptr<Jump>>& jumps() const override { return jumps_; }

 private:
  std::array<std::shared_ptr<const Model>, 2> models_;
  ListedModels prior_{{{1, 1.0}, {2, 2.0}}};
  std::vector<std::unique_ptr<Jump>> jumps_;
};

TEST(JumpExample, PassesTheChecksOfAllJumps) {
  const Rates family({3, 7});
  const Jump& jump = *family.jumps()[0];
  for (const ModelIndex k : {1, 2}) {
    EXPECT_EQ(testing_support::expect_bijection(family, jump, k, 40, k), 40u);
    testing_support::expect_choices_as_said(family, jump, family.prior(), k, k);
  }
  testing_support::expect_prior_of_models(family, jump, 1, 40'000, 5);
}

}  // namespace
}  // namespace evident
