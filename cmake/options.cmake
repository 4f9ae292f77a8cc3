# Warnings and floating-point rules for everything built here. No -ffast-math: -inf and NaN carry meaning.
add_library(evident_options INTERFACE)
target_compile_options(evident_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                 -fno-math-errno -ffp-contract=off
                                                 -Wno-restrict)  # false alarms of GCC 12 on std::string
if(EVIDENT_WERROR)
  target_compile_options(evident_options INTERFACE -Werror)
endif()
# SIMD targets that every kernel is tested on (plain scalar, SSE4, AVX2); the one to use is chosen at start.
target_compile_definitions(evident_options INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3|HWY_AVX3_DL)")
