# Installs web/node_modules from the lock file, unless that very lock file is what is there. All build folders of a clone
# share them, so only one may install at a time.
file(LOCK ${WEB}/.npm_ci.lock GUARD PROCESS TIMEOUT 900)
file(SHA256 ${WEB}/package-lock.json wanted)
set(note ${WEB}/node_modules/.evident_installed)
set(installed "")
if(EXISTS ${note})
  file(READ ${note} installed)
endif()

# What was installed for the tests serves the build too.
set(is_there OFF)
if(installed STREQUAL "${wanted} all" OR (NOT DEVELOPMENT AND installed STREQUAL "${wanted} build"))
  set(is_there ON)
endif()
if(NOT is_there)
  set(omit --omit=dev)
  set(extent build)
  if(DEVELOPMENT)
    set(omit --include=dev)
    set(extent all)
  endif()
  # Packages run no scripts of their own here; none of these needs any.
  execute_process(COMMAND ${NPM} ci ${omit} --ignore-scripts --prefer-offline --no-audit --no-fund
                  WORKING_DIRECTORY ${WEB} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "'npm ci' in ${WEB} failed (${code}):\n${output}\n"
                        "It needs a registry of npm, or its cache from an earlier build. Without reports: -DEVIDENT_REPORT=OFF")
  endif()
  file(WRITE ${note} "${wanted} ${extent}")
endif()
file(WRITE ${STAMP} "${wanted}")
