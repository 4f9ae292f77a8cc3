# The C interface, include/evident/evident.h, as a shared library of its own: libevident_c.so. With a static libevident it
# needs nothing else of evident, so that C, R and others can load one file; only evident_* is seen from outside.
file(GLOB evident_c_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/capi/*.cpp)
add_library(evident_c SHARED ${evident_c_sources})
add_library(evident::evident_c ALIAS evident_c)
evident_unity(evident_c)
target_compile_features(evident_c PRIVATE cxx_std_20)
target_include_directories(evident_c PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                     PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(evident_c PRIVATE evident evident_options fmt::fmt)
set(evident_c_symbols ${PROJECT_SOURCE_DIR}/cmake/capi.symbols)
target_link_options(evident_c PRIVATE LINKER:--version-script=${evident_c_symbols} LINKER:--no-undefined
                    LINKER:-z,nodelete)  # threads outlive a run: their code must stay where it is after dlclose()
set_target_properties(evident_c PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                           LINK_DEPENDS ${evident_c_symbols}
                                           LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
