#include "baseline/tuned_kernel.hpp"

#include <algorithm>
#include <utility>

#include "kernel/langevin.hpp"

namespace evident {
namespace {

constexpr std::size_t kRemembered = 1024;

// The band rule is applied here, to the mean acceptance of many moves: that of one move of one chain is 0 or 1. Nor can
// one chain tell how far a scale jumps, or when it has mixed.
KernelOptions without_band(KernelOptions options) {
  if (options.scale_rule == ScaleRule::band || options.scale_rule == ScaleRule::jump)
    options.scale_rule = ScaleRule::adaptive;
  options.until_mixed.reset();
  return options;
}

// The same defaults as kernels that follow the gradient have in an SMC run.
KernelOptions with_own_band(KernelOptions options) {
  if (options.kind == KernelKind::mala) return with_band(options, 0.4, 0.8);
  if (options.kind == KernelKind::hmc) return with_band(options, 0.6, 0.9);
  return options;
}

// A kernel takes the spread of its proposals from the population, so a factor on the scale is a factor on the spread.
void spread(Population& x, double factor) {
  if (factor == 1) return;
  for (std::size_t j = 0; j < x.z.rows(); ++j) {
    double mean = 0;
    for (const double v : x.z.row(j)) mean += v / static_cast<double>(x.size());
    for (double& v : x.z.row(j)) v = mean + factor * (v - mean);
  }
}

}  // namespace

TunedKernel::TunedKernel(const Model& model, const KernelOptions& options, std::size_t period)
    : model_(model),
      options_(with_own_band(options)),
      kernel_(make_kernel(without_band(options), model)),
      period_(std::max<std::size_t>(period, 1)),
      first_(model, 1),
      seen_(model.parameters().free_size(), kRemembered) {}

void TunedKernel::start(Population x, double alpha) {
  first_ = std::move(x);
  kernel_->calibrate(first_, alpha);
}

void TunedKernel::learn(const Population& x, const MoveReport& moved, double alpha) {
  for (std::size_t i = 0; i < std::min(x.size(), kRemembered); ++i, ++pushed_)
    for (std::size_t j = 0; j < seen_.rows(); ++j) seen_(j, pushed_ % kRemembered) = x.z(j, i);
  acceptance_ += moved.acceptance;
  if (++moves_ < period_) return;
  adjust_factor();
  calibrate(alpha);
  moves_ = 0;
  acceptance_ = 0;
}

void TunedKernel::adjust_factor() {
  const std::size_t enough = std::max<std::size_t>(50, 5 * seen_.rows());
  if (!uses_seen_ && pushed_ / 2 >= enough) {
    uses_seen_ = true;
    factor_ = 1;
    return;
  }
  if (uses_seen_ && options_.scale_rule != ScaleRule::band) return;
  constexpr double kChange = 1.5, kSmallest = 1e-4, kLargest = 1e2;
  const double acceptance = acceptance_ / static_cast<double>(moves_);
  if (acceptance < options_.band_low) factor_ /= kChange;
  if (acceptance > options_.band_high) factor_ *= kChange;
  factor_ = std::clamp(factor_, kSmallest, kLargest);
}

Population TunedKernel::recent(std::size_t count) const {
  Population x(model_, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < seen_.rows(); ++j) x.z(j, i) = seen_(j, (pushed_ - count + i) % kRemembered);
  return x;
}

void TunedKernel::calibrate(double alpha) {
  Population x = uses_seen_ ? recent(std::min(pushed_ / 2, kRemembered)) : first_;
  spread(x, factor_);
  kernel_->calibrate(x, alpha);
}

}  // namespace evident
