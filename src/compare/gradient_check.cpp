// Derivatives by hand against differences of the density, in z: the scale on which parameters are moved, where every
// coordinate may be changed alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/model_check_parts.hpp"

namespace evident {
namespace {

constexpr std::size_t kPoints = 16;
constexpr double kTolerance = 1e-4;  // relative; a wrong derivative is wrong by far more

// Each derivative costs densities of all coordinates: of many coordinates every point has some in turn, so that the
// cost does not grow with the square of their number.
constexpr std::size_t kNumbersOfPoint = 400'000;

/// One coordinate of so many is tested at a point.
std::size_t one_of(std::size_t coordinates) { return 1 + coordinates * coordinates / kNumbersOfPoint; }

/// Log likelihood (row 0) and log prior (row 1) of the columns of z.
void densities(const Model& model, ConstBlock z, Block out) {
  BlockStorage theta(model.parameters().size(), z.size());
  AlignedVector<double> jacobian(z.size());
  model.parameters().constrain(z, theta, jacobian);
  model.log_likelihood(theta, out.row(0));
  model.log_prior(theta, out.row(1));
}

/// Derivatives of both along coordinate j at column 0, by differences of two widths.
struct Difference {
  double slope, doubt;  ///< `doubt`: how far the two widths, or the last digits, leave it open
};

Difference difference(std::span<const double> f, double h) {
  const double wide = (f[0] - f[1]) / (2 * h), narrow = (f[2] - f[3]) / h;
  const double digits = 100 * std::numeric_limits<double>::epsilon() * (std::abs(f[0]) + std::abs(f[1])) / h;
  return {(4 * narrow - wide) / 3, 2 * std::abs(narrow - wide) + digits};
}

void compare(double found, const Difference& wanted, const std::string& name, GradientCheck& out) {
  if (!std::isfinite(wanted.slope)) return;  // at the edge of what is possible
  ++out.tested;
  const double scale = std::max({std::abs(found), std::abs(wanted.slope), 1e-8});
  const double off = std::abs(found - wanted.slope);
  const double error = std::isfinite(found) ? off / scale : std::numeric_limits<double>::infinity();
  if (off <= kTolerance * scale + wanted.doubt) return;
  ++out.wrong;
  if (error <= out.largest_error) return;
  out.largest_error = error;
  out.where = name;
}

}  // namespace

GradientCheck check_gradient(const Model& model, ConstBlock theta, std::span<const double> log_likelihood) {
  const ParameterSpace& space = model.parameters();
  const std::size_t d = space.free_size();
  GradientCheck out;
  std::size_t points = 0;
  for (std::size_t i = 0; i < theta.size() && points < kPoints; ++i) {
    if (!std::isfinite(log_likelihood[i])) continue;
    ++points;
    BlockStorage at(theta.rows(), 1), z(d, 1), prior(theta.rows(), 1), likelihood(theta.rows(), 1);
    BlockStorage d_prior(d, 1), d_likelihood(d, 1);
    for (std::size_t j = 0; j < theta.rows(); ++j) at(j, 0) = theta(j, i);
    space.unconstrain(at, z);
    model.gradient(at, prior, likelihood);
    space.pull_back(z, at, prior, d_prior, false);
    space.pull_back(z, at, likelihood, d_likelihood, false);
    for (std::size_t j = (points - 1) % one_of(d); j < d; j += one_of(d)) {
      const double h = 1e-4 * std::max(1.0, std::abs(z(j, 0)));
      BlockStorage moved(d, 4), f(2, 4);
      for (std::size_t r = 0; r < d; ++r) std::ranges::fill(moved.row(r), z(r, 0));
      const double steps[4] = {h, -h, h / 2, -h / 2};
      for (std::size_t k = 0; k < 4; ++k) moved(j, k) += steps[k];
      densities(model, moved, f);
      compare(d_likelihood(j, 0), difference(f.row(0), h), space.free_names()[j], out);
      compare(d_prior(j, 0), difference(f.row(1), h), space.free_names()[j] + " (prior)", out);
    }
  }
  return out;
}

}  // namespace evident
