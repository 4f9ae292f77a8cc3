// Birth and death: a new component comes from the prior and takes its weight from all the others in proportion.
//
// Auxiliary numbers of a birth: (weight, mu, lambda) of the new component. Variants: the place of the new component
// when labels are free (ordered labels leave no choice, variant 0); the component that dies.
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "models/mixture/jumps.hpp"

namespace evident::mixture {
namespace {

class Birth final : public NeighbourJump {
 public:
  explicit Birth(const GaussianMixtureOptions& options)
      : ordered_(options.labels == MixtureLabels::ordered),
        concentration_(options.concentration),
        mean_(normal(*options.mean_center, *options.mean_sd)),
        precision_(gamma_scale(options.precision_shape, *options.precision_scale)) {}

  std::string_view name() const override { return "birth/death"; }

  void draw_auxiliaries(ModelIndex from, const JumpChoice&, std::span<const double>, Stream& random,
                        std::span<double> u) const override {
    if (u.empty()) return;
    u[0] = beta_.draw(random, weight_law(from).data());
    u[1] = mean_.draw(random);
    u[2] = precision_.draw(random);
  }

  double log_auxiliary(ModelIndex from, const JumpChoice&, std::span<const double>,
                       std::span<const double> u) const override {
    if (u.empty()) return 0;
    return beta_.log_density(u[0], weight_law(from).data()) + mean_.log_density(u[1]) + precision_.log_density(u[2]);
  }

  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    return choice.to > from ? birth(from, choice, theta, u, theta_to) : death(from, choice, theta, theta_to, u_to);
  }

 private:
  std::size_t variants(ModelIndex from, ModelIndex to) const override {
    if (to < from) return from;
    return ordered_ ? 1 : from + 1;
  }

  /// The law of one weight of k+1 under the symmetric Dirichlet: Beta(a, k a).
  std::array<double, 2> weight_law(ModelIndex k) const {
    return {concentration_, static_cast<double>(k) * concentration_};
  }

  std::optional<JumpImage> birth(ModelIndex k, const JumpChoice& choice, std::span<const double> theta,
                                 std::span<const double> u, std::span<double> theta_to) const {
    if (!(u[0] > 0 && u[0] < 1)) return std::nullopt;
    std::size_t place = choice.variant;
    if (ordered_)
      for (place = 0; place < k && theta[place] < u[1];) ++place;
    insert_component(theta, place, {u[1], u[2], u[0]}, 1 - u[0], theta_to);
    return JumpImage{{k, place}, static_cast<double>(k - 1) * std::log1p(-u[0])};
  }

  std::optional<JumpImage> death(ModelIndex k, const JumpChoice& choice, std::span<const double> theta,
                                 std::span<double> theta_to, std::span<double> u_to) const {
    const Component dead = component(theta, choice.variant);
    double rest = 0;  // 1 - weight, without cancellation
    for (std::size_t j = 0; j < k; ++j)
      if (j != choice.variant) rest += component(theta, j).weight;
    if (!(rest > 0 && dead.weight > 0 && dead.weight < 1)) return std::nullopt;
    erase_component(theta, choice.variant, 1 / rest, theta_to);
    u_to[0] = dead.weight;
    u_to[1] = dead.mu;
    u_to[2] = dead.lambda;
    return JumpImage{{k, ordered_ ? 0 : choice.variant}, -static_cast<double>(k - 2) * std::log(rest)};
  }

  bool ordered_;
  double concentration_;
  const Family& beta_ = family("beta");
  Distribution mean_, precision_;
};

}  // namespace

std::unique_ptr<Jump> make_birth(const GaussianMixtureOptions& options) { return std::make_unique<Birth>(options); }

}  // namespace evident::mixture
