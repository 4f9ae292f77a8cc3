#include "schedule/adaptive.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "particles/reweight.hpp"

namespace evident {
namespace {

struct Loss {
  double value;  ///< -log of the criterion relative to its limit at delta -> 0; grows from 0
  double slope;  ///< its derivative in delta
};

// The loss grows like delta^2 near 0, so its square root is nearly straight and Newton's method on it needs few steps.
class LossFunction {
 public:
  LossFunction(Criterion criterion, const ScheduleView& view) : criterion_(criterion), view_(view) {
    top_ = reweighting::largest(view.log_likelihood.data(), view.log_likelihood.size());
    const auto [finite, finite_squares] =
        reweighting::possible_sums(view.weights.data(), view.log_likelihood.data(), view.weights.size());
    // Limits for delta -> 0: CESS/N -> share of finite particles; ESS -> finite^2 / finite_squares.
    limit_ = criterion == Criterion::cess ? std::log(finite) : 2 * std::log(finite) - std::log(finite_squares);
  }

  bool all_impossible() const { return top_ == -kInf; }

  Loss operator()(double delta) const {
    const auto sums = criterion_ == Criterion::cess ? reweighting::exp_sums : reweighting::squared_exp_sums;
    const auto s = sums(view_.weights.data(), view_.log_likelihood.data(), top_, delta, view_.weights.size());
    return {limit_ - 2 * std::log(s.s1) + std::log(s.s2), 2 * (s.t2 / s.s2 - s.t1 / s.s1)};
  }

 private:
  Criterion criterion_;
  const ScheduleView& view_;
  double top_, limit_;
};

struct Bracket {
  double low, high;  ///< high is infinite while it is not yet known
};

/// Newton's step while it stays inside the bracket; otherwise farther out, or the middle.
double kept_inside(double newton, Bracket bracket, double delta, double longest) {
  const auto [low, high] = bracket;
  if (newton > low && newton < std::min(high, longest) && std::isfinite(newton)) return newton;
  if (high == kInf)
    return std::min(longest, std::isfinite(newton) && newton > low ? newton : std::max(delta * 10, 1e-300));
  return low > 0 ? std::sqrt(low) * std::sqrt(high) : high * 1e-3;
}

}  // namespace

double adaptive_step(Criterion criterion, double target, const ScheduleView& view) {
  const double longest = 1.0 - view.alpha;
  const LossFunction loss(criterion, view);
  if (loss.all_impossible()) return longest;
  const double wanted = -std::log(target), root = std::sqrt(wanted);
  constexpr double kTolerance = 1e-4;  // of the loss, relative: 0.999 is met to 1e-7
  constexpr double kSmallLoss = 0.01, kNear = 0.02;

  // Bracket [low, high] with loss(low) < wanted; high = infinity means "not yet known". Newton's step on the square
  // root of the loss is used while it stays inside, otherwise the geometric or arithmetic middle.
  double low = 0, high = kInf;
  double delta = std::clamp(view.last_step > 0 ? view.last_step : 1e-3, 0.0, longest);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Loss at = loss(delta);
    if (std::isfinite(at.value) && std::abs(at.value - wanted) <= kTolerance * wanted) return delta;
    // A small loss has so straight a root that from nearby Newton's step is as good as its check would be.
    const double near = std::sqrt(std::max(at.value, 0.0));
    if (wanted <= kSmallLoss && std::abs(near - root) <= kNear * root) {
      const double there = delta + (root - near) * 2 * near / at.slope;
      if (there > 0 && there < longest) return there;
    }
    if (at.value < wanted) {
      if (delta >= longest) return longest;
      low = delta;
    } else {  // too far, or not a number
      high = delta;
    }
    if (high < kInf && high - low <= 1e-15 * high) return low > 0 ? low : high;
    delta = kept_inside(delta + (root - near) * 2 * near / at.slope, {low, high}, delta, longest);
  }
  return low > 0 ? low : high;
}

}  // namespace evident
