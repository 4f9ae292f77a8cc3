// Sums of numbers kept as logarithms, many columns at once.
#pragma once

#include <algorithm>
#include <span>

#include "base/vector_math.hpp"
#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"

namespace evident::dist {

/// out[i] = log of the sum of exp over column i; each entry becomes its share of that sum. -inf and zero shares for a
/// column of -inf or with a NaN. `out` is padded like a row.
inline void log_sum_rows(Block parts, AlignedVector<double>& out) {
  const std::size_t n = parts.size();
  AlignedVector<double> top(n, -kInf), sum(n, 0.0);
  for (std::size_t k = 0; k < parts.rows(); ++k)
    for (std::size_t i = 0; i < n; ++i) top[i] = std::max(top[i], parts(k, i));
  for (std::size_t k = 0; k < parts.rows(); ++k) {
    double* row = parts.row_data(k);
    for (std::size_t i = 0; i < n; ++i) row[i] = row[i] <= top[i] && top[i] > -kInf ? row[i] - top[i] : -kInf;
    vector_math::exp(row, row, n);
    for (std::size_t i = 0; i < n; ++i) sum[i] += row[i];
  }
  vector_math::log(sum.data(), out.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] += top[i];
    const double inverse = sum[i] > 0 ? 1 / sum[i] : 0.0;
    for (std::size_t k = 0; k < parts.rows(); ++k) parts(k, i) *= inverse;
  }
}

}  // namespace evident::dist
