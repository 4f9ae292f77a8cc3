// The families, one object each. Functions, because other static objects may already use them while a program starts.
#pragma once

#include "evident/dist/distribution.hpp"

namespace evident::dist {

// real_line.cpp
const Family& normal_family();
const Family& student_t_family();
const Family& cauchy_family();
const Family& laplace_family();
const Family& logistic_family();

// half_line.cpp
const Family& half_normal_family();
const Family& half_student_t_family();
const Family& half_cauchy_family();
const Family& lognormal_family();
const Family& exponential_family();
const Family& weibull_family();

// gamma.cpp
const Family& gamma_rate_family();
const Family& gamma_scale_family();
const Family& inverse_gamma_family();

// interval.cpp
const Family& uniform_family();
const Family& log_uniform_family();
const Family& beta_family();
const Family& truncated_normal_family();

// discrete.cpp
const Family& bernoulli_family();
const Family& binomial_family();
const Family& poisson_family();
const Family& negative_binomial_family();

}  // namespace evident::dist
