#include "smc/relative_path.hpp"

#include <algorithm>
#include <cmath>

namespace evident {

Step tilt(UnionPopulation& x, ModelIndex to, const ModelPair& now, const ModelPair& next) {
  AlignedVector<double> log_weight;
  log_weight.reserve(x.size());
  for (const UnionPopulation::Member& m : x.members) {
    const double w = m.model == to ? next.log_to() - now.log_to() : next.log_from() - now.log_from();
    log_weight.insert(log_weight.end(), m.x.size(), w);
  }
  Step step{.alpha = next.alpha()};
  const Absorbed absorbed = x.weights.absorb(log_weight, 1.0);
  step.log_ratio = absorbed.log_ratio;
  step.cess = absorbed.cess;
  step.ess = x.weights.ess();
  return step;
}

namespace {

double cess_after(double share, double change) {
  const double r = std::exp(change), mean = 1 - share + share * r, square = 1 - share + share * r * r;
  return mean * mean / square;
}

double adaptive_log_odds(double target, double log_odds, double share) {
  if (share >= target) return kInf;
  constexpr double kLongest = 0.5;  // nothing is known of a model without particles, so the path is walked slowly there
  if (cess_after(share, kLongest) >= target) return log_odds + kLongest;
  double low = 0, high = kLongest;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (cess_after(share, middle) >= target ? low : high) = middle;
  }
  return log_odds + std::max(low, 1e-6);
}

}  // namespace

double next_log_odds(const Schedule& schedule, double log_odds, double share, std::size_t step) {
  if (const auto* cess = std::get_if<CessSchedule>(&schedule)) return adaptive_log_odds(cess->target, log_odds, share);
  if (const auto* ess = std::get_if<EssSchedule>(&schedule)) return adaptive_log_odds(ess->target, log_odds, share);
  const double alpha = log_odds == -kInf ? 0 : 1 / (1 + std::exp(-log_odds));
  const double next = next_alpha(schedule, {.alpha = alpha, .step = step});
  return next >= 1 ? kInf : std::log(next) - std::log1p(-next);
}

double path_sampling_of_pair(std::span<const double> log_odds, std::span<const double> share) {
  const auto alpha = [](double eta) { return 1 / (1 + std::exp(-eta)); };
  double inside = 0;
  for (std::size_t t = 1; t < log_odds.size(); ++t) {
    const double left = share[t - 1] - alpha(log_odds[t - 1]), right = share[t] - alpha(log_odds[t]);
    inside += 0.5 * (log_odds[t] - log_odds[t - 1]) * (left + right);
  }
  // B = exp(inside) (1 - a + a B) / (b + (1 - b) / B) with a and b the first and the last alpha: linear in B.
  const double a = alpha(log_odds.front()), b = alpha(log_odds.back());
  return std::log((std::expm1(inside) * (1 - a) + b - a) / (b - std::exp(inside) * a));
}

}  // namespace evident
