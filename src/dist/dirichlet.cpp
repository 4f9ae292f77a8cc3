#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "dist/batch.hpp"
#include "dist/family_of.hpp"
#include "dist/multivariate.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

/// How far the sum of the components may be from one: rounding of a long sum, not a wrong vector.
constexpr double kSumTolerance = 1e-9;

/// The part of one component: (a - 1) log x, nothing at all for a = 1.
dist::LogLinearTerm component(double a) {
  return {.lower = 0, .upper = 1 + kSumTolerance, .constant = 0, .log_factor = a - 1, .at_zero = a == 1 ? 0 : -kInf};
}

}  // namespace

Dirichlet::Dirichlet(std::vector<double> concentration) : concentration_(std::move(concentration)) {
  if (concentration_.size() < 2) throw InputError("dirichlet: needs at least two concentrations");
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    if (!dist::is_positive(concentration_[j])) {
      throw InputError("dirichlet: concentration " + std::to_string(j + 1) + " must be positive and finite");
    }
    sum += concentration_[j];
    log_constant_ -= dist::log_gamma(concentration_[j]);
  }
  log_constant_ += dist::log_gamma(sum);
}

void Dirichlet::draw(Stream& stream, std::span<double> out) const {
  // Gamma draws as logarithms: with tiny concentrations all of them would underflow, and 0/0 follow.
  double top = -kInf;
  for (std::size_t j = 0; j < size(); ++j) {
    out[j] = dist::draw_log_gamma(stream, concentration_[j]);
    top = std::max(top, out[j]);
  }
  double sum = 0;
  for (double& x : out) {
    x = std::exp(x - top);
    sum += x;
  }
  for (double& x : out) x = dist::clamp_positive(x / sum);
}

double Dirichlet::log_density(std::span<const double> x) const {
  double sum = 0, out = log_constant_;
  for (std::size_t j = 0; j < size(); ++j) {
    sum += x[j];
    out += component(concentration_[j]).at(x[j]);
  }
  return std::abs(sum - 1) <= kSumTolerance ? out : -kInf;
}

void Dirichlet::add_log_density(ConstBlock x, std::span<double> out) const {
  AlignedVector<double> sum(x.size(), 0.0);
  for (std::size_t j = 0; j < size(); ++j) {
    dist::add(component(concentration_[j]), x.row(j), out);
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x(j, i);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    out[i] += std::abs(sum[i] - 1) <= kSumTolerance ? log_constant_ : -kInf;
  }
}

void Dirichlet::add_gradient(ConstBlock x, Block gradient) const {
  for (std::size_t j = 0; j < size(); ++j) {
    const double factor = concentration_[j] - 1;
    if (factor == 0) continue;
    for (std::size_t i = 0; i < x.size(); ++i) gradient(j, i) += factor / x(j, i);
  }
}

}  // namespace evident
