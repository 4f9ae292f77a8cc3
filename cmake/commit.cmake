# The commit that the program is built from, for `evident --version`: cmake -DSOURCE=... -DOUTPUT=... -DGIT=... -P commit.cmake
#
# In a clone git tells it, and whether files differ from it. Archives of the sources have it in cmake/commit.txt. Elsewhere there is
# none. The file is written only when it changes, so that nothing is linked again without need.
file(STRINGS ${SOURCE}/cmake/commit.txt commit LIMIT_COUNT 1)
string(SUBSTRING "${commit}" 0 12 commit)
if(NOT commit MATCHES "^[0-9a-f]+$")  # no archive
  set(commit "")
  if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      set(commit "")
    elseif(changed)
      string(APPEND commit ", changed")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by cmake/commit.cmake.
#include "build_info.hpp"

namespace evident::cli {

std::string_view commit() { return "@commit@"; }

}  // namespace evident::cli
]])
