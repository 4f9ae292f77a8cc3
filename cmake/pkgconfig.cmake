# Files for pkg-config: evident.pc, which is the whole library, evident-NAME.pc for each component, and evident_c.pc.
# Paths are told from where the file is, so that the prefix can be moved. What a static component leaves to be linked with
# the program is Requires; for a shared one it is Requires.private.
function(evident_pkgconfig package text)
  cmake_parse_arguments(PARSE_ARGV 2 pc "" "LIBS" "REQUIRES;LIBRARIES")
  set(private)
  foreach(library ${pc_LIBRARIES})
    if(evident_shared)
      list(APPEND private ${evident_library_${library}_PKGCONFIG})
    elseif(evident_library_${library}_PKGCONFIG)
      list(APPEND pc_REQUIRES ${evident_library_${library}_PKGCONFIG})
    else()
      list(TRANSFORM evident_library_${library}_LINK PREPEND " -l" OUTPUT_VARIABLE flags)
      string(APPEND pc_LIBS ${flags})
    endif()
  endforeach()
  list(JOIN pc_REQUIRES ", " pc_REQUIRES)
  list(JOIN private ", " private)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE libdir)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE includedir)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE prefix)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/${package}.pc @ONLY CONTENT [[
prefix=${pcfiledir}/@prefix@
libdir=${prefix}/@libdir@
includedir=${prefix}/@includedir@

Name: @package@
Description: @PROJECT_DESCRIPTION@ (@text@)
Version: @PROJECT_VERSION@
Requires: @pc_REQUIRES@
Requires.private: @private@
Libs: -L${libdir} @pc_LIBS@
Cflags: -I${includedir}
]])
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)
endfunction()

foreach(name ${evident_components})
  list(TRANSFORM evident_${name}_needs PREPEND evident- OUTPUT_VARIABLE needs)
  evident_pkgconfig(evident-${name} "component ${name}" LIBS -levident_${name} REQUIRES ${needs}
                    LIBRARIES ${evident_${name}_libraries})
endforeach()
list(TRANSFORM evident_components PREPEND evident- OUTPUT_VARIABLE all)
evident_pkgconfig(evident "the C++ library" REQUIRES ${all})
evident_pkgconfig(evident_c "the C interface" LIBS -levident_c)
