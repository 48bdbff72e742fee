# What `cmake --install` puts where, and the package files of the build tree and of the installed prefix.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Foldwise)

# CUDA's part is an export of its own, as are the simulator's with fibers, MPI's and NCCL's: a machine without a CUDA
# toolkit, Boost, MPI or NCCL finds the rest of the package all the same.
set(targets foldwise_runtime foldwise_spec foldwise_warnings)
if(TARGET foldwise)
  list(APPEND targets foldwise)
endif()
if(FOLDWISE_BUILD_PYTHON)
  # For the limited API one archive serves every later Python.
  find_package(Python 3.12 REQUIRED COMPONENTS Interpreter Development.Module)
  if(Python_SOABI MATCHES "^cpython-[0-9]+d?t")
    message(FATAL_ERROR "FOLDWISE_BUILD_PYTHON: ${Python_EXECUTABLE} has no limited API, as it has no GIL")
  endif()
  _foldwise_add_python_library(foldwise_python_abi3 Py_LIMITED_API=0x030C0000)
  set_target_properties(foldwise_python_abi3 PROPERTIES EXPORT_NAME python_abi3 EXCLUDE_FROM_ALL OFF)
  list(APPEND targets foldwise_python_abi3)
endif()
add_custom_target(foldwise_package)  # all that is built to be installed
add_dependencies(foldwise_package ${targets})
install(TARGETS ${targets} EXPORT FoldwiseTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(exports FoldwiseTargets)
foreach(part Cuda Simulator Mpi Nccl)
  string(TOLOWER foldwise_${part} target)
  if(TARGET ${target})
    install(TARGETS ${target} EXPORT Foldwise${part}Targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    list(APPEND exports Foldwise${part}Targets)
    add_dependencies(foldwise_package ${target})
  endif()
endforeach()

foreach(export IN LISTS exports)
  install(EXPORT ${export} NAMESPACE Foldwise:: DESTINATION ${package_folder})
  export(EXPORT ${export} NAMESPACE Foldwise:: FILE ${PROJECT_BINARY_DIR}/${export}.cmake)
endforeach()

install(DIRECTORY runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY templates/ DESTINATION ${CMAKE_INSTALL_DATADIR}/foldwise/templates)
set(FOLDWISE_DOCUMENTATION ${CMAKE_INSTALL_DATADIR}/doc/foldwise)  # which messages name
set_property(GLOBAL PROPERTY _foldwise_documentation ${PROJECT_SOURCE_DIR}/docs)
install(FILES LICENSE DESTINATION ${FOLDWISE_DOCUMENTATION})
install(DIRECTORY docs/ DESTINATION ${FOLDWISE_DOCUMENTATION}
  FILES_MATCHING PATTERN "*.md" PATTERN performance EXCLUDE PATTERN numerics EXCLUDE)
install(DIRECTORY examples/python DESTINATION ${FOLDWISE_DOCUMENTATION}/examples
  PATTERN build EXCLUDE PATTERN __pycache__ EXCLUDE)

# What the static libraries link must be found again by whoever links them.
get_target_property(linked foldwise_runtime INTERFACE_LINK_LIBRARIES)
set(FOLDWISE_DEPENDENCIES "")
foreach(dependency "Threads" "OpenMP COMPONENTS CXX")
  string(REGEX MATCH "^[^ ]+" package ${dependency})
  if("${linked}" MATCHES "${package}::")
    string(APPEND FOLDWISE_DEPENDENCIES "find_dependency(${dependency})\n")
  endif()
endforeach()

# The same package files serve the build tree and the prefix: everything in them is relative to where they lie.
configure_package_config_file(cmake/FoldwiseConfig.cmake.in ${PROJECT_BINARY_DIR}/FoldwiseConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS FOLDWISE_DOCUMENTATION
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FoldwiseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(module FoldwiseAddKernels FoldwiseAddPythonModule FoldwiseCheckCall FoldwiseCompilerOptions FoldwiseGeneratorRule FoldwiseKernelsTarget
    FindCUDAToolkit FindNCCL)
  configure_file(cmake/${module}.cmake ${PROJECT_BINARY_DIR}/${module}.cmake COPYONLY)
  install(FILES cmake/${module}.cmake DESTINATION ${package_folder})
endforeach()
# What Python modules are made of besides kernels is compiled where they are built, for their Python.
file(GLOB python_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS python/*.cpp python/*.hpp python/*.py)
foreach(source IN LISTS python_sources)
  configure_file(${source} ${PROJECT_BINARY_DIR}/${source} COPYONLY)
endforeach()
# Modules are made of all that is there, so copies of files that have got another name do not stay.
file(GLOB python_copies RELATIVE ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/python/*.cpp ${PROJECT_BINARY_DIR}/python/*.hpp)
list(REMOVE_ITEM python_copies ${python_sources})
foreach(copy IN LISTS python_copies)
  file(REMOVE ${PROJECT_BINARY_DIR}/${copy})
endforeach()
install(FILES ${python_sources} DESTINATION ${package_folder}/python)
# The package foldwise: in a wheel it is the prefix itself, elsewhere a folder for PYTHONPATH.
if(NOT SKBUILD)
  install(DIRECTORY python/foldwise DESTINATION ${CMAKE_INSTALL_LIBDIR}/foldwise/python PATTERN __pycache__ EXCLUDE)
endif()
install(
  FILES
    ${PROJECT_BINARY_DIR}/FoldwiseConfig.cmake
    ${PROJECT_BINARY_DIR}/FoldwiseConfigVersion.cmake
  DESTINATION ${package_folder})

# In this build, also as part of another project, find_package(Foldwise) finds what is already here.
file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/FoldwiseConfig.cmake
  "# Foldwise is part of this build: its targets and foldwise_add_kernels() are there already.\n")
configure_file(${PROJECT_BINARY_DIR}/FoldwiseConfigVersion.cmake
  ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/FoldwiseConfigVersion.cmake COPYONLY)
