// Which instruction sets the kernels were compiled for, and which of them is in use on this machine.
//
//   for (const SimdTarget& t : simd_targets()) std::puts((t.name + (t.in_use ? " (in use)" : "")).c_str());
//
// Kernels choose the best one when they first run. A self-test may choose another:
//
//   const UseSimdTarget plain("SCALAR");     // until the end of the scope
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evident {

struct SimdTarget {
  std::string name;         ///< as Highway has it: SCALAR, SSE4, AVX2, NEON
  bool available = false;   ///< this processor has it
  bool in_use = false;      ///< the best of those
  std::int64_t number = 0;  ///< Highway's
};

/// Those that the kernels were compiled for, the plainest first.
std::vector<SimdTarget> simd_targets();

/// For self-tests: kernels use this target as long as the object lives. No kernel may be running meanwhile.
class UseSimdTarget {
 public:
  /// Throws InputError when there is no such target, or the processor lacks it.
  explicit UseSimdTarget(std::string_view name);
  ~UseSimdTarget();
  UseSimdTarget(const UseSimdTarget&) = delete;
  UseSimdTarget& operator=(const UseSimdTarget&) = delete;
};

}  // namespace evident
