// Who chooses the thresholds and the moves: the particles of a pilot, or the plan that it made.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/kernel/kernel.hpp"
#include "nested/nested.hpp"
#include "smc/first_particles.hpp"
#include "smc/steps.hpp"

namespace evident {

class NestedCourse {
 public:
  virtual ~NestedCourse() = default;
  virtual WhenNone when_none() const = 0;
  /// The threshold after those in `trace`; +inf when there is no more. `x` are the particles of the level at
  /// log_volume.
  virtual double next_threshold(const Population& x, double log_volume, const NestedTrace& trace) = 0;
  virtual MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) = 0;
};

/// The value that has a share `keep` above it. On a plateau that none is above: the highest value below it, or +inf
/// when there is none.
inline double upper_quantile(std::span<const double> values, double keep) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto below = static_cast<std::ptrdiff_t>((1 - keep) * static_cast<double>(sorted.size()));
  const auto at = sorted.begin() + std::max<std::ptrdiff_t>(below, 1) - 1;
  if (*at < sorted.back()) return *at;
  const auto plateau = std::ranges::lower_bound(sorted, *at);
  return plateau == sorted.begin() ? kInf : *(plateau - 1);
}

/// Adapts, and writes down what it did.
class PilotCourse final : public NestedCourse {
 public:
  PilotCourse(std::unique_ptr<Kernel> kernel, const NestedOptions& options)
      : kernel_(std::move(kernel)), options_(options) {}

  WhenNone when_none() const override { return WhenNone::fail; }
  double next_threshold(const Population& x, double log_volume, const NestedTrace& trace) override {
    const double so_far = trace.log_evidence();
    const double here = log_volume + log_mean_exp(x.log_likelihood);
    const double most = log_volume + *std::ranges::max_element(x.log_likelihood);
    if (most <= std::log(options_.remaining) + log_add_exp(so_far, here)) return kInf;
    return upper_quantile(x.log_likelihood, options_.keep);
  }
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override {
    kernel_->calibrate(x, target.alpha());
    const MoveReport moved = kernel_->move(target, x, context, step);
    plan_.thresholds.push_back(target.threshold());
    plan_.calibrations.push_back(kernel_->calibration());
    return moved;
  }
  NestedPlan plan() { return std::move(plan_); }

 private:
  std::unique_ptr<Kernel> kernel_;
  const NestedOptions& options_;
  NestedPlan plan_;
};

/// Does what is written; the particles have no say.
class PlannedCourse final : public NestedCourse {
 public:
  PlannedCourse(std::unique_ptr<Kernel> kernel, const NestedPlan& plan) : kernel_(std::move(kernel)), plan_(plan) {}

  WhenNone when_none() const override { return WhenNone::evidence_is_0; }
  double next_threshold(const Population&, double, const NestedTrace& trace) override {
    const std::size_t t = trace.steps.size();
    return t < plan_.thresholds.size() ? plan_.thresholds[t] : kInf;
  }
  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override {
    kernel_->use(plan_.calibrations[step - 1]);
    return kernel_->move(target, x, context, step);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  const NestedPlan& plan_;
};

}  // namespace evident
