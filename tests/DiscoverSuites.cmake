# discover_suites(TARGET TEST_PREFIX PREFIX PROPERTIES NAME VALUE...): adds a test PREFIX<suite> for each suite of a
# program of GoogleTest. Unlike gtest_discover_tests, which adds one for each test, it starts the program once for a
# suite; the output names what fails in it. The suites are those of the program that has been built. Values are single
# words.
function(discover_suites target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TEST_PREFIX" "PROPERTIES")
  string(MAKE_C_IDENTIFIER "${target}_${arg_TEST_PREFIX}" name)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/list_suites.cmake")
  string(JOIN " " properties ${arg_PROPERTIES})
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${file}"
    COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:${target}>" "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}"
      "-DFILE=${file}" "-DPREFIX=${arg_TEST_PREFIX}" "-DPROPERTIES=${properties}" -P "${script}"
    VERBATIM)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake" @ONLY CONTENT [[
if(EXISTS "@file@")
  include("@file@")
else()
  add_test(@arg_TEST_PREFIX@@target@_NOT_BUILT @target@_NOT_BUILT)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake")
endfunction()
