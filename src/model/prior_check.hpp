// Do a model's prior draws and its prior density belong together? A density without its constant, or with a variance
// where a standard deviation should be, makes every evidence wrong and no sampler notices.
//
//   const PriorCheck c = check_prior(*model, context);
//   if (!c.agrees()) for (const CoordinateCheck& p : c.coordinates) ...
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/estimate.hpp"
#include "evident/model/model.hpp"

namespace evident {

/// One free parameter: where its draws lie in the distribution that the density gives it, the others held.
struct CoordinateCheck {
  std::string name;
  double distance = 0;  ///< of Kolmogorov and Smirnov, from uniform
  double p_value = 1;
  bool agrees = true;
};

struct PriorCheck {
  /// Draws and density are those of parameters(), whose distributions have tests of their own: the rest is not asked.
  bool built_in = false;
  /// log of the integral of the density, by the bridge between prior draws and those of a proposal that was fitted to
  /// others of them; 0 is right. A constant belongs to the density as a whole: no parameter can be named for it.
  Estimate log_mass = {0, 0};
  bool mass_tested = true;  ///< false when no proposal came near enough, or a parameter's draws do not fit
  bool mass_agrees = true;
  std::size_t draws = 0, outside = 0;          ///< draws made, and how many of them have density zero
  std::vector<CoordinateCheck> coordinates{};  ///< some of many; empty where the prior is built in

  bool agrees() const;
};

/// Deterministic given the context's streams; costs no likelihood.
PriorCheck check_prior(const Model& model, const Context& context);

}  // namespace evident
