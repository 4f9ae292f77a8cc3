// Families on the whole real line.
#include <cmath>
#include <numbers>

#include "dist/families.hpp"
#include "dist/family_of.hpp"
#include "dist/samplers.hpp"
#include "dist/special.hpp"

namespace evident::dist {
namespace {

/// What all families with a location and a scale share; K is the place of the location among the arguments.
template <std::size_t K>
struct LocationScale {
  static bool valid(const double* a) { return std::isfinite(a[K]) && is_positive(a[K + 1]); }
  static Support support(const double*) { return {-kInf, kInf}; }
};

struct Normal : LocationScale<0> {
  static constexpr std::string_view kName = "normal";
  static constexpr std::array<std::string_view, 2> kArguments = {"mean", "sd"};
  static constexpr std::string_view kRequirement = "sd > 0";
  using Term = GaussianTerm;
  static Term term(const double* a) { return {-kInf, kInf, -0.5 * kLog2Pi - std::log(a[1]), a[0], 1 / a[1], a[0]}; }
  static void add_varying(std::span<const double> x, std::span<const ArgumentValues> args, std::span<double> out) {
    add_normal(x, args, out);
  }
  static double slope(double x, const double* a) { return -(x - a[0]) / a[1] / a[1]; }
  static double draw(Stream& stream, const double* a) { return clamp_finite(a[0] + a[1] * stream.normal()); }
};

struct StudentT {
  static constexpr std::string_view kName = "student-t";
  static constexpr std::array<std::string_view, 3> kArguments = {"df", "location", "scale"};
  static constexpr std::string_view kRequirement = "df > 0 and scale > 0";
  static bool valid(const double* a) { return is_positive(a[0]) && LocationScale<1>::valid(a); }
  static Support support(const double*) { return {-kInf, kInf}; }
  struct Term {
    double constant, power, location, inverse_scale, inverse_root;
    double at(double x) const { return constant - power * log1p_square((x - location) * inverse_scale * inverse_root); }
  };
  static Term term(const double* a) {
    const double constant = -log_beta(0.5 * a[0], 0.5) - 0.5 * std::log(a[0]) - std::log(a[2]);
    return {constant, 0.5 * (a[0] + 1), a[1], 1 / a[2], 1 / std::sqrt(a[0])};
  }
  static double slope(double x, const double* a) {
    const double width = a[2] * std::sqrt(a[0]), t = (x - a[1]) / width;
    return -(a[0] + 1) / width * (std::abs(t) > 1e8 ? 1 / t : t / (1 + t * t));
  }
  static double draw(Stream& stream, const double* a) {
    return clamp_finite(a[1] + a[2] * draw_student_t(stream, a[0]));
  }
};

struct Cauchy : LocationScale<0> {
  static constexpr std::string_view kName = "cauchy";
  static constexpr std::array<std::string_view, 2> kArguments = {"location", "scale"};
  static constexpr std::string_view kRequirement = "scale > 0";
  struct Term {
    double constant, location, inverse_scale;
    double at(double x) const { return constant - log1p_square((x - location) * inverse_scale); }
  };
  static Term term(const double* a) { return {-std::log(std::numbers::pi) - std::log(a[1]), a[0], 1 / a[1]}; }
  static double slope(double x, const double* a) {
    const double t = (x - a[0]) / a[1];
    return -2 / a[1] * (std::abs(t) > 1e8 ? 1 / t : t / (1 + t * t));
  }
  static double draw(Stream& stream, const double* a) {
    return clamp_finite(a[0] + a[1] * std::tan(std::numbers::pi * (stream.uniform() - 0.5)));
  }
};

struct Laplace : LocationScale<0> {
  static constexpr std::string_view kName = "laplace";
  static constexpr std::array<std::string_view, 2> kArguments = {"location", "scale"};
  static constexpr std::string_view kRequirement = "scale > 0";
  struct Term {
    double constant, location, inverse_scale;
    double at(double x) const { return constant - std::abs(x - location) * inverse_scale; }
  };
  static Term term(const double* a) { return {-std::log(2 * a[1]), a[0], 1 / a[1]}; }
  static double slope(double x, const double* a) { return (x > a[0] ? -1 : x < a[0] ? 1 : 0) / a[1]; }
  static double draw(Stream& stream, const double* a) {
    const double u = stream.uniform();
    return clamp_finite(a[0] + a[1] * (u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u))));
  }
};

struct Logistic : LocationScale<0> {
  static constexpr std::string_view kName = "logistic";
  static constexpr std::array<std::string_view, 2> kArguments = {"location", "scale"};
  static constexpr std::string_view kRequirement = "scale > 0";
  struct Term {
    double constant, location, inverse_scale;
    double at(double x) const {
      const double z = std::abs(x - location) * inverse_scale;
      return constant - z - 2 * std::log1p(std::exp(-z));
    }
  };
  static Term term(const double* a) { return {-std::log(a[1]), a[0], 1 / a[1]}; }
  static double slope(double x, const double* a) { return -std::tanh(0.5 * (x - a[0]) / a[1]) / a[1]; }
  static double draw(Stream& stream, const double* a) {
    const double u = stream.uniform();
    return clamp_finite(a[0] + a[1] * (std::log(u) - std::log1p(-u)));
  }
};

}  // namespace

const Family& normal_family() { return instance<Normal>(); }
const Family& student_t_family() { return instance<StudentT>(); }
const Family& cauchy_family() { return instance<Cauchy>(); }
const Family& laplace_family() { return instance<Laplace>(); }
const Family& logistic_family() { return instance<Logistic>(); }

}  // namespace evident::dist
