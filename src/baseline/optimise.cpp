#include "baseline/optimise.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

// NLopt cannot work with -inf; what is impossible is merely very bad.
constexpr double kVeryBad = -1e30;

/// The function to be made large. It remembers the best point, so that none is lost when an optimiser gives up.
class Objective {
 public:
  Objective(const TemperedTarget& target, const Context& context, std::vector<double> start)
      : target_(target),
        context_(context),
        best_z_(std::move(start)),
        z_(best_z_.size(), 1),
        theta_(target.model().parameters().size(), 1) {}

  static double call(unsigned, const double* z, double* gradient, void* self) noexcept {
    auto& me = *static_cast<Objective*>(self);
    try {
      return me.value(z, gradient);
    } catch (...) {
      me.failure_ = std::current_exception();
      nlopt_force_stop(me.optimiser_);
      return kVeryBad;
    }
  }

  /// One optimiser from the best point so far. True when it stopped by itself.
  bool run(nlopt_algorithm algorithm, const SearchBox& box, std::size_t max_evaluations) {
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
        nlopt_create(algorithm, static_cast<unsigned>(best_z_.size())), nlopt_destroy);
    optimiser_ = optimiser.get();
    nlopt_set_max_objective(optimiser_, &Objective::call, this);
    nlopt_set_lower_bounds(optimiser_, box.lower.data());
    nlopt_set_upper_bounds(optimiser_, box.upper.data());
    nlopt_set_initial_step(optimiser_, box.step.data());
    nlopt_set_ftol_abs(optimiser_, 1e-9);
    nlopt_set_xtol_rel(optimiser_, 1e-9);
    nlopt_set_maxeval(optimiser_, static_cast<int>(std::min<std::size_t>(max_evaluations, 1000000000)));
    std::vector<double> z = best_z_;
    double value = 0;
    const nlopt_result result = nlopt_optimize(optimiser_, z.data(), &value);
    if (failure_) std::rethrow_exception(failure_);
    // Rounding errors that allow no further progress are an end like any other.
    return result == NLOPT_SUCCESS || result == NLOPT_FTOL_REACHED || result == NLOPT_XTOL_REACHED ||
           result == NLOPT_ROUNDOFF_LIMITED;
  }

  double best() const { return best_; }
  const std::vector<double>& best_z() const { return best_z_; }

 private:
  double value(const double* z, double* gradient) {
    if (context_.stop.stop_requested()) throw RunError("stopped before the end");
    const std::size_t d = best_z_.size();
    for (std::size_t j = 0; j < d; ++j) z_(j, 0) = z[j];
    AlignedVector<double> log_prior(1), log_jacobian(1), l(1);
    const ParameterSpace& space = target_.model().parameters();
    space.constrain(z_, theta_, log_jacobian);
    target_.likelihood(theta_, l);
    if (gradient != nullptr) {
      BlockStorage d_prior(space.size(), 1), d_likelihood(space.size(), 1), d_z(d, 1);
      target_.model().gradient(theta_, d_prior, d_likelihood);
      space.pull_back(z_, theta_, d_likelihood, d_z, false);
      for (std::size_t j = 0; j < d; ++j) gradient[j] = std::isfinite(d_z(j, 0)) ? d_z(j, 0) : 0.0;
    }
    if (l[0] > best_) {
      best_ = l[0];
      best_z_.assign(z, z + d);
    }
    return l[0] > kVeryBad ? l[0] : kVeryBad;
  }

  const TemperedTarget& target_;
  const Context& context_;
  double best_ = -kInf;
  std::vector<double> best_z_;
  BlockStorage z_, theta_;
  nlopt_opt optimiser_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace

Optimum largest_likelihood(const TemperedTarget& target, const std::vector<double>& start, const SearchBox& box,
                           std::size_t max_evaluations, const Context& context) {
  const std::size_t d = start.size();
  std::vector<double> inside = start;
  for (std::size_t j = 0; j < d; ++j) inside[j] = std::clamp(inside[j], box.lower[j], box.upper[j]);
  Objective objective(target, context, inside);
  const std::size_t half = std::max<std::size_t>(max_evaluations / 2, 10);
  const bool gradient = target.model().has_gradient();
  // BOBYQA builds its model from 2d+1 points and wants at least two dimensions.
  bool converged = false;
  if (gradient || d >= 2) converged = objective.run(gradient ? NLOPT_LD_LBFGS : NLOPT_LN_BOBYQA, box, half);
  const double before = objective.best();
  SearchBox fine = box;
  if (converged)
    for (double& s : fine.step) s *= 0.1;
  converged = objective.run(NLOPT_LN_SBPLX, fine, half) || (converged && objective.best() - before < 1e-6);

  Optimum out{objective.best(), objective.best_z(), converged, false};
  for (std::size_t j = 0; j < d; ++j) {
    const double margin = 1e-3 * (box.upper[j] - box.lower[j]);
    out.at_box |= out.z[j] < box.lower[j] + margin || out.z[j] > box.upper[j] - margin;
  }
  return out;
}

}  // namespace evident
