// What kernels that follow the gradient have in common.
#pragma once

#include <vector>

#include "base/triangular.hpp"
#include "base/vector_math.hpp"
#include "evident/kernel/options.hpp"
#include "kernel/add_root.hpp"
#include "kernel/scratch.hpp"

namespace evident {

template <class T>
std::vector<T*> row_pointers(const BasicBlock<T>& block) {
  std::vector<T*> rows(block.rows());
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = block.row_data(j);
  return rows;
}

/// out = root' gradient: the gradient in whitened coordinates.
inline void whiten_gradient(const std::vector<double>& root, ConstBlock gradient, Block out) {
  const std::size_t d = gradient.rows();
  if (d > kManyRows && is_diagonal(root, d)) {
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < gradient.size(); ++i) out(j, i) = root[j * d + j] * gradient(j, i);
    return;
  }
  vector_math::multiply_transposed(root.data(), row_pointers(gradient).data(), gradient.rows(), gradient.size(),
                                   row_pointers(out).data());
}

/// What was computed at the last proposals takes the place of what is known at the particles that accepted them.
inline void take_accepted(const Scratch& s, const BlockStorage& proposed, Block current) {
  for (std::size_t j = 0; j < current.rows(); ++j)
    vector_math::blend(s.mask.data(), proposed.row(j).data(), current.row_data(j), current.size());
}

/// A band of the kernel's own, where the options have the random walk's.
inline KernelOptions with_band(KernelOptions options, double low, double high) {
  if (options.band_low == KernelOptions{}.band_low) options.band_low = low;
  if (options.band_high == KernelOptions{}.band_high) options.band_high = high;
  return options;
}

}  // namespace evident
