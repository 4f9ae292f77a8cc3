// Simulated curves for the tests of fits.
#pragma once

#include <cstdint>
#include <vector>

#include "imaging/fit/curve_fit.hpp"
#include "imaging/fit/fit_many.hpp"
#include "models/pet/simulate.hpp"

namespace evident::imaging::test {

inline PetStudy study(const std::vector<double>& phi, const std::vector<double>& theta, std::uint32_t number = 0,
                      double lambda = 0.1) {
  return simulate_pet({.phi = phi, .theta = theta, .lambda = lambda}, Streams({.seed = 11}), number);
}

/// Normal noise with the precision integrated out, as `evident pet` has it.
inline CurveSetup setup(const PetStudy& data, std::vector<std::size_t> orders, std::size_t particles = 200,
                        double cess = 0.9) {
  CurveSetup out{.models = {}, .frames = data.frames, .input = data.input(), .blood = {}, .smc = fast_preset()};
  for (const std::size_t m : orders) {
    out.models.push_back(zhou2013_n(m));
    out.models.back().marginal_precision = true;
    out.models.back().scale = Scale::logit;
  }
  out.smc.particles = particles;
  out.smc.schedule = CessSchedule{cess};
  return out;
}

/// `count` curves of one and of two compartments in turn.
inline Curves some_curves(std::size_t count) {
  Curves out{.frames = published_frames().time.size(), .index = {}, .values = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const PetStudy s = i % 2 == 0 ? study({4e-3}, {6e-4}, static_cast<std::uint32_t>(i))
                                  : study({4e-3, 2e-3}, {5e-4, 1e-2}, static_cast<std::uint32_t>(i));
    out.index.push_back(1000 + 3 * i);
    out.values.insert(out.values.end(), s.activity.begin(), s.activity.end());
  }
  return out;
}

}  // namespace evident::imaging::test
