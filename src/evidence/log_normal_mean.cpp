#include "evidence/log_normal_mean.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace evident {
namespace {

// The generalized interval of Krishnamoorthy and Mathew (2003). With m and s^2 the mean and the variance of n values, Z
// standard normal and U chi-squared with n - 1 degrees of freedom, what is not known is distributed like
//   m + s sqrt((n - 1) / (n U)) Z + s^2 (n - 1) / (2 U):
// Student's t, and a long tail upwards, for the few values may have missed the large ones that make the mean.
class Pivot {
 public:
  Pivot(double variance, std::size_t count) : variance_(variance), n_(static_cast<double>(count)) {
    constexpr double kMostStep = 0.1, kOfWidth = 0.25, kNegligible = 40;  // in log U; nats below the highest density
    const double degrees = n_ - 1, top = std::log(degrees),
                 step = std::min(kMostStep, kOfWidth * std::sqrt(2 / degrees));
    const auto log_density = [&](double log_u) { return 0.5 * (degrees * log_u - std::exp(log_u)); };
    const auto add = [&](double log_u) {
      const double below = log_density(log_u) - log_density(top);
      if (below < -kNegligible) return false;
      nodes_.push_back({std::exp(log_u), std::exp(below)});
      total_ += nodes_.back().weight;
      return true;
    };
    add(top);
    for (int k = 1; add(top + k * step);) ++k;
    for (int k = 1; add(top - k * step);) ++k;
  }

  /// The chance to be at most x. Equal steps in log U: exact to rounding for a density that falls off this quickly.
  double below(double x) const {
    double sum = 0;
    for (const auto& [u, weight] : nodes_) {
      const double skew = 0.5 * variance_ * (n_ - 1) / u, scale = std::sqrt(variance_ * (n_ - 1) / (n_ * u));
      sum += weight * 0.5 * std::erfc((skew - x) / (scale * std::sqrt(2.0)));
    }
    return sum / total_;
  }

  double quantile(double p) const {
    const double step = std::sqrt(variance_ / n_);
    double lower = -step, upper = step + 0.5 * variance_;
    while (below(lower) > p) lower *= 2;
    while (below(upper) < p) upper *= 2;
    std::uintmax_t most = 100;
    const auto ends = boost::math::tools::toms748_solve([&](double x) { return below(x) - p; }, lower, upper,
                                                        boost::math::tools::eps_tolerance<double>(30), most);
    return 0.5 * (ends.first + ends.second);
  }

 private:
  struct Node {
    double u, weight;
  };
  double variance_, n_, total_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace

Interval log_normal_mean_interval(double mean, double variance, std::size_t count) {
  if (!(variance > 0)) return {mean, mean};
  const Pivot pivot(variance, count);
  return {mean + pivot.quantile(0.025), mean + pivot.quantile(0.975)};
}

}  // namespace evident
