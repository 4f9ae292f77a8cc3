// JSON sidecars of images: two files, of which the first has the last word. The answer is what they say or an
// InputError.
#include <cmath>

#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "imaging/pet/io/sidecar.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static fuzz::MemoryFile near, far;
  const auto parts = fuzz::parts_of(fuzz::text_of({bytes, size}), 2);
  near.fill(parts[0]);
  far.fill(parts[1]);
  std::vector<std::string> files = {near.path()};
  if (!parts[1].empty()) files.push_back(far.path());
  try {
    const auto sidecar = evident::imaging::read_sidecar(files);
    for (const auto& x : {sidecar.scan_start, sidecar.injection_start, sidecar.decay_correction_time})
      fuzz::require(!x || std::isfinite(*x), "numbers are finite");
    for (const auto& list : {sidecar.frame_times_start, sidecar.frame_duration})
      for (const double x : list.value_or(std::vector<double>())) fuzz::require(std::isfinite(x), "numbers are finite");
  } catch (const evident::InputError&) {
  }
  return 0;
}
