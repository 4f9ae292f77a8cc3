#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cmd/doctor/self_test.hpp"
#include "evident/compare/compare.hpp"
#include "evident/formula/model.hpp"
#include "evident/smc/sampler.hpp"
#include "models/regression/linear_regression.hpp"
#include "models/regression/simulate.hpp"

namespace evident::cli::doctor {
namespace {

constexpr const char* kReport =
    "results of this program cannot be trusted on this machine; try another build or package, and report what "
    "'evident doctor --json' prints";

/// The evidence by a pilot and islands, as 'evident compare' does it, beside the exact one.
Check compare_with(Check check, std::shared_ptr<const Model> model, double exact) {
  CompareOptions options = default_options();
  options.seed = 1;
  options.threads = 1;
  options.smc->particles = 200;
  const Comparison result = compare({{check.key, 1, std::move(model)}}, options);
  const ModelResult& found = result.models.front();
  const double error = found.log_evidence.value - exact, se = found.log_evidence.standard_error;
  // Six standard errors that are known from eight islands: right programs fail once in 2000 machines. The error must be
  // small as well, else anything would pass.
  constexpr double kErrors = 6, kLargestError = 0.1;
  check.passed = std::isfinite(error) && std::abs(error) < kErrors * se && se < kLargestError;
  check.text =
      fmt::format("log evidence {:.3f} with standard error {:.3f}; exact {:.3f}", found.log_evidence.value, se, exact);
  check.numbers = {{"log_evidence", found.log_evidence.value}, {"standard_error", se}, {"exact", exact}};
  if (!check.passed) check.advice = kReport;
  return check;
}

Check built_in() {
  const RegressionTable table = simulate_regression({}, 30, Streams({.seed = 1}));
  const auto data = std::make_shared<const RegressionData>(table.y, table.columns, table.names);
  const auto model = std::make_shared<const LinearRegression>(data, RegressionOptions{}, CovariateSet{0b101});
  return compare_with({.key = "evidence_built_in", .label = "Linear regression", .text = {}}, model,
                      model->exact_log_evidence());
}

/// y_i ~ N(mu, 1), mu ~ N(0, 2^2): the same by hand.
double exact_normal(const std::vector<double>& y) {
  constexpr double kPriorVariance = 4, kLog2Pi = 1.8378770664093454836;
  const auto n = static_cast<double>(y.size());
  double sum = 0, squares = 0;
  for (const double v : y) sum += v, squares += v * v;
  const double total = 1 + n * kPriorVariance;
  return -0.5 * (n * kLog2Pi + std::log(total) + squares - kPriorVariance * sum * sum / total);
}

Check formula() {
  const std::vector<double> y = {0.3, 1.9, 2.4, 0.8, -0.2, 1.1, 1.6, 0.1, 2.2, 0.9, 1.3, -0.6};
  const auto data = std::make_shared<formula::DataSet>();
  data->table_rows = {y.size()};
  data->columns = {{.name = "y", .numbers = y}};
  formula::FormulaText text;
  text.data = data;
  text.parameters = {{{.text = "mu"}, {.text = "normal(0, 2)"}}};
  text.likelihood = {{{.text = "y"}, {.text = "normal(mu, 1)"}}};
  return compare_with({.key = "evidence_formula", .label = "A formula", .text = {}}, make_formula_model(text),
                      exact_normal(y));
}

}  // namespace

std::vector<Check> evidence_checks() { return {built_in(), formula()}; }

}  // namespace evident::cli::doctor
