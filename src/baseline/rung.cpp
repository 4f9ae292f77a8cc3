#include "baseline/rung.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "baseline/columns.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "path/nowhere_possible.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kStart = std::uint64_t{1} << 32, kRefresh = std::uint64_t{2} << 32,
                        kCalibrate = std::uint64_t{3} << 32;
constexpr std::size_t kTries = 1000, kCalibrating = 256;

bool possible(const Population& x) {
  return std::all_of(x.log_likelihood.begin(), x.log_likelihood.end(), [](double l) { return l > -kInf; });
}

}  // namespace

Rung::Rung(const Model& model, const KernelOptions& options, double alpha, std::size_t ladders, std::size_t period,
           const Streams& streams, EvaluationCount& count)
    : model_(model),
      alpha_(alpha),
      streams_(streams),
      count_(count),
      x_(model, ladders),
      fresh_(model, ladders),
      kernel_(model, options, period) {
  draw(kStart, x_);
  for (std::size_t attempt = 1; alpha > 0 && !possible(x_); ++attempt) {
    if (attempt == kTries)
      throw RunError(nowhere_possible(kTries, count_) + ": check that data and prior fit together");
    draw(kStart + attempt, fresh_);
    for (std::size_t i = 0; i < ladders; ++i)
      if (x_.log_likelihood[i] == -kInf) copy_particle(fresh_, i, x_, i);
  }
  Population calibrating(model, kCalibrating);
  const Streams own = streams_.part(kCalibrate);
  model.has_initial() ? model.draw_initial(own, 0, calibrating.theta) : model.draw_prior(own, 0, calibrating.theta);
  model.parameters().unconstrain(calibrating.theta, calibrating.z);
  kernel_.start(std::move(calibrating), alpha);
}

void Rung::draw(std::uint64_t tag, Population& to) const {
  const Streams own = streams_.part(tag);
  const TemperedTarget target(model_, 0.0, count_);
  for (std::size_t first = 0; first < to.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, to.size() - first);
    const Block theta = to.theta.block().columns(first, n), z = to.z.block().columns(first, n);
    model_.has_initial() ? model_.draw_initial(own, static_cast<std::uint32_t>(first), theta)
                         : model_.draw_prior(own, static_cast<std::uint32_t>(first), theta);
    model_.parameters().unconstrain(theta, z);
    target.prior(z, theta, {to.log_prior.data() + first, n}, {to.log_jacobian.data() + first, n});
    target.likelihood(theta, {to.log_likelihood.data() + first, n});
  }
}

// Draws from the prior are always accepted. With another initial distribution nu this is the independence sampler,
// whose ratio is that of prior / nu.
double Rung::refresh(std::uint32_t iteration) {
  draw(kRefresh + iteration, fresh_);
  if (!model_.has_initial()) {
    std::swap(x_, fresh_);
    return 1;
  }
  AlignedVector<double> now(x_.size()), next(x_.size());
  model_.log_initial(x_.theta, now);
  model_.log_initial(fresh_.theta, next);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double log_ratio =
        (fresh_.log_prior[i] - fresh_.log_jacobian[i] - next[i]) - (x_.log_prior[i] - x_.log_jacobian[i] - now[i]);
    Stream random =
        streams_.at({.step = iteration, .particle = static_cast<std::uint32_t>(i), .purpose = Purpose::accept});
    if (!(std::log(random.uniform()) < log_ratio)) continue;
    copy_particle(fresh_, i, x_, i);
    ++accepted;
  }
  return static_cast<double>(accepted) / static_cast<double>(x_.size());
}

void Rung::set_alpha(double alpha) {
  alpha_ = alpha;
  kernel_.calibrate(alpha);
}

double Rung::move(const Context& context, std::uint32_t iteration, bool learn) {
  if (alpha_ == 0) return refresh(iteration);
  const Context own{streams_, context.executor, context.stop};
  const MoveReport moved = kernel_.move(TemperedTarget(model_, alpha_, count_), x_, own, iteration);
  if (learn) kernel_.learn(x_, moved, alpha_);
  return moved.acceptance;
}

}  // namespace evident
