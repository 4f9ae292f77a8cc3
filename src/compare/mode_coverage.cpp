#include "compare/mode_coverage.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "compare/evidence_of_runs.hpp"
#include "path/place.hpp"
#include "scout/mode_mass.hpp"

namespace evident {
namespace {

BlockStorage coordinates_of(const ParameterSpace& space, const Draws& draws) {
  BlockStorage z(space.free_size(), draws.weights.size());
  space.unconstrain(draws.values.block().some_rows(0, space.size()), z);
  return z;
}

/// Share of the weight of an island's particles around each mode.
std::vector<double> shares_of(const Model& model, const ModeRegions& regions, std::size_t modes, const Draws& draws) {
  const std::vector<std::size_t> owner = regions.assign(coordinates_of(model.parameters(), draws));
  std::vector<double> out(modes);
  for (std::size_t i = 0; i < owner.size(); ++i) out[owner[i]] += draws.weights[i];
  return out;
}

/// Mean over the islands, with an error from their differences; from the number of particles where there is one island.
Estimate mean_share(const std::vector<double>& shares, const std::vector<double>& of_islands, std::size_t particles) {
  const auto n = static_cast<double>(shares.size());
  double value = 0, squares = 0;
  for (std::size_t r = 0; r < shares.size(); ++r) value += of_islands[r] * shares[r];
  if (shares.size() == 1)
    return {value, std::sqrt(std::max(value * (1 - value), 0.0) / static_cast<double>(particles))};
  for (std::size_t r = 0; r < shares.size(); ++r) squares += std::pow(of_islands[r] * (shares[r] - value), 2);
  return {value, std::sqrt(squares * n / (n - 1)), n - 1};
}

/// The column of z where the posterior is densest, on the scale of z.
std::size_t densest(const ParameterSpace& space, ConstBlock z, const Draws& draws) {
  BlockStorage theta(space.size(), z.size());
  AlignedVector<double> log_jacobian(z.size());
  space.constrain(z, theta, log_jacobian);
  std::size_t out = 0;
  double most = -kInf;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double height = draws.log_likelihood[i] + draws.log_prior[i] + log_jacobian[i];
    if (height > most && draws.weights[i] > 0) most = height, out = i;
  }
  return out;
}

}  // namespace

std::size_t draws_beside(std::size_t drawn) {
  constexpr std::size_t kDraws = 100'000;  // one on 3e-5 of the prior is met with a chance of 95 %
  return kDraws - std::min(kDraws, drawn);
}

void look_around(const Model& model, std::span<const runs::Finished> islands, Scouted& found, const Context& context) {
  constexpr std::size_t kClimbed = 4;
  const ParameterSpace& space = model.parameters();
  BlockStorage from(space.free_size(), islands.size());
  std::size_t drawn = 0;  // from the prior, by the runs
  for (std::size_t r = 0; r < islands.size(); ++r) {
    const Draws& draws = islands[r].draws;
    if (draws.weights.empty()) return;
    const BlockStorage z = coordinates_of(space, draws);
    const std::size_t top = densest(space, z, draws);
    for (std::size_t j = 0; j < z.rows(); ++j) from(j, r) = z(j, top);
    drawn += islands[r].replicate.trace.particles;
  }
  scout_from(model, from, found, context);
  const std::size_t further = draws_beside(drawn);
  if (further == 0) return;
  scout_from(model, highest_draws(model, further, kClimbed, context), found, context);
  found.evaluations += further;
}

std::vector<ModeNumbers> observe_modes(const Model& model, const Scouted& found,
                                       std::span<const runs::Finished> islands) {
  std::vector<Mode> modes;
  std::ranges::copy_if(found.modes, std::back_inserter(modes), [](const Mode& m) { return m.drawn_mass.known(); });
  std::vector<ModeNumbers> out;
  if (modes.empty()) return out;
  std::vector<Replicate> replicates;
  for (const runs::Finished& f : islands) replicates.emplace_back().log_evidence = f.replicate.log_evidence;
  const std::vector<double> of_islands = evidence_shares(replicates);
  const ModeRegions regions(modes);
  std::vector<std::vector<double>> shares;
  for (const runs::Finished& f : islands)
    if (!f.draws.weights.empty()) shares.push_back(shares_of(model, regions, modes.size(), f.draws));
  if (shares.size() != islands.size()) return out;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    std::vector<double> of_mode;
    for (const std::vector<double>& s : shares) of_mode.push_back(s[k]);
    std::vector<double> at = parameters_at(model.parameters(), modes[k].z);
    std::string place = short_place_text(model.parameters(), at);
    out.push_back({std::move(place), std::move(at), modes[k].drawn_mass,
                   mean_share(of_mode, of_islands, islands.front().draws.weights.size())});
  }
  return out;
}

}  // namespace evident
