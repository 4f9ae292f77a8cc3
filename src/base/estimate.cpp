#include "evident/base/estimate.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace evident {

bool Estimate::known() const { return std::isfinite(value) && std::isfinite(standard_error); }

Interval Estimate::interval() const {
  constexpr double kUpperTail = 0.975;
  if (!known()) return {};
  const double quantile = std::isfinite(degrees) ? boost::math::quantile(boost::math::students_t(degrees), kUpperTail)
                                                 : boost::math::quantile(boost::math::normal(), kUpperTail);
  return {value - quantile * standard_error, value + quantile * standard_error};
}

Estimate combine(const Estimate& a, const Estimate& b) {
  const double wa = 1 / (a.standard_error * a.standard_error), wb = 1 / (b.standard_error * b.standard_error);
  if (std::isinf(wa)) return a;
  if (std::isinf(wb)) return b;
  const double share = wa / (wa + wb), other = 1 - share;
  return {share * a.value + other * b.value, 1 / std::sqrt(wa + wb),
          1 / (share * share / a.degrees + other * other / b.degrees)};
}

}  // namespace evident
