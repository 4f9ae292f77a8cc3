// A number that knows what rounding can do to it.
//
// `lost` counts rounding errors: to first order, by how many units of (unit roundoff x 1) the value may be off when
// every input and every operation on the way is rounded once. Adding 1e8 and -1e8 + 1 gives 1 with 2e8 of them.
#pragma once

#include <cmath>

namespace evident::twin {

struct Measured {
  long double value = 0, lost = 0;
  inline static bool undecided = false;  ///< a comparison was made that rounding may turn around

  Measured() = default;
  Measured(double v) : value(v), lost(std::abs(v)) {}  // NOLINT(google-explicit-constructor)
  Measured(long double v, long double from) : value(v), lost(from + std::abs(v)) {}
};

/// f(u), whose slope there is known.
inline Measured through(long double f, long double slope, Measured u) { return {f, std::abs(slope) * u.lost}; }

inline Measured operator+(Measured a, Measured b) { return {a.value + b.value, a.lost + b.lost}; }
inline Measured operator-(Measured a, Measured b) { return {a.value - b.value, a.lost + b.lost}; }
inline Measured operator*(Measured a, Measured b) {
  return {a.value * b.value, a.lost * std::abs(b.value) + b.lost * std::abs(a.value)};
}
inline Measured operator/(Measured a, Measured b) {
  const long double q = a.value / b.value;
  return {q, (a.lost + b.lost * std::abs(q)) / std::abs(b.value)};
}
inline Measured operator-(Measured a) {
  a.value = -a.value;
  return a;
}
inline Measured& operator+=(Measured& a, Measured b) { return a = a + b; }
inline bool operator<(Measured a, Measured b) { return a.value < b.value; }
inline bool operator>(Measured a, Measured b) { return a.value > b.value; }

/// Where a value jumps by the answer.
inline bool is_less(Measured a, Measured b) {
  if (std::abs(a.value - b.value) <= 1e-14L * (a.lost + b.lost)) Measured::undecided = true;
  return a.value < b.value;
}

inline Measured abs(Measured u) { return u.value < 0 ? -u : u; }
inline Measured exp(Measured u) { return through(std::exp(u.value), std::exp(u.value), u); }
inline Measured expm1(Measured u) { return through(std::expm1(u.value), std::exp(u.value), u); }
inline Measured log(Measured u) { return through(std::log(u.value), 1 / u.value, u); }
inline Measured log1p(Measured u) { return through(std::log1p(u.value), 1 / (1 + u.value), u); }
inline Measured sqrt(Measured u) { return through(std::sqrt(u.value), 0.5L / std::sqrt(u.value), u); }
inline Measured sin(Measured u) { return through(std::sin(u.value), std::cos(u.value), u); }
inline Measured cos(Measured u) { return through(std::cos(u.value), std::sin(u.value), u); }
inline Measured tan(Measured u) {
  const long double t = std::tan(u.value);
  return through(t, 1 + t * t, u);
}
inline Measured tanh(Measured u) {
  const long double t = std::tanh(u.value);
  return through(t, 1 - t * t, u);
}
inline Measured atan(Measured u) { return through(std::atan(u.value), 1 / (1 + u.value * u.value), u); }
inline Measured erf(Measured u) { return through(std::erf(u.value), 1.13L * std::exp(-u.value * u.value), u); }
inline Measured erfc(Measured u) { return through(std::erfc(u.value), 1.13L * std::exp(-u.value * u.value), u); }
inline Measured lgamma(Measured u) {
  const long double h = 1e-5L, slope = (std::lgamma(u.value + h) - std::lgamma(u.value - h)) / (2 * h);
  return through(std::lgamma(u.value), slope, u);
}
/// As exp(b log a), which is how fast code computes it.
inline Measured pow(Measured a, Measured b) { return exp(b * log(a)); }

}  // namespace evident::twin
