// Groups whose means come from a normal distribution of unknown place and width, as they are (centred).
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/groups.hpp"
#include "problems/published.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// y_j ~ N(mu, tau^2 + error_j^2) with mu ~ N(0, mean_sd^2): in closed form.
double log_evidence_given(double tau, const Groups& g) {
  double log_det = 0, precision = 1 / (g.mean_sd * g.mean_sd), first = 0, second = 0;
  for (std::size_t j = 0; j < g.y.size(); ++j) {
    const double v = g.errors[j] * g.errors[j] + tau * tau;
    log_det += kLog2Pi + std::log(v);
    precision += 1 / v;
    first += g.y[j] / v;
    second += g.y[j] * g.y[j] / v;
  }
  return -0.5 * (log_det + second - first * first / precision + std::log(precision)) - std::log(g.mean_sd);
}

Groups drawn_groups(const std::string& name, std::uint64_t instance, std::size_t count, double tau,
                    const Distribution& tau_prior) {
  Stream stream = numbers_of(name, instance);
  Groups out{.y = {}, .errors = {}, .mean_sd = 5, .tau_prior = tau_prior};
  for (std::size_t j = 0; j < count; ++j) {
    out.errors.push_back(0.5 + stream.uniform());
    out.y.push_back(2 + std::hypot(tau, out.errors.back()) * stream.normal());
  }
  return out;
}

Problem eight_centred_schools() {
  return centred_groups("eight schools, centred", {.y = {28, 8, -3, 7, -1, 1, 18, 12},
                                                   .errors = {15, 10, 16, 11, 9, 11, 10, 18},
                                                   .mean_sd = 5,
                                                   .tau_prior = half_cauchy(5)});
}

SuiteEntry groups_entry(const std::string& family, const std::string& name, std::size_t count, double tau,
                        const Distribution& tau_prior) {
  return drawn_entry(family, name, [=](std::uint64_t instance) {
    return centred_groups(name, drawn_groups(name, instance, count, tau, tau_prior));
  });
}

}  // namespace

Problem centred_groups(const std::string& name, const Groups& groups) {
  ParameterSpace space;
  space.add("mu", normal(0, groups.mean_sd)).add("tau", groups.tau_prior);
  for (std::size_t j = 0; j < groups.y.size(); ++j) space.add("group" + std::to_string(j + 1), normal("mu", "tau"));
  double constant = 0;
  for (const double e : groups.errors) constant -= 0.5 * kLog2Pi + std::log(e);
  auto model = by_block(
      space,
      [g = groups, constant](ConstBlock theta, std::span<double> out) {
        for (double& v : out) v = constant;
        for (std::size_t j = 0; j < g.y.size(); ++j) {
          const double* at = theta.row_data(j + 2);
          const double half_precision = 0.5 / (g.errors[j] * g.errors[j]);
          for (std::size_t i = 0; i < out.size(); ++i) out[i] -= half_precision * (g.y[j] - at[i]) * (g.y[j] - at[i]);
        }
      },
      [g = groups](ConstBlock theta, Block out) {
        for (std::size_t i = 0; i < theta.size(); ++i) {
          out(0, i) = out(1, i) = 0;
          for (std::size_t j = 0; j < g.y.size(); ++j)
            out(j + 2, i) = (g.y[j] - theta(j + 2, i)) / (g.errors[j] * g.errors[j]);
        }
      });
  const double exact = log_integral(
      [&](double log_tau) {
        const double tau = std::exp(log_tau);
        return groups.tau_prior.log_density(tau) + log_tau + log_evidence_given(tau, groups);
      },
      panels(-30, 30, 300));
  return {name, model, exact, 1e-10, "given tau a normal density; quadrature over tau"};
}

SuiteEntries hierarchies() {
  const std::string family = "hierarchies";
  return {fixed_entry(family, "eight schools", [] { return eight_schools(); }),
          fixed_entry(family, "eight schools, centred", eight_centred_schools),
          groups_entry(family, "3 groups, half-Cauchy", 3, 1, half_cauchy(2)),
          groups_entry(family, "30 groups, half-normal", 30, 0.5, half_normal(1))};
}

SuiteEntries more_hierarchies(ParameterDraws& draws) {
  SuiteEntries out;
  for (const bool light : {true, false}) {
    const std::size_t count = draws.whole(4, 40);
    const double tau = draws.by_factor(0.2, 3);
    const std::string name =
        std::to_string(count) + (light ? " groups, half-normal, tau=" : " groups, half-Cauchy, tau=") + shown(tau);
    out.push_back(groups_entry(draws.family(), name, count, tau, light ? half_normal(1) : half_cauchy(2)));
  }
  return out;
}

Problem hundred_groups(std::uint64_t instance) {
  const std::string name = "100 groups";
  return centred_groups(name, drawn_groups(name, instance, 100, 1, half_normal(2)));
}

}  // namespace evident::problems
