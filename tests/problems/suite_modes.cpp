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
  SuiteEntries out = {
      drawn_entry(family, "40 modes d=2", [](std::uint64_t instance) { return many_modes(40, instance).problem; }),
      drawn_entry(family, "16 random modes d=4",
                  [](std::uint64_t instance) { return random_modes(4, 16, instance).problem; }),
      fixed_entry(family, "eggbox", [] { return eggbox(); }),
      fixed_entry(family, "two modes", [] { return two_modes(); }),
      fixed_entry(family, "log-gamma modes d=2", [] { return log_gamma_modes(2); }),
      fixed_entry(family, "log-gamma modes d=10", [] { return log_gamma_modes(10); }),
  };
  // A third of its modes have standard deviations below 0.69, and so less than a millionth of the prior, and hold a
  // sixteenth each. 384 climbs found 10 of 16: those from far away end at the wide ones.
  out[1].out_of_reach = true;
  return out;
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

SuiteEntries more_unequal_modes(ParameterDraws& draws) {
  SuiteEntries out;
  for (int k = 0; k < 2; ++k) {
    const std::size_t d = draws.whole(3, 15), modes = draws.whole(3, 8);
    out.push_back(drawn_entry(draws.family(), std::to_string(modes) + " unequal modes d=" + std::to_string(d),
                              [=](std::uint64_t instance) { return unequal_modes(d, modes, instance).problem; }));
  }
  return out;
}

SuiteEntries more_many_modes(ParameterDraws& draws) {
  const std::size_t alike = draws.whole(10, 60, {40}), random = draws.whole(5, 20), skew = draws.whole(3, 8);
  return {
      drawn_entry(draws.family(), std::to_string(alike) + " modes d=2",
                  [=](std::uint64_t instance) { return many_modes(alike, instance).problem; }),
      drawn_entry(draws.family(), std::to_string(random) + " random modes d=2",
                  [=](std::uint64_t instance) { return random_modes(2, random, instance).problem; }),
      fixed_entry(draws.family(), "log-gamma modes d=" + std::to_string(skew), [=] { return log_gamma_modes(skew); })};
}

SuiteEntries more_mode_products(ParameterDraws& draws) {
  const std::size_t pairs = draws.whole(3, 12, {4, 8}), d = draws.whole(3, 16, {6, 12});
  return {fixed_entry(draws.family(), "many-well d=" + std::to_string(2 * pairs), [=] { return many_well(pairs); }),
          fixed_entry(draws.family(), "signs d=" + std::to_string(d), [=] { return signs(d); })};
}

}  // namespace evident::problems
