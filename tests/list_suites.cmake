# Writes FILE, which adds a test for each suite of PROGRAM: cmake -DPROGRAM=... -DFOLDER=... -DFILE=... -DPREFIX=...
# -DPROPERTIES="NAME VALUE..." -P list_suites.cmake. discover_suites runs it behind each build of the program.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests
  WORKING_DIRECTORY "${FOLDER}" TIMEOUT 60 OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)

# A suite's line is "Name." or "Name.  # TypeParam = ...", its tests' lines are indented. What separates and groups
# items of CMake's lists is part of parameters only.
string(REGEX REPLACE "[];[]" "_" output "${output}")
string(REPLACE "\n" ";" lines "${output}")
set(text "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([A-Za-z0-9_/]+)\\.( +#.*)?$")
    continue()
  endif()
  set(suite "${CMAKE_MATCH_1}")
  set(test "[=[${PREFIX}${suite}]=]")
  string(APPEND text "add_test(${test} [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY [=[${FOLDER}]=] ${PROPERTIES})\n")
endforeach()
if(NOT text)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE "${FILE}" "${text}")
