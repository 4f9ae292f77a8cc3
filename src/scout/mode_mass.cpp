#include "scout/mode_mass.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kDrawsOfMode = 400;  // an error of 0.07 where a fifth of them is effective
constexpr std::size_t kMostModes = 16;     // as many draws again for each
constexpr double kFewestEffective = 20;    // weighted draws that fewer than these are worth say nothing
constexpr double kSmallMode = 0.01;        // of the mass of the largest
constexpr std::uint64_t kTagOfMass = 0x6d617373;

MixtureComponent component_at(const Mode& mode, double weight) {
  return {.weight = weight, .df = kModeFreedom, .mean = mode.z, .root = mode.root};
}

FittedMixture mixture_of(const std::vector<Mode>& modes) {
  double largest = -kInf;
  for (const Mode& m : modes) largest = std::max(largest, m.log_mass);
  std::vector<MixtureComponent> components;
  // Weights that are too small for a component would leave a mode without a region.
  constexpr double kLeastWeight = 1e-12;
  for (const Mode& m : modes)
    components.push_back(component_at(m, std::max(std::exp(m.log_mass - largest), kLeastWeight)));
  return FittedMixture(std::move(components));
}

std::vector<std::size_t> modes_to_weigh(const std::vector<Mode>& modes) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < modes.size() && out.size() < kMostModes; ++k)  // the highest mass first
    if (modes[k].log_mass >= modes.front().log_mass + std::log(kSmallMode)) out.push_back(k);
  return out;
}

/// From log weights, zero where they do not count.
Estimate log_mean_weight(const std::vector<double>& log_weights) {
  const double value = log_mean_exp(log_weights);
  if (!std::isfinite(value)) return {};
  double squares = 0;
  const auto n = static_cast<double>(log_weights.size());
  for (const double l : log_weights) squares += std::exp(2 * (l - value));
  if (n * n / squares < kFewestEffective) return {};
  return {value, std::sqrt((squares / n - 1) / (n - 1))};
}

}  // namespace

ModeRegions::ModeRegions(const std::vector<Mode>& modes) : mixture_(mixture_of(modes)) {}

std::vector<std::size_t> ModeRegions::assign(ConstBlock z) const {
  const std::size_t modes = mixture_.components().size();
  std::vector<std::size_t> out(z.size());
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage parts(modes, n), square(modes, n);
    mixture_.log_parts(z.columns(first, n), parts, square);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 1; k < modes; ++k)
        if (parts(k, i) > parts(out[first + i], i)) out[first + i] = k;
  }
  return out;
}

bool draws_fit(const std::vector<Mode>& modes) {
  const std::vector<std::size_t> weighed = modes_to_weigh(modes);
  return std::ranges::all_of(weighed, [&](std::size_t k) { return modes[k].drawn_mass.known(); });
}

void weigh_by_draws(std::vector<Mode>& modes, const LogDensity& density, const Context& context) {
  const std::vector<std::size_t> weighed = modes_to_weigh(modes);
  std::vector<Mode> curved;
  for (const std::size_t k : weighed) curved.push_back(modes[k]);
  if (curved.empty()) return;
  const ModeRegions regions(curved);
  for (std::size_t k = 0; k < curved.size(); ++k) {
    const FittedMixture around({component_at(curved[k], 1)});
    BlockStorage z(around.size(), kDrawsOfMode);
    AlignedVector<double> log_q(kDrawsOfMode);
    around.draw(context.streams.part(kTagOfMass).part(k), {.purpose = Purpose::proposal}, z);
    around.log_density(z, log_q);
    std::vector<double> log_weights = density.values(z);
    const std::vector<std::size_t> owner = regions.assign(z);
    for (std::size_t i = 0; i < kDrawsOfMode; ++i)
      log_weights[i] = owner[i] == k && !std::isnan(log_weights[i]) ? log_weights[i] - log_q[i] : -kInf;
    modes[weighed[k]].drawn_mass = log_mean_weight(log_weights);
  }
}

}  // namespace evident
