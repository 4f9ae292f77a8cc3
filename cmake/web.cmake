# The HTML reports: npm installs the packages of web/package-lock.json, esbuild makes one script and one style of each
# report, and both become strings of the library (html_bundles.cpp). Without EVIDENT_REPORT the list of reports is empty.
set(evident_html_bundles ${PROJECT_BINARY_DIR}/web/html_bundles.cpp)

if(NOT EVIDENT_REPORT)
  message(STATUS "evident: built without HTML reports (EVIDENT_REPORT is OFF)")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/web/no_html_bundles.cpp @ONLY CONTENT [[
#include "report/html_bundles.hpp"

namespace evident::report {

std::span<const HtmlBundle> html_bundles() { return {}; }

}  // namespace evident::report
]])
  target_sources(evident_report PRIVATE ${PROJECT_BINARY_DIR}/web/no_html_bundles.cpp)
  return()
endif()

find_program(EVIDENT_NODE NAMES node nodejs DOC "Node.js 18 or later, which bundles the HTML reports")
find_program(EVIDENT_NPM NAMES npm DOC "npm, which installs what the HTML reports are made from")
mark_as_advanced(EVIDENT_NODE EVIDENT_NPM)
if(NOT EVIDENT_NODE OR NOT EVIDENT_NPM)
  message(FATAL_ERROR "evident: the HTML reports need Node.js (18 or later) and npm, which were not found. "
                      "Install them (./tools/setup build), or build without reports: -DEVIDENT_REPORT=OFF")
endif()

set(evident_web ${PROJECT_SOURCE_DIR}/web)
set(evident_web_packages ${PROJECT_BINARY_DIR}/web/packages.stamp)
# The type checker is a package for the tests only.
set(evident_web_install ${CMAKE_COMMAND} -DNPM=${EVIDENT_NPM} -DWEB=${evident_web} -DSTAMP=${evident_web_packages}
                        -DDEVELOPMENT=${EVIDENT_TESTS} -P ${PROJECT_SOURCE_DIR}/cmake/npm_ci.cmake)
add_custom_command(OUTPUT ${evident_web_packages} COMMAND ${evident_web_install} VERBATIM
                   DEPENDS ${evident_web}/package.json ${evident_web}/package-lock.json ${evident_web}/.npmrc
                           ${PROJECT_SOURCE_DIR}/cmake/npm_ci.cmake
                   COMMENT "Packages of the HTML reports (npm ci)")

file(GLOB_RECURSE evident_web_sources CONFIGURE_DEPENDS ${evident_web}/src/*.ts ${evident_web}/src/*.css)
add_custom_command(OUTPUT ${evident_html_bundles}
                   COMMAND ${EVIDENT_NODE} ${evident_web}/build.mjs ${evident_html_bundles} VERBATIM
                   DEPENDS ${evident_web_packages} ${evident_web}/build.mjs ${evident_web_sources}
                   COMMENT "Bundles of the HTML reports (esbuild)")
target_sources(evident_report PRIVATE ${evident_html_bundles})
