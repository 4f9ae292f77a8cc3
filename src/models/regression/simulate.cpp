#include "models/regression/simulate.hpp"

#include <cmath>

#include "evident/base/error.hpp"

namespace evident {
namespace {

void check(const RegressionTruth& truth) {
  if (!(std::isfinite(truth.noise_sd) && truth.noise_sd > 0))
    throw InputError("simulated regression: the noise sd must be a positive number");
  if (!(std::abs(truth.correlation) < 1))
    throw InputError("simulated regression: the correlation must lie between -1 and 1");
  if (!std::isfinite(truth.intercept)) throw InputError("simulated regression: the intercept must be a finite number");
  for (const double c : truth.coefficients)
    if (!std::isfinite(c)) throw InputError("simulated regression: every coefficient must be a finite number");
}

}  // namespace

RegressionTable simulate_regression(const RegressionTruth& truth, std::size_t observations, const Streams& streams) {
  check(truth);
  const std::size_t p = truth.coefficients.size();
  RegressionTable table;
  table.columns.assign(p, std::vector<double>(observations));
  table.y.resize(observations);
  for (std::size_t j = 0; j < p; ++j) table.names.push_back("x" + std::to_string(j + 1));
  const double rest = std::sqrt(1 - truth.correlation * truth.correlation);
  for (std::size_t i = 0; i < observations; ++i) {
    Stream stream = streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    double x = 0, mean = truth.intercept;
    for (std::size_t j = 0; j < p; ++j) {
      x = j == 0 ? stream.normal() : truth.correlation * x + rest * stream.normal();
      table.columns[j][i] = x;
      mean += truth.coefficients[j] * x;
    }
    table.y[i] = mean + truth.noise_sd * stream.normal();
  }
  return table;
}

}  // namespace evident
