# Packages: `cpack` in a build folder that was configured for /usr. tools/package does it all; docs/release.md tells more.
#
#   evident          the program, its manual, completion, examples
#   libevident-dev   the library with its headers, and the C interface
#   evident-mpi      the module that mpirun and srun need
set(CPACK_PACKAGE_NAME evident)
set(CPACK_PACKAGE_VENDOR "The evident authors")
set(CPACK_PACKAGE_CONTACT "The evident authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/before_packing.cmake)

set(CPACK_COMPONENTS_ALL program devel)
if(TARGET evident_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

# One archive with everything, three packages.
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME evident)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS evident-mpi)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "The program computes the evidence of Bayesian models by adaptive sequential
Monte Carlo, and from it Bayes factors, posterior model probabilities and
model-averaged parameters. Models are formulas in a study file, built-in
kinds, or code of your own; PET images are compared voxel by voxel.")

set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libevident-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
# What find_package(evident) asks for to link the static components.
set(evident_devel_needs)
foreach(name ${evident_components})
  foreach(library ${evident_${name}_libraries})
    list(APPEND evident_devel_needs ${evident_library_${library}_DEBIAN})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES evident_devel_needs)
list(JOIN evident_devel_needs ", " CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEVEL_DESCRIPTION
    "What find_package(evident) and pkg-config find: the static C++ libraries of
its components, their headers, and libevident_c.so with the interface for C, R
and other languages.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME evident-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "evident (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_DESCRIPTION
    "The module for MPI: with it the processes that mpirun or srun starts share
one run of the program evident.")

include(CPack)
