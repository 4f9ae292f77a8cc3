# Counts how often each line runs, for tools/coverage. Only what users get is counted; the tests are those of a release.
option(EVIDENT_COVERAGE "Count which lines of the library and the program are run" OFF)
if(EVIDENT_COVERAGE)
  set(evident_counted ${evident_components} c mpi program)
  list(TRANSFORM evident_counted PREPEND evident_)
  foreach(target ${evident_counted})
    if(TARGET ${target})
      # Counts of several threads are added up atomically: others get lost, or come out negative.
      target_compile_options(${target} PRIVATE -O1 --coverage -fprofile-update=prefer-atomic)
      target_link_options(${target} PRIVATE --coverage)
    endif()
  endforeach()
  target_link_options(evident INTERFACE --coverage)
endif()
