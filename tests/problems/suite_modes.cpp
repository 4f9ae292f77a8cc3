// Posteriors with several modes: of unequal volume, many, or products over the coordinates.
#include "problems/families.hpp"
#include "problems/modes.hpp"
#include "problems/published.hpp"

namespace evident::problems {

SuiteEntries unequal_mode_entries() {
  SuiteEntries out;
  for (const std::size_t d : {2, 5, 10, 20})
    out.push_back(drawn_entry("unequal modes", "unequal modes d=" + std::to_string(d),
                              [d](std::uint64_t instance) { return unequal_modes(d, 5, instance).problem; }));
  return out;
}

SuiteEntries many_mode_entries() {
  const std::string family = "many modes";
  return {
      drawn_entry(family, "40 modes d=2", [](std::uint64_t instance) { return many_modes(40, instance).problem; }),
      drawn_entry(family, "16 random modes d=4",
                  [](std::uint64_t instance) { return random_modes(4, 16, instance).problem; }),
      fixed_entry(family, "eggbox", [] { return eggbox(); }),
      fixed_entry(family, "two modes", [] { return two_modes(); }),
      fixed_entry(family, "log-gamma modes d=2", [] { return log_gamma_modes(2); }),
      fixed_entry(family, "log-gamma modes d=10", [] { return log_gamma_modes(10); }),
  };
}

SuiteEntries mode_product_entries() {
  SuiteEntries out;
  for (const std::size_t pairs : {2, 4, 8, 16})
    out.push_back(fixed_entry("products of modes", "many-well d=" + std::to_string(2 * pairs),
                              [pairs] { return many_well(pairs); }));
  for (const std::size_t d : {6, 12})
    out.push_back(fixed_entry("products of modes", "signs d=" + std::to_string(d), [d] { return signs(d); }));
  return out;
}

}  // namespace evident::problems
