#include "models/regression/linear_regression.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"
#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

RegressionOptions checked(const RegressionOptions& o) {
  const auto require = [](double x, const char* what) {
    if (!(std::isfinite(x) && x > 0))
      throw InputError(std::string("linear regression: ") + what + " must be a positive number");
  };
  require(o.precision_shape, "the prior shape of the precision");
  require(o.precision_rate, "the prior rate of the precision");
  require(o.intercept_scale, "the prior scale of the intercept");
  require(o.coefficient_scale, "the prior scale of the coefficients");
  return o;
}

/// Columns of the design: the ones, and covariates that are in.
std::vector<std::size_t> design_columns(const RegressionData& data, CovariateSet included) {
  if (included >> data.covariates() != 0)
    throw InputError("linear regression: covariate set " + std::to_string(included) + " with " +
                     std::to_string(data.covariates()) + " covariates only");
  std::vector<std::size_t> columns{0};
  for (std::size_t j = 0; j < data.covariates(); ++j)
    if (included >> j & 1) columns.push_back(j + 1);
  return columns;
}

Eigen::MatrixXd design(const RegressionData& data, const std::vector<std::size_t>& columns) {
  Eigen::MatrixXd a(data.rows(), columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    a.col(static_cast<Eigen::Index>(c)) =
        Eigen::Map<const Eigen::VectorXd>(data.column(columns[c]).data(), static_cast<Eigen::Index>(data.rows()));
  return a;
}

Eigen::VectorXd response(const RegressionData& data) {
  return Eigen::Map<const Eigen::VectorXd>(data.response().data(), static_cast<Eigen::Index>(data.rows()));
}

}  // namespace

LinearRegression::LinearRegression(std::shared_ptr<const RegressionData> data, const RegressionOptions& options,
                                   CovariateSet included)
    : data_(std::move(data)),
      options_(checked(options)),
      included_(included),
      columns_(design_columns(*data_, included)),
      prior_scale_(columns_.size(), options.coefficient_scale),
      precision_(gamma_rate(options.precision_shape, options.precision_rate)) {
  prior_scale_[0] = options.intercept_scale;
  space_.add("precision", precision_);
  // With the precision integrated out: Student t with 2 a degrees of freedom.
  const double spread = std::sqrt(options.precision_rate / options.precision_shape);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    space_.add(c == 0 ? "intercept" : "beta[" + data_->names()[columns_[c] - 1] + "]",
               student_t(2 * options.precision_shape, 0, prior_scale_[c] * spread));
  set_centre();
  set_evidence();
}

void LinearRegression::set_centre() {
  const Eigen::MatrixXd a = design(*data_, columns_);
  const Eigen::VectorXd y = response(*data_);
  const Eigen::VectorXd c = a.completeOrthogonalDecomposition().solve(y);  // also when columns depend on each other
  const Eigen::VectorXd residual = y - a * c, slope = a.transpose() * residual;
  const std::size_t d = columns_.size();
  centre_.assign(c.begin(), c.end());
  slope_.assign(slope.begin(), slope.end());
  rest_ = residual.squaredNorm();
  gram_.resize(d * d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) gram_[i * d + j] = data_->product(columns_[i], columns_[j]);
}

/// The normal-gamma prior is conjugate: with P0 = diag(1/s^2), P = P0 + A'A and m the posterior mean,
/// log p(y) = -n/2 log 2 pi + (log |P0| - log |P|) / 2 + a log b - a' log b' + log Gamma(a') - log Gamma(a),
/// a' = a + n/2, b' = b + (|y - A m|^2 + m' P0 m) / 2.
void LinearRegression::set_evidence() {
  const Eigen::MatrixXd a = design(*data_, columns_);
  const Eigen::VectorXd y = response(*data_);
  Eigen::VectorXd p0(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c)
    p0[static_cast<Eigen::Index>(c)] = 1 / (prior_scale_[c] * prior_scale_[c]);
  const Eigen::MatrixXd p = a.transpose() * a + Eigen::MatrixXd(p0.asDiagonal());
  const Eigen::LLT<Eigen::MatrixXd> root(p);
  const Eigen::VectorXd m = root.solve(a.transpose() * y);
  const double log_det = 2 * root.matrixLLT().diagonal().array().log().sum();
  const double n = static_cast<double>(data_->rows()), shape = options_.precision_shape, rate = options_.precision_rate,
               shape_n = shape + n / 2;
  const double rate_n = rate + 0.5 * ((y - a * m).squaredNorm() + m.dot(p0.cwiseProduct(m)));
  log_evidence_ = -n / 2 * kLog2Pi + 0.5 * (p0.array().log().sum() - log_det) + shape * std::log(rate) -
                  shape_n * std::log(rate_n) + dist::log_gamma(shape_n) - dist::log_gamma(shape);
}

void LinearRegression::draw_prior(const Streams& streams, std::uint32_t first, Block theta) const {
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream =
        streams.at({.step = 0, .particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::prior});
    const double precision = precision_.draw(stream), sigma = 1 / std::sqrt(precision);
    theta(0, i) = precision;
    for (std::size_t c = 0; c < columns_.size(); ++c) theta(1 + c, i) = prior_scale_[c] * sigma * stream.normal();
  }
}

std::vector<std::vector<std::size_t>> LinearRegression::groups() const {
  std::vector<std::vector<std::size_t>> groups(2);
  groups[0].push_back(0);
  for (std::size_t c = 0; c < columns_.size(); ++c) groups[1].push_back(1 + c);
  return groups;
}

}  // namespace evident
