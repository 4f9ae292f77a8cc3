# Installation: the library in its components, the C interface, the program, and what find_package(evident) and pkg-config
# need.
#
#   cmake --build build/release --target installable     # all that is installed; `./tools/demo` and a whole build do it too
#   cmake --install build/release --prefix /opt/evident
#
# docs/library.md shows how another project uses it.
include(CMakePackageConfigHelpers)

set(evident_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/evident)
set(evident_library_targets ${evident_components})
list(TRANSFORM evident_library_targets PREPEND evident_)
set(evident_shared OFF)
get_target_property(evident_type evident_core TYPE)
if(evident_type STREQUAL "SHARED_LIBRARY")
  set(evident_shared ON)
endif()

# Before anything is copied: is all of it built? Otherwise an installation would stop half-way.
function(evident_check_built component)
  add_dependencies(installable ${ARGN})
  foreach(target ${ARGN})
    install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
    message(FATAL_ERROR \"evident: $<TARGET_FILE:${target}> is not built yet, so nothing is installed. First: \"
                        \"cmake --build ${PROJECT_BINARY_DIR} --target installable\")
  endif()" COMPONENT ${component})
  endforeach()
endfunction()
add_custom_target(installable)
evident_check_built(devel ${evident_library_targets} evident_c)
if(TARGET evident_program)
  evident_check_built(program evident_program)
endif()
if(TARGET evident_mpi)
  evident_check_built(mpi evident_mpi)
endif()

# Versions below 1.0 promise nothing to each other, so minor versions are kept apart. Libraries find each other, and the
# program finds them, wherever the prefix is moved to.
set_target_properties(${evident_library_targets} PROPERTIES VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(target ${evident_library_targets} evident_c)
  evident_search_path_of_components(${target} $ORIGIN)
endforeach()

# The C interface has a version of its own, EVIDENT_ABI in its header.
file(STRINGS ${PROJECT_SOURCE_DIR}/include/evident/evident.h evident_c_abi REGEX "^#define EVIDENT_ABI [0-9]+$")
string(REGEX MATCH "[0-9]+$" evident_c_abi "${evident_c_abi}")
set_target_properties(evident_c PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${evident_c_abi})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

# Each component has its own file of targets, so that asking for one does not ask for the libraries of the others. `evident`
# and `c`, the C interface, are components too. What a static library leaves to be linked with the program is found again; a
# shared one leaves nothing.
set(EVIDENT_COMPONENTS "")
function(evident_install_component name target)
  cmake_parse_arguments(PARSE_ARGV 2 component "" "" "NEEDS;LIBRARIES")
  install(TARGETS ${target} EXPORT evident-${name} COMPONENT devel)
  install(EXPORT evident-${name} NAMESPACE evident:: DESTINATION ${evident_package_dir} COMPONENT devel)
  set(packages)
  foreach(library ${component_LIBRARIES})
    list(APPEND packages ${evident_library_${library}_CMAKE})
  endforeach()
  if(evident_shared)
    set(packages)
  endif()
  list(JOIN component_NEEDS " " needs)
  list(JOIN packages " " packages)
  string(APPEND EVIDENT_COMPONENTS "set(evident_${name}_needs ${needs})\nset(evident_${name}_packages ${packages})\n")
  set(EVIDENT_COMPONENTS ${EVIDENT_COMPONENTS} PARENT_SCOPE)
endfunction()
foreach(name ${evident_components})
  evident_install_component(${name} evident_${name} NEEDS ${evident_${name}_needs} LIBRARIES ${evident_${name}_libraries})
endforeach()
evident_install_component(evident evident NEEDS ${evident_components})
if(evident_shared)
  evident_install_component(c evident_c NEEDS ${evident_components})
else()
  evident_install_component(c evident_c)
endif()
configure_package_config_file(cmake/evidentConfig.cmake.in ${PROJECT_BINARY_DIR}/evidentConfig.cmake
                              INSTALL_DESTINATION ${evident_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/evidentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/evidentConfig.cmake ${PROJECT_BINARY_DIR}/evidentConfigVersion.cmake
        DESTINATION ${evident_package_dir} COMPONENT devel)
include(cmake/pkgconfig.cmake)

# The licence with each part, as packages have it; studies to copy from with the program.
macro(evident_install_notes component package)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
          COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          RENAME changelog COMPONENT ${component})
endmacro()
evident_install_notes(devel libevident-dev)
if(TARGET evident_mpi)
  evident_search_path(evident_mpi)
  install(TARGETS evident_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/evident COMPONENT mpi)
  evident_install_notes(mpi evident-mpi)
endif()
if(TARGET evident_program)
  evident_search_path_of_components(evident_program $ORIGIN $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
  install(TARGETS evident_program COMPONENT program)
  set(reference ${PROJECT_BINARY_DIR}/cli/share)  # written by the program, see cli/CMakeLists.txt
  if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    install(DIRECTORY ${reference}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
    install(DIRECTORY ${reference}/bash-completion ${reference}/zsh ${reference}/fish
            DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)
  endif()
  evident_install_notes(program evident)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/evident COMPONENT program
          PATTERN "*.evident" EXCLUDE PATTERN "build" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "*.so" EXCLUDE)
endif()
