// Distributions: a normalised log density, a draw, and batch forms, for priors and for likelihoods.
//
//   const Distribution prior = gamma_rate(2.0, 0.5);       // the name says what the second argument is
//   double lp = prior.log_density(1.3);
//   Stream s = streams.at({.particle = 12});
//   double x = prior.draw(s);
//   const Distribution dependent = uniform("theta1", 0.1);  // the lower bound is another parameter
//   const Distribution parsed = parse_distribution("gamma(shape=2, rate=0.5)");
//
// An impossible value has log density -inf; so has any value when an argument is outside its range (a scale below or
// at zero, say) or NaN, and so has a bound at which the density is infinite: a log density is never NaN or +inf.
// Densities never throw. Constant arguments are checked when a Distribution is made.
//
// Draws are finite, and those of a positive family are at least the smallest normal number, so that their logarithm is
// finite, too. A draw with an argument outside its range is NaN.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "evident/base/random.hpp"

namespace evident {

/// An argument of a distribution: a number, or the name of another parameter.
struct Argument {
  template <class T>
  requires std::is_arithmetic_v<T> Argument(T v)  // NOLINT(google-explicit-constructor)
      : value(static_cast<double>(v)) {}
  Argument(const char* name) : parameter(name) {}             // NOLINT(google-explicit-constructor)
  Argument(std::string name) : parameter(std::move(name)) {}  // NOLINT(google-explicit-constructor)
  bool is_constant() const { return parameter.empty(); }
  bool operator==(const Argument&) const = default;

  double value = 0;
  std::string parameter;  ///< empty for a number
};

/// The values of one argument over a block of particles: one for all, or one each.
struct ArgumentValues {
  const double* data = nullptr;
  bool per_particle = false;
  double operator[](std::size_t i) const { return data[per_particle ? i : 0]; }
};

/// Where the density can be positive.
struct Support {
  double lower;
  double upper;
  bool discrete = false;
};

/// One kind of distribution, for example "normal". Immutable; one object each, found with `family(name)`.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;                        ///< as written in a study, "half-normal"
  virtual std::span<const std::string_view> arguments() const = 0;  ///< their names, in order
  virtual bool valid(const double* args) const = 0;                 ///< are the arguments in their range?
  virtual std::string requirement() const = 0;                      ///< "sd > 0", for messages
  virtual Support support(const double* args) const = 0;
  virtual double log_density(double x, const double* args) const = 0;  ///< the plain scalar form
  virtual double draw(Stream& stream, const double* args) const = 0;
  /// Derivative of the log density in x; NaN outside the support or for a discrete family.
  virtual double d_log_density(double x, const double* args) const = 0;
  /// Batch form: out[i] += log density of x[i]. Constants are hoisted when no argument varies.
  virtual void add_log_density(std::span<const double> x, std::span<const ArgumentValues> args,
                               std::span<double> out) const = 0;
};

/// All families, in the order of the documentation.
std::span<const Family* const> families();
/// Throws InputError, with the nearest known name, when there is none of that name. Underscores count as hyphens.
/// There are two gamma families, both named "gamma" in text; here they are "gamma-rate" and "gamma-scale".
const Family& family(std::string_view name);

/// A family with its arguments.
class Distribution {
 public:
  Distribution(const Family& family, std::vector<Argument> arguments);

  const Family& family() const { return *family_; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  bool is_constant() const;  ///< no argument is another parameter
  std::string text() const;  ///< "gamma(shape=2, rate=0.5)"; parse_distribution reads it back

  // For distributions whose arguments are all numbers:
  double log_density(double x) const;
  double draw(Stream& stream) const;
  Support support() const;
  void add_log_density(std::span<const double> x, std::span<double> out) const;

 private:
  const Family* family_;
  std::vector<Argument> arguments_;
  std::vector<double> values_;
};

Distribution normal(Argument mean, Argument sd);
Distribution half_normal(Argument scale);
Distribution lognormal(Argument meanlog, Argument sdlog);
Distribution student_t(Argument df, Argument location, Argument scale);
Distribution half_student_t(Argument df, Argument scale);
Distribution cauchy(Argument location, Argument scale);
Distribution half_cauchy(Argument scale);
Distribution laplace(Argument location, Argument scale);
Distribution logistic(Argument location, Argument scale);
Distribution uniform(Argument lower, Argument upper);
Distribution log_uniform(Argument lower, Argument upper);
Distribution beta(Argument a, Argument b);
Distribution gamma_rate(Argument shape, Argument rate);
Distribution gamma_scale(Argument shape, Argument scale);
Distribution inverse_gamma(Argument shape, Argument scale);
Distribution exponential(Argument rate);
Distribution weibull(Argument shape, Argument scale);
Distribution truncated_normal(Argument mean, Argument sd, Argument lower, Argument upper);
Distribution bernoulli(Argument p);
Distribution binomial(Argument n, Argument p);
Distribution poisson(Argument mean);
Distribution negative_binomial(Argument mean, Argument size);

/// Reads "normal(0, 1)", "gamma(shape=2, scale=3)", "uniform(theta1, 0.1)". Errors name the place and the expectation.
Distribution parse_distribution(std::string_view text);

}  // namespace evident
