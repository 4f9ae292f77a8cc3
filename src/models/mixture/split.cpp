// Split and combine (Richardson and Green 1997): weight, mean and variance of a component are shared out over two.
//
// Auxiliary numbers of a split: u1, u2 ~ Beta(2, 2), u3 ~ U(0, 1). Variants of a split: the component j when labels are
// ordered, j (k+1) + p when they are free, p being the place of the upper child; of a combination: the rank of the
// lower of the two in the order of the means.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"
#include "models/mixture/jumps.hpp"

namespace evident::mixture {
namespace {

struct Children {
  Component lower, upper;
};

Children split(const Component& c, std::span<const double> u) {
  const double left = 1 - u[0], spread = (1 - u[1]) * (1 + u[1]), sd = 1 / std::sqrt(c.lambda);
  return {{c.mu - u[1] * sd * std::sqrt(left / u[0]), c.lambda * u[0] / (u[2] * spread), c.weight * u[0]},
          {c.mu + u[1] * sd * std::sqrt(u[0] / left), c.lambda * left / ((1 - u[2]) * spread), c.weight * left}};
}

/// The inverse of `split`, written as sums of positive terms so that nothing cancels.
Component combine(const Children& pair, std::span<double> u) {
  const auto& [a, b] = pair;
  const double w = a.weight + b.weight, d = b.mu - a.mu, share = a.weight / w, left = b.weight / w;
  const double va = share / a.lambda, vb = left / b.lambda, lambda = 1 / (va + vb + share * left * d * d);
  u[0] = share;
  u[1] = d * std::sqrt(share * left * lambda);
  u[2] = va / (va + vb);
  return {a.mu + left * d, lambda, w};
}

double log_jacobian(const Component& c, std::span<const double> u) {
  return std::log(c.weight) + 0.5 * std::log(c.lambda * u[0] * (1 - u[0])) - 2 * std::log(u[2] * (1 - u[2])) -
         3 * std::log((1 - u[1]) * (1 + u[1]));
}

/// Indices of the components in the order of their means.
std::vector<std::size_t> by_mean(std::span<const double> theta) {
  std::vector<std::size_t> order(component_count(theta));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return theta[a] < theta[b]; });
  return order;
}

class Split final : public NeighbourJump {
 public:
  explicit Split(MixtureLabels labels) : ordered_(labels == MixtureLabels::ordered) {}

  std::string_view name() const override { return "split/combine"; }

  void draw_auxiliaries(ModelIndex, const JumpChoice&, std::span<const double>, Stream& random,
                        std::span<double> u) const override {
    if (u.empty()) return;
    u[0] = beta_.draw(random, kTwoTwo);
    u[1] = beta_.draw(random, kTwoTwo);
    u[2] = random.uniform();
  }

  double log_auxiliary(ModelIndex, const JumpChoice&, std::span<const double>,
                       std::span<const double> u) const override {
    if (u.empty()) return 0;
    if (!(u[2] > 0 && u[2] < 1)) return -kInf;
    return beta_.log_density(u[0], kTwoTwo) + beta_.log_density(u[1], kTwoTwo);
  }

  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    auto image = choice.to > from ? map_split(from, choice, theta, u, theta_to)
                                  : map_combine(from, choice, theta, theta_to, u_to);
    // A share that rounds to 0 or 1 cannot be undone.
    if (image && !std::isfinite(image->log_jacobian)) return std::nullopt;
    return image;
  }

 private:
  static constexpr double kTwoTwo[2] = {2, 2};

  std::size_t variants(ModelIndex from, ModelIndex to) const override {
    if (to < from) return from - 1;
    return ordered_ ? from : from * (from + 1);
  }

  std::optional<JumpImage> map_split(ModelIndex k, const JumpChoice& choice, std::span<const double> theta,
                                     std::span<const double> u, std::span<double> theta_to) const {
    const std::size_t j = ordered_ ? choice.variant : choice.variant / (k + 1);
    const std::size_t place = ordered_ ? j + 1 : choice.variant % (k + 1);
    const Component whole = component(theta, j);
    const Children children = split(whole, u);
    std::size_t rank = 0;  // of the lower child
    for (std::size_t i = 0; i < k; ++i) {
      if (i == j) continue;
      const bool below = theta[i]<children.lower.mu, above = theta[i]> children.upper.mu;
      if (ordered_ ? !(i < j ? below : above) : !(below || above)) return std::nullopt;
      rank += below;
    }
    if (!(children.lower.mu < children.upper.mu)) return std::nullopt;
    insert_component(theta, place, children.upper, 1, theta_to);
    set_component(theta_to, j < place ? j : j + 1, children.lower);
    return JumpImage{{k, rank}, log_jacobian(whole, u)};
  }

  std::optional<JumpImage> map_combine(ModelIndex k, const JumpChoice& choice, std::span<const double> theta,
                                       std::span<double> theta_to, std::span<double> u_to) const {
    std::size_t low = choice.variant, high = choice.variant + 1;
    if (!ordered_) {
      const auto order = by_mean(theta);
      low = order[choice.variant];
      high = order[choice.variant + 1];
    }
    const Component whole = combine({component(theta, low), component(theta, high)}, u_to);
    const std::size_t j = low < high ? low : low - 1;
    erase_component(theta, high, 1, theta_to);
    set_component(theta_to, j, whole);
    return JumpImage{{k, ordered_ ? j : j * k + high}, -log_jacobian(whole, u_to)};
  }

  bool ordered_;
  const Family& beta_ = family("beta");
};

}  // namespace

std::unique_ptr<Jump> make_split(MixtureLabels labels) { return std::make_unique<Split>(labels); }

}  // namespace evident::mixture
