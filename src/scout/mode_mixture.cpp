#include "scout/mode_mixture.hpp"

#include <cmath>

#include "base/statistics.hpp"
#include "evident/base/log_math.hpp"
#include "scout/mode_mass.hpp"

namespace evident {
namespace {

constexpr double kNegligible = 1e-3;  // of the mass of the largest mode
constexpr double kMostUnseen = 0.25;  // of the starts

}  // namespace

std::vector<Mode> modes_that_matter(const Scouted& found) {
  std::vector<Mode> out;
  for (const Mode& m : found.modes)  // the highest mass first
    if (m.log_mass > found.modes.front().log_mass + std::log(kNegligible)) out.push_back(m);
  return out;
}

bool modes_are_known(const Scouted& found) {
  return modes_that_matter(found).size() > 1 && found.unseen() <= kMostUnseen;
}

std::optional<FittedMixture> mode_mixture(const Scouted& found) {
  if (!modes_are_known(found)) return std::nullopt;
  return mixture_at(modes_that_matter(found));
}

FittedMixture mixture_at(const std::vector<Mode>& modes) {
  std::vector<double> masses;
  for (const Mode& m : modes) masses.push_back(m.log_mass);
  const double all = log_sum_exp(masses);
  std::vector<MixtureComponent> components;
  for (const Mode& m : modes)
    components.push_back(
        MixtureComponent{.weight = 0.5 * std::exp(m.log_mass - all) + 0.5 / static_cast<double>(modes.size()),
                         .df = kModeFreedom,
                         .mean = m.z,
                         .root = m.root});
  return FittedMixture(std::move(components));
}

std::vector<std::size_t> rows_apart(const Scouted& found) {
  constexpr double kApart = 2;  // widths of a mode
  const std::vector<Mode> modes = modes_that_matter(found);
  std::vector<std::size_t> out;
  if (modes.size() < 2) return out;
  const std::size_t d = modes.front().z.size();
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> at, width;
    for (const Mode& m : modes) {
      double square = 0;
      for (std::size_t k = 0; k <= j; ++k) square += m.root[j * d + k] * m.root[j * d + k];
      at.push_back(m.z[j]);
      width.push_back(std::sqrt(square));
    }
    if (standard_deviation(at) > kApart * median(std::move(width))) out.push_back(j);
  }
  return out;
}

}  // namespace evident
