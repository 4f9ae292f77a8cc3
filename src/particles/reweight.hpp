// The vectorised loops behind weights and schedules. The memory behind w and l need not be padded or aligned.
#pragma once

#include <cstddef>

namespace evident::reweighting {

/// Sums over particles with e_i = exp(delta * (l_i - top)) and weights w_i; l_i = -inf or NaN counts as e_i = 0.
struct ExpSums {
  double s1, s2;  ///< sum w e, sum w e^2
  double t1, t2;  ///< the same with a factor (l - top)
};
ExpSums exp_sums(const double* w, const double* l, double top, double delta, std::size_t n);
/// The same with the squared weights in s2 and t2: sum w^2 e^2.
ExpSums squared_exp_sums(const double* w, const double* l, double top, double delta, std::size_t n);

struct PossibleSums {
  double sum, squares;
};
/// Sums of the weights and of their squares over particles with l above -inf.
PossibleSums possible_sums(const double* w, const double* l, std::size_t n);

/// Means of l under weights w e^(delta l j / 8), j = 1..7, in one pass (paper, finer grid of path sampling).
void finer_means(const double* w, const double* l, double top, double delta, std::size_t n, double* means);

/// The largest l; NaN is passed over, -inf when there is none.
double largest(const double* l, std::size_t n);

/// log_w_i + delta (l_i - top), or -inf where l_i is -inf or NaN, into `out`; returns the largest.
double shift(const double* log_w, const double* l, double top, double delta, std::size_t n, double* out);

/// x_i <- x_i - top and e_i = exp of it; returns the sum of e.
double exp_and_sum(double* x, double top, std::size_t n, double* e);

struct Normalised {
  double squares;  ///< sum of the new weights' squares
  double cess;     ///< 1 / sum (W_i^2 / W_i before)
};
/// x_i <- x_i - log_sum and w_i <- e_i / sum; w holds the weights before.
Normalised finish(double* x, const double* e, double* w, double sum, double log_sum, std::size_t n);

struct MeanVariance {
  double mean, variance;
};
/// Of l under w, over particles of positive weight; not finite when one of them has l = -inf.
MeanVariance moments(const double* w, const double* l, std::size_t n);

}  // namespace evident::reweighting
