// Bayesian linear regression with conjugate priors, on a subset of the covariates. Its evidence is known exactly.
//
//   y = intercept + sum_j beta_j x_j + e,   e ~ N(0, sigma^2),   precision = sigma^-2 ~ Gamma(shape a, rate b),
//   intercept | sigma ~ N(0, (s0 sigma)^2),   beta_j | sigma ~ N(0, (s sigma)^2)
//
//   const auto data = std::make_shared<const RegressionData>(y, columns, names);
//   const LinearRegression model(data, {}, 0b101);       // covariates 1 and 3
//   model.parameters().names();                          // precision, intercept, beta[x1], beta[x3]
//   model.exact_log_evidence();
//
// The prior of the coefficients depends on the precision; parameters() shows what each has when the precision is
// integrated out, a Student t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evident/model/model.hpp"

namespace evident {

/// Bit j says whether covariate j is in.
using CovariateSet = std::uint64_t;

/// Response and covariates; column 0 of the design is all ones, column 1+j is covariate j.
class RegressionData {
 public:
  static constexpr std::size_t kMaxCovariates = 60;

  /// `names` may be empty: x1, x2, ... With `standardise` each column is centred and scaled to mean square 1, so that
  /// one prior fits all coefficients. Throws InputError for lengths that differ, numbers that are not finite, names
  /// that repeat, and for a constant column when it is to be standardised.
  RegressionData(std::vector<double> y, std::vector<std::vector<double>> columns, std::vector<std::string> names = {},
                 bool standardise = true);

  std::size_t rows() const { return y_.size(); }
  std::size_t covariates() const { return names_.size(); }
  const std::vector<double>& response() const { return y_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<double>& column(std::size_t c) const { return columns_[c]; }         ///< of the design
  double product(std::size_t a, std::size_t b) const { return gram_[a * width() + b]; }  ///< of two columns
  double product_with_response(std::size_t c) const { return with_response_[c]; }

 private:
  std::size_t width() const { return columns_.size(); }
  std::vector<double> y_;
  std::vector<std::vector<double>> columns_;
  std::vector<std::string> names_;
  std::vector<double> gram_, with_response_;
};

struct RegressionOptions {
  double precision_shape = 1;    ///< a
  double precision_rate = 1;     ///< b, in squared units of the response
  double intercept_scale = 10;   ///< s0, in units of sigma
  double coefficient_scale = 1;  ///< s, in units of sigma
};

class LinearRegression final : public Model {
 public:
  /// Throws InputError for options out of range or a covariate that there is not.
  LinearRegression(std::shared_ptr<const RegressionData> data, const RegressionOptions& options, CovariateSet included);

  const RegressionOptions& options() const { return options_; }
  CovariateSet included() const { return included_; }
  /// log p(y), precision and coefficients integrated out.
  double exact_log_evidence() const { return log_evidence_; }

  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override;
  void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const override;
  void log_prior(ConstBlock theta, std::span<double> out) const override;
  bool has_gradient() const override { return true; }
  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override;
  std::vector<std::vector<std::size_t>> groups() const override;

  std::size_t observation_count() const override { return data_->rows(); }
  bool has_sequence() const override { return true; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override;

  /// The response, against the covariate when the data have one only.
  std::vector<Observed> observed() const override;
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override;
  void predict(ConstBlock theta, Block out) const override;

 private:
  void set_centre();
  void set_evidence();

  std::shared_ptr<const RegressionData> data_;
  RegressionOptions options_;
  CovariateSet included_;
  std::vector<std::size_t> columns_;  ///< of the design: 0 and those of the covariates that are in
  std::vector<double> prior_scale_;   ///< of each coefficient, in units of sigma
  ParameterSpace space_;
  Distribution precision_;
  // |y - A c|^2 = rest + sum_i t_i (sum_j gram_ij t_j - 2 slope_i) with t = c - centre: a quadratic around the least
  // squares, where little cancels.
  std::vector<double> centre_, gram_, slope_;
  double rest_ = 0;
  double log_evidence_ = 0;
};

}  // namespace evident
