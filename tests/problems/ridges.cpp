// Narrow ridges, straight and bent.
#include <cmath>

#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// Normal of unit variances and correlations rho at a drawn centre, on U(-10, 10)^d.
Problem straight_ridge(const std::string& name, std::size_t d, double rho, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  std::vector<double> centre(d);
  for (double& c : centre) c = 4 * stream.uniform() - 2;
  const auto n = static_cast<double>(d);
  // The precision is a I + b 11'.
  const double spread = 1 + (n - 1) * rho, a = 1 / (1 - rho), b = -rho / ((1 - rho) * spread);
  const double log_det = (n - 1) * std::log(1 - rho) + std::log(spread);
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

SuiteEntry straight(const std::string& family, const std::string& name, std::size_t d, double rho) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return straight_ridge(name, d, rho, instance); });
}

}  // namespace

SuiteEntries ridges() {
  const std::string family = "narrow ridges";
  SuiteEntries out;
  for (const std::size_t d : {2, 4, 10}) out.push_back(straight(family, "ridge d=" + std::to_string(d), d, 0.9999));
  for (const std::size_t d : {2, 5})
    out.push_back(fixed_entry(family, "bent ridge d=" + std::to_string(d), [d] { return bent_ridge(d); }));
  for (const std::size_t d : {2, 10})
    out.push_back(fixed_entry(family, "rosenbrock pairs d=" + std::to_string(d), [d] { return rosenbrock_pairs(d); }));
  return out;
}

SuiteEntries more_ridges(ParameterDraws& draws) {
  SuiteEntries out;
  for (int k = 0; k < 2; ++k) {
    const std::size_t d = draws.whole(2, 12);
    const double rho = 1 - draws.by_factor(1e-5, 1e-2);
    out.push_back(straight(draws.family(), "ridge d=" + std::to_string(d) + " rho=" + shown(rho), d, rho));
  }
  const std::size_t bent = draws.whole(2, 6, {2, 5}), pairs = draws.whole(2, 4);
  out.push_back(fixed_entry(draws.family(), "bent ridge d=" + std::to_string(bent), [=] { return bent_ridge(bent); }));
  out.push_back(fixed_entry(draws.family(), "rosenbrock pairs d=" + std::to_string(2 * pairs),
                            [=] { return rosenbrock_pairs(2 * pairs); }));
  return out;
}

}  // namespace evident::problems
