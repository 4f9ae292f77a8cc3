// One entry of a ParameterSpace: a scalar with its prior, a simplex, or a multivariate normal vector.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dist/multivariate.hpp"
#include "evident/model/parameters.hpp"

namespace evident {

struct ParameterSpace::Item {
  std::size_t first = 0, size = 1;            ///< rows of theta
  std::size_t free_first = 0, free_size = 1;  ///< rows of z

  virtual ~Item() = default;
  /// Adds an item as the next rows of theta and as many of z. Throws InputError when a name is taken.
  static void append(ParameterSpace& to, const std::vector<std::string>& names, const std::shared_ptr<Item>& item);
  virtual std::string prior_text() const = 0;
  /// Is the prior one of evident's own? A user may derive a family and use it here.
  virtual bool is_built_in() const { return true; }
  /// Draws into theta[first ..]; earlier entries are there already.
  virtual void draw(Stream& stream, std::span<double> theta) const = 0;
  virtual void add_log_density(ConstBlock theta, std::span<double> out) const = 0;
  virtual void add_gradient(ConstBlock theta, Block gradient) const = 0;
  /// Adds log |dtheta/dz| to log_jacobian.
  virtual void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const = 0;
  virtual void unconstrain(ConstBlock theta, Block z) const = 0;
  /// Reverse step: from `adjoint` (gradient in theta, of which this item's rows are complete) to d_z; may add to the
  /// adjoint of earlier parameters that its bounds depend on.
  virtual void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const = 0;
};

/// A scalar parameter; `argument_rows[a]` is the row of theta that argument a stands for, or npos for a number.
struct ScalarItem final : ParameterSpace::Item {
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  ScalarItem(Distribution d, Scale s, std::vector<std::size_t> rows);
  std::string prior_text() const override { return prior.text(); }
  bool is_built_in() const override;
  void draw(Stream& stream, std::span<double> theta) const override;
  void add_log_density(ConstBlock theta, std::span<double> out) const override;
  void add_gradient(ConstBlock theta, Block gradient) const override;
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const override;
  void unconstrain(ConstBlock theta, Block z) const override;
  void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const override;

  Distribution prior;
  Scale scale;
  std::vector<std::size_t> argument_rows;
  std::vector<double> constants;
  bool dependent = false;
  Support fixed{};                                 ///< when not dependent
  double location = 0, unit = 1;                   ///< of the asinh scale
  std::size_t lower_row = npos, upper_row = npos;  ///< the bound is this parameter

 private:
  void arguments_at(ConstBlock theta, std::size_t i, std::vector<double>& args) const;
  Support support_at(ConstBlock theta, std::size_t i, std::vector<double>& args) const;
  /// Sets location and unit from the arguments; false when the prior has none, or they are other parameters.
  bool find_asinh_unit();
  void from_asinh(ConstBlock z, Block theta, std::span<double> log_jacobian) const;
};

/// Entries in increasing order: draws of one prior, sorted. The first moves as a single parameter would, each other one
/// by its distance to the one before.
struct OrderedItem final : ParameterSpace::Item {
  OrderedItem(const Distribution& prior, std::size_t first_row, std::size_t free_first_row, std::size_t count,
              const std::vector<std::size_t>& argument_rows);
  std::string prior_text() const override { return "ordered(" + entries.front().prior_text() + ")"; }
  bool is_built_in() const override { return entries.front().is_built_in(); }
  void draw(Stream& stream, std::span<double> theta) const override;
  void add_log_density(ConstBlock theta, std::span<double> out) const override;
  void add_gradient(ConstBlock theta, Block gradient) const override;
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const override;
  void unconstrain(ConstBlock theta, Block z) const override;
  void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const override;

  std::vector<ScalarItem> entries;

 private:
  double lower_of(std::size_t k, ConstBlock theta, std::size_t i) const;

  Support support_{};
  double log_orders_ = 0;  ///< log of count!
};

/// Rows that have a joint prior.
template <class Prior>
struct VectorItem : ParameterSpace::Item {
  explicit VectorItem(Prior p) : prior(std::move(p)) {}
  void draw(Stream& stream, std::span<double> theta) const override { prior.draw(stream, theta.subspan(first, size)); }
  void add_log_density(ConstBlock theta, std::span<double> out) const override {
    prior.add_log_density(theta.some_rows(first, size), out);
  }
  void add_gradient(ConstBlock theta, Block gradient) const override {
    prior.add_gradient(theta.some_rows(first, size), gradient.some_rows(first, size));
  }

  Prior prior;
};

/// The log-ratio map of a simplex: z_j = log(theta_j / theta_k), j < k.
struct SimplexItem final : VectorItem<Dirichlet> {
  using VectorItem::VectorItem;
  std::string prior_text() const override { return "dirichlet"; }
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const override;
  void unconstrain(ConstBlock theta, Block z) const override;
  void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const override;
};

/// A vector that moves as it is.
struct NormalVectorItem final : VectorItem<MultivariateNormal> {
  using VectorItem::VectorItem;
  std::string prior_text() const override { return "multivariate-normal"; }
  void constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const override;
  void unconstrain(ConstBlock theta, Block z) const override;
  void pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const override;
};

}  // namespace evident
