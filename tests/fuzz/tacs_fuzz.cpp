// Tables of time-activity curves, of BIDS, PMOD (.tac), Turku (.dft) or as CSV, with the JSON beside them: the answer
// is curves or an InputError.
#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "imaging/pet/io/tacs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array<const char*, 4> names = {"c_tacs.tsv", "c.tac", "c.dft", "c.csv"};
  static fuzz::Folder folder;
  const auto parts = fuzz::parts_of(fuzz::text_of({bytes + 1, size - 1}), 2);
  const std::string name = names[bytes[0] % names.size()];
  folder.fill(name, parts[0]);
  folder.fill(name.substr(0, name.find('.')) + ".json", parts[1]);
  evident::imaging::TacOptions options;
  if (bytes[0] & 4) options.activity_unit = "kBq/mL";
  if (bytes[0] & 8) options.time_unit = "min";
  try {
    const auto table = evident::imaging::read_tacs(folder.path(name), options);
    fuzz::require(table.frames() > 0 && !table.regions.empty(), "there are frames and regions");
    fuzz::require(table.regions.size() == table.activity.size(), "each region has a curve");
    for (const double t : table.middle) fuzz::require(std::isfinite(t), "times are finite");
    for (const auto& curve : table.activity) {
      fuzz::require(curve.size() == table.frames(), "each curve has all frames");
      for (const double v : curve) fuzz::require(!std::isinf(v), "activities are finite or missing");
    }
  } catch (const evident::InputError&) {
  }
  return 0;
}
