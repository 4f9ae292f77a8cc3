// The gamma families.
#include <cmath>

#include "dist/families.hpp"
#include "dist/family_of.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"

namespace evident::dist {
namespace {

struct TwoPositive {
  static bool valid(const double* a) { return is_positive(a[0]) && is_positive(a[1]); }
  static Support support(const double*) { return {0, kInf}; }
};

LogLinearTerm gamma_term(double shape, double log_rate, double rate) {
  const double constant = shape * log_rate - log_gamma(shape);
  return {.lower = 0,
          .upper = kInf,
          .constant = constant,
          .log_factor = shape - 1,
          .factor = -rate,
          .at_zero = shape == 1 ? constant : -kInf};
}

struct GammaRate : TwoPositive {
  static constexpr std::string_view kName = "gamma";
  static constexpr std::array<std::string_view, 2> kArguments = {"shape", "rate"};
  static constexpr std::string_view kRequirement = "shape > 0 and rate > 0";
  using Term = LogLinearTerm;
  static Term term(const double* a) { return gamma_term(a[0], std::log(a[1]), a[1]); }
  static double slope(double x, const double* a) { return (a[0] - 1) / x - a[1]; }
  static double draw(Stream& stream, const double* a) { return draw_gamma(stream, a[0], 1 / a[1]); }
};

struct GammaScale : TwoPositive {
  static constexpr std::string_view kName = "gamma";
  static constexpr std::array<std::string_view, 2> kArguments = {"shape", "scale"};
  static constexpr std::string_view kRequirement = "shape > 0 and scale > 0";
  using Term = LogLinearTerm;
  static Term term(const double* a) { return gamma_term(a[0], -std::log(a[1]), 1 / a[1]); }
  static double slope(double x, const double* a) { return (a[0] - 1) / x - 1 / a[1]; }
  static double draw(Stream& stream, const double* a) { return draw_gamma(stream, a[0], a[1]); }
};

struct InverseGamma : TwoPositive {
  static constexpr std::string_view kName = "inverse-gamma";
  static constexpr std::array<std::string_view, 2> kArguments = {"shape", "scale"};
  static constexpr std::string_view kRequirement = "shape > 0 and scale > 0";
  using Term = LogLinearTerm;
  static Term term(const double* a) {
    return {.lower = 0,
            .upper = kInf,
            .constant = a[0] * std::log(a[1]) - log_gamma(a[0]),
            .log_factor = -a[0] - 1,
            .inverse_factor = -a[1]};
  }
  static double slope(double x, const double* a) { return (a[1] / x - a[0] - 1) / x; }
  static double draw(Stream& stream, const double* a) {
    return clamp_positive(std::exp(std::log(a[1]) - draw_log_gamma(stream, a[0])));
  }
};

}  // namespace

const Family& gamma_rate_family() { return instance<GammaRate>(); }
const Family& gamma_scale_family() { return instance<GammaScale>(); }
const Family& inverse_gamma_family() { return instance<InverseGamma>(); }

}  // namespace evident::dist
