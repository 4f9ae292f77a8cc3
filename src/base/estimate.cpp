#include "evident/base/estimate.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace evident {

namespace {

double combined_reach(double share, double a, double b) { return std::hypot(share * a, (1 - share) * b); }

}  // namespace

double quantile_of_interval(double degrees) {
  constexpr double kUpperTail = 0.975;
  return std::isfinite(degrees) ? boost::math::quantile(boost::math::students_t(degrees), kUpperTail)
                                : boost::math::quantile(boost::math::normal(), kUpperTail);
}

bool Estimate::known() const { return std::isfinite(value) && std::isfinite(standard_error); }

Interval Estimate::interval() const {
  if (!known()) return {};
  const double quantile = quantile_of_interval(degrees);
  return {value - quantile * below(), value + quantile * above()};
}

Estimate combine(const Estimate& a, const Estimate& b) {
  const double wa = 1 / (a.standard_error * a.standard_error), wb = 1 / (b.standard_error * b.standard_error);
  if (std::isinf(wa)) return a;
  if (std::isinf(wb)) return b;
  const double share = wa / (wa + wb), other = 1 - share;
  Estimate out{share * a.value + other * b.value, 1 / std::sqrt(wa + wb),
               1 / (share * share / a.degrees + other * other / b.degrees)};
  if (std::isnan(a.error_below) && std::isnan(b.error_below)) return out;
  const Interval of_a = a.interval(), of_b = b.interval();
  const double quantile = quantile_of_interval(out.degrees);
  out.error_below = combined_reach(share, a.value - of_a.lower, b.value - of_b.lower) / quantile;
  out.error_above = combined_reach(share, of_a.upper - a.value, of_b.upper - b.value) / quantile;
  return out;
}

}  // namespace evident
