#include "models/pet/prior.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {

PetOptions zhou2013_n(std::size_t compartments) {
  PetOptions options;
  options.compartments = compartments;
  options.phi = {{1e-3, 1e-2}, {1e-5, 1e-1}};
  options.theta = {{1e-4, 1e-3}, {1e-5, 1e-1}};
  return options;
}

PetOptions zhou2013_i(std::size_t compartments, double decay) {
  PetOptions options;
  options.compartments = compartments;
  options.noise = PetNoise::student;
  options.decay = decay;
  options.phi = {{1e-5, 1e-2}};
  options.theta = {{7e-4 + decay, 1e-2}, {1e-5 + decay, 1e-2}};
  return options;
}

namespace pet {
namespace {

/// How theta_d (d > 0) depends on the rate before it.
enum class Order {
  free,      ///< its bounds lie above all rates before
  previous,  ///< from the previous rate on
  raised,    ///< from the larger of the two
};

Order order(const PetOptions& options, std::size_t d) {
  double least_before = 0;  // the smallest value that the previous rate can take
  for (std::size_t j = 0; j < d; ++j) least_before = std::max(least_before, options.theta_bounds(j).lower);
  const double lower = options.theta_bounds(d).lower;
  if (lower <= least_before) return Order::previous;
  return lower >= options.theta_bounds(d - 1).upper ? Order::free : Order::raised;
}

void check_bounds(const std::vector<PetBounds>& bounds, const std::string& name) {
  if (bounds.empty()) throw InputError("PET model: no bounds for " + name);
  for (const PetBounds& b : bounds)
    if (!(b.lower >= 0 && b.lower < b.upper && b.upper < kInf))
      throw InputError("PET model: bounds of " + name + " must be 0 <= lower < upper, got " + std::to_string(b.lower) +
                       " and " + std::to_string(b.upper));
}

}  // namespace

void check(const PetOptions& options) {
  if (options.compartments == 0) throw InputError("PET model: compartments must be at least 1");
  check_bounds(options.phi, "phi");
  check_bounds(options.theta, "theta");
  for (std::size_t d = 1; d < options.theta.size(); ++d)
    if (options.theta[d].upper < options.theta[d - 1].upper)
      throw InputError("PET model: upper bounds of theta must not decrease, because the rates are ordered");
  if (!(options.precision_shape > 0 && options.precision_shape < kInf) ||
      !(options.precision_scale > 0 && options.precision_scale < kInf))
    throw InputError("PET model: shape and scale of the precision must be above 0");
  if (!std::isfinite(options.decay) || options.decay < 0) throw InputError("PET model: decay must be at least 0");
  if (!(options.activity_floor >= 0 && options.activity_floor < kInf))
    throw InputError("PET model: activity_floor must be at least 0");
  if (options.noise != PetNoise::normal && (options.marginal_precision || options.gibbs_precision))
    throw InputError("PET model: marginal_precision and gibbs_precision need normal noise");
  if (options.marginal_precision && options.gibbs_precision)
    throw InputError("PET model: marginal_precision leaves no precision for gibbs_precision to draw");
}

bool rate_follows(const PetOptions& options, std::size_t d) { return d > 0 && order(options, d) != Order::free; }

ParameterSpace make_parameters(const PetOptions& options) {
  ParameterSpace space;
  for (std::size_t d = 0; d < options.compartments; ++d) {
    const PetBounds b = options.phi_bounds(d);
    space.add("phi" + std::to_string(d + 1), uniform(b.lower, b.upper), options.scale);
  }
  for (std::size_t d = 0; d < options.compartments; ++d) {
    const PetBounds b = options.theta_bounds(d);
    const Argument lower = rate_follows(options, d) ? Argument("theta" + std::to_string(d)) : Argument(b.lower);
    space.add("theta" + std::to_string(d + 1), uniform(lower, b.upper), options.scale);
  }
  if (!options.marginal_precision) space.add("lambda", gamma_scale(options.precision_shape, options.precision_scale));
  if (options.noise == PetNoise::student) space.add("inverse_nu", uniform(0.0, 0.5), Scale::log);
  return space;
}

std::vector<RaisedBound> raised_bounds(const PetOptions& options) {
  std::vector<RaisedBound> raised;
  for (std::size_t d = 1; d < options.compartments; ++d)
    if (order(options, d) == Order::raised) raised.push_back({options.compartments + d, options.theta_bounds(d)});
  return raised;
}

void mend_draws(const PetOptions& options, Block theta) {
  const std::size_t m = options.compartments;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    double drawn_before = theta(m, i);
    for (std::size_t d = 1; d < m; ++d) {
      double& rate = theta(m + d, i);
      const double drawn = rate;
      if (order(options, d) != Order::free) {
        // Where the draw fell between its bounds is uniform; it keeps that place between the right ones.
        const PetBounds b = options.theta_bounds(d);
        const double place = (drawn - drawn_before) / (b.upper - drawn_before);
        const double lower = std::max(theta(m + d - 1, i), b.lower);
        rate = std::clamp(lower + place * (b.upper - lower), lower, b.upper);
      }
      drawn_before = drawn;
    }
  }
}

void mend_log_density(std::span<const RaisedBound> raised, ConstBlock theta, std::span<double> out) {
  for (const RaisedBound& r : raised)
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double before = theta(r.row - 1, i), upper = r.bounds.upper;
      if (before >= r.bounds.lower) continue;
      out[i] += theta(r.row, i) < r.bounds.lower ? -kInf : std::log((upper - before) / (upper - r.bounds.lower));
    }
}

}  // namespace pet
}  // namespace evident
