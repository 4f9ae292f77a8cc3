// Families on the whole numbers. Densities follow Loader (2000), "Fast and accurate computation of binomial
// probabilities": Stirling errors and deviances instead of differences of huge logarithms.
#include <algorithm>
#include <cmath>

#include "dist/families.hpp"
#include "dist/family_of.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"

namespace evident::dist {
namespace {

/// Up to 1e300, beyond which sums of counts overflow.
bool is_count(double x) { return x >= 0 && x <= 1e300 && x == std::floor(x); }
bool is_probability(double p) { return p >= 0 && p <= 1; }

double poisson_log_mass(double x, double mean) {
  if (mean == 0) return x == 0 ? 0 : -kInf;
  if (x == 0) return -mean;
  return -stirling_error(x) - deviance(x, mean) - 0.5 * (kLog2Pi + std::log(x));
}

/// log of Gamma(k + m + 1) / (Gamma(k + 1) Gamma(m + 1)) p^k q^m, where p + q = 1, both inside (0, 1).
double binomial_log_mass(double k, double m, double p, double q) {
  if (k == 0) return m * (p < 0.5 ? std::log1p(-p) : std::log(q));
  if (m == 0) return k * (q < 0.5 ? std::log1p(-q) : std::log(p));
  const double n = k + m;
  return stirling_error(n) - stirling_error(k) - stirling_error(m) - deviance(k, n * p) - deviance(m, n * q) -
         0.5 * (kLog2Pi + std::log(k) + std::log(m / n));
}

double sure_mass(double x, double value) { return x == value ? 0 : -kInf; }

struct Discrete {
  static double slope(double, const double*) { return kNaN; }
};

struct Bernoulli : Discrete {
  static constexpr std::string_view kName = "bernoulli";
  static constexpr std::array<std::string_view, 1> kArguments = {"p"};
  static constexpr std::string_view kRequirement = "0 <= p <= 1";
  static bool valid(const double* a) { return is_probability(a[0]); }
  static Support support(const double*) { return {0, 1, true}; }
  struct Term {
    double at_zero, at_one;
    double at(double x) const { return x == 0 ? at_zero : x == 1 ? at_one : -kInf; }
  };
  static Term term(const double* a) { return {std::log1p(-a[0]), std::log(a[0])}; }
  static double draw(Stream& stream, const double* a) { return stream.uniform() < a[0] ? 1 : 0; }
};

struct Binomial : Discrete {
  static constexpr std::string_view kName = "binomial";
  static constexpr std::array<std::string_view, 2> kArguments = {"n", "p"};
  static constexpr std::string_view kRequirement = "n a whole number >= 0 and 0 <= p <= 1";
  static bool valid(const double* a) { return is_count(a[0]) && is_probability(a[1]); }
  static Support support(const double* a) { return {0, a[0], true}; }
  struct Term {
    double n, p;
    double at(double x) const {
      if (!is_count(x) || x > n) return -kInf;
      if (p == 0 || p == 1) return sure_mass(x, p == 0 ? 0 : n);
      return binomial_log_mass(x, n - x, p, 1 - p);
    }
  };
  static Term term(const double* a) { return {a[0], a[1]}; }
  static double draw(Stream& stream, const double* a) { return draw_binomial(stream, a[0], a[1]); }
};

struct Poisson : Discrete {
  static constexpr std::string_view kName = "poisson";
  static constexpr std::array<std::string_view, 1> kArguments = {"mean"};
  static constexpr std::string_view kRequirement = "mean >= 0";
  static bool valid(const double* a) { return a[0] >= 0 && a[0] < kInf; }
  static Support support(const double*) { return {0, kInf, true}; }
  struct Term {
    double mean;
    double at(double x) const { return is_count(x) ? poisson_log_mass(x, mean) : -kInf; }
  };
  static Term term(const double* a) { return {a[0]}; }
  static double draw(Stream& stream, const double* a) { return draw_poisson(stream, a[0]); }
};

struct NegativeBinomial : Discrete {
  static constexpr std::string_view kName = "negative-binomial";
  static constexpr std::array<std::string_view, 2> kArguments = {"mean", "size"};
  static constexpr std::string_view kRequirement = "mean >= 0 and size > 0";
  static bool valid(const double* a) { return a[0] >= 0 && a[0] < kInf && is_positive(a[1]); }
  static Support support(const double*) { return {0, kInf, true}; }
  struct Term {
    double mean, size;
    double at(double x) const {
      if (!is_count(x)) return -kInf;
      if (mean == 0) return sure_mass(x, 0);
      if (x == 0) return -size * std::log1p(mean / size);
      // log NB - log Poisson is about ((x - mean)^2 - x) / (2 size): nothing, for a huge size.
      if (size > 1e14 * (1 + x + (x - mean) * (x - mean))) return poisson_log_mass(x, mean);
      const double p = size / (size + mean), q = mean / (size + mean);
      return binomial_log_mass(size, x, p, q) - std::log1p(x / size);
    }
  };
  static Term term(const double* a) { return {a[0], a[1]}; }
  static double draw(Stream& stream, const double* a) {
    if (a[0] == 0) return 0;
    return draw_poisson(stream, draw_gamma(stream, a[1], a[0] / a[1]));
  }
};

}  // namespace

const Family& bernoulli_family() { return instance<Bernoulli>(); }
const Family& binomial_family() { return instance<Binomial>(); }
const Family& poisson_family() { return instance<Poisson>(); }
const Family& negative_binomial_family() { return instance<NegativeBinomial>(); }

}  // namespace evident::dist
