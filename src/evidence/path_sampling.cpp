#include "evident/evidence/estimate.hpp"

#include <cmath>
#include <vector>

#include "evident/path/trace.hpp"

namespace evident {
namespace {

// A population whose log likelihood still varies by more than this over a step cannot be integrated by any rule.
constexpr double kWild = 10;

bool usable(const Step& from, const Step& to) {
  return std::isfinite(from.mean) && std::isfinite(from.variance) &&
         std::sqrt(from.variance) * (to.alpha - from.alpha) < kWild;
}

std::size_t first_usable(const std::vector<Step>& steps) {
  std::size_t start = 0;
  while (start + 1 < steps.size() && !usable(steps[start], steps[start + 1])) ++start;
  return start;
}

// The grid from steps[start] on, with refinement - 1 points between neighbours.
void grid(const std::vector<Step>& steps, std::size_t start, std::size_t refinement, std::vector<double>& x,
          std::vector<double>& y) {
  x = {steps[start].alpha};
  y = {steps[start].mean};
  const std::size_t stride = kFinest / refinement;
  for (std::size_t t = start + 1; t < steps.size(); ++t) {
    const double from = steps[t - 1].alpha, width = steps[t].alpha - from;
    for (std::size_t j = stride; j < kFinest; j += stride) {
      x.push_back(from + width * static_cast<double>(j) / static_cast<double>(kFinest));
      y.push_back(steps[t].finer[j - 1]);
    }
    x.push_back(steps[t].alpha);
    y.push_back(steps[t].mean);
  }
}

}  // namespace

PathSampling path_sampling(const Trace& trace) {
  const std::vector<Step>& steps = trace.steps;
  PathSampling result;
  result.start = first_usable(steps);
  double before = trace.log_initial;
  for (std::size_t t = 1; t <= result.start; ++t) before += steps[t].log_ratio;

  std::vector<double> x, y;
  for (std::size_t g = 0; g < kRefinements.size(); ++g) {
    grid(steps, result.start, kRefinements[g], x, y);
    for (std::size_t r = 0; r < kRules.size(); ++r) result.estimate[r][g] = before + integrate(kRules[r], x, y);
  }
  result.corrected = result.estimate[0][0];
  for (std::size_t t = result.start + 1; t < steps.size(); ++t) {
    const double width = steps[t].alpha - steps[t - 1].alpha;
    result.corrected -= width * width * (steps[t].variance - steps[t - 1].variance) / 12;
  }
  return result;
}

double standard_estimate(const Trace& trace) {
  double sum = trace.log_initial;
  for (std::size_t t = 1; t < trace.steps.size(); ++t) sum += trace.steps[t].log_ratio;
  return sum;
}

}  // namespace evident
