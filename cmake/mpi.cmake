# The module for MPI, evident_mpi.so: loaded by the program when mpirun or srun has started it. MPI's C interface,
# version 3, of whatever implementation is here; without one the module is left out and the program is the same.
option(EVIDENT_MPI "Build the module for MPI, if MPI is installed" ON)
set_source_files_properties(src/cluster/launch.cpp PROPERTIES
                            COMPILE_DEFINITIONS EVIDENT_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}")
if(NOT EVIDENT_MPI)
  return()
endif()

enable_language(C)  # the C interface is looked for with a C compiler
find_package(MPI 3.0 QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "evident: MPI was not found; built without the module for mpirun and srun (libopenmpi-dev)")
  return()
endif()
add_library(evident_mpi MODULE src/cluster/mpi_module.cpp)
set_target_properties(evident_mpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                                             CXX_VISIBILITY_PRESET hidden)
target_compile_features(evident_mpi PRIVATE cxx_std_20)
target_compile_definitions(evident_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_include_directories(evident_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(evident_mpi PRIVATE evident_options MPI::MPI_C)
