#include "compare/mode_coverage.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "compare/evidence_of_runs.hpp"
#include "path/place.hpp"
#include "scout/mode_mass.hpp"

namespace evident {
namespace {

/// Share of the weight of an island's particles around each mode.
std::vector<double> shares_of(const Model& model, const ModeRegions& regions, std::size_t modes, const Draws& draws) {
  const ParameterSpace& space = model.parameters();
  BlockStorage z(space.free_size(), draws.weights.size());
  space.unconstrain(draws.values.block().some_rows(0, space.size()), z);
  const std::vector<std::size_t> owner = regions.assign(z);
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

}  // namespace

std::vector<ModeNumbers> observe_modes(const Model& model, const Scouted& found,
                                       std::span<const runs::Finished> islands) {
  std::vector<Mode> modes;
  std::ranges::copy_if(found.modes, std::back_inserter(modes), [](const Mode& m) { return m.drawn_mass.known(); });
  std::vector<ModeNumbers> out;
  if (modes.empty()) return out;
  std::vector<Replicate> replicates;
  for (const runs::Finished& f : islands) replicates.push_back({.log_evidence = f.replicate.log_evidence});
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
