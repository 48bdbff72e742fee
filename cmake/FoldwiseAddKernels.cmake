# foldwise_add_kernels: a build rule per spec, and what the generator makes of it becomes part of a target.
#
#   foldwise_add_kernels(
#     TARGET <target>            an executable, or a static, shared, module, object or interface library
#     SOURCES <spec>...          files such as stats.kernels.cpp; relative ones are looked for in the current source folder
#     [BACKENDS <backend>...]    cuda, cpu, simulator; without it: cpu, and cuda if the CUDA language is enabled
#     [PRIVATE]                  only the target's own sources include the generated headers
#     [INCLUDE_PREFIX <folder>]  #include "<folder>/stats.kernels.hpp" instead of "stats.kernels.hpp"
#     [OPTIONS <option>...]      further options for the generator, such as -Werror and -Wno-recursion
#     [CUDA_OPTIONS <option>...] further options for nvcc
#     [LINE_INFO <ON|OFF>]       whether nvcc writes line information, for profilers and compute-sanitizer
#     [VECTOR_MATH]              on the CPU, functions of <cmath> for whole vectors of elements (x86-64 with glibc)
#     [CONTRACT <ON|OFF>]        whether a multiplication and an addition may be fused into one operation, rounded once
#     [FAST_MATH]                approximations instead of exact division, roots and functions of <cmath>
#     [REPRODUCIBLE]             reductions round the same on every GPU, wherever their operands begin
#     [CHECKED]                  kernels look at every index, division, shift and assert: docs/debugging.md
#     [DEBUG]                    kernels for debuggers: nvcc's -G, and -O0 -g for the host compiler
#     [COMPONENT <name>])        the install component of an object or interface library's kernels
#
# Without VECTOR_MATH a kernel's results on the CPU are to the bit what its lambda computes on the host. With it, loops
# that call exp, log, erf and the like run several times as fast, and those functions are right within 4 units in the
# last place instead of 1. The last elements of an array, too few for a vector, still get the scalar functions' values.
#
# Without CONTRACT nvcc fuses multiplications with additions and the host compiler does not. CONTRACT OFF keeps them apart on
# every backend: then + - * / sqrt and fma give the same bits on CPU, GPU and simulator. CONTRACT ON lets the host compiler
# fuse them too, where the CPU has such instructions; results then depend on the machine.
#
# FAST_MATH is nvcc's --use_fast_math on the GPU. On the CPU it is VECTOR_MATH, CONTRACT ON, reciprocals instead of
# divisions, and zeros without signs; NaN and infinities stay what they are. docs/numerics.md has the measured errors.
#
# Without REPRODUCIBLE a reduction's rounding depends on how many blocks a GPU runs at once and on how its operands are
# aligned; with it, on their shapes and strides alone. Whole arrays that are aligned to 16 bytes cost next to nothing more, rows
# and columns, and arrays that are not aligned, more.
#
# A header has its spec's file name, whatever folder the spec is in: kernels/stats.kernels.cpp becomes
# stats.kernels.hpp, in <current binary folder>/<target>_kernels/ (with a configuration's folder below it where a build
# tree has several), which is an include folder of the target. Two specs of one name need calls with different
# INCLUDE_PREFIXes. The target may be one of another directory.
#
# If CMAKE_BUILD_TYPE is empty and CMAKE_CXX_FLAGS has no -O, kernels are compiled with -O2.
#
# A spec means to the generator what it means to the target's compiler. All that decides it is the target's own: include
# folders, macros, forced includes, the C++ standard, and options that change the language, the layout of types or the
# target machine. They are taken from the target's properties and those of the libraries that it links, the directory's,
# CMAKE_CXX_FLAGS and CMAKE_CXX_FLAGS_<CONFIG>, and the spec's own source file properties, whether they are set before
# this call or after it, also under $<CONFIG> and $<COMPILE_LANGUAGE:CXX>. nvcc gets the macros and include folders. Not
# taken are warnings, sanitizers, OpenMP (_OPENMP is not defined in a spec), precompiled headers, and flags that
# add_definitions got and that are no definitions. Options that Clang or nvcc cannot follow, such as -funsigned-char for
# nvcc, are an error; other options that Clang does not know are ignored. Include folders that the target itself calls
# SYSTEM and PRIVATE are ordinary ones to its kernels, as CMake tells nobody; those of libraries stay the system's.
#
# A header that a spec includes may itself be made by the build: by a target that <target> links or depends on
# (add_dependencies), or by a rule, if the header is among <target>'s sources, and rule, target and this call are in one
# directory.
#
# CUDA_ARCHITECTURES and CUDA_SEPARABLE_COMPILATION are the target's, too, the latter but for object and interface
# libraries, whose kernels may be linked where no nvcc is. EXCLUDE_FROM_ALL holds for the kernels as for the target, and
# so do CXX_VISIBILITY_PRESET and VISIBILITY_INLINES_HIDDEN: a library that hides its symbols exports the kernels whose
# variables the spec declares with default visibility, and nothing else. The target's options for nvcc are those of its
# own .cu files: a target without any may have options that nvcc does not know. CUDA_OPTIONS are the kernels'.
#
# The spec is read by the generator and never compiled into the target. One spec can be given to one target (and, CHECKED
# or for DEBUG, to others): its kernels are functions, and a program holds a function once. Python modules, which hide
# theirs, may have the specs of other targets and modules.
#
# With PRIVATE nothing of Foldwise is part of the target's interface: neither include folders nor Foldwise::runtime nor
# C++20. So it is for executables and modules, which nobody links.
#
# A library with kernels can be installed and exported like any other. A shared library whose kernels are PRIVATE needs
# nothing of Foldwise afterwards; the package of another one calls find_dependency(Foldwise). Unless the kernels are
# PRIVATE, users need the generated headers:
#   install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/<target>_kernels/ DESTINATION include FILES_MATCHING PATTERN "*.hpp")
# and where a build tree has several configurations those of one: <target>_kernels/$<CONFIG>/.
# An object or interface library has no file that could hold kernels. They are in an archive of their own, the target
# <target>_kernels (of a second call <target>_kernels2), which `cmake --install` puts into CMAKE_INSTALL_LIBDIR (without
# GNUInstallDirs, lib) as part of COMPONENT, and which export(TARGETS) has to name beside the library. Its name ends in
# the configuration's postfix (CMAKE_DEBUG_POSTFIX): a program that is built in a configuration with a postfix needs the
# library to be installed in that configuration.
#
# A program links the CUDA runtime library that its own property CUDA_RUNTIME_LIBRARY names: the static one unless it
# says Shared; with None it has to link one itself.
#
# Variables: FOLDWISE_GENERATOR_EXECUTABLE is the generator to run, when that is not the package's own (cross builds);
# FOLDWISE_CUDA_OPTIONS are further options for nvcc, before those of CUDA_OPTIONS; FOLDWISE_LINE_INFO holds for calls
# without LINE_INFO; FOLDWISE_CHECKED makes every call a CHECKED one. Where neither LINE_INFO nor the variable says so,
# nvcc writes line information in the configurations Debug and RelWithDebInfo. It gets -Xfatbin=-compress-all, which makes
# objects less than half as large, unless these options or CMAKE_CUDA_FLAGS say how to compress.
#
# FOLDWISE_SIMULATOR_OPTIONS are the host compiler's options for kernels on the simulator, in every configuration except
# Debug. They come behind the target's own options and before a spec's COMPILE_OPTIONS. The default is -Og for GCC and -O0
# for Clang, whose -Og takes eight times as long. The simulator is there to test and debug with, and at -O3 its kernels
# take four to thirteen times as long to compile.
#
# FOLDWISE_SOURCE_PATHS is how #line directives and __FILE__ in generated files name the spec and its headers: ABSOLUTE,
# as compilers name the target's other sources, so that debuggers, gcov and sanitizers find them, or RELATIVE, which makes
# the generated text the same in every folder.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/FoldwiseAddPythonModule.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/FoldwiseCheckCall.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/FoldwiseCompilerOptions.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/FoldwiseGeneratorRule.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/FoldwiseKernelsTarget.cmake)

set(FOLDWISE_GENERATOR_EXECUTABLE "" CACHE FILEPATH "The generator to run instead of the package's own (cross builds)")
set(FOLDWISE_CUDA_OPTIONS "" CACHE STRING "Further options for nvcc over generated kernels")
set(FOLDWISE_LINE_INFO "" CACHE STRING "ON, OFF, or by configuration: whether kernels for GPUs have line information")
set(_foldwise_quick -O0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(_foldwise_quick -Og)
endif()
set(FOLDWISE_SIMULATOR_OPTIONS ${_foldwise_quick} CACHE STRING "Options for kernels on the simulator, except in Debug")
unset(_foldwise_quick)
set(FOLDWISE_SOURCE_PATHS ABSOLUTE CACHE STRING "How generated files name the spec: ABSOLUTE or RELATIVE")
set_property(CACHE FOLDWISE_LINE_INFO PROPERTY STRINGS "" ON OFF)
set_property(CACHE FOLDWISE_SOURCE_PATHS PROPERTY STRINGS ABSOLUTE RELATIVE)
mark_as_advanced(FOLDWISE_GENERATOR_EXECUTABLE FOLDWISE_CUDA_OPTIONS FOLDWISE_LINE_INFO FOLDWISE_SIMULATOR_OPTIONS
  FOLDWISE_SOURCE_PATHS)

function(foldwise_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "PRIVATE;PYTHON;CHECKED;DEBUG;VECTOR_MATH;FAST_MATH;REPRODUCIBLE"
    "TARGET;INCLUDE_PREFIX;CONTRACT;LINE_INFO;COMPONENT" "SOURCES;BACKENDS;OPTIONS;CUDA_OPTIONS")
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

  set(include_folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_kernels")
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    string(APPEND include_folder /$<CONFIG>)
  endif()
  set(out_folder "${include_folder}")
  if(NOT "${arg_INCLUDE_PREFIX}" STREQUAL "")
    string(APPEND out_folder /${arg_INCLUDE_PREFIX})
  endif()

  set(generated "")
  set(specs "")
  set(bases "")
  _foldwise_claim_folder()
  foreach(source IN LISTS arg_SOURCES)
    _foldwise_locate("${source}" spec root name)
    _foldwise_claim("${spec}" "${out_folder}/${name}")
    _foldwise_add_rule()
  endforeach()
  _foldwise_add_companion()
  _foldwise_join_target()
  _foldwise_finish_later()
endfunction()

# What the target's directory decides, it may decide until its CMakeLists.txt ends. That is waited for, where it can be:
# if it is this directory or one above.
macro(_foldwise_finish_later)
  get_property(call GLOBAL PROPERTY _foldwise_calls)
  math(EXPR call "${call} + 1")
  set_property(GLOBAL PROPERTY _foldwise_calls ${call})
  set(from "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(variable arg_TARGET arg_DEBUG arg_LINE_INFO companion from specs bases several_configurations with_cuda
    with_simulator)
    set_property(GLOBAL PROPERTY _foldwise_call_${call}_${variable} "${${variable}}")
  endforeach()

  get_target_property(target_folder ${arg_TARGET} SOURCE_DIR)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  while(folder AND NOT folder STREQUAL target_folder)
    get_property(folder DIRECTORY "${folder}" PROPERTY PARENT_DIRECTORY)
  endwhile()
  if(NOT folder)
    set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"\${folder}\" CALL _foldwise_finish ${call})")
endmacro()

function(_foldwise_finish call)
  foreach(variable arg_TARGET arg_DEBUG arg_LINE_INFO companion from specs bases several_configurations with_cuda
    with_simulator)
    get_property(${variable} GLOBAL PROPERTY _foldwise_call_${call}_${variable})
  endforeach()
  _foldwise_remove_sources(${arg_TARGET} "${specs}")
  _foldwise_use_directory_flags()
  _foldwise_optimize_kernels()
  _foldwise_compress_kernels()
  _foldwise_omit_kernel_handles()
  _foldwise_add_line_info()
  _foldwise_copy_properties()
  _foldwise_copy_order()
  _foldwise_find_system_folders(${arg_TARGET} system_folders)
  _foldwise_mark_system_folders()
  foreach(spec base IN ZIP_LISTS specs bases)
    _foldwise_write_compiler_options()
    _foldwise_copy_source_properties()
  endforeach()
  _foldwise_know_cuda20(PARENT_SCOPE)  # the target's directory, at whose end this function is called
endfunction()
