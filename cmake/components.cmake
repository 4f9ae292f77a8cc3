# The library in components, which are the link architecture too: a component links those below it that it needs, and the
# libraries that its own sources use. tests/architecture holds every #include against the list at the end of this file.
#
#   evident_library(NAME LINK what is linked [CMAKE package] [PKGCONFIG package] DEBIAN package)
#   evident_component(NAME MODULES folders of src [NEEDS components] [LIBRARIES names] [HEADERS targets that are only included])
#
# A component is the target evident_NAME, alias evident::NAME; `evident` links them all.

# The packages are what a static component asks for where it is installed: cmake/install.cmake.
function(evident_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "CMAKE;PKGCONFIG;DEBIAN" "LINK")
  foreach(field LINK CMAKE PKGCONFIG DEBIAN)
    set(evident_library_${name}_${field} ${library_${field}} PARENT_SCOPE)
  endforeach()
endfunction()

file(GLOB_RECURSE evident_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} src/*.cpp)
list(FILTER evident_sources EXCLUDE REGEX "^src/cluster/mpi_module\\.cpp$")  # a module to load, cmake/mpi.cmake
list(FILTER evident_sources EXCLUDE REGEX "^src/capi/")  # a library apart, cmake/capi.cmake
file(GLOB evident_kinds RELATIVE ${PROJECT_SOURCE_DIR} src/study/kinds/*.cpp)  # all alike, with the same names
set(evident_components)  # each after those that it needs

function(evident_component name)
  cmake_parse_arguments(PARSE_ARGV 1 component "" "" "MODULES;NEEDS;LIBRARIES;HEADERS")
  set(evident_components ${evident_components} ${name} PARENT_SCOPE)
  set(evident_${name}_needs ${component_NEEDS} PARENT_SCOPE)
  set(evident_${name}_libraries ${component_LIBRARIES} PARENT_SCOPE)

  list(JOIN component_MODULES "|" folders)
  set(sources ${evident_sources})
  list(FILTER sources INCLUDE REGEX "^src/(${folders})/")
  list(REMOVE_ITEM evident_sources ${sources})
  set(evident_sources ${evident_sources} PARENT_SCOPE)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  set(target evident_${name})
  add_library(${target} ${sources})
  add_library(evident::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name}
                                             DEFINE_SYMBOL "")  # static or shared, the objects are the same
  # A static library too must fit into the shared libraries of others: that of the C interface, modules of Python and R.
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                       PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM component_NEEDS PREPEND evident_)
  target_link_libraries(${target} PUBLIC ${component_NEEDS})
  # Header-only and flag targets are for this build alone: installed copies of the library must not ask for them.
  foreach(header evident_options ${component_HEADERS})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${header}>)
  endforeach()
  foreach(library ${component_LIBRARIES})
    target_link_libraries(${target} PRIVATE ${evident_library_${library}_LINK})
  endforeach()
  evident_unity(${target} ${evident_kinds})
  evident_fewer_checks(${target})
endfunction()

evident_library(tbb LINK TBB::tbb CMAKE TBB PKGCONFIG tbb DEBIAN libtbb-dev)
evident_library(hwy LINK hwy::hwy CMAKE hwy PKGCONFIG libhwy DEBIAN libhwy-dev)
evident_library(fmt LINK fmt::fmt CMAKE fmt PKGCONFIG fmt DEBIAN libfmt-dev)
evident_library(nlopt LINK ${NLOPT_LIBRARIES} CMAKE NLopt PKGCONFIG nlopt DEBIAN libnlopt-dev)
evident_library(toml LINK tomlplusplus::tomlplusplus CMAKE tomlplusplus PKGCONFIG tomlplusplus DEBIAN libtomlplusplus-dev)
evident_library(zlib LINK ZLIB::ZLIB CMAKE ZLIB PKGCONFIG zlib DEBIAN zlib1g-dev)
evident_library(dl LINK ${CMAKE_DL_LIBS})  # part of the C library
include(cmake/netcdf.cmake)

# cluster is part of core: it needs base alone, and who runs compare() on many ranks should not need more. external stands
# with formula: both make models out of what a user wrote, and study needs both. Study and report do not
# know each other; results, where they meet, and batch need both, and no images.
evident_component(core MODULES base dist journal tables model models particles path schedule kernel evidence transdim proposal judge scout
                               smc nested baseline compare cluster
                  LIBRARIES tbb hwy fmt nlopt dl HEADERS Eigen3::Eigen)
evident_component(formula MODULES formula external NEEDS core LIBRARIES hwy fmt dl)
evident_component(study MODULES study NEEDS formula LIBRARIES fmt toml)
evident_component(report MODULES report NEEDS core LIBRARIES fmt ${evident_netcdf}
                  HEADERS nlohmann_json::nlohmann_json ${evident_netcdf_headers})
evident_component(batch MODULES results batch NEEDS study report LIBRARIES fmt HEADERS nlohmann_json::nlohmann_json)
evident_component(imaging MODULES imaging NEEDS study report LIBRARIES fmt zlib
                  HEADERS nlohmann_json::nlohmann_json Eigen3::Eigen)
if(evident_sources)
  message(FATAL_ERROR "evident: no component in cmake/components.cmake has these: ${evident_sources}")
endif()

# Everything, under one name.
add_library(evident INTERFACE)
add_library(evident::evident ALIAS evident)
foreach(name ${evident_components})
  target_link_libraries(evident INTERFACE evident_${name})
endforeach()
