// A root of a covariance that always exists.
#pragma once

#include <cstddef>
#include <vector>

namespace evident::dist {

/// Lower triangular root, row-major, of the d x d matrix whose lower triangle is `second`. Correlations are shrunk by
/// the amount that `effective` draws call for (Schaefer and Strimmer 2005), at least by `shrunk`, and more when the
/// root does not exist. `shrunk` becomes the amount that was called for.
std::vector<double> scale_root(const std::vector<double>& second, std::size_t d, double effective, double& shrunk);
inline std::vector<double> scale_root(const std::vector<double>& second, std::size_t d, double effective) {
  double shrunk = 0;
  return scale_root(second, d, effective, shrunk);
}

/// Inverse of a lower triangular matrix, row-major.
std::vector<double> inverse_root(const std::vector<double>& root, std::size_t d);

}  // namespace evident::dist
