#include "base/simd.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>

#include "evident/base/error.hpp"

namespace evident {

std::vector<SimdTarget> simd_targets() {
  std::vector<SimdTarget> out;
  const std::int64_t here = hwy::SupportedTargets();
  // Highway gives better targets lower bits.
  for (int bit = 62; bit >= 0; --bit) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((HWY_TARGETS & target) == 0) continue;
    out.push_back({.name = hwy::TargetName(target), .available = (here & target) != 0, .number = target});
  }
  const auto best = std::ranges::find_if(out.rbegin(), out.rend(), &SimdTarget::available);
  if (best != out.rend()) best->in_use = true;
  return out;
}

UseSimdTarget::UseSimdTarget(std::string_view name) {
  for (const SimdTarget& target : simd_targets()) {
    if (target.name != name || !target.available) continue;
    hwy::SetSupportedTargetsForTest(target.number);
    return;
  }
  throw InputError(fmt::format("there is no SIMD target '{}' on this machine", name));
}

UseSimdTarget::~UseSimdTarget() { hwy::SetSupportedTargetsForTest(0); }

}  // namespace evident
