#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "evident/base/error.hpp"
#include "models/regression/linear_regression.hpp"

namespace evident {
namespace {

void require(bool ok, const std::string& message) {
  if (!ok) throw InputError("linear regression: " + message);
}

void check_finite(const std::vector<double>& x, const std::string& what) {
  for (std::size_t i = 0; i < x.size(); ++i)
    require(std::isfinite(x[i]), "row " + std::to_string(i + 1) + " of " + what + " is not a finite number");
}

void standardise_column(std::vector<double>& x, const std::string& name) {
  const double n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double square = 0, largest = 0;
  for (double& v : x) {
    largest = std::max(largest, std::abs(v));
    v -= mean;
    square += v * v;
  }
  const double scale = std::sqrt(square / n);
  require(scale > 1e-14 * largest, "covariate \"" + name + "\" is constant");
  for (double& v : x) v /= scale;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

RegressionData::RegressionData(std::vector<double> y, std::vector<std::vector<double>> columns,
                               std::vector<std::string> names, bool standardise)
    : y_(std::move(y)), names_(std::move(names)) {
  require(!y_.empty(), "there are no observations");
  require(columns.size() <= kMaxCovariates,
          "at most " + std::to_string(kMaxCovariates) + " covariates, not " + std::to_string(columns.size()));
  if (names_.empty())
    for (std::size_t j = 0; j < columns.size(); ++j) names_.push_back("x" + std::to_string(j + 1));
  require(names_.size() == columns.size(), "there must be one name for each covariate");
  require(std::set<std::string>(names_.begin(), names_.end()).size() == names_.size(),
          "two covariates have the same name");
  check_finite(y_, "the response");
  columns_.emplace_back(y_.size(), 1.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    require(columns[j].size() == y_.size(), "covariate \"" + names_[j] + "\" has " + std::to_string(columns[j].size()) +
                                                " rows, the response " + std::to_string(y_.size()));
    check_finite(columns[j], "covariate \"" + names_[j] + "\"");
    if (standardise) standardise_column(columns[j], names_[j]);
    columns_.push_back(std::move(columns[j]));
  }
  for (const auto& a : columns_) {
    for (const auto& b : columns_) gram_.push_back(dot(a, b));
    with_response_.push_back(dot(a, y_));
  }
}

}  // namespace evident
