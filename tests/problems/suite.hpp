// The suite on which the verdict is measured: problems of many families, all with a known evidence.
//
//   for (const SuiteEntry& e : suite())
//     if (e.half() == Half::design) measure(e.make(seed));   // instance = seed: other data or centres, where they are
//     drawn
//
// Problems of set 1 are for design: to choose rules and thresholds on, as often as one likes. Their parameters were
// chosen by hand. Once one half of them was kept for confirmation; it was used, and failed (docs/calibration.md), so
// that it confirms nothing any more.
// Set 2 is there to confirm what was chosen, once, and is used for nothing else. Nobody chose its problems: each family
// says a range for each parameter, those of set 1 and wider ones, and ParameterDraws (families.hpp) draws from it.
// Their evidences were checked by other means, and no comparison was run on them. If it fails, its problems become
// design, too, and set 3 is drawn. Seeds are split as well: 1 to 999 are for design, those from 200001 for
// confirmation; 100001 and on are spent.
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

inline constexpr std::uint64_t kLastDesignSeed = 999, kFirstConfirmationSeed = 200001;
/// Does the seed belong to this half?
constexpr bool is_seed_of(Half half, std::uint64_t seed) {
  return half == Half::design ? seed >= 1 && seed <= kLastDesignSeed : seed >= kFirstConfirmationSeed;
}

struct SuiteEntry {
  std::string name, family;
  /// The problem, with the evidence of this instance. Every number is another draw of data or centres.
  std::function<Problem(std::uint64_t instance)> make;
  bool drawn = false;  ///< do instances differ?
  /// A mode that holds more than a twentieth of the evidence and whose bulk (95 % of its mass) has less than a
  /// millionth of the prior, where no slope leads: climbs from nearly all draws of the prior end outside of that bulk.
  /// Hardly anything in a run can tell of it.
  bool out_of_reach = false;
  int set = 1;
  Half half() const { return set == 1 ? Half::design : Half::confirmation; }
};

const std::vector<SuiteEntry>& suite();

}  // namespace evident::problems
