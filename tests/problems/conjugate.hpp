// Linear models with normal noise, whose coefficients have normal priors: evidences in closed form.
#pragma once

#include <span>
#include <vector>

namespace evident::problems {

/// What a linear model needs of its columns and data: inner products alone.
struct Products {
  std::size_t columns = 0;
  std::vector<double> gram;   ///< X'X, row by row
  std::vector<double> cross;  ///< X'y
  double squares = 0;         ///< y'y
  double rows = 0;
};

Products products(std::span<const std::vector<double>> columns, std::span<const double> y);

/// log p(y) of y = X b + N(0, noise^2), b ~ N(0, prior^2 I).
double log_linear_evidence(const Products& of, double noise, double prior);

/// log p(y) of y_i ~ N(mu, noise^2), mu ~ N(0, prior^2), from the number of the y, their sum and that of their squares.
double log_mean_evidence(double count, double sum, double squares, double noise, double prior);

}  // namespace evident::problems
