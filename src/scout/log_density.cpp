#include "scout/log_density.hpp"

#include <algorithm>
#include <memory>

#include "evident/base/error.hpp"
#include "proposal/log_target.hpp"

namespace evident {

void LogDensity::check_stop() const {
  if (context_.stop.stop_requested()) throw FatalError("stopped before the end");
}

std::vector<double> LogDensity::values(ConstBlock z) const {
  check_stop();
  LogTarget target(target_);
  AlignedVector<double> log_prior(z.size()), out(z.size());
  target.evaluate(z, log_prior, out);
  return {out.begin(), out.end()};
}

void LogDensity::gradients(ConstBlock z, Block out) const {
  check_stop();
  const ParameterSpace& space = model_.parameters();
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage theta(space.size(), n);
    AlignedVector<double> log_jacobian(n);
    space.constrain(z.columns(first, n), theta, log_jacobian);
    target_.gradient(z.columns(first, n), theta, out.columns(first, n));
  }
}

Height LogDensity::height() const {
  struct Point {
    BlockStorage z, gradient;
  };
  const auto point = std::make_shared<Point>(Point{BlockStorage(dimension(), 1), BlockStorage(dimension(), 1)});
  return {.value =
              [this, point](std::span<const double> x, std::span<double> gradient) {
                for (std::size_t j = 0; j < x.size(); ++j) point->z(j, 0) = x[j];
                const double value = values(point->z).front();
                if (gradient.empty()) return value;
                std::ranges::fill(gradient, 0.0);
                if (value == -kInf) return value;
                gradients(point->z, point->gradient);
                for (std::size_t j = 0; j < x.size(); ++j) gradient[j] = point->gradient(j, 0);
                return value;
              },
          .has_gradient = has_gradient()};
}

}  // namespace evident
