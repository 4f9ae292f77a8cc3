// Numbers below the normal range count as zero while a FlushToZero lives: in solvers of differential equations they
// cost dearly and mean nothing.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace evident {

class FlushToZero {
 public:
#if defined(__x86_64__)
  FlushToZero() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040U); }
  ~FlushToZero() { _mm_setcsr(saved_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned saved_;
#endif
};

}  // namespace evident
