#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"
#include "model/item.hpp"

namespace evident {

void SimplexItem::constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  const std::size_t n = z.size(), k = size;
  if (k == 1) {
    std::fill_n(theta.row_data(first), n, 1.0);
    return;
  }
  // Softmax with a last logit of zero, shifted by the largest so that nothing overflows. log |dtheta/dz| is the sum of
  // the log components.
  AlignedVector<double> top(padded(n), 0.0), sum(padded(n), 0.0), log_sum(padded(n));
  for (std::size_t j = 0; j + 1 < k; ++j) {
    const double* x = z.row_data(free_first + j);
    for (std::size_t i = 0; i < n; ++i) top[i] = std::max(top[i], x[i]);
  }
  for (std::size_t j = 0; j < k; ++j) {
    double* to = theta.row_data(first + j);
    const double* x = j + 1 < k ? z.row_data(free_first + j) : nullptr;
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = (x != nullptr ? x[i] : 0.0) - top[i];
      log_jacobian[i] += to[i];
    }
    vector_math::exp(to, to, n);
    for (std::size_t i = 0; i < n; ++i) sum[i] += to[i];
  }
  vector_math::log(sum.data(), log_sum.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    log_jacobian[i] -= static_cast<double>(k) * log_sum[i];
    sum[i] = 1.0 / sum[i];
  }
  for (std::size_t j = 0; j < k; ++j) {
    double* to = theta.row_data(first + j);
    for (std::size_t i = 0; i < n; ++i) to[i] *= sum[i];
  }
}

void SimplexItem::unconstrain(ConstBlock theta, Block z) const {
  constexpr double kTiny = 1e-300;  // a component may have underflowed to zero
  for (std::size_t j = 0; j + 1 < size; ++j)
    for (std::size_t i = 0; i < theta.size(); ++i)
      z(free_first + j, i) =
          std::log(std::max(theta(first + j, i), kTiny)) - std::log(std::max(theta(first + size - 1, i), kTiny));
}

void SimplexItem::pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const {
  const auto k = static_cast<double>(size);
  for (std::size_t i = 0; i < z.size(); ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < size; ++j) mean += adjoint(first + j, i) * theta(first + j, i);
    for (std::size_t j = 0; j + 1 < size; ++j) {
      const double t = theta(first + j, i);
      d_z(free_first + j, i) = t * (adjoint(first + j, i) - mean) + (add_log_jacobian ? 1 - k * t : 0.0);
    }
  }
}

void NormalVectorItem::constrain(ConstBlock z, Block theta, std::span<double>) const {
  for (std::size_t j = 0; j < size; ++j) std::copy_n(z.row_data(free_first + j), z.size(), theta.row_data(first + j));
}

void NormalVectorItem::unconstrain(ConstBlock theta, Block z) const {
  for (std::size_t j = 0; j < size; ++j) std::copy_n(theta.row_data(first + j), z.size(), z.row_data(free_first + j));
}

void NormalVectorItem::pull_back(ConstBlock z, ConstBlock, Block adjoint, Block d_z, bool) const {
  for (std::size_t j = 0; j < size; ++j)
    std::copy_n(adjoint.row_data(first + j), z.size(), d_z.row_data(free_first + j));
}

}  // namespace evident
