// Hill's formula as one writes it, top D^n / (D^n + EC50^n), with a dose of 0: where EC50^n is too small for a number,
// it is 0/0. A few draws from a prior with a heavy tail are there. They count as impossible, here and in the evidence.
#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

constexpr std::array<double, 7> kDoses = {0, 0.1, 0.2, 0.3, 0.5, 0.7, 1};
constexpr double kTopSd = 2, kNoise = 0.1, kLogMiddle = -1.2, kLogSd = 1;
/// pow(e, n) is 0 where n log(e) is below this: half of the smallest number.
const double kLogNothing = -1075 * std::log(2.0);

double hill(double dose, double middle, double slope) {
  const double power = std::pow(dose, slope);
  return power / (power + std::pow(middle, slope));
}

struct Responses {
  std::array<double, kDoses.size()> y{};

  /// The integral of the likelihood over top ~ half-normal(kTopSd), given the rest.
  double log_evidence_given(double middle, double slope) const {
    double precision = 1 / (kTopSd * kTopSd), cross = 0, squares = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      // The same as hill(), by a quotient that neither runs over nor under.
      const double h = kDoses[i] > 0 ? 1 / (1 + std::exp(slope * std::log(middle / kDoses[i]))) : 0;
      precision += h * h / (kNoise * kNoise);
      cross += h * y[i] / (kNoise * kNoise);
      squares += y[i] * y[i] / (kNoise * kNoise);
    }
    const auto n = static_cast<double>(y.size());
    return -0.5 * (n * (kLog2Pi + 2 * std::log(kNoise)) + squares - cross * cross / precision) -
           0.5 * std::log(precision) - std::log(kTopSd) + std::log(2 * normal_cdf(cross / std::sqrt(precision)));
  }

  /// The same, over EC50 ~ lognormal too. Near each dose the curve changes over a relative width 1 / slope.
  double log_evidence_given(double slope) const {
    const double lowest = std::max(kLogMiddle - 10 * kLogSd, kLogNothing / slope), highest = kLogMiddle + 10 * kLogSd;
    std::vector<double> edges = panels(lowest, highest, 8);
    for (const double dose : kDoses)
      for (const double away : {-40.0, -20.0, -10.0, -5.0, -2.5, 0.0, 2.5, 5.0, 10.0, 20.0, 40.0})
        if (dose > 0) edges.push_back(std::clamp(std::log(dose) + away / slope, lowest, highest));
    std::ranges::sort(edges);
    return log_integral(
        [&](double log_middle) {
          return log_normal_density(log_middle, kLogMiddle, kLogSd) + log_evidence_given(std::exp(log_middle), slope);
        },
        edges);
  }
};

Problem dose_response(const std::string& name, const Distribution& slope_prior, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  Responses data;
  for (std::size_t i = 0; i < kDoses.size(); ++i) data.y[i] = hill(kDoses[i], 0.3, 2) + kNoise * stream.normal();
  ParameterSpace space;
  space.add("top", half_normal(kTopSd)).add("EC50", lognormal(kLogMiddle, kLogSd)).add("slope", slope_prior);
  auto model = lift(space, [data](std::span<const double> t) {
    double sum = 0;
    for (std::size_t i = 0; i < kDoses.size(); ++i)
      sum += log_normal_density(data.y[i], t[0] * hill(kDoses[i], t[1], t[2]), kNoise);
    return sum;
  });
  // Over the slope on the scale of its logarithm.
  const double exact = log_integral(
      [&](double log_slope) {
        const double slope = std::exp(log_slope);
        return slope_prior.log_density(slope) + log_slope + data.log_evidence_given(slope);
      },
      panels(-25, 25, 50));
  return {name, model, exact, 1e-7, "top in closed form, quadrature over the rest"};
}

SuiteEntry dose_entry(const std::string& family, const std::string& name, const Distribution& slope_prior) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return dose_response(name, slope_prior, instance); });
}

}  // namespace

SuiteEntries doses() {
  const std::string family = "dose and response";
  return {dose_entry(family, "Hill, half-Cauchy slope", half_cauchy(1)),
          dose_entry(family, "Hill, Student slope", half_student_t(2, 3))};
}

SuiteEntries more_doses(ParameterDraws& draws) {
  const double light = draws.by_factor(0.5, 3), heavy = draws.by_factor(0.5, 3);
  return {dose_entry(draws.family(), "Hill, half-normal slope scale=" + shown(light), half_normal(light)),
          dose_entry(draws.family(), "Hill, Student slope scale=" + shown(heavy), half_student_t(2, heavy))};
}

}  // namespace evident::problems
