// Narrow ridges, straight and bent.
#include <cmath>

#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// Normal of unit variances and correlations 0.9999 at a drawn centre, on U(-10, 10)^d.
Problem straight_ridge(std::size_t d, std::uint64_t instance) {
  constexpr double kRho = 0.9999;
  const std::string name = "ridge d=" + std::to_string(d);
  Stream stream = numbers_of(name, instance);
  std::vector<double> centre(d);
  for (double& c : centre) c = 4 * stream.uniform() - 2;
  const auto n = static_cast<double>(d);
  // The precision is a I + b 11'.
  const double spread = 1 + (n - 1) * kRho, a = 1 / (1 - kRho), b = -kRho / ((1 - kRho) * spread);
  const double log_det = (n - 1) * std::log(1 - kRho) + std::log(spread);
  auto model = by_point(
      alike(d, uniform(-10, 10)),
      [=](std::span<const double> t) {
        double sum = 0, form = 0;
        for (std::size_t j = 0; j < d; ++j) sum += t[j] - centre[j];
        // The same as a (squares) + b sum^2, without losing digits where both are large.
        for (std::size_t j = 0; j < d; ++j) {
          const double off = t[j] - centre[j] - sum / n;
          form += a * off * off;
        }
        form += sum * sum / (n * spread);
        return -0.5 * (n * kLog2Pi + log_det + form);
      },
      [=](std::span<const double> t, std::span<double> out) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) sum += t[j] - centre[j];
        for (std::size_t j = 0; j < d; ++j) out[j] = -a * (t[j] - centre[j]) - b * sum;
      });
  return {name, model, -n * std::log(20.0), 0, "closed form: a density within a box; less than 1e-13 lies outside"};
}

/// x1 ~ N(0, 1) and x_j ~ N(x1^2, 0.1^2), j = 2 .. d: a map that keeps volumes bends independent normals.
Problem bent_ridge(std::size_t d) {
  constexpr double kSd = 0.1;
  ParameterSpace space;
  space.add("x1", uniform(-8, 8));
  for (std::size_t j = 1; j < d; ++j) space.add("x" + std::to_string(j + 1), uniform(-20, 80));
  auto model = by_point(
      space,
      [](std::span<const double> t) {
        double sum = log_normal_density(t[0], 0, 1);
        for (std::size_t j = 1; j < t.size(); ++j) sum += log_normal_density(t[j], t[0] * t[0], kSd);
        return sum;
      },
      [](std::span<const double> t, std::span<double> out) {
        out[0] = -t[0];
        for (std::size_t j = 1; j < t.size(); ++j) {
          const double off = (t[j] - t[0] * t[0]) / (kSd * kSd);
          out[j] = -off;
          out[0] += 2 * t[0] * off;
        }
      });
  const double exact = -std::log(16.0) - static_cast<double>(d - 1) * std::log(100.0);
  return {"bent ridge d=" + std::to_string(d), model, exact, 0,
          "closed form: a density within a box; less than 1e-14 lies outside"};
}

}  // namespace

SuiteEntries ridges() {
  const std::string family = "narrow ridges";
  SuiteEntries out;
  for (const std::size_t d : {2, 4, 10})
    out.push_back(drawn_entry(family, "ridge d=" + std::to_string(d),
                              [d](std::uint64_t instance) { return straight_ridge(d, instance); }));
  for (const std::size_t d : {2, 5})
    out.push_back(fixed_entry(family, "bent ridge d=" + std::to_string(d), [d] { return bent_ridge(d); }));
  for (const std::size_t d : {2, 10})
    out.push_back(fixed_entry(family, "rosenbrock pairs d=" + std::to_string(d), [d] { return rosenbrock_pairs(d); }));
  return out;
}

}  // namespace evident::problems
