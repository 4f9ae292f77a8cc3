#include <cmath>

#include "models/regression/linear_regression.hpp"

namespace evident {

std::vector<Observed> LinearRegression::observed() const {
  Observed out{.name = "y", .values = data_->response()};
  if (data_->covariates() == 1) {
    out.axis_name = data_->names()[0];
    out.axis = data_->column(1);
  }
  return {std::move(out)};
}

void LinearRegression::predict(ConstBlock theta, Block out) const {
  for (std::size_t row = 0; row < data_->rows(); ++row)
    for (std::size_t i = 0; i < theta.size(); ++i) {
      double mean = 0;
      for (std::size_t c = 0; c < columns_.size(); ++c) mean += theta(1 + c, i) * data_->column(columns_[c])[row];
      out(row, i) = mean;
    }
}

void LinearRegression::draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first,
                                         Block out) const {
  predict(theta, out);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    const double sigma = 1 / std::sqrt(theta(0, i));
    for (std::size_t row = 0; row < data_->rows(); ++row) out(row, i) += sigma * stream.normal();
  }
}

}  // namespace evident
