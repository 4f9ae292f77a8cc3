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

install(TARGETS evident EXPORT evidentTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT evidentTargets NAMESPACE evident:: DESTINATION ${evident_package_dir})
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
        DESTINATION ${evident_package_dir})
