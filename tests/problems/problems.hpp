// Problems with known answers, shared by tests, benches and docs; registry.hpp lists them all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evident/model/model.hpp"

namespace evident::problems {

struct Problem {
  std::string name;
  std::shared_ptr<const Model> model;
  double log_evidence;        ///< as it is known ...
  double standard_error = 0;  ///< ... but for this; 0: to rounding
  std::string how = {};       ///< how it is known
};

/// y_i ~ N(mu, I) in d dimensions, i = 1..n, mu_j ~ N(0, 2^2); data fixed, evidence in closed form. Has a gradient.
Problem conjugate_normal(std::size_t n, std::size_t d);
/// 50 successes in 100 trials (as a sequence), success probability ~ Beta(a, b).
Problem beta_bernoulli(double a, double b);
/// N(mean (-1, 0, 1), unit variances, correlation rho) as likelihood on U(-10, 10)^3.
Problem correlated_gaussian();
/// (2 + cos(x/2) cos(y/2))^5 on U(0, 10 pi)^2.
Problem eggbox();
/// Two normal modes of weight 0.3 and 0.7 at (-5, ...) and (5, ...), sd 0.5, on U(-10, 10)^8.
Problem two_modes();
/// Normal likelihood of sd 0.1 at 1, prior N(0, 1), in d dimensions. Has a gradient.
Problem narrow_gaussian(std::size_t d);
/// Normal likelihood of sd 1 at 0, prior N(0, 1), in d dimensions: easy but for d. Has a gradient.
Problem unit_gaussian(std::size_t d);
/// Normal likelihood of sd 0.3 at 0 with all correlations 0.4, on U(-5, 5)^d.
Problem equicorrelated_gaussian(std::size_t d);
/// d / 2 curved valleys: log likelihood -sum [10 (x_{2i}^2 - x_{2i+1})^2 + (x_{2i} - 1)^2] on U(-10, 10)^d; the
/// evidence is a one-dimensional integral. Has a gradient.
Problem rosenbrock_pairs(std::size_t d);
/// The likelihood is the density of the logarithm of d standard exponential variables, on U(-30, 10)^d: skew -1.14
/// each.
Problem log_exponential(std::size_t d);
/// A standard normal and, `offset` away in each coordinate, one of standard deviation `sd` with `odds` times its
/// evidence, as likelihood on U(-6, 6)^d: a first-order phase transition when the narrow one is narrow and d is large.
Problem spike_in_normal(std::size_t d, double sd, double odds, double offset = 0);
/// On U(0, 1)^2: 36 u (1 - u) v (1 - v) in a square of area `share` with its lower corner at (left, low), where (u, v)
/// is the place within it; impossible elsewhere.
Problem possible_square(double share, double left = 0.3, double low = 0.2);

}  // namespace evident::problems
