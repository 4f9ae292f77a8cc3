// Lists of data sets for a batch: the answer is data sets with names that differ, or an InputError.
#include <set>

#include "batch/items.hpp"
#include "evident/base/error.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static fuzz::MemoryFile file;
  file.fill(fuzz::text_of({bytes + 1, size - 1}));
  try {
    const auto list = evident::batch::items_of_list(file.path(), bytes[0] & 1 ? "s.toml" : "");
    std::set<std::string> names;
    for (const auto& item : list.items) {
      fuzz::require(!item.study.empty(), "each data set has a study");
      fuzz::require(!item.name.empty() && names.insert(item.name).second, "names are there and differ");
    }
    fuzz::require(!names.empty(), "a list has data sets");
  } catch (const evident::InputError&) {
  }
  return 0;
}
