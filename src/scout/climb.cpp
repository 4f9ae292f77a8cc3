#include "scout/climb.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// NLopt cannot work with -inf; what is impossible is merely very bad.
constexpr double kVeryBad = -1e30;

/// Remembers the best point, so that none is lost when an optimiser gives up.
class Climber {
 public:
  Climber(const Height& height, std::vector<double> start) : height_(height), best_x_(std::move(start)) {}

  /// One optimiser from the best point so far. True when it stopped by itself.
  bool run(nlopt_algorithm algorithm, const SearchBox& box, double tolerance, double enough, std::size_t most) {
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
        nlopt_create(algorithm, static_cast<unsigned>(best_x_.size())), nlopt_destroy);
    optimiser_ = optimiser.get();
    unit_ = height_.has_gradient ? box.step : std::vector<double>(best_x_.size(), 1.0);
    scale_ = height_.has_gradient ? scale_at(best_x_) : 1;
    nlopt_set_max_objective(optimiser_, &Climber::call, this);
    if (!box.lower.empty()) nlopt_set_lower_bounds(optimiser_, in_units(box.lower).data());
    if (!box.upper.empty()) nlopt_set_upper_bounds(optimiser_, in_units(box.upper).data());
    nlopt_set_initial_step(optimiser_, in_units(box.step).data());
    nlopt_set_ftol_abs(optimiser_, tolerance * scale_);
    nlopt_set_stopval(optimiser_, enough * scale_);
    nlopt_set_xtol_rel(optimiser_, 1e-9);
    nlopt_set_maxeval(optimiser_, static_cast<int>(std::min<std::size_t>(most, 1000000000)));
    std::vector<double> u = in_units(best_x_);
    double value = 0;
    const nlopt_result result = nlopt_optimize(optimiser_, u.data(), &value);
    if (failure_) std::rethrow_exception(failure_);
    // Rounding errors that allow no further progress are an end like any other.
    return result == NLOPT_SUCCESS || result == NLOPT_FTOL_REACHED || result == NLOPT_XTOL_REACHED ||
           result == NLOPT_ROUNDOFF_LIMITED;
  }

  double best() const { return best_; }
  const std::vector<double>& best_x() const { return best_x_; }

 private:
  static double call(unsigned d, const double* u, double* gradient, void* self) noexcept {
    auto& me = *static_cast<Climber*>(self);
    try {
      return me.value({u, d}, {gradient, gradient == nullptr ? 0 : d});
    } catch (...) {
      me.failure_ = std::current_exception();
      nlopt_force_stop(me.optimiser_);
      return kVeryBad;
    }
  }

  /// In units of the first step, which is then 1: optimisers that follow gradients begin with a step as long as the
  /// gradient, and a steep start would throw them to where the scale of a bounded parameter is flat.
  double scale_at(const std::vector<double>& x) {
    std::vector<double> gradient(x.size());
    const double height = see(x, gradient);
    double squares = 0;
    for (std::size_t j = 0; j < x.size(); ++j) squares += gradient[j] * gradient[j] * unit_[j] * unit_[j];
    return height > kVeryBad && squares > 0 && std::isfinite(squares) ? 1 / std::sqrt(squares) : 1;
  }

  std::vector<double> in_units(std::vector<double> x) const {
    for (std::size_t j = 0; j < x.size(); ++j) x[j] /= unit_[j];
    return x;
  }

  double value(std::span<const double> u, std::span<double> gradient) {
    std::vector<double> x(u.begin(), u.end());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] *= unit_[j];
    const double height = see(x, gradient);
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] *= unit_[j] * scale_;
    return height > kVeryBad ? height * scale_ : kVeryBad;
  }

  double see(const std::vector<double>& x, std::span<double> gradient) {
    const double height = height_.value(x, gradient);
    if (height > best_) {
      best_ = height;
      best_x_ = x;
    }
    return height;
  }

  const Height& height_;
  double best_ = -kInf;
  std::vector<double> best_x_;
  std::vector<double> unit_;  ///< optimisers work with x / unit
  double scale_ = 1;          ///< and with the height times this
  nlopt_opt optimiser_ = nullptr;
  std::exception_ptr failure_;
};

bool ends_at_bound(std::span<const double> x, const SearchBox& box) {
  for (std::size_t j = 0; j < x.size() && !box.lower.empty(); ++j) {
    const double margin = 1e-3 * (box.upper[j] - box.lower[j]);
    if (x[j] < box.lower[j] + margin || x[j] > box.upper[j] - margin) return true;
  }
  return false;
}

}  // namespace

Climb climb(const Height& height, const std::vector<double>& start, const SearchBox& box, const ClimbOptions& options) {
  const std::size_t d = start.size();
  std::vector<double> inside = start;
  for (std::size_t j = 0; j < d && !box.lower.empty(); ++j)
    inside[j] = std::clamp(inside[j], box.lower[j], box.upper[j]);
  Climber climber(height, inside);
  const std::size_t most = options.polish ? std::max<std::size_t>(options.most / 2, 10) : options.most;
  // BOBYQA builds its model from 2d+1 points and wants at least two dimensions.
  const bool first = height.has_gradient || d >= 2;
  bool converged = false;
  if (first)
    converged =
        climber.run(height.has_gradient ? (options.whole_curvature ? NLOPT_LD_SLSQP : NLOPT_LD_LBFGS) : NLOPT_LN_BOBYQA,
                    box, options.tolerance, options.enough, most);
  if (options.polish || !first) {
    const double before = climber.best();
    SearchBox fine = box;
    if (converged)
      for (double& s : fine.step) s *= 0.1;
    converged = climber.run(NLOPT_LN_SBPLX, fine, options.tolerance, options.enough, most) ||
                (converged && climber.best() - before < 1e-6);
  }
  return {climber.best_x(), climber.best(), converged, ends_at_bound(climber.best_x(), box)};
}

}  // namespace evident
