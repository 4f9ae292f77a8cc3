// From the sums over frames to the log likelihood, for many particles at once. Rows as in base/block.hpp.
#pragma once

#include <cstddef>

namespace evident::pet {

/// Constants of one curve and one model.
struct Constants {
  double frames;     ///< n
  double unit;       ///< of the sums, see likelihood.hpp
  double offset;     ///< sum log dt - n/2 log unit - n/2 log 2 pi
  double shape = 0;  ///< of the gamma prior, when the precision is integrated out
  double rate = 0;
  double marginal = 0;  ///< what integrating the precision out adds to the offset: marginal_constant
};
double marginal_constant(double frames, double shape, double rate);

// An infinite `sum`, and a lambda that is not above 0, give -inf.
void combine_normal(const Constants& k, const double* lambda, const double* sum, const double* log_product, double* out,
                    std::size_t count);
void combine_marginal(const Constants& k, const double* sum, const double* log_product, double* out, std::size_t count);
/// Here `sum` is sum log(1 + q_i / nu) nu, with q_i = lambda dt_i (y_i - C_i)^2 / C_i; `w` is 1/nu.
void combine_student(const Constants& k, const double* lambda, const double* w, const double* sum,
                     const double* log_product, double* out, std::size_t count);

/// log Gamma((nu+1)/2) - log Gamma(nu/2) - log(nu)/2 as a function of w = 1/nu >= 0; at 0 it is -log(2)/2.
double log_gamma_ratio(double w);

}  // namespace evident::pet
