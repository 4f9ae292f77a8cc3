// A normalised density on the coordinates z that a run may start from in place of the prior.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dist/fitted_mixture.hpp"
#include "evident/model/model.hpp"

namespace evident {

class QuickMixture;

class StartDensity {
 public:
  virtual ~StartDensity() = default;
  virtual std::size_t dimension() const = 0;
  /// Column i of z is draw number first + i.
  virtual void draw(const Streams& streams, std::uint32_t first, Block z) const = 0;
  virtual void log_density(ConstBlock z, std::span<double> out) const = 0;
  /// Does a draw know nothing of the others?
  virtual bool draws_are_independent() const { return true; }
};

/// A mixture of t components alone.
class QuickStart final : public StartDensity {
 public:
  explicit QuickStart(const QuickMixture& mixture) : mixture_(mixture) {}
  std::size_t dimension() const override;
  void draw(const Streams& streams, std::uint32_t first, Block z) const override;
  void log_density(ConstBlock z, std::span<double> out) const override;

 private:
  const QuickMixture& mixture_;
};

/// The prior of a model, and a mixture with a component at each mode that is known. With the prior among them no part
/// of the posterior is left out, known or not.
class PriorAndModes final : public StartDensity {
 public:
  PriorAndModes(const Model& model, FittedMixture modes, double share_of_prior)
      : model_(model), modes_(std::move(modes)), share_of_prior_(share_of_prior) {}
  std::size_t dimension() const override { return modes_.size(); }
  void draw(const Streams& streams, std::uint32_t first, Block z) const override;
  void log_density(ConstBlock z, std::span<double> out) const override;
  bool draws_are_independent() const override { return false; }  // they are spread evenly over the components
  const FittedMixture& modes() const { return modes_; }

 private:
  const Model& model_;
  FittedMixture modes_;
  double share_of_prior_;
};

}  // namespace evident
