# What a target's compiler is told about its C++ files, written down for the generator: <spec>.options, a line for each
# option. The generator itself picks those that matter to a spec.
include_guard(GLOBAL)

# A regular expression for one text; it may stand in a generator expression.
function(_foldwise_regex text result)
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" text "${text}")
  string(REGEX REPLACE "[,>;]" "." text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# A text for file(GENERATE) that generator expressions leave as it is.
function(_foldwise_literal text result)
  string(REPLACE "$<" "$<1:$><" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# A variable as it is in a directory, which is this one, one above, or one that is done.
macro(_foldwise_get_variable result folder variable)
  get_directory_property(${result} DIRECTORY "${folder}" DEFINITION ${variable})
endmacro()

function(_foldwise_configurations result)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    set(${result} "${CMAKE_CONFIGURATION_TYPES}" PARENT_SCOPE)
  else()
    set(${result} "${CMAKE_BUILD_TYPE}" PARENT_SCOPE)
  endif()
endfunction()

# nvcc 12 and later have -std=c++20, which CMake 3.25 does not know. It refuses a target with .cu files whose C++ standard
# is C++20 and required, as kernels and CMAKE_CXX_STANDARD_REQUIRED make it. What later versions know is told it here.
macro(_foldwise_know_cuda20)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12
      AND NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20 ${ARGN})
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20 ${ARGN})
  endif()
endmacro()

# CMAKE_CXX_FLAGS and those of a configuration, which may be empty.
function(_foldwise_directory_flags folder configuration result)
  _foldwise_get_variable(flags "${folder}" CMAKE_CXX_FLAGS)
  if(configuration)
    string(TOUPPER "${configuration}" upper)
    _foldwise_get_variable(more "${folder}" CMAKE_CXX_FLAGS_${upper})
    string(APPEND flags " ${more}")
  endif()
  string(STRIP "${flags}" flags)
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# Which of a target's include folders are the system's to CMake, as a regular expression: those of imported and SYSTEM
# targets, and those that libraries name so. CMake keeps to itself which ones the target itself says are, PRIVATE.
function(_foldwise_find_system_folders target result)
  get_target_property(none_of_imported ${target} NO_SYSTEM_FROM_IMPORTED)
  set(folders "")
  set(seen "")
  set(left ${target})
  while(left)
    list(POP_FRONT left library)
    get_target_property(aliased ${library} ALIASED_TARGET)
    if(NOT "${aliased}" STREQUAL "aliased-NOTFOUND")
      set(library ${aliased})
    endif()
    if(library IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${library})

    set(properties INTERFACE_SYSTEM_INCLUDE_DIRECTORIES)
    get_target_property(system ${library} SYSTEM)
    get_target_property(imported ${library} IMPORTED)
    get_target_property(no_system ${library} IMPORTED_NO_SYSTEM)
    if(imported AND (none_of_imported OR no_system))
      set(system FALSE)
    elseif(imported AND system MATCHES "NOTFOUND$")
      set(system TRUE)
    endif()
    if(system AND NOT library STREQUAL target)
      list(APPEND properties INTERFACE_INCLUDE_DIRECTORIES)
    endif()
    foreach(property IN LISTS properties)
      get_target_property(value ${library} ${property})
      if(value)
        list(APPEND folders "${value}")
      endif()
    endforeach()

    # Libraries, whatever generator expressions they stand in.
    set(properties INTERFACE_LINK_LIBRARIES)
    get_target_property(type ${library} TYPE)
    if(library STREQUAL target AND NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND properties LINK_LIBRARIES)
    endif()
    foreach(property IN LISTS properties)
      get_target_property(value ${library} ${property})
      string(REGEX REPLACE "\\$<[A-Z_]+:|[<>,]:?" ";" value "${value}")
      foreach(name IN LISTS value)
        if(TARGET "${name}")
          list(APPEND left "${name}")
        endif()
      endforeach()
    endforeach()
  endwhile()

  string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^<>]*)>" "\\1" folders "${folders}")
  list(FILTER folders EXCLUDE REGEX "\\$<|^$")
  list(REMOVE_DUPLICATES folders)
  set(patterns "")
  foreach(folder IN LISTS folders)
    _foldwise_regex("${folder}" pattern)
    list(APPEND patterns "${pattern}")
  endforeach()
  list(JOIN patterns "|" patterns)
  set(${result} "${patterns}" PARENT_SCOPE)
endfunction()

# Lines for the elements of a list that generator expressions make, each behind a prefix.
function(_foldwise_lines prefix list result)
  set(next "\n")
  set(${result} "$<$<NOT:$<STREQUAL:${list},>>:${prefix}$<JOIN:${list},${next}${prefix}>>\n" PARENT_SCOPE)
endfunction()

# Writes the options of one spec. Reads the variables of _foldwise_finish.
function(_foldwise_write_compiler_options)
  get_target_property(type ${arg_TARGET} TYPE)
  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  get_target_property(binary_folder ${arg_TARGET} BINARY_DIR)
  set(prefix "")
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(prefix INTERFACE_)
  endif()
  foreach(property FEATURES DEFINITIONS OPTIONS)
    string(TOLOWER ${property} variable)
    set(${variable} $<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_${property}>)
  endforeach()
  set(folders $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${arg_TARGET},${prefix}INCLUDE_DIRECTORIES>>)

  # The order is that of CMake's own command lines, so that the same option wins.
  # Of several definitions of one macro the last one counts. CMake sorts the target's, and behind them the source file's;
  # so does the generator, with lines of DEFINE: that stand together.
  _foldwise_lines(DEFINE: "${definitions}" text)
  string(APPEND text "\n")
  _foldwise_source_lines(COMPILE_DEFINITIONS DEFINE:)
  _foldwise_source_lines(INCLUDE_DIRECTORIES -I)

  # The compiler's own folders are searched anyway, in an order that must not be upset; a system library's folders stay
  # the system's: no warnings from there, and behind all others.
  set(implicit "")
  foreach(path IN LISTS CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    _foldwise_regex("${path}" path)
    list(APPEND implicit "${path}")
  endforeach()
  list(JOIN implicit "|" implicit)
  set(folders "$<FILTER:${folders},EXCLUDE,^(${implicit})?$>")
  set(system "^(/usr/(include|lib|local|share)/|(${system_folders})$)")
  _foldwise_get_variable(current_too "${folder}" CMAKE_INCLUDE_CURRENT_DIR)
  if(current_too AND NOT prefix)
    _foldwise_literal("-I${binary_folder}\n-I${folder}\n" current)
    string(APPEND text "${current}")
  endif()
  _foldwise_lines(-I "$<FILTER:${folders},EXCLUDE,${system}>" lines)
  string(APPEND text "${lines}")
  _foldwise_lines("-isystem\n" "$<FILTER:${folders},INCLUDE,${system}>" lines)
  string(APPEND text "${lines}")
  _foldwise_get_variable(standard_folders "${folder}" CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES)
  foreach(path IN LISTS standard_folders)
    string(APPEND text "-isystem\n${path}\n")
  endforeach()

  # Where it is at least C++20 that a compiler speaks by itself, CMake leaves -std to the flags.
  set(asked 20)
  set(dialect gnu++)
  if(NOT prefix)
    set(standard $<TARGET_PROPERTY:${arg_TARGET},CXX_STANDARD>)
    set(extensions $<TARGET_PROPERTY:${arg_TARGET},CXX_EXTENSIONS>)
    set(dialect $<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu++,c++>)
    foreach(newer 23 26)
      set(asked $<IF:$<OR:$<IN_LIST:cxx_std_${newer},${features}>,$<STREQUAL:${standard},${newer}>>,${newer},${asked}>)
    endforeach()
  endif()
  set(standard_before "")
  set(standard_behind "-std=${dialect}${asked}\n")
  if(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT GREATER_EQUAL 20)
    set(standard_before "${standard_behind}")
    set(standard_behind "")
  endif()

  set(own "")
  if(NOT prefix)
    set(own "SHELL:$<TARGET_PROPERTY:${arg_TARGET},COMPILE_FLAGS>\n")
  endif()
  _foldwise_lines("" "$<REMOVE_DUPLICATES:${options}>" lines)  # as CMake does: what comes again is not there
  string(APPEND own "${lines}")

  set(before_all_else "${text}")
  set(text "")
  get_source_file_property(flags_of_the_spec "${spec}" DIRECTORY "${from}" COMPILE_FLAGS)
  if(flags_of_the_spec)
    set(text "SHELL:${flags_of_the_spec}\n")
  endif()
  _foldwise_source_lines(COMPILE_OPTIONS "")
  set(of_the_spec "${text}")

  set(toolchain "${CMAKE_CXX_COMPILER_ARG1}")
  foreach(option --target=CMAKE_CXX_COMPILER_TARGET --gcc-toolchain=CMAKE_CXX_COMPILER_EXTERNAL_TOOLCHAIN
      --sysroot=CMAKE_SYSROOT)
    string(REGEX MATCH "^([^=]+=)(.+)$" matched ${option})
    if(${CMAKE_MATCH_2})
      string(APPEND toolchain " \"${CMAKE_MATCH_1}${${CMAKE_MATCH_2}}\"")
    endif()
  endforeach()

  _foldwise_configurations(configurations)
  if(NOT configurations)
    set(configurations "-")  # the build type that is empty
  endif()
  foreach(configuration IN LISTS configurations)
    set(condition $<COMPILE_LANGUAGE:CXX>)
    if(configuration STREQUAL "-")
      set(configuration "")
    elseif(several_configurations)
      set(condition $<AND:$<CONFIG:${configuration}>,${condition}>)
    endif()
    _foldwise_directory_flags("${folder}" "${configuration}" flags)
    _foldwise_literal("SHELL:${toolchain} ${flags}" flags)
    file(GENERATE OUTPUT "${base}.options"
      CONTENT "${before_all_else}${standard_before}${flags}\n${own}${standard_behind}${of_the_spec}"
      CONDITION ${condition}
      TARGET ${companion})
  endforeach()
endfunction()

# ---- The spec's own properties, as a source file ---------------------------------------------------------------------

# Appends what a list among them says to `text`.
macro(_foldwise_source_lines property prefix)
  get_source_file_property(value "${spec}" DIRECTORY "${from}" ${property})
  if(value)
    _foldwise_lines("${prefix}" "${value}" lines)
    string(APPEND text "${lines}")
  endif()
endmacro()

# The files that are generated from a spec are compiled as the spec was read. nvcc has the generator's word for it.
function(_foldwise_copy_source_properties)
  _foldwise_configurations(configurations)
  if(NOT several_configurations)
    set(configurations "-")
  endif()
  foreach(configuration IN LISTS configurations)
    string(REPLACE "$<CONFIG>" "${configuration}" path "${base}")
    if(with_simulator AND FOLDWISE_SIMULATOR_OPTIONS AND NOT arg_DEBUG)
      set_property(SOURCE "${path}.simulator.cpp" TARGET_DIRECTORY ${companion} PROPERTY COMPILE_OPTIONS
        "$<$<NOT:$<CONFIG:Debug>>:${FOLDWISE_SIMULATOR_OPTIONS}>")
    endif()
    foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES COMPILE_OPTIONS COMPILE_FLAGS)
      get_source_file_property(value "${spec}" DIRECTORY "${from}" ${property})
      if(value)
        if(property STREQUAL "COMPILE_OPTIONS")
          _foldwise_line_marker_options(last)
          list(TRANSFORM last REPLACE "SHELL:" "")  # which CMake does not know of files
          list(APPEND value ${last})
        endif()
        set_property(SOURCE "${path}.launch.cpp" "${path}.cpu.cpp" "${path}.simulator.cpp"
          TARGET_DIRECTORY ${companion} APPEND PROPERTY ${property} "${value}")
      endif()
    endforeach()
    # Nothing but the launchers is called from outside of the target, and they are as visible as the target's functions.
    get_property(visibility TARGET ${arg_TARGET} PROPERTY CXX_VISIBILITY_PRESET)
    if(CMAKE_CXX_COMPILE_OPTIONS_VISIBILITY)
      if(NOT visibility)
        set(visibility default)
      endif()
      set_property(SOURCE "${path}.launch.cpp" TARGET_DIRECTORY ${companion} APPEND PROPERTY
        COMPILE_OPTIONS "${CMAKE_CXX_COMPILE_OPTIONS_VISIBILITY}${visibility}")
    endif()
    if(with_cuda)
      # Two arguments: in one with '=', ccache does not see that the file has changed.
      set_source_files_properties("${path}.cu" TARGET_DIRECTORY ${companion} PROPERTIES
        COMPILE_OPTIONS "--options-file;${path}.nvcc" OBJECT_DEPENDS "${path}.nvcc")
    endif()
  endforeach()
endfunction()
