# foldwise_add_python_module: a Python module whose functions are the kernels of some specs.
#
#   foldwise_add_python_module(
#     NAME <module>             the module, and the target that builds it
#     SOURCES <spec>...         files such as stats.kernels.cpp
#     [PACKAGE <package>]       the package that the module belongs to, such as "pkg" or "pkg.sub": import pkg.stats
#     [GRADIENTS <f>=<g>...]    elementwise functions that compute gradients of others: docs/python.md says what they take
#     [JAX]                     functions take arrays that JAX traces: as targets of XLA, for jit, vmap and grad
#     [DESTINATION <folder>]    where `cmake --install` puts the module
#     [COMPONENT <name>]        the install component of the module
#     [<keyword> ...])          BACKENDS and the other keywords of foldwise_add_kernels, but for TARGET, PRIVATE and
#                               INCLUDE_PREFIX
#
# The file is in the current binary folder; with PACKAGE, in the package's folder below that. Without DESTINATION it is
# not installed, except in a build by scikit-build-core, whose wheels have it in the folder of its package.
#
# It is built for the Python that find_package(Python) finds, 3.10 or later, which has to have the headers for modules;
# -DPython_EXECUTABLE chooses another. From Python 3.12 on the module uses the limited C API alone: its name ends in
# .abi3.so, and the same file is a module of every later version. Neither NumPy, PyTorch nor JAX is needed for that.
#
# CUDA's runtime library is linked statically unless CMAKE_CUDA_RUNTIME_LIBRARY says otherwise. Importing the module calls
# nothing of CUDA's, and needs neither a GPU nor a driver.
include_guard(GLOBAL)

foreach(folder IN ITEMS ${CMAKE_CURRENT_LIST_DIR}/python ${CMAKE_CURRENT_LIST_DIR}/../python)
  if(EXISTS ${folder}/module.cpp)
    set_property(GLOBAL PROPERTY _foldwise_python_folder ${folder})
    break()
  endif()
endforeach()

function(foldwise_add_python_module)
  set(own_flags JAX)
  set(flags CHECKED DEBUG VECTOR_MATH FAST_MATH REPRODUCIBLE)
  set(single CONTRACT LINE_INFO)
  set(several BACKENDS OPTIONS CUDA_OPTIONS)
  cmake_parse_arguments(PARSE_ARGV 0 arg "${own_flags};${flags}" "NAME;PACKAGE;DESTINATION;COMPONENT;${single}" "SOURCES;GRADIENTS;${several}")
  # For the messages of both functions.
  set(foldwise_call "foldwise_add_python_module(${arg_NAME})")
  set(foldwise_call_keywords NAME SOURCES PACKAGE GRADIENTS JAX DESTINATION COMPONENT ${several} ${single} ${flags})
  _foldwise_check_python_call()
  _foldwise_find_python()
  _foldwise_add_python_support()

  list(JOIN arg_GRADIENTS " " gradients)
  get_property(sources GLOBAL PROPERTY _foldwise_python_folder)
  python_add_library(${arg_NAME} MODULE ${sources}/module.cpp)
  string(REPLACE "." "/" package_folder "${arg_PACKAGE}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(package_folder)
    string(APPEND folder "/${package_folder}")
  endif()
  set_target_properties(${arg_NAME} PROPERTIES
    SUFFIX "${python_suffix}" LIBRARY_OUTPUT_DIRECTORY "${folder}" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(${arg_NAME} PRIVATE
    FOLDWISE_PYTHON_MODULE=${arg_NAME} "FOLDWISE_PYTHON_GRADIENTS=\"${gradients}\"" ${python_definitions})
  if(arg_JAX)
    target_compile_definitions(${arg_NAME} PRIVATE FOLDWISE_PYTHON_JAX)
  endif()
  target_link_libraries(${arg_NAME} PRIVATE ${python_support})

  set(passed SOURCES ${arg_SOURCES})
  foreach(keyword IN LISTS flags)
    if(arg_${keyword})
      list(APPEND passed ${keyword})
    endif()
  endforeach()
  foreach(keyword IN LISTS single several)
    if(DEFINED arg_${keyword} OR keyword IN_LIST arg_KEYWORDS_MISSING_VALUES)
      list(APPEND passed ${keyword} ${arg_${keyword}})
    endif()
  endforeach()
  foldwise_add_kernels(TARGET ${arg_NAME} PYTHON ${passed})

  # The stub is what the module says of itself.
  set(stub "${folder}/${arg_NAME}.pyi")
  add_custom_command(TARGET ${arg_NAME} POST_BUILD
    COMMAND ${Python_EXECUTABLE} "${sources}/stubs.py" $<TARGET_FILE:${arg_NAME}> "${stub}"
    BYPRODUCTS "${stub}" VERBATIM)

  if(NOT DEFINED arg_DESTINATION AND SKBUILD)
    set(arg_DESTINATION .)
    if(package_folder)
      set(arg_DESTINATION "${package_folder}")
    endif()
  endif()
  if(DEFINED arg_DESTINATION)
    set(component "")
    if(DEFINED arg_COMPONENT)
      set(component COMPONENT "${arg_COMPONENT}")
    endif()
    install(TARGETS ${arg_NAME} LIBRARY DESTINATION "${arg_DESTINATION}" ${component})
    install(FILES "${stub}" DESTINATION "${arg_DESTINATION}" ${component} OPTIONAL)
  endif()
endfunction()

macro(_foldwise_check_python_call)
  # What other keywords would take as values.
  foreach(keyword TARGET PRIVATE INCLUDE_PREFIX)
    if("${keyword}" IN_LIST arg_SOURCES OR "${keyword}" IN_LIST arg_GRADIENTS OR "${keyword}" IN_LIST arg_BACKENDS)
      list(APPEND arg_UNPARSED_ARGUMENTS ${keyword})
    endif()
  endforeach()
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    _foldwise_refuse_switch_values(${flags} ${own_flags})
    list(APPEND arg_UNPARSED_ARGUMENTS "")  # an empty argument is an empty list
    list(GET arg_UNPARSED_ARGUMENTS 0 unknown)
    if("${unknown}" MATCHES "\\.(cpp|cc|cxx)$" AND "${arg_SOURCES}" STREQUAL "")
      _foldwise_fail("specs have a keyword: write SOURCES ${unknown}")
    elseif("${arg_NAME}" STREQUAL "" AND "${unknown}" MATCHES "^[A-Za-z_][A-Za-z_0-9]*$" AND NOT "${unknown}" MATCHES "^[A-Z_]+$")
      _foldwise_fail("the module's name has a keyword: write NAME ${unknown}")
    elseif("${unknown}" MATCHES "^(TARGET|PRIVATE|INCLUDE_PREFIX)$")
      _foldwise_fail("${unknown} is a keyword of foldwise_add_kernels alone; a module is its own target, which nobody links")
    endif()
    _foldwise_fail_keyword("${unknown}" "unknown keyword '${unknown}'")
  endif()
  foreach(keyword NAME PACKAGE DESTINATION COMPONENT)
    if(keyword IN_LIST arg_KEYWORDS_MISSING_VALUES OR (DEFINED arg_${keyword} AND "${arg_${keyword}}" STREQUAL ""))
      _foldwise_fail("${keyword} is empty")
    endif()
  endforeach()
  foreach(keyword NAME SOURCES)
    if("${arg_${keyword}}" STREQUAL "")
      _foldwise_fail("${keyword} is missing or empty")
    endif()
  endforeach()
  set(identifier "[A-Za-z_][A-Za-z_0-9]*")
  if("${arg_NAME}" MATCHES "^(${identifier}(\\.${identifier})*)\\.(${identifier})$")
    _foldwise_fail("the package has a keyword: write NAME ${CMAKE_MATCH_3} PACKAGE ${CMAKE_MATCH_1}")
  elseif(NOT "${arg_NAME}" MATCHES "^${identifier}$")
    _foldwise_fail("NAME '${arg_NAME}' is no module's name, which consists of letters, digits and '_', and begins with no digit")
  endif()
  if(DEFINED arg_PACKAGE AND NOT "${arg_PACKAGE}" MATCHES "^${identifier}(\\.${identifier})*$")
    _foldwise_fail("PACKAGE '${arg_PACKAGE}' is no package's name, such as pkg or pkg.sub")
  endif()
  if(GRADIENTS IN_LIST arg_KEYWORDS_MISSING_VALUES)
    _foldwise_fail("GRADIENTS is empty")
  endif()
  foreach(pair IN LISTS arg_GRADIENTS)
    if(NOT pair MATCHES "^${identifier}=${identifier}$")
      _foldwise_fail("GRADIENTS takes <function>=<gradient>, not '${pair}'")
    endif()
  endforeach()
  if(TARGET "${arg_NAME}")
    _foldwise_fail("there is a target '${arg_NAME}' already, and the module would be another; give one of them another name")
  endif()
  if(DEFINED arg_COMPONENT AND NOT DEFINED arg_DESTINATION AND NOT SKBUILD)
    _foldwise_fail("COMPONENT is for a module that is installed; add DESTINATION")
  endif()
endmacro()

# How modules are built for the Python that is found: python_suffix, what the names of their files end in, and
# python_definitions, the macros for its headers.
macro(_foldwise_find_python)
  find_package(Python COMPONENTS Interpreter Development.Module QUIET)
  if(NOT Python_Development.Module_FOUND)
    set(found "no Python is found")
    if(Python_EXECUTABLE)
      set(found "${Python_EXECUTABLE}, Python ${Python_VERSION}, has none")
    endif()
    _foldwise_fail("a module needs Python's headers, and ${found}; install them (Debian: python3-dev), or choose another Python with -DPython_EXECUTABLE=...")
  endif()
  if(Python_VERSION VERSION_LESS 3.10)
    _foldwise_fail("a module needs Python 3.10 or later, and ${Python_EXECUTABLE} is ${Python_VERSION}; choose another one with -DPython_EXECUTABLE=...")
  endif()
  # A Python without the GIL has no limited API.
  set(python_definitions "")
  set(python_suffix ".${Python_SOABI}${CMAKE_SHARED_MODULE_SUFFIX}")
  if(Python_VERSION VERSION_GREATER_EQUAL 3.12 AND NOT Python_SOABI MATCHES "^cpython-[0-9]+d?t")
    set(python_definitions Py_LIMITED_API=0x030C0000)
    set(python_suffix ".abi3${CMAKE_SHARED_MODULE_SUFFIX}")
  endif()
endmacro()

# python_support: the library of what modules have in common. For the limited API it may have come with Foldwise;
# otherwise it is compiled once in a build.
macro(_foldwise_add_python_support)
  set(python_support foldwise_python)
  if(python_definitions AND TARGET Foldwise::python_abi3)
    set(python_support Foldwise::python_abi3)
  elseif(NOT TARGET foldwise_python)
    _foldwise_add_python_library(foldwise_python ${python_definitions})
  endif()
endmacro()

# A static library of what modules have in common, for the Python that has been found.
function(_foldwise_add_python_library name)
  get_property(sources GLOBAL PROPERTY _foldwise_python_folder)
  file(GLOB support CONFIGURE_DEPENDS ${sources}/*.cpp)
  list(REMOVE_ITEM support ${sources}/module.cpp)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${support})
  # Most of the time that a file takes to compile is spent in headers.
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_include_directories(${name} SYSTEM PRIVATE ${Python_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC Foldwise::runtime ${CMAKE_DL_LIBS})
endfunction()
