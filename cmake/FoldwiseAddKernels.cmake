# foldwise_add_kernels: a build rule per spec, and what the generator makes of it becomes part of a target.
#
#   foldwise_add_kernels(
#     TARGET <target>            an executable, or a static, shared, module, object or interface library
#     SOURCES <spec>...          files such as stats.kernels.cpp; relative ones are looked for in the current source folder
#     [BACKENDS <backend>...]    cuda, cpu, simulator; without it: cpu, and cuda if the CUDA language is enabled
#     [INCLUDE_PREFIX <folder>]  #include "<folder>/stats.kernels.hpp" instead of "stats.kernels.hpp"
#     [OPTIONS <option>...]      further options for the generator, such as -Werror and -Wno-recursion
#     [VECTOR_MATH]              on the CPU, functions of <cmath> for whole vectors of elements (x86-64 with glibc)
#     [REPRODUCIBLE]             reductions round the same on every GPU, wherever their operands begin
#     [CHECKED]                  kernels look at every index, division, shift and assert: docs/debugging.md
#     [DEBUG])                   kernels for debuggers: nvcc's -G, and -O0 -g for the host compiler
#
# Without VECTOR_MATH a kernel's results on the CPU are to the bit what its lambda computes on the host. With it, loops
# that call exp, log, erf and the like run several times as fast, and those functions are right within 4 units in the
# last place instead of 1. The last elements of an array, too few for a vector, still get the scalar functions' values.
#
# Without REPRODUCIBLE a reduction's rounding depends on how many blocks a GPU runs at once and on how its operands are
# aligned; with it, on their shapes and strides alone. Whole arrays that are aligned to 16 bytes cost next to nothing more, rows
# and columns, and arrays that are not aligned, more.
#
# The generated files lie in <current binary folder>/<target>_kernels/ (with a configuration's folder below it where a
# build tree has several), a spec's own folder kept: kernels/stats.kernels.cpp becomes kernels/stats.kernels.hpp there.
# Include folders, definitions and the C++ standard are the target's own, those of the libraries that it links included,
# whether they are set before this call or after it. They may not hang on $<COMPILE_LANGUAGE>, which CMake cannot
# evaluate in a build rule. A header that a spec includes may itself be generated, by a target that <target> links.
#
# The spec is read by the generator and never compiled into the target. One spec can be given to one target (and, CHECKED
# or for DEBUG, to others): its kernels are functions, and a program holds a function once.
#
# Variables: FOLDWISE_GENERATOR_EXECUTABLE is the generator to run, when that is not the package's own (cross builds);
# FOLDWISE_CUDA_OPTIONS are further options for nvcc; FOLDWISE_CHECKED makes every call a CHECKED one.
include_guard(GLOBAL)

set(FOLDWISE_GENERATOR_EXECUTABLE "" CACHE FILEPATH "The generator to run instead of the package's own (cross builds)")
set(FOLDWISE_CUDA_OPTIONS -lineinfo CACHE STRING "Further options for nvcc over generated kernels")
mark_as_advanced(FOLDWISE_GENERATOR_EXECUTABLE FOLDWISE_CUDA_OPTIONS)

function(foldwise_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "CHECKED;DEBUG;VECTOR_MATH;REPRODUCIBLE" "TARGET;INCLUDE_PREFIX" "SOURCES;BACKENDS;OPTIONS")
  _foldwise_check_call()
  _foldwise_choose_backends()
  set(variant "")  # what the call itself says, whatever holds for all
  foreach(keyword CHECKED DEBUG)
    if(arg_${keyword})
      string(APPEND variant _${keyword})
    endif()
  endforeach()
  if(FOLDWISE_CHECKED)
    set(arg_CHECKED TRUE)
  endif()

  set(include_folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_kernels)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    string(APPEND include_folder /$<CONFIG>)
  endif()
  set(out_folder ${include_folder})
  if(arg_INCLUDE_PREFIX)
    string(APPEND out_folder /${arg_INCLUDE_PREFIX})
  endif()

  _foldwise_generator_arguments(${arg_TARGET} clang_arguments)
  set(generated "")
  set(specs "")
  foreach(source IN LISTS arg_SOURCES)
    _foldwise_locate(${source} spec root stem)
    _foldwise_claim(${spec} ${out_folder}/${stem})
    _foldwise_add_rule()
  endforeach()
  _foldwise_add_companion()
  _foldwise_join_target()
endfunction()

# ---- The call is checked ---------------------------------------------------------------------------------------------

function(_foldwise_fail what)
  message(FATAL_ERROR "foldwise_add_kernels(${arg_TARGET}): ${what}")
endfunction()

macro(_foldwise_check_call)
  if(arg_UNPARSED_ARGUMENTS)
    list(GET arg_UNPARSED_ARGUMENTS 0 unknown)
    _foldwise_fail("unknown keyword '${unknown}'; it takes TARGET, SOURCES, BACKENDS, INCLUDE_PREFIX, OPTIONS, VECTOR_MATH, REPRODUCIBLE, CHECKED and DEBUG")
  endif()
  if("INCLUDE_PREFIX" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    _foldwise_fail("INCLUDE_PREFIX is empty")
  endif()
  if(NOT arg_TARGET)
    _foldwise_fail("TARGET is missing")
  elseif(NOT TARGET ${arg_TARGET})
    _foldwise_fail("there is no target '${arg_TARGET}'; call add_executable or add_library before")
  endif()
  get_target_property(aliased ${arg_TARGET} ALIASED_TARGET)
  if(aliased)
    set(arg_TARGET ${aliased})
  endif()
  get_target_property(target_type ${arg_TARGET} TYPE)
  get_target_property(imported ${arg_TARGET} IMPORTED)
  if(imported OR target_type STREQUAL "UTILITY")
    _foldwise_fail("'${arg_TARGET}' is not an executable or library of this build, so no kernels can be added to it")
  endif()
  if(NOT arg_SOURCES)
    _foldwise_fail("SOURCES is missing or empty")
  endif()
  if(IS_ABSOLUTE "${arg_INCLUDE_PREFIX}" OR "${arg_INCLUDE_PREFIX}" MATCHES "(^|/)\\.\\.(/|$)")
    _foldwise_fail("INCLUDE_PREFIX '${arg_INCLUDE_PREFIX}' must be a relative folder without '..'")
  endif()
  if(NOT FOLDWISE_GENERATOR_EXECUTABLE AND NOT TARGET Foldwise::generator)
    _foldwise_fail("this Foldwise was built without its generator; set FOLDWISE_GENERATOR_EXECUTABLE to one")
  endif()
endmacro()

macro(_foldwise_choose_backends)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT DEFINED arg_BACKENDS)
    set(arg_BACKENDS cpu)
    if("CUDA" IN_LIST languages AND TARGET Foldwise::cuda)
      list(PREPEND arg_BACKENDS cuda)
    endif()
  endif()
  if("BACKENDS" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    _foldwise_fail("BACKENDS is empty; it takes cuda, cpu and simulator")
  endif()
  foreach(backend IN LISTS arg_BACKENDS)
    if(NOT backend MATCHES "^(cuda|cpu|simulator)$")
      _foldwise_fail("unknown backend '${backend}'; there are cuda, cpu and simulator")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES arg_BACKENDS)
  if("simulator" IN_LIST arg_BACKENDS AND NOT TARGET Foldwise::simulator)
    _foldwise_fail("the simulator backend needs Boost.Context; install it (Debian: libboost-context-dev)")
  endif()
  if("cuda" IN_LIST arg_BACKENDS)
    if(NOT "CUDA" IN_LIST languages)
      _foldwise_fail("the cuda backend needs the CUDA language; add enable_language(CUDA)")
    elseif(NOT TARGET Foldwise::cuda)
      _foldwise_fail("no Foldwise::cuda here: Foldwise was built without CUDA, or this machine has no CUDA toolkit")
    endif()
  endif()
endmacro()

# spec: the file's full path; root: the folder that relative names count from; stem: its name from there, without .cpp.
function(_foldwise_locate source spec_variable root_variable stem_variable)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE spec)
  get_property(made_by_the_build SOURCE ${spec} PROPERTY GENERATED)
  if(NOT made_by_the_build AND (NOT EXISTS ${spec} OR IS_DIRECTORY ${spec}))
    _foldwise_fail("there is no file '${source}'")
  endif()
  cmake_path(GET spec PARENT_PATH root)
  foreach(base ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(IS_PREFIX base ${spec} NORMALIZE below)
    if(below)
      set(root ${base})
    endif()
  endforeach()
  cmake_path(RELATIVE_PATH spec BASE_DIRECTORY ${root} OUTPUT_VARIABLE stem)
  cmake_path(REMOVE_EXTENSION stem LAST_ONLY)
  set(${spec_variable} ${spec} PARENT_SCOPE)
  set(${root_variable} ${root} PARENT_SCOPE)
  set(${stem_variable} ${stem} PARENT_SCOPE)
endfunction()

# A spec belongs to one target, and two specs may not want the same output.
function(_foldwise_claim spec output)
  get_property(owner GLOBAL PROPERTY "_foldwise_owner${variant}_${spec}")
  if(owner STREQUAL arg_TARGET)
    _foldwise_fail("'${spec}' is given twice")
  elseif(owner)
    _foldwise_fail("'${spec}' is a spec of target '${owner}' already; link one library of kernels to both instead")
  endif()
  set_property(GLOBAL PROPERTY "_foldwise_owner${variant}_${spec}" ${arg_TARGET})

  get_property(other GLOBAL PROPERTY "_foldwise_output_${output}")
  if(other)
    _foldwise_fail("'${other}' and '${spec}' would generate the same files; rename one, or use INCLUDE_PREFIX")
  endif()
  set_property(GLOBAL PROPERTY "_foldwise_output_${output}" ${spec})
endfunction()

# ---- The rule that generates -----------------------------------------------------------------------------------------

# What the compiler's flags define, NDEBUG above all: assert is in a kernel what it is in the program.
function(_foldwise_definitions_in_flags result)
  separate_arguments(found NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  list(FILTER found INCLUDE REGEX "^-[DU].")
  set(configurations ${CMAKE_CONFIGURATION_TYPES})
  if(NOT configurations)
    set(configurations ${CMAKE_BUILD_TYPE})
  endif()
  foreach(configuration ${configurations})
    string(TOUPPER ${configuration} upper)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS_${upper}}")
    list(FILTER flags INCLUDE REGEX "^-[DU].")
    foreach(flag ${flags})
      list(APPEND found $<$<CONFIG:${configuration}>:${flag}>)
    endforeach()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# What follows `--`: the target's standard, definitions and include folders, as they are when the build system is written.
function(_foldwise_generator_arguments target result)
  get_target_property(type ${target} TYPE)
  set(prefix "")
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(prefix INTERFACE_)
  endif()
  set(features $<TARGET_PROPERTY:${target},${prefix}COMPILE_FEATURES>)
  set(definitions $<TARGET_PROPERTY:${target},${prefix}COMPILE_DEFINITIONS>)
  set(folders $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},${prefix}INCLUDE_DIRECTORIES>>)

  set(asked 20)
  set(dialect gnu++)
  if(NOT prefix)
    set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
    set(extensions $<TARGET_PROPERTY:${target},CXX_EXTENSIONS>)
    set(dialect $<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu++,c++>)
    foreach(newer 23 26)
      set(asked $<IF:$<OR:$<IN_LIST:cxx_std_${newer},${features}>,$<STREQUAL:${standard},${newer}>>,${newer},${asked}>)
    endforeach()
  endif()

  # The compiler's own folders are searched anyway, in an order that must not be upset; a system library's folders stay
  # the system's: no warnings from there.
  string(REPLACE "+" "[+]" implicit "${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}")
  list(JOIN implicit "|" implicit)
  set(folders $<FILTER:${folders},EXCLUDE,^\(${implicit}\)?$>)
  set(system ^/usr/\(include|lib|local|share\)/)
  set(own $<FILTER:${folders},EXCLUDE,${system}>)
  set(foreign $<FILTER:${folders},INCLUDE,${system}>)
  _foldwise_definitions_in_flags(flags)
  set(next $<SEMICOLON>)  # a bare one would end the argument here instead of when the rule is written
  set(${result}
    -std=${dialect}${asked}
    $<$<BOOL:${definitions}>:-D$<JOIN:${definitions},${next}-D>>
    ${flags}
    $<$<BOOL:${own}>:-I$<JOIN:${own},${next}-I>>
    $<$<BOOL:${foreign}>:-isystem${next}$<JOIN:${foreign},${next}-isystem${next}>>
    PARENT_SCOPE)
endfunction()

# One spec, one rule. Appends what belongs to the target to `generated`.
macro(_foldwise_add_rule)
  set(base ${out_folder}/${stem})
  set(outputs ${base}.hpp ${base}.launch.cpp)  # the header first, as in the dependency file: Ninja insists
  if("cuda" IN_LIST arg_BACKENDS OR "simulator" IN_LIST arg_BACKENDS)
    list(APPEND outputs ${base}.cu)
  endif()
  foreach(backend cpu simulator)
    if(backend IN_LIST arg_BACKENDS)
      list(APPEND outputs ${base}.${backend}.cpp)
    endif()
  endforeach()
  list(APPEND outputs ${base}.json)

  set(tool ${FOLDWISE_GENERATOR_EXECUTABLE})
  if(NOT tool)
    set(tool $<TARGET_FILE:Foldwise::generator>)
  endif()
  # Ninja looks at an output again after its rule has run, and stops there if it is as old as before. Make would run the
  # rule for ever: there every output is made new.
  set(touch --touch)
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set(touch "")
  endif()
  # A checked build looks at what assert says, whatever the configuration.
  set(checked "")
  set(definitions "")
  if(arg_CHECKED)
    set(checked --checked)
    set(definitions -DFOLDWISE_CHECKED -UNDEBUG)
  endif()
  cmake_path(GET spec PARENT_PATH spec_folder)
  list(JOIN arg_BACKENDS "," backends)
  set(arguments
    --backend=${backends} --out-dir=${out_folder} --root=${root} --depfile=${base}.d ${touch} ${checked} ${arg_OPTIONS} ${spec}
    -- ${clang_arguments} -I${spec_folder} ${definitions})

  # Make does not see that a command has changed; it does see this file, which CMake writes when it has.
  file(GENERATE OUTPUT ${base}.arguments CONTENT "${arguments}\n")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${tool} ${arguments}
    DEPENDS ${tool} ${spec} ${base}.arguments
    DEPFILE ${base}.d
    COMMENT "Generating kernels from ${stem}.cpp"
    COMMAND_EXPAND_LISTS VERBATIM)
  if(NOT "cuda" IN_LIST arg_BACKENDS)
    list(REMOVE_ITEM outputs ${base}.cu)  # the simulator's file includes it; it is no source of its own
  endif()
  list(APPEND generated ${outputs})
  list(APPEND specs ${spec})
endmacro()

# ---- What is generated becomes part of the target --------------------------------------------------------------------

# The generated files are compiled in a target of their own, <target>_kernels: the target's options for its C++ files
# are not nvcc's, and neither its unity build nor its precompiled header may reach them.
macro(_foldwise_add_companion)
  set(companion ${arg_TARGET}_kernels)
  set(number 1)
  while(TARGET ${companion})
    math(EXPR number "${number} + 1")
    set(companion ${arg_TARGET}_kernels${number})
  endwhile()

  set(with_cuda FALSE)
  set(with_simulator FALSE)
  if("cuda" IN_LIST arg_BACKENDS)
    set(with_cuda TRUE)
  endif()
  if("simulator" IN_LIST arg_BACKENDS)
    set(with_simulator TRUE)
  endif()

  # Objects reach only those that name them; so for a library that has no archive of its own, an archive.
  set(through_archive FALSE)
  set(prefix "")
  if(target_type STREQUAL "INTERFACE_LIBRARY")
    set(through_archive TRUE)
    set(prefix INTERFACE_)
  elseif(target_type STREQUAL "OBJECT_LIBRARY")
    set(through_archive TRUE)
  endif()
  if(through_archive)
    add_library(${companion} STATIC ${generated})
  else()
    add_library(${companion} OBJECT ${generated})
  endif()
  set_target_properties(${companion} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET default
    CUDA_VISIBILITY_PRESET default
    UNITY_BUILD OFF
    AUTOMOC OFF
    AUTOUIC OFF
    AUTORCC OFF
    CXX_CLANG_TIDY ""
    CXX_CPPCHECK ""
    CXX_INCLUDE_WHAT_YOU_USE "")
  _foldwise_copy_property(CUDA_ARCHITECTURES)
  _foldwise_copy_property(CXX_EXTENSIONS)

  target_compile_features(${companion} PRIVATE cxx_std_20 $<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_FEATURES>)
  if(NOT prefix)
    foreach(newer 23 26)
      target_compile_features(${companion} PRIVATE
        $<$<STREQUAL:$<TARGET_PROPERTY:${arg_TARGET},CXX_STANDARD>,${newer}>:cxx_std_${newer}>)
    endforeach()
  endif()
  target_compile_definitions(${companion} PRIVATE
    $<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_DEFINITIONS> $<$<BOOL:${arg_CHECKED}>:FOLDWISE_CHECKED>)
  list(TRANSFORM specs REPLACE "/[^/]*$" "" OUTPUT_VARIABLE spec_folders)
  list(REMOVE_DUPLICATES spec_folders)
  target_include_directories(${companion} PRIVATE
    ${out_folder} ${include_folder} ${spec_folders} $<TARGET_PROPERTY:${arg_TARGET},${prefix}INCLUDE_DIRECTORIES>)
  # Loops become vector code, and arithmetic is the same on every machine: not fused here and there. (But GCC 12 without
  # traps makes float(int(-0.5f)) a negative zero; -ftrapping-math is right there, and leaves out vector code where
  # branches compute.) The target's own options come last and have the last word.
  target_compile_options(${companion} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-fopenmp-simd;-fno-math-errno;-fno-trapping-math;-ffp-contract=off>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-pass-failed>"  # not every body can be vectorised
    "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_OPTIONS>>")
  if(arg_REPRODUCIBLE)
    target_compile_definitions(${companion} PRIVATE FOLDWISE_REPRODUCIBLE)
  endif()
  if(arg_VECTOR_MATH)
    target_compile_definitions(${companion} PRIVATE FOLDWISE_VECTOR_MATH)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      target_compile_options(${companion} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fveclib=libmvec>")
    endif()
  endif()

  # With -G nvcc writes its own line table, and has no use for -lineinfo.
  set(cuda_options ${FOLDWISE_CUDA_OPTIONS})
  if(arg_DEBUG)
    list(REMOVE_ITEM cuda_options -lineinfo)
    list(APPEND cuda_options -G)
    target_compile_options(${companion} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-O0$<SEMICOLON>-g>)
  endif()

  target_link_libraries(${companion} PRIVATE Foldwise::runtime)
  if(with_cuda)
    # The flag itself: CMake 3.25 does not know cuda_std_20 of recent nvccs.
    set_property(TARGET ${companion} PROPERTY CUDA_STANDARD)
    target_compile_options(${companion} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;${cuda_options}>")
    target_link_libraries(${companion} PRIVATE Foldwise::cuda)
  endif()
  if(with_simulator)
    target_link_libraries(${companion} PRIVATE Foldwise::simulator)
  endif()
  # Only for the order: what the target links may make headers that a spec includes.
  set(linked $<TARGET_GENEX_EVAL:${arg_TARGET},$<TARGET_PROPERTY:${arg_TARGET},${prefix}LINK_LIBRARIES>>)
  target_link_libraries(${companion} PRIVATE $<LINK_ONLY:$<FILTER:${linked},EXCLUDE,^${arg_TARGET}_kernels>>)
endmacro()

macro(_foldwise_copy_property property)
  get_property(is_set TARGET ${arg_TARGET} PROPERTY ${property} SET)
  if(is_set AND NOT target_type STREQUAL "INTERFACE_LIBRARY")
    get_target_property(value ${arg_TARGET} ${property})
    set_target_properties(${companion} PROPERTIES ${property} "${value}")
  endif()
endmacro()

# The properties are set themselves because target_link_libraries would tie the user to its signature with or without
# keywords, whichever is used here.
macro(_foldwise_join_target)
  set(private_libraries Foldwise::runtime)
  set(interface_libraries Foldwise::runtime)
  if(through_archive)
    list(PREPEND interface_libraries ${companion})
  else()
    target_sources(${arg_TARGET} PRIVATE $<TARGET_OBJECTS:${companion}>)
    foreach(part cuda simulator)
      if(with_${part})
        list(APPEND private_libraries Foldwise::${part})
        if(target_type STREQUAL "STATIC_LIBRARY")
          list(APPEND interface_libraries $<LINK_ONLY:Foldwise::${part}>)
        endif()
      endif()
    endforeach()
  endif()
  set_property(TARGET ${arg_TARGET} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${interface_libraries})
  if(NOT target_type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY LINK_LIBRARIES ${private_libraries})
  endif()

  set(scope PUBLIC)
  if(target_type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  else()
    target_compile_features(${arg_TARGET} PUBLIC cxx_std_20)
    if(arg_CHECKED)
      target_compile_definitions(${arg_TARGET} PRIVATE FOLDWISE_CHECKED)
    endif()
  endif()
  # A generated header includes what its spec's signatures need, as the spec does: headers beside the spec, too.
  target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${include_folder};${spec_folders}>")

  # A spec that is also listed among the target's sources, by a glob say, is not compiled. Looked at when the folder's
  # CMakeLists.txt ends, so that later target_sources calls count too.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _foldwise_remove_sources [[${arg_TARGET}]] [[${specs}]])")
endmacro()

function(_foldwise_remove_sources target specs)
  get_property(sources TARGET ${target} PROPERTY SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(kept "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE OUTPUT_VARIABLE path)
    if(NOT path IN_LIST specs)
      list(APPEND kept "${source}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
endfunction()
