#include "baseline/optimise.hpp"

#include <cmath>

#include "evident/base/error.hpp"

namespace evident {

Climb largest_likelihood(const TemperedTarget& target, const std::vector<double>& start, const SearchBox& box,
                         std::size_t max_evaluations, const Context& context) {
  const Model& model = target.model();
  const ParameterSpace& space = model.parameters();
  const std::size_t d = start.size();
  BlockStorage z(d, 1), theta(space.size(), 1), d_prior(space.size(), 1), d_likelihood(space.size(), 1), d_z(d, 1);
  AlignedVector<double> log_jacobian(1), l(1);
  const auto value = [&](std::span<const double> x, std::span<double> gradient) {
    if (context.stop.stop_requested()) throw RunError("stopped before the end");
    for (std::size_t j = 0; j < d; ++j) z(j, 0) = x[j];
    space.constrain(z, theta, log_jacobian);
    target.likelihood(theta, l);
    if (!gradient.empty()) {
      model.gradient(theta, d_prior, d_likelihood);
      space.pull_back(z, theta, d_likelihood, d_z, false);
      for (std::size_t j = 0; j < d; ++j) gradient[j] = std::isfinite(d_z(j, 0)) ? d_z(j, 0) : 0.0;
    }
    return l[0];
  };
  return climb({value, model.has_gradient()}, start, box, {.most = max_evaluations});
}

}  // namespace evident
