# Warnings and floating-point rules for everything built here. No -ffast-math: -inf and NaN carry meaning.
add_library(evident_options INTERFACE)
target_compile_options(evident_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                 -fno-math-errno -ffp-contract=off
                                                 $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # false alarms of GCC 12 on std::string
if(EVIDENT_WERROR)
  target_compile_options(evident_options INTERFACE -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # False alarms there, too; of the second kind with sanitizers, on std::stop_source.
    target_compile_options(evident_options INTERFACE -Wno-error=stringop-overflow -Wno-error=maybe-uninitialized)
  endif()
endif()
include(cmake/hardening.cmake)
# SIMD targets that every kernel is tested on (plain scalar, SSE4, AVX2); the one to use is chosen at start.
target_compile_definitions(evident_options INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3|HWY_AVX3_DL)")

# Releases do not know where their sources were: the same bytes from any folder.
if(PROJECT_IS_TOP_LEVEL AND NOT EVIDENT_COVERAGE)  # gcov must find them
  add_compile_options($<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
endif()

# Checks that would cost more than they find, in builds with the sanitizer of undefined behaviour. Kernels for several
# instruction sets, which GCC would compile ten times as long: those for null pointers, which the address sanitizer finds too,
# and alignment.
string(TOUPPER "${CMAKE_BUILD_TYPE}" evident_build_type)
set(evident_checks_undefined OFF)
if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${evident_build_type}}" MATCHES "-fsanitize=[a-z,]*undefined")
  set(evident_checks_undefined ON)
endif()
function(evident_fewer_checks target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    if(evident_checks_undefined AND EXISTS ${source})
      file(STRINGS ${source} by_highway REGEX "hwy/foreach_target\\.h")
      if(by_highway)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=null,alignment)
      endif()
    endif()
  endforeach()
endfunction()
