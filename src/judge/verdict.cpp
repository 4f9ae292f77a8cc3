#include "evident/judge/verdict.hpp"

#include <algorithm>
#include <array>

namespace evident {
namespace {

constexpr std::array<std::string_view, 4> kVerdicts = {"trust", "run longer", "do not trust", "unjudged"};
constexpr std::array<std::string_view, 18> kAlarms = {
    "estimates-disagree",  "bridge-disagrees",   "bridge-poor",
    "islands-disagree",    "one-island-carries", "moves-collapsed",
    "ancestors-coalesced", "phase-transition",   "impossible-particles",
    "nan-likelihood",      "at-bound",           "prior-mismatch",
    "imprecise",           "nested-disagrees",   "mode-missing",
    "modes-unseen",        "no-check",           "few-particles"};

}  // namespace

std::string_view name(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view name(Alarm alarm) { return kAlarms[static_cast<std::size_t>(alarm)]; }

Verdict verdict(std::span<const Reason> reasons) {
  Verdict worst = Verdict::trust;
  for (const Reason& r : reasons) worst = std::max(worst, r.level);
  return worst;
}

}  // namespace evident
