// Many thousand rows, which the likelihood adds up one by one.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "problems/conjugate.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

constexpr std::size_t kRows = 100000;
constexpr double kPriorSd = 10;

/// A lane of particles, which stays in registers while the rows go by.
using Lane = Eigen::Array<double, static_cast<int>(kLane), 1>;

/// Calls sum(first parameters, last parameters) for each lane, for its log likelihoods.
template <class Sum>
void for_each_lane(ConstBlock theta, std::span<double> out, const Sum& sum) {
  const auto lane_of = [](const double* row) { return Lane(Eigen::Map<const Lane>(row)); };
  for (std::size_t begin = 0; begin < out.size(); begin += kLane) {
    const Lane all = sum(lane_of(theta.row_data(0) + begin), lane_of(theta.row_data(theta.rows() - 1) + begin));
    for (std::size_t i = 0; i < std::min(kLane, out.size() - begin); ++i)
      out[begin + i] = all[static_cast<Eigen::Index>(i)];
  }
}

/// y ~ N(mu, 1), or with x: y ~ N(a + b x, 1). Coefficients N(0, 10^2).
Problem normal_rows(const std::string& name, std::uint64_t instance, std::size_t rows, bool line) {
  Stream stream = numbers_of(name, instance);
  std::vector<double> x(rows, 0.0), y(rows);
  if (line)
    for (double& v : x) v = 2 * stream.uniform() - 1;
  for (std::size_t i = 0; i < rows; ++i) y[i] = 1 + 0.5 * x[i] + stream.normal();
  std::vector<std::vector<double>> columns = {std::vector<double>(rows, 1.0)};
  if (line) columns.push_back(x);
  const double exact = log_linear_evidence(products(columns, y), 1, kPriorSd);
  ParameterSpace space;
  space.add("a", normal(0, kPriorSd));
  if (line) space.add("b", normal(0, kPriorSd));
  auto model = by_block(
      space,
      [=](ConstBlock theta, std::span<double> out) {
        for_each_lane(theta, out, [&](const Lane& a, const Lane& b) -> Lane {
          Lane squares = Lane::Zero();
          if (line)
            for (std::size_t r = 0; r < rows; ++r) squares += (y[r] - a - b * x[r]).square();
          else
            for (std::size_t r = 0; r < rows; ++r) squares += (y[r] - a).square();
          return -0.5 * (static_cast<double>(rows) * kLog2Pi + squares);
        });
      },
      [=](ConstBlock theta, Block out) {
        for (std::size_t i = 0; i < theta.size(); ++i) {
          double along_a = 0, along_b = 0;
          for (std::size_t r = 0; r < rows; ++r) {
            const double off = y[r] - theta(0, i) - (line ? theta(1, i) * x[r] : 0);
            along_a += off;
            along_b += off * x[r];
          }
          out(0, i) = along_a;
          if (line) out(1, i) = along_b;
        }
      });
  return {name, model, exact, 0, "closed form: a linear model"};
}

/// y ~ Cauchy(location, 1), location ~ N(0, 10^2).
Problem cauchy_rows(const std::string& name, std::uint64_t instance) {
  constexpr std::size_t kAtOnce =
      40;  // factors 1 + off^2 before a logarithm is taken: no overflow below 1e15 each, 1e7 on average
  static_assert(kRows % kAtOnce == 0);
  Stream stream = numbers_of(name, instance);
  std::vector<double> y(kRows);
  for (double& v : y) v = 1 + std::tan(std::numbers::pi * (stream.uniform() - 0.5));
  auto model = by_block(alike(1, normal(0, kPriorSd), "location"), [y](ConstBlock theta, std::span<double> out) {
    for_each_lane(theta, out, [&](const Lane& at, const Lane&) -> Lane {
      Lane sum = Lane::Constant(static_cast<double>(kRows) * std::log(std::numbers::pi));
      for (std::size_t begin = 0; begin < kRows; begin += kAtOnce) {
        Lane product = Lane::Ones();
        for (std::size_t r = begin; r < begin + kAtOnce; ++r) product *= 1 + (y[r] - at).square();
        sum += product.log();
      }
      return -sum;
    });
  });
  // The information of a row is 1/2, so the posterior has a standard deviation near sqrt(2 / rows) and is next to the
  // truth; 0.05 is 11 of them.
  const double exact = log_integral(
      [&](double t) {
        double sum = log_normal_density(t, 0, kPriorSd) - static_cast<double>(kRows) * std::log(std::numbers::pi);
        for (const double v : y) sum -= std::log1p((v - t) * (v - t));
        return sum;
      },
      panels(0.95, 1.05, 5));
  return {name, model, exact, 1e-8, "one-dimensional quadrature"};
}

SuiteEntry normal_entry(const std::string& family, const std::string& name, std::size_t rows, bool line) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return normal_rows(name, instance, rows, line); });
}

}  // namespace

SuiteEntries many_rows() {
  const std::string family = "many rows";
  return {normal_entry(family, "1e5 rows, normal mean", kRows, false),
          normal_entry(family, "1e5 rows, line", kRows, true),
          drawn_entry(family, "1e5 rows, Cauchy noise",
                      [](std::uint64_t instance) { return cauchy_rows("1e5 rows, Cauchy noise", instance); })};
}

SuiteEntries more_many_rows(ParameterDraws& draws) {
  const std::size_t thousands = draws.whole(20, 100);
  return {normal_entry(draws.family(), std::to_string(thousands) + "000 rows, line", 1000 * thousands, true)};
}

}  // namespace evident::problems
