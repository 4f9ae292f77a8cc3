#include "problems/written.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "evident/base/log_math.hpp"

namespace evident::problems {
namespace {

class Written final : public Model {
 public:
  Written(ParameterSpace space, BlockLikelihood log_likelihood, BlockGradient gradient)
      : space_(std::move(space)), log_likelihood_(std::move(log_likelihood)), gradient_(std::move(gradient)) {}

  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override { log_likelihood_(theta, out); }
  bool has_gradient() const override { return static_cast<bool>(gradient_); }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    gradient_(theta, d_log_likelihood);
  }

 private:
  ParameterSpace space_;
  BlockLikelihood log_likelihood_;
  BlockGradient gradient_;
};

void get_column(ConstBlock theta, std::size_t i, std::vector<double>& out) {
  for (std::size_t j = 0; j < theta.rows(); ++j) out[j] = theta(j, i);
}

}  // namespace

std::shared_ptr<const Model> by_block(ParameterSpace space, BlockLikelihood log_likelihood, BlockGradient gradient) {
  return std::make_shared<Written>(std::move(space), std::move(log_likelihood), std::move(gradient));
}

std::shared_ptr<const Model> by_point(ParameterSpace space, ScalarLikelihood log_likelihood, PointGradient gradient) {
  return by_block(
      std::move(space),
      [f = std::move(log_likelihood)](ConstBlock theta, std::span<double> out) {
        std::vector<double> one(theta.rows());
        for (std::size_t i = 0; i < theta.size(); ++i) {
          get_column(theta, i, one);
          out[i] = f(one);
        }
      },
      [g = std::move(gradient)](ConstBlock theta, Block out) {
        std::vector<double> one(theta.rows()), slope(theta.rows());
        for (std::size_t i = 0; i < theta.size(); ++i) {
          get_column(theta, i, one);
          g(one, slope);
          for (std::size_t j = 0; j < theta.rows(); ++j) out(j, i) = slope[j];
        }
      });
}

ParameterSpace alike(std::size_t d, const Distribution& prior, const std::string& name) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add(name + std::to_string(j + 1), prior);
  return space;
}

double log_normal_density(double x, double mean, double sd) {
  const double e = (x - mean) / sd;
  return -0.5 * (kLog2Pi + e * e) - std::log(sd);
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double log_normal_mass(double low, double high, double mean, double sd) {
  return std::log1p(-normal_cdf((low - mean) / sd) - normal_cdf((mean - high) / sd));
}

}  // namespace evident::problems
