# foldwise_add_python_module: a Python module whose functions are the kernels of some specs.
#
#   foldwise_add_python_module(
#     NAME <module>             the module, and the target that builds it
#     SOURCES <spec>...         files such as stats.kernels.cpp
#     [GRADIENTS <f>=<g>...]    elementwise functions that compute gradients of others: docs/python.md says what they take
#     [DESTINATION <folder>]    where `cmake --install` puts the module; without it, nowhere
#     [<keyword> ...])          BACKENDS and all others that foldwise_add_kernels has, but for TARGET, PRIVATE, INCLUDE_PREFIX
#                               and COMPONENT
#
# It is built for the Python that find_package(Python) finds, which has to have the headers for modules; -DPython_EXECUTABLE
# chooses another. Neither NumPy nor PyTorch is needed for that. The file is in the current binary folder.
include_guard(GLOBAL)

foreach(folder IN ITEMS ${CMAKE_CURRENT_LIST_DIR}/python ${CMAKE_CURRENT_LIST_DIR}/../python)
  if(EXISTS ${folder}/module.cpp)
    set_property(GLOBAL PROPERTY _foldwise_python_folder ${folder})
    break()
  endif()
endforeach()

function(foldwise_add_python_module)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DESTINATION" "SOURCES;GRADIENTS")
  foreach(keyword NAME SOURCES)
    if("${arg_${keyword}}" STREQUAL "")
      message(FATAL_ERROR "foldwise_add_python_module(${arg_NAME}): ${keyword} is missing")
    endif()
  endforeach()
  if(NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z_0-9]*$")
    message(FATAL_ERROR "foldwise_add_python_module(${arg_NAME}): a module's name consists of letters, digits and '_'")
  endif()
  foreach(pair IN LISTS arg_GRADIENTS)
    if(NOT pair MATCHES "^[A-Za-z_][A-Za-z_0-9]*=[A-Za-z_][A-Za-z_0-9]*$")
      message(FATAL_ERROR "foldwise_add_python_module(${arg_NAME}): GRADIENTS takes <function>=<gradient>, not '${pair}'")
    endif()
  endforeach()
  list(JOIN arg_GRADIENTS " " gradients)
  find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
  get_property(sources GLOBAL PROPERTY _foldwise_python_folder)

  # What modules have in common is compiled once in a build.
  if(NOT TARGET foldwise_python)
    add_library(foldwise_python STATIC EXCLUDE_FROM_ALL
      ${sources}/arguments.cpp ${sources}/describe.cpp ${sources}/direct.cpp ${sources}/dlpack.cpp
      ${sources}/elementwise.cpp ${sources}/exported.cpp ${sources}/floating_errors.cpp ${sources}/fold_call.cpp
      ${sources}/folds.cpp ${sources}/foreign.cpp ${sources}/generalized.cpp ${sources}/gradients.cpp
      ${sources}/kernel.cpp ${sources}/library.cpp ${sources}/numpy.cpp ${sources}/object.cpp ${sources}/operands.cpp
      ${sources}/parameters.cpp ${sources}/protocols.cpp ${sources}/quick.cpp ${sources}/scans.cpp ${sources}/scatter.cpp
      ${sources}/stencils.cpp ${sources}/streams.cpp ${sources}/tasks.cpp ${sources}/torch.cpp ${sources}/types.cpp)
    set_target_properties(foldwise_python PROPERTIES
      POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_features(foldwise_python PRIVATE cxx_std_20)
    target_include_directories(foldwise_python SYSTEM PRIVATE ${Python_INCLUDE_DIRS})
    target_link_libraries(foldwise_python PUBLIC Foldwise::runtime)
  endif()

  python_add_library(${arg_NAME} MODULE WITH_SOABI ${sources}/module.cpp)
  set_target_properties(${arg_NAME} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(${arg_NAME} PRIVATE
    FOLDWISE_PYTHON_MODULE=${arg_NAME} "FOLDWISE_PYTHON_GRADIENTS=\"${gradients}\"")
  target_link_libraries(${arg_NAME} PRIVATE foldwise_python)
  foldwise_add_kernels(TARGET ${arg_NAME} SOURCES ${arg_SOURCES} PYTHON ${arg_UNPARSED_ARGUMENTS})
  # The stub is what the module says of itself.
  set(stub "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.pyi")
  add_custom_command(TARGET ${arg_NAME} POST_BUILD
    COMMAND ${Python_EXECUTABLE} "${sources}/stubs.py" $<TARGET_FILE:${arg_NAME}> "${stub}"
    BYPRODUCTS "${stub}" VERBATIM)
  if(arg_DESTINATION)
    install(TARGETS ${arg_NAME} LIBRARY DESTINATION "${arg_DESTINATION}")
    install(FILES "${stub}" DESTINATION "${arg_DESTINATION}" OPTIONAL)
  endif()
endfunction()
