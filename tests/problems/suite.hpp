// The suite on which the verdict is measured: problems of many families, all with a known evidence.
//
//   for (const SuiteEntry& e : suite())
//     if (e.half == Half::design) measure(e.make(seed));   // instance = seed: other data or centres, where they are
//     drawn
//
// The split. One half is there to choose thresholds on; the other one confirms what was chosen, and is used for nothing
// else. Which is which was fixed before anything was measured, by this rule: within a family problems are ordered by
// the hash of their name (FNV-1a, 64 bits); the first goes to the design half if the hash of the family's name is even
// and to the confirmation half if it is odd, and from there on they alternate. Who adds a problem applies the same
// rule: the halves of a family may move, so what was measured before does not count for it any more.
// Seeds are split as well: 1 to 999 are for design, those from 100001 for confirmation.
// The confirmation half was used on 2026-11-19, and failed (docs/calibration.md): it confirms nothing any more.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/problems.hpp"

namespace evident::problems {

enum class Half { design, confirmation };
std::string_view name(Half half);

inline constexpr std::uint64_t kLastDesignSeed = 999, kFirstConfirmationSeed = 100001;
/// Does the seed belong to this half?
constexpr bool is_seed_of(Half half, std::uint64_t seed) {
  return half == Half::design ? seed >= 1 && seed <= kLastDesignSeed : seed >= kFirstConfirmationSeed;
}

struct SuiteEntry {
  std::string name, family;
  /// The problem, with the evidence of this instance. Every number is another draw of data or centres.
  std::function<Problem(std::uint64_t instance)> make;
  bool drawn = false;  ///< do instances differ?
  /// A spike whose bulk (95 % of its mass) has less than a millionth of the prior, where the rest of the likelihood
  /// does not lead: at the spike it is no higher than at most draws from the rest. Nothing in a run can tell of it.
  bool out_of_reach = false;
  Half half = Half::design;
};

const std::vector<SuiteEntry>& suite();

std::uint64_t name_hash(std::string_view name);

}  // namespace evident::problems
