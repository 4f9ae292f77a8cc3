#include <algorithm>
#include <array>

#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<const Kind*, 7> kKinds = {&kFormula,         &kGaussianMixture, &kGoodwin, &kLinearRegression,
                                               &kPetCompartments, &kLibrary,         &kProcess};

}  // namespace

std::span<const Kind* const> kinds() { return kKinds; }

const Kind* find_kind(std::string_view name) {
  const auto it = std::ranges::find(kKinds, name, &Kind::name);
  return it == kKinds.end() ? nullptr : *it;
}

std::span<const std::string_view> kind_names() {
  static const std::array<std::string_view, kKinds.size()> names = [] {
    std::array<std::string_view, kKinds.size()> out;
    std::ranges::transform(kKinds, out.begin(), &Kind::name);
    return out;
  }();
  return names;
}

}  // namespace evident::study
