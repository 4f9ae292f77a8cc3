# Where programs and shared libraries look for others (RUNPATH). What is installed is linked with its final search path: CMake
# would otherwise fill that of the build with ":" to the length of the later one, and an empty entry means the working folder, so
# that a libz.so.1 beside a stranger's study would be loaded.
#
#   evident_search_path(TARGET [folders])     # folders as $ORIGIN/...; what is linked from outside of the system is added
function(evident_search_path target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON INSTALL_RPATH "${ARGN}")
endfunction()

# With shared components they lie beside each other, and beside the program where it is built.
function(evident_search_path_of_components target)
  get_target_property(type evident_core TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    evident_search_path(${target} ${ARGN})
  else()
    evident_search_path(${target})
  endif()
endfunction()
