// A family of models and the jumps between them: what samplers that move between models need to know.
//
// A family is a countable set of models, each with an index; a jump is a pair of moves between two of them (Green
// 1995). The samplers that use them know neither mixtures nor regressions.
//
//   family.model(4).parameters().names();
//   family.prior().log_probability(4);
//   for (const auto& jump : family.jumps()) std::cout << jump->name() << '\n';
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evident/base/random.hpp"
#include "evident/model/model.hpp"

namespace evident {

using ModelIndex = std::uint64_t;

/// Prior probabilities of the models of a family.
class ModelPrior {
 public:
  virtual ~ModelPrior() = default;
  /// Normalised; -inf for a model that is not in the family.
  virtual double log_probability(ModelIndex k) const = 0;
  virtual ModelIndex draw(Stream& random) const = 0;

  bool has(ModelIndex k) const { return log_probability(k) > -std::numeric_limits<double>::infinity(); }
};

/// What a jump picked before any continuous number is drawn: where to go, and which way of several (a component, a
/// pair of neighbours, a place in the list).
struct JumpChoice {
  ModelIndex to = 0;
  std::uint64_t variant = 0;
  bool operator==(const JumpChoice&) const = default;
};

/// Where a jump led: the choice that leads back, and log |d(theta', u') / d(theta, u)|.
///
/// The Jacobian belongs to the densities that Model::log_prior gives, so for a simplex all components but one count.
struct JumpImage {
  JumpChoice back;
  double log_jacobian = 0;
};

/// A pair of moves between models, each the way back of the other.
///
/// From (k, theta): a choice is picked, auxiliary numbers u are drawn, and a bijection takes (theta, u) to (theta',
/// u'), where u' are the auxiliary numbers of the way back. One of u and u' may be empty. All functions are called from
/// several threads at once.
class Jump {
 public:
  virtual ~Jump() = default;
  virtual std::string_view name() const = 0;

  /// Nothing when this jump cannot be tried from here; then the state stays.
  virtual std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                                           Stream& random) const = 0;
  /// Log probability that `choose` picks this.
  virtual double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                            const JumpChoice& choice) const = 0;

  virtual std::size_t auxiliaries(ModelIndex from, ModelIndex to) const = 0;
  virtual void draw_auxiliaries(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                                Stream& random, std::span<double> u) const = 0;
  /// Log density of u.
  virtual double log_auxiliary(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                               std::span<const double> u) const = 0;

  /// The bijection. Nothing when there is no way back from where it leads (an order that is broken, say): the
  /// proposal is then rejected.
  virtual std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                                       std::span<const double> u, std::span<double> theta_to,
                                       std::span<double> u_to) const = 0;
};

class ModelFamily {
 public:
  virtual ~ModelFamily() = default;
  /// Model k, made when it is first asked for. The reference stays valid as long as the family does.
  virtual const Model& model(ModelIndex k) const = 0;
  /// Its name in tables: "4 components".
  virtual std::string name(ModelIndex k) const = 0;
  virtual const ModelPrior& prior() const = 0;
  virtual const std::vector<std::unique_ptr<Jump>>& jumps() const = 0;
};

}  // namespace evident
