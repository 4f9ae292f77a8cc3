# Installs the build in BUILD to a new folder, moves it, and builds and runs CONSUMER against it.
function(run title)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("--- ${title}\n${output}")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${title} failed: ${code}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run("install" ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/first)
# Nothing in the installed files may depend on where they were put.
file(RENAME ${WORK}/first ${WORK}/prefix)
run("configure" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${CONFIG}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix -DEXPECTED_VERSION=${VERSION})
run("build" ${CMAKE_COMMAND} --build ${WORK}/build)
run("run" ${WORK}/build/consumer)
if(PROGRAM)
  run("program" ${WORK}/prefix/bin/evident --version)
  foreach(file share/man/man1/evident.1 share/man/man1/evident-compare.1 share/bash-completion/completions/evident
               share/zsh/site-functions/_evident share/fish/vendor_completions.d/evident.fish
               share/evident/examples/decay/study.toml)
    if(NOT EXISTS ${WORK}/prefix/${file})
      message(FATAL_ERROR "${file} was not installed")
    endif()
  endforeach()
  run("example" ${WORK}/prefix/bin/evident check ${WORK}/prefix/share/evident/examples/decay/study.toml --quick)
endif()
