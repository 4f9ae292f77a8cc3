// Families on the positive numbers, but for the gamma ones.
#include <cmath>
#include <numbers>

#include "dist/families.hpp"
#include "dist/family_of.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"

namespace evident::dist {
namespace {

struct HalfLine {
  static Support support(const double*) { return {0, kInf}; }
};

struct HalfNormal : HalfLine {
  static constexpr std::string_view kName = "half-normal";
  static constexpr std::array<std::string_view, 1> kArguments = {"scale"};
  static constexpr std::string_view kRequirement = "scale > 0";
  static bool valid(const double* a) { return is_positive(a[0]); }
  using Term = GaussianTerm;
  static Term term(const double* a) {
    return {0, kInf, std::numbers::ln2 - 0.5 * kLog2Pi - std::log(a[0]), 0, 1 / a[0], 0};
  }
  static double slope(double x, const double* a) { return -x / a[0] / a[0]; }
  static double draw(Stream& stream, const double* a) { return clamp_positive(a[0] * std::abs(stream.normal())); }
};

struct HalfStudentT : HalfLine {
  static constexpr std::string_view kName = "half-student-t";
  static constexpr std::array<std::string_view, 2> kArguments = {"df", "scale"};
  static constexpr std::string_view kRequirement = "df > 0 and scale > 0";
  static bool valid(const double* a) { return is_positive(a[0]) && is_positive(a[1]); }
  struct Term {
    double constant, power, inverse_scale, inverse_root;
    double at(double x) const {
      return x >= 0 ? constant - power * log1p_square(x * inverse_scale * inverse_root) : -kInf;
    }
  };
  static Term term(const double* a) {
    const double constant = std::numbers::ln2 - log_beta(0.5 * a[0], 0.5) - 0.5 * std::log(a[0]) - std::log(a[1]);
    return {constant, 0.5 * (a[0] + 1), 1 / a[1], 1 / std::sqrt(a[0])};
  }
  static double slope(double x, const double* a) {
    const double width = a[1] * std::sqrt(a[0]), t = x / width;
    return -(a[0] + 1) / width * (t > 1e8 ? 1 / t : t / (1 + t * t));
  }
  static double draw(Stream& stream, const double* a) {
    return clamp_positive(a[1] * std::abs(draw_student_t(stream, a[0])));
  }
};

struct HalfCauchy : HalfLine {
  static constexpr std::string_view kName = "half-cauchy";
  static constexpr std::array<std::string_view, 1> kArguments = {"scale"};
  static constexpr std::string_view kRequirement = "scale > 0";
  static bool valid(const double* a) { return is_positive(a[0]); }
  struct Term {
    double constant, inverse_scale;
    double at(double x) const { return x >= 0 ? constant - log1p_square(x * inverse_scale) : -kInf; }
  };
  static Term term(const double* a) { return {std::log(2 / std::numbers::pi) - std::log(a[0]), 1 / a[0]}; }
  static double slope(double x, const double* a) {
    const double t = x / a[0];
    return -2 / a[0] * (t > 1e8 ? 1 / t : t / (1 + t * t));
  }
  static double draw(Stream& stream, const double* a) {
    return clamp_positive(a[0] * std::tan(0.5 * std::numbers::pi * stream.uniform()));
  }
};

struct Lognormal : HalfLine {
  static constexpr std::string_view kName = "lognormal";
  static constexpr std::array<std::string_view, 2> kArguments = {"meanlog", "sdlog"};
  static constexpr std::string_view kRequirement = "sdlog > 0";
  static bool valid(const double* a) { return std::isfinite(a[0]) && is_positive(a[1]); }
  using Term = LogNormalTerm;
  static Term term(const double* a) { return {-0.5 * kLog2Pi - std::log(a[1]), a[0], 1 / a[1]}; }
  static double slope(double x, const double* a) { return -(1 + (std::log(x) - a[0]) / a[1] / a[1]) / x; }
  static double draw(Stream& stream, const double* a) {
    return clamp_positive(std::exp(a[0] + a[1] * stream.normal()));
  }
};

struct Exponential : HalfLine {
  static constexpr std::string_view kName = "exponential";
  static constexpr std::array<std::string_view, 1> kArguments = {"rate"};
  static constexpr std::string_view kRequirement = "rate > 0";
  static bool valid(const double* a) { return is_positive(a[0]); }
  using Term = LogLinearTerm;
  static Term term(const double* a) {
    const double constant = std::log(a[0]);
    return {.lower = 0, .upper = kInf, .constant = constant, .factor = -a[0], .at_zero = constant};
  }
  static double slope(double, const double* a) { return -a[0]; }
  static double draw(Stream& stream, const double* a) { return clamp_positive(-std::log(stream.uniform()) / a[0]); }
};

struct Weibull : HalfLine {
  static constexpr std::string_view kName = "weibull";
  static constexpr std::array<std::string_view, 2> kArguments = {"shape", "scale"};
  static constexpr std::string_view kRequirement = "shape > 0 and scale > 0";
  static bool valid(const double* a) { return is_positive(a[0]) && is_positive(a[1]); }
  struct Term {
    double constant, shape, log_scale;
    double at(double x) const {
      if (!(x >= 0 && x < kInf)) return -kInf;
      if (x == 0) return shape == 1 ? constant : -kInf;
      const double log_ratio = std::log(x) - log_scale;
      return constant + (shape - 1) * log_ratio - std::exp(shape * log_ratio);
    }
  };
  static Term term(const double* a) { return {std::log(a[0]) - std::log(a[1]), a[0], std::log(a[1])}; }
  static double slope(double x, const double* a) {
    return (a[0] - 1 - a[0] * std::exp(a[0] * (std::log(x) - std::log(a[1])))) / x;
  }
  static double draw(Stream& stream, const double* a) {
    return clamp_positive(std::exp(std::log(a[1]) + std::log(-std::log(stream.uniform())) / a[0]));
  }
};

}  // namespace

const Family& half_normal_family() { return instance<HalfNormal>(); }
const Family& half_student_t_family() { return instance<HalfStudentT>(); }
const Family& half_cauchy_family() { return instance<HalfCauchy>(); }
const Family& lognormal_family() { return instance<Lognormal>(); }
const Family& exponential_family() { return instance<Exponential>(); }
const Family& weibull_family() { return instance<Weibull>(); }

}  // namespace evident::dist
