#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "nested/nested.hpp"

namespace evident {

double NestedTrace::log_evidence() const { return steps.empty() ? -kInf : steps.back().log_evidence; }

std::size_t NestedTrace::thresholds_that_matter() const {
  constexpr double kMatters = 0.01;  // of the evidence: without it the log evidence is 0.01 lower
  const auto above = [&](const NestedStep& s) { return -std::expm1(s.log_evidence - log_evidence()); };
  std::size_t out = 0;
  while (out + 1 < steps.size() && above(steps[out]) >= kMatters) ++out;
  return out;
}

double NestedTrace::fewest_passed(std::size_t thresholds) const {
  if (thresholds == 0) return kInf;
  if (steps.size() <= thresholds) return 0;
  double share = 1;
  for (std::size_t t = 0; t < thresholds; ++t) share = std::min(share, steps[t].share);
  return share * static_cast<double>(particles);
}

// Level t estimates the evidence above it as the mean of Y = L where log L <= l_{t+1}, else the mean evidence above
// l_{t+1}. In units of Z, with r_t the evidence above l_t, X_t^2 Var(Y) = slice squares + r_{t+1}^2 / share - r_t^2.
double NestedTrace::variance() const {
  const double whole = log_evidence();
  if (!(whole > -kInf)) return kNaN;
  double sum = 0, above = 0;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const double squares = std::exp(step->log_slice_square - 2 * whole);
    const double beyond = above > 0 ? above * above / step->share : 0;
    above += std::exp(step->log_slice - whole);
    sum += squares + beyond - above * above;
  }
  return std::max(sum, 0.0) / static_cast<double>(particles) + first.hidden_variance(particles);
}

}  // namespace evident
