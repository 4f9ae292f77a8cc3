// z' = z + factor x root x step, for some rows of z and all particles of a block; and back.
#pragma once

#include <span>
#include <vector>

#include "base/triangular.hpp"
#include "kernel/metropolis.hpp"

namespace evident {

/// Coordinates that are worth looking whether a root is diagonal: then their number counts and not its square.
inline constexpr std::size_t kManyRows = 16;
inline bool is_diagonal(const std::vector<double>& root, std::size_t d) {
  for (std::size_t a = 1; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (root[a * d + b] != 0) return false;
  return true;
}

struct RootStep {
  std::span<const std::size_t> rows;  ///< of z
  const std::vector<double>& root;    ///< lower triangular, row-major
  const double* factor = nullptr;     ///< per particle; null: 1
};

/// Row j of `step` belongs to rows[j]; the result goes to these rows of `out`.
inline void add_root(const RootStep& by, const Particles& p, const BlockStorage& step, BlockStorage& out) {
  const std::size_t d = by.rows.size();
  if (d > kManyRows && is_diagonal(by.root, d)) {
    for (std::size_t j = 0; j < d; ++j) {
      const double *from = p.z.row_data(by.rows[j]), *noise = step.row(j).data(), c = by.root[j * d + j];
      double* to = out.row(by.rows[j]).data();
      for (std::size_t i = 0; i < p.size; ++i)
        to[i] = from[i] + (by.factor == nullptr ? c : c * by.factor[i]) * noise[i];
    }
    return;
  }
  constexpr std::size_t kFew = kManyRows;  // pointers on the stack for ordinary models
  const double* few_from[kFew];
  const double* few_step[kFew];
  double* few_to[kFew];
  std::vector<const double*> many_from, many_step;
  std::vector<double*> many_to;
  if (d > kFew) many_from.resize(d), many_step.resize(d), many_to.resize(d);
  const double** from = d > kFew ? many_from.data() : few_from;
  const double** steps = d > kFew ? many_step.data() : few_step;
  double** to = d > kFew ? many_to.data() : few_to;
  for (std::size_t j = 0; j < d; ++j) {
    from[j] = p.z.row_data(by.rows[j]);
    steps[j] = step.row(j).data();
    to[j] = out.row(by.rows[j]).data();
  }
  vector_math::add_triangular(from, by.root.data(), steps, by.factor, d, p.size, to);
}

/// The other way: rows x of w become root^-1 x.
inline void solve_root(const std::vector<double>& root, std::size_t d, std::size_t n, BlockStorage& w) {
  if (d > kManyRows && is_diagonal(root, d)) {
    for (std::size_t j = 0; j < d; ++j) {
      double* x = w.row(j).data();
      const double inverse = 1 / root[j * d + j];
      for (std::size_t i = 0; i < n; ++i) x[i] *= inverse;
    }
    return;
  }
  double* few[kManyRows];
  std::vector<double*> many(d > kManyRows ? d : 0);
  double** rows = d > kManyRows ? many.data() : few;
  for (std::size_t j = 0; j < d; ++j) rows[j] = w.row(j).data();
  vector_math::solve_triangular(root.data(), d, n, rows);
}

}  // namespace evident
