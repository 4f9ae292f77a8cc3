# Installation: the library, its headers, the program, and what find_package(evident) needs.
#
#   cmake --install build/release --prefix /opt/evident
#
# and then, in another project, find_package(evident REQUIRED) and target_link_libraries(app PRIVATE evident::evident).
include(CMakePackageConfigHelpers)

set(evident_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/evident)

# Versions below 1.0 promise nothing to each other, so minor versions are kept apart.
set_target_properties(evident PROPERTIES VERSION ${PROJECT_VERSION}
                                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The C interface has a version of its own, EVIDENT_ABI in its header.
file(STRINGS ${PROJECT_SOURCE_DIR}/include/evident/evident.h evident_c_abi REGEX "^#define EVIDENT_ABI [0-9]+$")
string(REGEX MATCH "[0-9]+$" evident_c_abi "${evident_c_abi}")
set_target_properties(evident_c PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${evident_c_abi}
                                           INSTALL_RPATH "$ORIGIN")

install(TARGETS evident evident_c EXPORT evidentTargets COMPONENT devel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT evidentTargets NAMESPACE evident:: DESTINATION ${evident_package_dir} COMPONENT devel)
if(TARGET evident_program)
  # With a shared library the installed program finds it, wherever the prefix is moved to.
  set_target_properties(evident_program PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# The packages to find again are those of the libraries in the link interface (TBB::tbb comes from TBB).
get_target_property(evident_interface evident INTERFACE_LINK_LIBRARIES)
set(EVIDENT_LINKED_PACKAGES "")
get_target_property(evident_type evident TYPE)
if(evident_type STREQUAL "STATIC_LIBRARY")
  foreach(item ${evident_interface})
    if(item MATCHES "BUILD_INTERFACE")
      continue()
    elseif(item MATCHES "([A-Za-z0-9_]+)::")
      list(APPEND EVIDENT_LINKED_PACKAGES ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES EVIDENT_LINKED_PACKAGES)
endif()
list(JOIN EVIDENT_LINKED_PACKAGES " " EVIDENT_LINKED_PACKAGES)

configure_package_config_file(cmake/evidentConfig.cmake.in ${PROJECT_BINARY_DIR}/evidentConfig.cmake
                              INSTALL_DESTINATION ${evident_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/evidentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/evidentConfig.cmake ${PROJECT_BINARY_DIR}/evidentConfigVersion.cmake
        DESTINATION ${evident_package_dir} COMPONENT devel)

# The licence with each part, as packages have it; studies to copy from with the program.
macro(evident_install_notes component package)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
          COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          RENAME changelog COMPONENT ${component})
endmacro()
evident_install_notes(devel libevident-dev)
if(TARGET evident_mpi)
  evident_install_notes(mpi evident-mpi)
endif()
if(TARGET evident_program)
  evident_install_notes(program evident)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/evident COMPONENT program
          PATTERN "*.evident" EXCLUDE PATTERN "build" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "*.so" EXCLUDE)
endif()
