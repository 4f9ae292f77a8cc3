// One covariate in for one out. Variant: 64 times the one that enters plus the one that leaves. Auxiliary numbers: the
// new coefficient, and on the way back the old one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "evident/base/log_math.hpp"
#include "models/regression/jumps.hpp"

namespace evident::regression {
namespace {

struct Pair {
  std::size_t enters, leaves;
};

Pair pair_of(const JumpChoice& choice) { return {choice.variant / 64, choice.variant % 64}; }
std::uint64_t variant_of(const Pair& pair) { return pair.enters * 64 + pair.leaves; }

class Swap final : public Jump {
 public:
  Swap(std::shared_ptr<const RegressionData> data, const RegressionOptions& options)
      : data_(std::move(data)), options_(options) {}

  std::string_view name() const override { return "swap"; }

  /// Uniform among all pairs; nothing happens when the pair leads to a model without prior probability.
  std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double>,
                                   Stream& random) const override {
    const std::size_t in = size(from), out = data_->covariates() - in;
    if (in == 0 || out == 0) return std::nullopt;
    const Pair pair{nth(~from, draw_index(random, out)), nth(from, draw_index(random, in))};
    const JumpChoice choice{from ^ bit(pair.enters) ^ bit(pair.leaves), variant_of(pair)};
    return models.has(choice.to) ? std::optional(choice) : std::nullopt;
  }

  double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double>,
                    const JumpChoice& choice) const override {
    const auto [enters, leaves] = pair_of(choice);
    if (enters >= data_->covariates() || leaves >= data_->covariates() || (from & bit(enters)) != 0 ||
        (from & bit(leaves)) == 0 || choice.to != (from ^ bit(enters) ^ bit(leaves)) || !models.has(choice.to))
      return -kInf;
    const std::size_t in = size(from), out = data_->covariates() - in;
    return -std::log(static_cast<double>(in * out));
  }

  std::size_t auxiliaries(ModelIndex, ModelIndex) const override { return 1; }

  void draw_auxiliaries(ModelIndex from, const JumpChoice& choice, std::span<const double> theta, Stream& random,
                        std::span<double> u) const override {
    u[0] = proposal(from, choice, theta).draw(random);
  }

  double log_auxiliary(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                       std::span<const double> u) const override {
    return proposal(from, choice, theta).log_density(u[0]);
  }

  std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u, std::span<double> theta_to,
                               std::span<double> u_to) const override {
    const auto [enters, leaves] = pair_of(choice);
    const CovariateSet rest = from ^ bit(leaves);
    const std::vector<double> kept = without(from, leaves, theta);
    u_to[0] = theta[place(from, leaves)];
    insert_value(kept, place(rest, enters), u[0], theta_to);
    return JumpImage{{from, variant_of({leaves, enters})}, 0};
  }

 private:
  static std::size_t draw_index(Stream& random, std::size_t count) {
    return std::min(static_cast<std::size_t>(random.uniform() * static_cast<double>(count)), count - 1);
  }
  /// The n-th covariate in the set.
  static std::size_t nth(CovariateSet set, std::size_t n) {
    for (; n > 0; --n) set &= set - 1;
    return static_cast<std::size_t>(std::countr_zero(set));
  }
  static std::vector<double> without(CovariateSet set, std::size_t j, std::span<const double> theta) {
    std::vector<double> kept(theta.size() - 1);
    erase_value(theta, place(set, j), kept);
    return kept;
  }
  CoefficientProposal proposal(CovariateSet from, const JumpChoice& choice, std::span<const double> theta) const {
    const auto [enters, leaves] = pair_of(choice);
    return {*data_, options_, from ^ bit(leaves), enters, without(from, leaves, theta)};
  }

  std::shared_ptr<const RegressionData> data_;
  RegressionOptions options_;
};

}  // namespace

std::unique_ptr<Jump> make_swap(std::shared_ptr<const RegressionData> data, const RegressionOptions& options) {
  return std::make_unique<Swap>(std::move(data), options);
}

}  // namespace evident::regression
