// Families between two bounds.
#include <algorithm>
#include <cmath>

#include "dist/families.hpp"
#include "dist/family_of.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"

namespace evident::dist {
namespace {

struct Uniform {
  static constexpr std::string_view kName = "uniform";
  static constexpr std::array<std::string_view, 2> kArguments = {"lower", "upper"};
  static constexpr std::string_view kRequirement = "lower < upper, both finite";
  static bool valid(const double* a) { return a[0] < a[1] && std::isfinite(a[1] - a[0]); }
  static Support support(const double* a) { return {a[0], a[1]}; }
  using Term = FlatTerm;
  static Term term(const double* a) { return {a[0], a[1], -std::log(a[1] - a[0])}; }
  static void add_varying(std::span<const double> x, std::span<const ArgumentValues> args, std::span<double> out) {
    add_uniform(x, args, out);
  }
  static double slope(double, const double*) { return 0; }
  static double draw(Stream& stream, const double* a) {
    return std::clamp(a[0] + (a[1] - a[0]) * stream.uniform(), a[0], a[1]);
  }
};

struct LogUniform {
  static constexpr std::string_view kName = "log-uniform";
  static constexpr std::array<std::string_view, 2> kArguments = {"lower", "upper"};
  static constexpr std::string_view kRequirement = "0 < lower < upper, both finite";
  static bool valid(const double* a) { return a[0] > 0 && a[0] < a[1] && a[1] < kInf; }
  static Support support(const double* a) { return {a[0], a[1]}; }
  using Term = LogLinearTerm;
  static double log_ratio(const double* a) {
    return a[1] < 2 * a[0] ? std::log1p((a[1] - a[0]) / a[0]) : std::log(a[1]) - std::log(a[0]);
  }
  static Term term(const double* a) {
    return {.lower = a[0], .upper = a[1], .constant = -std::log(log_ratio(a)), .log_factor = -1};
  }
  static double slope(double x, const double*) { return -1 / x; }
  static double draw(Stream& stream, const double* a) {
    return std::clamp(std::exp(std::log(a[0]) + log_ratio(a) * stream.uniform()), a[0], a[1]);
  }
};

struct Beta {
  static constexpr std::string_view kName = "beta";
  static constexpr std::array<std::string_view, 2> kArguments = {"a", "b"};
  static constexpr std::string_view kRequirement = "a > 0 and b > 0";
  static bool valid(const double* a) { return is_positive(a[0]) && is_positive(a[1]); }
  static Support support(const double*) { return {0, 1}; }
  using Term = BetaTerm;
  static Term term(const double* a) {
    const double constant = -log_beta(a[0], a[1]);
    return {constant, a[0] - 1, a[1] - 1, a[0] == 1 ? constant : -kInf, a[1] == 1 ? constant : -kInf};
  }
  static double slope(double x, const double* a) { return (a[0] - 1) / x - (a[1] - 1) / (1 - x); }
  static double draw(Stream& stream, const double* a) { return draw_beta(stream, a[0], a[1]); }
};

struct TruncatedNormal {
  static constexpr std::string_view kName = "truncated-normal";
  static constexpr std::array<std::string_view, 4> kArguments = {"mean", "sd", "lower", "upper"};
  static constexpr std::string_view kRequirement = "sd > 0 and lower < upper (bounds may be -inf and inf)";

  /// A bound that all values lie beyond must be so near, in sd, that its square is a number.
  static bool valid(const double* a) {
    return std::isfinite(a[0]) && is_positive(a[1]) && a[2] < a[3] && lower_z(a) < 1e150 && upper_z(a) > -1e150 &&
           width(a) > 0;
  }
  static Support support(const double* a) { return {a[2], a[3]}; }
  static double lower_z(const double* a) { return (a[2] - a[0]) / a[1]; }
  static double upper_z(const double* a) { return (a[3] - a[0]) / a[1]; }
  static double width(const double* a) { return (a[3] - a[2]) / a[1]; }

  using Term = GaussianTerm;
  static Term term(const double* a) {
    const double origin = std::clamp(a[0], a[2], a[3]);
    const double constant = -std::log(a[1]) - log_scaled_normal_mass(lower_z(a), upper_z(a), width(a));
    return {a[2], a[3], constant, a[0], 1 / a[1], origin};
  }
  static double slope(double x, const double* a) { return -(x - a[0]) / a[1] / a[1]; }
  static double draw(Stream& stream, const double* a) {
    const double low = lower_z(a), high = upper_z(a);
    double x = 0;
    if (low > 0) {
      x = a[2] + a[1] * draw_normal_tail_excess(stream, low, width(a));
    } else if (high < 0) {
      x = a[3] - a[1] * draw_normal_tail_excess(stream, -high, width(a));
    } else {
      x = a[0] + a[1] * draw_central_normal(stream, low, high);
    }
    return clamp_finite(std::clamp(x, a[2], a[3]));
  }
};

}  // namespace

const Family& uniform_family() { return instance<Uniform>(); }
const Family& log_uniform_family() { return instance<LogUniform>(); }
const Family& beta_family() { return instance<Beta>(); }
const Family& truncated_normal_family() { return instance<TruncatedNormal>(); }

}  // namespace evident::dist
