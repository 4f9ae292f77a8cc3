// The parser of formulas alone, which is quick enough for millions of random texts: the answer is names or an
// InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "evident/base/error.hpp"
#include "evident/formula/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const evident::formula::Source source{"s", 1, 1, std::string(reinterpret_cast<const char*>(data), size)};
  try {
    (void)evident::formula::names_in(source);
  } catch (const evident::InputError&) {
  }
  return 0;
}
