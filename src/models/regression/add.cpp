// Add or remove one covariate. Variant: the covariate. Auxiliary number of an addition: the new coefficient.
#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "models/regression/jumps.hpp"

namespace evident::regression {
namespace {

class Add final : public Jump {
 public:
  Add(std::shared_ptr<const RegressionData> data, const RegressionOptions& options)
      : data_(std::move(data)), options_(options) {}

  std::string_view name() const override { return "add/remove"; }

  /// Uniform among the covariates whose flip leads to a model with a prior probability.
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                   Stream& random) const override {
    const std::size_t count = neighbours(models, from);
    if (count == 0) return std::nullopt;
    auto skip = std::min(static_cast<std::size_t>(random.uniform() * static_cast<double>(count)), count - 1);
    for (std::size_t j = 0;; ++j)
      if (models.has(from ^ bit(j)) && skip-- == 0) return JumpChoice{from ^ bit(j), j};
  }

  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                    const JumpChoice& choice) const override {
    if (choice.variant >= data_->covariates() || choice.to != (from ^ bit(choice.variant)) || !models.has(choice.to))
      return -kInf;
    return -std::log(static_cast<double>(neighbours(models, from)));
  }

  std::size_t auxiliaries(ModelIndex from, ModelIndex to) const override { return size(to) > size(from) ? 1 : 0; }

  void draw_auxiliaries(ModelIndex from, const JumpChoice& choice, std::span<const double> theta, Stream& random,
                        std::span<double> u) const override {
    if (!u.empty()) u[0] = CoefficientProposal(*data_, options_, from, choice.variant, theta).draw(random);
  }

  double log_auxiliary(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                       std::span<const double> u) const override {
    return u.empty() ? 0 : CoefficientProposal(*data_, options_, from, choice.variant, theta).log_density(u[0]);
  }

  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    const std::size_t at = place(from, choice.variant);
    if (u.empty()) {
      u_to[0] = theta[at];
      erase_value(theta, at, theta_to);
    } else {
      insert_value(theta, at, u[0], theta_to);
    }
    return JumpImage{{from, choice.variant}, 0};
  }

 private:
  std::size_t neighbours(const ModelPrior& models, ModelIndex from) const {
    std::size_t count = 0;
    for (std::size_t j = 0; j < data_->covariates(); ++j) count += models.has(from ^ bit(j));
    return count;
  }

  std::shared_ptr<const RegressionData> data_;
  RegressionOptions options_;
};

}  // namespace

std::unique_ptr<Jump> make_add(std::shared_ptr<const RegressionData> data, const RegressionOptions& options) {
  return std::make_unique<Add>(std::move(data), options);
}

}  // namespace evident::regression
