// The list of all families, and a function for each that makes a Distribution.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/suggest.hpp"
#include "dist/families.hpp"
#include "evident/base/error.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {

std::span<const Family* const> families() {
  using namespace dist;  // NOLINT(google-build-using-namespace)
  static const std::array<const Family*, 22> all = {
      &normal_family(),         &half_normal_family(),      &lognormal_family(),     &student_t_family(),
      &half_student_t_family(), &cauchy_family(),           &half_cauchy_family(),   &laplace_family(),
      &logistic_family(),       &uniform_family(),          &log_uniform_family(),   &beta_family(),
      &gamma_rate_family(),     &gamma_scale_family(),      &inverse_gamma_family(), &exponential_family(),
      &weibull_family(),        &truncated_normal_family(), &bernoulli_family(),     &binomial_family(),
      &poisson_family(),        &negative_binomial_family()};
  return all;
}

const Family& family(std::string_view name) {
  std::string wanted(name);
  std::ranges::replace(wanted, '_', '-');
  if (wanted == "gamma-rate") return dist::gamma_rate_family();
  if (wanted == "gamma-scale") return dist::gamma_scale_family();
  if (wanted == "gamma") throw InputError("there are two gamma distributions: gamma-rate and gamma-scale");
  std::vector<std::string_view> known;
  for (const Family* candidate : families()) {
    if (candidate->name() == wanted) return *candidate;
    known.push_back(candidate->name());
  }
  throw InputError("unknown distribution '" + std::string(name) + "'" + did_you_mean(name, known));
}

namespace {

Distribution make(const Family& family, std::vector<Argument> arguments) { return {family, std::move(arguments)}; }

}  // namespace

// Arguments come by value because that reads well at the call; a copy of a number and an empty name costs nothing.
// NOLINTBEGIN(performance-unnecessary-value-param)
Distribution normal(Argument mean, Argument sd) { return make(dist::normal_family(), {mean, sd}); }
Distribution half_normal(Argument scale) { return make(dist::half_normal_family(), {scale}); }
Distribution lognormal(Argument meanlog, Argument sdlog) { return make(dist::lognormal_family(), {meanlog, sdlog}); }
Distribution student_t(Argument df, Argument location, Argument scale) {
  return make(dist::student_t_family(), {df, location, scale});
}
Distribution half_student_t(Argument df, Argument scale) { return make(dist::half_student_t_family(), {df, scale}); }
Distribution cauchy(Argument location, Argument scale) { return make(dist::cauchy_family(), {location, scale}); }
Distribution half_cauchy(Argument scale) { return make(dist::half_cauchy_family(), {scale}); }
Distribution laplace(Argument location, Argument scale) { return make(dist::laplace_family(), {location, scale}); }
Distribution logistic(Argument location, Argument scale) { return make(dist::logistic_family(), {location, scale}); }
Distribution uniform(Argument lower, Argument upper) { return make(dist::uniform_family(), {lower, upper}); }
Distribution log_uniform(Argument lower, Argument upper) { return make(dist::log_uniform_family(), {lower, upper}); }
Distribution beta(Argument a, Argument b) { return make(dist::beta_family(), {a, b}); }
Distribution gamma_rate(Argument shape, Argument rate) { return make(dist::gamma_rate_family(), {shape, rate}); }
Distribution gamma_scale(Argument shape, Argument scale) { return make(dist::gamma_scale_family(), {shape, scale}); }
Distribution inverse_gamma(Argument shape, Argument scale) {
  return make(dist::inverse_gamma_family(), {shape, scale});
}
Distribution exponential(Argument rate) { return make(dist::exponential_family(), {rate}); }
Distribution weibull(Argument shape, Argument scale) { return make(dist::weibull_family(), {shape, scale}); }
Distribution truncated_normal(Argument mean, Argument sd, Argument lower, Argument upper) {
  return make(dist::truncated_normal_family(), {mean, sd, lower, upper});
}
Distribution bernoulli(Argument p) { return make(dist::bernoulli_family(), {p}); }
Distribution binomial(Argument n, Argument p) { return make(dist::binomial_family(), {n, p}); }
Distribution poisson(Argument mean) { return make(dist::poisson_family(), {mean}); }
Distribution negative_binomial(Argument mean, Argument size) {
  return make(dist::negative_binomial_family(), {mean, size});
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace evident
