// A family with known answers: y_i ~ N(theta_1 + ... + theta_k, 1), theta_j ~ N(0, 1), k = 1, 2, ...
//
// The sum has prior N(0, k), so every evidence is that of a normal mean. Two jumps, neither of which proposes from the
// prior: "share" splits one coordinate in two by a linear map, "append" adds a coordinate at the end.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/model/family.hpp"
#include "evident/model/model.hpp"
#include "model/model_priors.hpp"

namespace evident::problems {

inline double log_normal(double x, double mean, double sd) {
  const double e = (x - mean) / sd;
  return -0.5 * e * e - std::log(sd) - 0.5 * std::log(2 * std::numbers::pi);
}

/// Up or down by one, with equal chances where both can be done.
inline double log_step(const ModelPrior& models, ModelIndex from, ModelIndex to) {
  const bool up = models.has(from + 1), down = from > 1 && models.has(from - 1);
  if (to > from ? !up : !down) return -kInf;
  return up && down ? -std::log(2.0) : 0.0;
}
inline std::optional<ModelIndex> pick_step(const ModelPrior& models, ModelIndex from, Stream& random) {
  const bool up = models.has(from + 1), down = from > 1 && models.has(from - 1);
  const double u = random.uniform();
  if (!up && !down) return std::nullopt;
  return up && (!down || u < 0.5) ? from + 1 : from - 1;
}

/// What the two jumps have in common: one auxiliary number on the way up, none on the way down.
class SumsJump : public Jump {
 public:
  std::size_t auxiliaries(ModelIndex from, ModelIndex to) const override { return to > from ? 1 : 0; }
  void draw_auxiliaries(ModelIndex, const JumpChoice&, std::span<const double>, Stream& random,
                        std::span<double> u) const override {
    if (!u.empty()) u[0] = mean_ + sd_ * random.normal();
  }
  double log_auxiliary(ModelIndex, const JumpChoice&, std::span<const double>,
                       std::span<const double> u) const override {
    return u.empty() ? 0 : log_normal(u[0], mean_, sd_);
  }

 protected:
  SumsJump(double mean, double sd) : mean_(mean), sd_(sd) {}

 private:
  double mean_, sd_;
};

class Share final : public SumsJump {
 public:
  Share() : SumsJump(0, 1) {}
  std::string_view name() const override { return "share"; }
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                   Stream& random) const override {
    const auto to = pick_step(models, from, random);
    if (!to) return std::nullopt;
    const auto ways = static_cast<double>(std::min(from, *to));
    return JumpChoice{*to, static_cast<std::uint64_t>(ways * random.uniform())};
  }
  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                    const JumpChoice& choice) const override {
    return log_step(models, from, choice.to) - std::log(static_cast<double>(std::min(from, choice.to)));
  }
  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    const std::size_t j = choice.variant, last = std::min(from, choice.to);
    for (std::size_t i = 0; i < last; ++i) theta_to[i] = theta[i];
    if (choice.to > from) {
      theta_to[j] = 0.6 * theta[j] + 2 * u[0];
      theta_to[last] = 0.4 * theta[j] - u[0];
      return JumpImage{{from, j}, std::log(1.4)};
    }
    theta_to[j] = (theta[j] + 2 * theta[last]) / 1.4;
    u_to[0] = (0.4 * theta[j] - 0.6 * theta[last]) / 1.4;
    return JumpImage{{from, j}, -std::log(1.4)};
  }
};

class Append final : public SumsJump {
 public:
  Append() : SumsJump(0.3, 1.5) {}
  std::string_view name() const override { return "append"; }
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                   Stream& random) const override {
    const auto to = pick_step(models, from, random);
    return to ? std::optional<JumpChoice>({*to, 0}) : std::nullopt;
  }
  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                    const JumpChoice& choice) const override {
    return log_step(models, from, choice.to);
  }
  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    for (std::size_t i = 0; i < std::min(from, choice.to); ++i) theta_to[i] = theta[i];
    if (choice.to > from) {
      theta_to[from] = u[0];
    } else {
      u_to[0] = theta[choice.to];
    }
    return JumpImage{{from, 0}, 0};
  }
};

class Sums final : public ModelFamily {
 public:
  Sums(std::vector<double> y, std::shared_ptr<const ModelPrior> prior) : y_(std::move(y)), prior_(std::move(prior)) {
    jumps_.push_back(std::make_unique<Share>());
    jumps_.push_back(std::make_unique<Append>());
  }

  const Model& model(ModelIndex k) const override {
    const std::lock_guard lock(mutex_);
    auto& made = models_[k];
    if (!made) {
      ParameterSpace space;
      for (ModelIndex j = 1; j <= k; ++j) space.add("theta[" + std::to_string(j) + "]", normal(0, 1));
      made = lift(space, [this](std::span<const double> theta) {
        const double sum = std::accumulate(theta.begin(), theta.end(), 0.0);
        double out = 0;
        for (const double v : y_) out += log_normal(v, sum, 1);
        return out;
      });
    }
    return *made;
  }
  std::string name(ModelIndex k) const override { return std::to_string(k) + " terms"; }
  const ModelPrior& prior() const override { return *prior_; }
  const std::vector<std::unique_ptr<Jump>>& jumps() const override { return jumps_; }

  double log_evidence(ModelIndex k) const {
    const auto n = static_cast<double>(y_.size()), v = static_cast<double>(k);
    double sum = 0, squares = 0;
    for (const double x : y_) sum += x, squares += x * x;
    return -0.5 * (n * std::log(2 * std::numbers::pi) + std::log1p(n * v) + squares - sum * sum * v / (1 + n * v));
  }
  /// Exact posterior probabilities of models 1 .. highest; those beyond must not matter.
  std::vector<double> probabilities(ModelIndex highest) const {
    std::vector<double> log_joint;
    for (ModelIndex k = 1; k <= highest; ++k) log_joint.push_back(prior_->log_probability(k) + log_evidence(k));
    const double total = log_sum_exp(log_joint);
    for (double& v : log_joint) v = std::exp(v - total);
    return log_joint;
  }

 private:
  std::vector<double> y_;
  std::shared_ptr<const ModelPrior> prior_;
  std::vector<std::unique_ptr<Jump>> jumps_;
  mutable std::mutex mutex_;
  mutable std::map<ModelIndex, std::shared_ptr<const Model>> models_;
};

/// Six observations near 2.5: two terms and more are likelier than one.
inline std::vector<double> sums_data() { return {2.1, 3.4, 2.6, 1.5, 3.3, 2.2}; }

}  // namespace evident::problems
