// Vectorised functions over rows (aligned and padded as in base/block.hpp), chosen for the CPU at run time.
// Each works on whole vectors: reads and writes reach up to padded(n).
#pragma once

#include <cstddef>
#include <cstdint>

namespace evident::vector_math {

/// out = exp(x). -inf gives 0.
void exp(const double* x, double* out, std::size_t n);
/// out = log(x) for x > 0; -inf for 0; NaN below.
void log(const double* x, double* out, std::size_t n);
/// theta = lower + (upper - lower) / (1 + exp(-z)); log_jacobian += log(dtheta/dz). Steps of the bounds are 0 (one for
/// all) or 1 (one each).
struct Bounds {
  const double* lower;
  const double* upper;
  std::size_t lower_step, upper_step;
};
void logistic(const double* z, const Bounds& bounds, double* theta, double* log_jacobian, std::size_t n);

/// Weighted sums for the moments of `rows` rows: mean[a] = sum w x_a; second[a * rows + b] = sum w (x_a - c_a)(x_b -
/// c_b) for b <= a, around the given centre.
void weighted_mean(const double* w, const double* const* x, std::size_t rows, std::size_t n, double* mean);
void weighted_second(const double* w, const double* const* x, const double* centre, std::size_t rows, std::size_t n,
                     double* second);

/// NaN becomes -inf. The memory may end at n.
struct Dropped {
  std::size_t nan, impossible;  ///< how many were NaN, and how many are -inf now
  std::uint64_t which;          ///< bit i: the i-th was NaN, for the first 64 of them
};
Dropped drop_nan(double* x, std::size_t n);

struct Densities {
  const double *log_prior, *log_likelihood;
};
/// out = prior' - prior + alpha (likelihood' - likelihood), in logarithms.
void tempered_ratio(const Densities& proposed, const Densities& now, double alpha, double* out, std::size_t n);

struct SumAndSquares {
  double sum, squares;
};
/// Sums of x and of its squares. The memory need not be padded or aligned.
SumAndSquares sum_and_squares(const double* x, std::size_t n);

/// The decision of Metropolis and Hastings. mask_i is all ones when log(u_i) < log_ratio_i, else zero; returns how many
/// of the first n are accepted. NaN ratios are rejected.
std::size_t accept(const double* u, const double* log_ratio, double* mask, std::size_t n);
/// The same for the ratio of tempered_ratio, without writing it down.
std::size_t accept_tempered(const Densities& proposed, const Densities& now, double alpha, const double* u,
                            double* mask, std::size_t n);
/// to_i = mask_i ? from_i : to_i.
void blend(const double* mask, const double* from, double* to, std::size_t n);
/// The same for several rows.
void blend_rows(const double* mask, const double* const* from, double* const* to, std::size_t rows, std::size_t n);
/// Sum of x_i^2 over rows and the first n particles with mask_i set.
double masked_squares(const double* mask, const double* const* x, std::size_t rows, std::size_t n);

}  // namespace evident::vector_math
