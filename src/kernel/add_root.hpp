// z' = z + factor x root x step, for some rows of z and all particles of a block; and back.
#pragma once

#include <span>
#include <vector>

#include "base/vector_math.hpp"
#include "kernel/metropolis.hpp"

namespace evident {

struct RootStep {
  std::span<const std::size_t> rows;  ///< of z
  const std::vector<double>& root;    ///< lower triangular, row-major
  const double* factor = nullptr;     ///< per particle; null: 1
};

/// Row j of `step` belongs to rows[j]; the result goes to these rows of `out`.
inline void add_root(const RootStep& by, const Particles& p, const BlockStorage& step, BlockStorage& out) {
  const std::size_t d = by.rows.size();
  constexpr std::size_t kFew = 16;  // pointers on the stack for ordinary models
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
  for (std::size_t a = 0; a < d; ++a) {
    double* out = w.row(a).data();
    for (std::size_t b = 0; b < a; ++b) {
      const double c = root[a * d + b];
      const double* earlier = w.row(b).data();
      for (std::size_t i = 0; i < n; ++i) out[i] -= c * earlier[i];
    }
    const double inverse = 1 / root[a * d + a];
    for (std::size_t i = 0; i < n; ++i) out[i] *= inverse;
  }
}

}  // namespace evident
