// Distributions of whole vectors: multivariate normal and Dirichlet.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/random.hpp"

namespace evident {

/// A distribution of a vector; row j of a block is component j.
class VectorDistribution {
 public:
  virtual ~VectorDistribution() = default;
  virtual std::size_t size() const = 0;
  virtual void draw(Stream& stream, std::span<double> out) const = 0;
  virtual double log_density(std::span<const double> x) const = 0;              ///< scalar form
  virtual void add_log_density(ConstBlock x, std::span<double> out) const = 0;  ///< out[i] += log density
  /// Adds the gradient of the log density (for the Dirichlet: in all components, the constraint ignored).
  virtual void add_gradient(ConstBlock x, Block gradient) const = 0;
};

class MultivariateNormal final : public VectorDistribution {
 public:
  /// `covariance` is row-major, size x size, symmetric and positive definite; throws InputError otherwise.
  MultivariateNormal(std::vector<double> mean, std::vector<double> covariance);
  std::size_t size() const override { return mean_.size(); }
  void draw(Stream& stream, std::span<double> out) const override;
  double log_density(std::span<const double> x) const override;
  void add_log_density(ConstBlock x, std::span<double> out) const override;
  void add_gradient(ConstBlock x, Block gradient) const override;

 private:
  std::vector<double> mean_;
  std::vector<double> cholesky_;  ///< lower triangle, row-major
  double log_constant_ = 0;
};

/// Density with respect to the first size-1 components, on the simplex.
class Dirichlet final : public VectorDistribution {
 public:
  explicit Dirichlet(std::vector<double> concentration);
  std::size_t size() const override { return concentration_.size(); }
  void draw(Stream& stream, std::span<double> out) const override;
  double log_density(std::span<const double> x) const override;
  void add_log_density(ConstBlock x, std::span<double> out) const override;
  void add_gradient(ConstBlock x, Block gradient) const override;

 private:
  std::vector<double> concentration_;
  double log_constant_ = 0;
};

}  // namespace evident
