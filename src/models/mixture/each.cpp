// The scalar twins over a block: mixtures of more components than the vectorised kernels hold in their registers.
#include <vector>

#include "models/mixture/kernel.hpp"

namespace evident::mixture {
namespace {

void gather(ConstBlock theta, std::size_t i, std::vector<double>& one) {
  for (std::size_t row = 0; row < one.size(); ++row) one[row] = theta(row, i);
}

void scatter(const std::vector<double>& one, std::size_t i, Block theta) {
  for (std::size_t row = 0; row < one.size(); ++row) theta(row, i) = one[row];
}

}  // namespace

void log_likelihood_each(const Likelihood& data, ConstBlock theta, std::span<double> out) {
  std::vector<double> one(theta.rows());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    gather(theta, i, one);
    out[i] = log_likelihood_scalar(data, one);
  }
}

void gradient_each(const Likelihood& data, ConstBlock theta, Block out) {
  std::vector<double> one(theta.rows()), slope(theta.rows());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    gather(theta, i, one);
    gradient_scalar(data, one, slope);
    scatter(slope, i, out);
  }
}

void move_weights_each(const Likelihood& data, const WeightMoves& moves, Block theta, std::span<double> log_prior,
                       std::span<double> log_likelihood) {
  std::vector<double> one(theta.rows());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    gather(theta, i, one);
    move_weights_scalar(data, moves, i, one, log_prior[i], log_likelihood[i]);
    scatter(one, i, theta);
  }
}

}  // namespace evident::mixture
