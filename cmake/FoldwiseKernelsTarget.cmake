# <target>_kernels, the target that compiles what the generator has written, and how it becomes part of <target>.
include_guard(GLOBAL)

# Text from system headers stands behind line markers, as preprocessors write them. Pedantic compilers warn of these,
# and GCC has no pragma to stop it.
function(_foldwise_line_marker_options result)
  set(${result} "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:-Wno-pedantic>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:SHELL:-Wno-gnu-line-marker>" PARENT_SCOPE)
endfunction()

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
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    UNITY_BUILD OFF
    AUTOMOC OFF
    AUTOUIC OFF
    AUTORCC OFF
    CXX_CLANG_TIDY ""
    CXX_CPPCHECK ""
    CXX_INCLUDE_WHAT_YOU_USE ""
    COMPILE_DEFINITIONS ""
    INCLUDE_DIRECTORIES "")
  # The directory's options reach the C++ files as the target's. Others than nvcc's own would be an error to nvcc.
  get_target_property(options_of_directory ${companion} COMPILE_OPTIONS)
  if(NOT "${options_of_directory}" MATCHES "CUDA")
    set_target_properties(${companion} PROPERTIES COMPILE_OPTIONS "")
  endif()

  target_compile_features(${companion} PRIVATE cxx_std_20 $<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_FEATURES>)
  if(NOT prefix)
    foreach(newer 23 26)
      target_compile_features(${companion} PRIVATE
        $<$<STREQUAL:$<TARGET_PROPERTY:${arg_TARGET},CXX_STANDARD>,${newer}>:cxx_std_${newer}>)
    endforeach()
  endif()
  # Not all calls for one target need be CHECKED; each says so of its own kernels.
  target_compile_definitions(${companion} PRIVATE
    $<FILTER:$<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_DEFINITIONS>,EXCLUDE,^FOLDWISE_CHECKED$>
    $<$<BOOL:${arg_CHECKED}>:FOLDWISE_CHECKED>)
  list(TRANSFORM specs REPLACE "/[^/]*$" "" OUTPUT_VARIABLE spec_folders)
  list(REMOVE_DUPLICATES spec_folders)
  target_include_directories(${companion} PRIVATE
    "${out_folder}" "${include_folder}" ${spec_folders} $<TARGET_PROPERTY:${arg_TARGET},${prefix}INCLUDE_DIRECTORIES>)
  # Loops become vector code. The target's own options come behind and have the last word: in one with SHELL:, as CMake
  # would leave out there what stands here. But for warnings of how an emitted file is written.
  _foldwise_choose_arithmetic()
  list(JOIN cxx_arithmetic " " cxx_arithmetic)
  set(quiet_clang "-Wno-missing-prototypes -Wno-missing-variable-declarations -Wno-unused-function")
  set(cxx_options "SHELL:-fopenmp-simd -fno-math-errno -fno-trapping-math ${cxx_arithmetic}")
  target_compile_options(${companion} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${cxx_options}>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-pass-failed>"  # not every body can be vectorised
    "$<$<COMPILE_LANGUAGE:CXX>:$<TARGET_PROPERTY:${arg_TARGET},${prefix}COMPILE_OPTIONS>>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:-Wno-missing-declarations>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:SHELL:${quiet_clang}>")
  if(NOT prefix)
    target_compile_options(${companion} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:$<TARGET_PROPERTY:${arg_TARGET},COMPILE_FLAGS>>")
  endif()
  _foldwise_line_marker_options(line_marker_options)
  target_compile_options(${companion} PRIVATE ${line_marker_options})
  if(arg_REPRODUCIBLE)
    target_compile_definitions(${companion} PRIVATE FOLDWISE_REPRODUCIBLE)
  endif()
  if(arg_VECTOR_MATH OR arg_FAST_MATH)
    target_compile_definitions(${companion} PRIVATE FOLDWISE_VECTOR_MATH)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      target_compile_options(${companion} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fveclib=libmvec>")
    endif()
  endif()

  # With -G nvcc writes its own line table, and has no use for -lineinfo.
  set(cuda_options ${FOLDWISE_CUDA_OPTIONS} ${arg_CUDA_OPTIONS})
  if(arg_DEBUG)
    list(REMOVE_ITEM cuda_options -lineinfo)
    list(APPEND cuda_options -G)
    target_compile_options(${companion} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-O0$<SEMICOLON>-g>)
  endif()

  target_link_libraries(${companion} PRIVATE Foldwise::runtime)
  if(with_cuda)
    # The flag itself: CMake 3.25 does not know cuda_std_20 of recent nvccs, and must not insist on what it knows. Unless
    # this is said of CUDA, what is required of C++ holds for CUDA too.
    set_property(TARGET ${companion} PROPERTY CUDA_STANDARD)
    set_target_properties(${companion} PROPERTIES CUDA_STANDARD_REQUIRED OFF)
    target_compile_options(${companion} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;${cuda_arithmetic};${cuda_options}>")
    target_link_libraries(${companion} PRIVATE Foldwise::cuda)
  endif()
  if(with_simulator)
    target_link_libraries(${companion} PRIVATE Foldwise::simulator)
  endif()
  # Only for the order: what the target links may make headers that a spec includes. Not for those who link this.
  _foldwise_regex(${companion} pattern)
  set_property(TARGET ${arg_TARGET} APPEND PROPERTY _foldwise_companions "${pattern}")
  set_property(TARGET ${arg_TARGET} APPEND PROPERTY _foldwise_companion_names ${companion})
  set(linked $<TARGET_GENEX_EVAL:${arg_TARGET},$<TARGET_PROPERTY:${arg_TARGET},${prefix}LINK_LIBRARIES>>)
  set(companions $<JOIN:$<TARGET_PROPERTY:${arg_TARGET},_foldwise_companions>,|>)
  set_property(TARGET ${companion} APPEND PROPERTY LINK_LIBRARIES
    "$<LINK_ONLY:$<FILTER:${linked},EXCLUDE,^(${companions})$>>")
endmacro()

# What docs/numerics.md promises of results, as options: cxx_arithmetic for the host compiler, cuda_arithmetic for nvcc.
macro(_foldwise_choose_arithmetic)
  # The same on every machine: not fused here and there. GCC's vectoriser of straight-line code does not heed the first
  # option; of its loops foldwise/detail/contraction.hpp takes care.
  set(cxx_arithmetic -ffp-contract=off $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
  set(cuda_arithmetic "")
  if(arg_FAST_MATH)
    set(cxx_arithmetic -ffp-contract=fast -freciprocal-math -fno-signed-zeros)
    set(cuda_arithmetic --use_fast_math)
  elseif(arg_CONTRACT STREQUAL "ON")
    set(cxx_arithmetic -ffp-contract=fast)
    set(cuda_arithmetic --fmad=true)
  elseif(arg_CONTRACT STREQUAL "OFF")
    set(cuda_arithmetic --fmad=false --ftz=false --prec-div=true --prec-sqrt=true)
  endif()
  if(arg_FAST_MATH OR arg_CONTRACT STREQUAL "ON")
    target_compile_definitions(${companion} PRIVATE FOLDWISE_CONTRACT)
  endif()
endmacro()

# Makes nvcc compress machine code, too, not only PTX: objects are less than half as large as by default. Nothing is
# added if the user has said how kernels are compressed.
function(_foldwise_compress_kernels)
  if(NOT with_cuda OR NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    return()
  endif()
  get_target_property(options ${companion} COMPILE_OPTIONS)
  set(said "${CMAKE_CUDA_FLAGS} ${options}")
  _foldwise_configurations(configurations)
  foreach(configuration IN LISTS configurations)
    string(TOUPPER "${configuration}" configuration)
    string(APPEND said " ${CMAKE_CUDA_FLAGS_${configuration}}")
  endforeach()
  if(NOT said MATCHES "-compress-mode|-compress-all|-no-compress")
    set_property(TARGET ${companion} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xfatbin=-compress-all>")
  endif()
endfunction()

# Leaves out what nvcc puts into each kernel's host function for `<<<>>>`: a cached handle, its initialisation and their
# long names, which are a fifth to a half of an object. Kernels are launched by address, so that these functions never
# run. The macro is of <crt/host_runtime.h>, which the host compiler alone has to see; a CUDA without it is not affected.
function(_foldwise_omit_kernel_handles)
  if(with_cuda AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set_property(TARGET ${companion} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-D__NV_LEGACY_LAUNCH>")
  endif()
endfunction()

# Without a build type CMake passes no -O, and kernels on the CPU take several times as long. The target's own options
# come behind and have the last word.
function(_foldwise_optimize_kernels)
  if(several_configurations OR NOT "${CMAKE_BUILD_TYPE}" STREQUAL "" OR arg_DEBUG)
    return()
  endif()
  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  _foldwise_directory_flags("${folder}" "" flags)
  if(" ${flags}" MATCHES " -O")
    return()
  endif()
  target_compile_options(${companion} BEFORE PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:SHELL:-O2>"
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-Xcompiler=-O2>")
  get_property(is_told GLOBAL PROPERTY _foldwise_missing_build_type_is_told)
  if(NOT is_told)
    set_property(GLOBAL PROPERTY _foldwise_missing_build_type_is_told TRUE)
    message(STATUS "Foldwise: CMAKE_BUILD_TYPE is empty; kernels are compiled with -O2, and all else as CMAKE_CXX_FLAGS says")
  endif()
endfunction()

# Line information names the user's lines to profilers and to compute-sanitizer, and is nearly half of an object. So it is for
# configurations with debug information, unless the user says otherwise; -G writes it, too.
function(_foldwise_add_line_info)
  if(NOT with_cuda OR arg_DEBUG)
    return()
  endif()
  set(wanted "${FOLDWISE_LINE_INFO}")
  if(arg_LINE_INFO)
    set(wanted "${arg_LINE_INFO}")
  endif()
  get_target_property(options ${companion} COMPILE_OPTIONS)
  _foldwise_configurations(configurations)
  if(NOT configurations)
    set(configurations "-")  # the build type that is empty
  endif()
  foreach(configuration IN LISTS configurations)
    string(TOUPPER "${configuration}" upper)
    set(said " ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${upper}} ${options} ")
    if(said MATCHES "[ ;:](-lineinfo|--generate-line-info|-G|--device-debug)[ ;>]")
      continue()
    endif()
    if(wanted OR ("${wanted}" STREQUAL "" AND upper MATCHES "^(DEBUG|RELWITHDEBINFO)$"))
      set(condition $<COMPILE_LANGUAGE:CUDA>)
      if(several_configurations)
        set(condition $<AND:$<CONFIG:${configuration}>,${condition}>)
      endif()
      set_property(TARGET ${companion} APPEND PROPERTY COMPILE_OPTIONS "$<${condition}:-lineinfo>")
    endif()
  endforeach()
endfunction()

# What the kernels' target takes over of the target's own properties, as they are in the end.
function(_foldwise_copy_properties)
  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set_target_properties(${companion} PROPERTIES CUDA_SEPARABLE_COMPILATION OFF)
    return()
  endif()
  foreach(property CUDA_ARCHITECTURES CXX_EXTENSIONS EXCLUDE_FROM_ALL)
    get_property(is_set TARGET ${arg_TARGET} PROPERTY ${property} SET)
    if(is_set)
      get_target_property(value ${arg_TARGET} ${property})
      set_target_properties(${companion} PROPERTIES ${property} "${value}")
    endif()
  endforeach()

  # Who links the target links for the GPU as the target says. An archive may go where nobody does.
  get_target_property(separable ${arg_TARGET} CUDA_SEPARABLE_COMPILATION)
  if(NOT separable OR type STREQUAL "OBJECT_LIBRARY")
    set(separable OFF)
  endif()
  set_target_properties(${companion} PROPERTIES CUDA_SEPARABLE_COMPILATION ${separable})
endfunction()

# The target's folders are the kernels' already; some are the system's to both.
function(_foldwise_mark_system_folders)
  get_target_property(type ${arg_TARGET} TYPE)
  set(property INCLUDE_DIRECTORIES)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(property INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  if(system_folders)
    target_include_directories(${companion} SYSTEM PRIVATE
      "$<FILTER:$<TARGET_PROPERTY:${arg_TARGET},${property}>,INCLUDE,^(${system_folders})$>")
  endif()
endfunction()

# What is made before the target is compiled is made before its specs are read, which may include it.
function(_foldwise_copy_order)
  get_target_property(before ${arg_TARGET} MANUALLY_ADDED_DEPENDENCIES)
  get_target_property(companions ${arg_TARGET} _foldwise_companion_names)
  list(REMOVE_ITEM before before-NOTFOUND ${companions})
  if(before)
    add_dependencies(${companion} ${before})
  endif()

  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  get_target_property(binary_folder ${arg_TARGET} BINARY_DIR)
  get_property(sources TARGET ${arg_TARGET} PROPERTY SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(h|hh|hpp|hxx|h\\+\\+|cuh|inc|inl|ipp|tpp|def)$")
  set(made "")
  foreach(source IN LISTS sources)
    foreach(base IN ITEMS "${folder}" "${binary_folder}")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${base}" NORMALIZE OUTPUT_VARIABLE path)
      get_property(made_by_the_build SOURCE "${path}" TARGET_DIRECTORY ${arg_TARGET} PROPERTY GENERATED)
      if(made_by_the_build)
        list(APPEND made "${path}")
        break()
      endif()
    endforeach()
  endforeach()
  set_property(TARGET ${arg_TARGET} PROPERTY _foldwise_headers "${made}")
endfunction()

# The properties are set themselves because target_link_libraries would tie the user to its signature with or without
# keywords, whichever is used here.
macro(_foldwise_join_target)
  set(private_libraries Foldwise::runtime)
  set(interface_libraries Foldwise::runtime)
  if(arg_PRIVATE)
    set(interface_libraries "")
    if(target_type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      set(interface_libraries $<LINK_ONLY:Foldwise::runtime>)
    endif()
  endif()
  if(through_archive)
    if(target_type STREQUAL "OBJECT_LIBRARY")
      add_dependencies(${arg_TARGET} ${companion})  # its own sources include the header, and link nothing
    endif()
    _foldwise_install_archive(archive)
    list(PREPEND interface_libraries $<BUILD_INTERFACE:${companion}> $<INSTALL_INTERFACE:${archive}>)
    foreach(part cuda simulator)
      if(with_${part})
        list(APPEND interface_libraries $<INSTALL_INTERFACE:$<LINK_ONLY:Foldwise::${part}>>)
      endif()
    endforeach()
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
  if(interface_libraries)
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${interface_libraries})
  endif()
  if(NOT target_type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY LINK_LIBRARIES ${private_libraries})
  endif()

  set(scope PUBLIC)
  if(target_type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  else()
    if(arg_PRIVATE)
      set(scope PRIVATE)
    endif()
    target_compile_features(${arg_TARGET} ${scope} cxx_std_20)
    # What raises the standard of C++ leaves a standard of CUDA that is said to be another.
    get_target_property(cuda_standard ${arg_TARGET} CUDA_STANDARD)
    get_target_property(cuda_sources ${arg_TARGET} SOURCES)
    if("${cuda_standard}" MATCHES "^[01][0-9]$" AND "${cuda_sources}" MATCHES "\\.cu(;|$)")
      message(STATUS "Foldwise: the .cu files of target '${arg_TARGET}' are compiled as C++${cuda_standard}, as its CUDA_STANDARD says, and cannot include generated headers; those need 20")
    endif()
    if(arg_CHECKED)
      target_compile_definitions(${arg_TARGET} PRIVATE FOLDWISE_CHECKED)
    endif()
  endif()
  if(arg_CHECKED)
    # What calls the kernels with distributed arrays looks as well, wherever that is compiled.
    target_compile_definitions(${arg_TARGET} ${scope} FOLDWISE_CHECKS_CALLS)
  endif()
  # A generated header includes what its spec's signatures need, as the spec does: headers beside the spec, too.
  target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${include_folder};${spec_folders}>")
endmacro()

# An object or interface library is exported without the archive of its kernels, which no export set has. The archive is
# installed as a file, and this is its name in what is exported.
function(_foldwise_install_archive result)
  set(folder lib)
  if(CMAKE_INSTALL_LIBDIR)
    set(folder "${CMAKE_INSTALL_LIBDIR}")
  endif()
  set(component "")
  if(NOT "${arg_COMPONENT}" STREQUAL "")
    set(component COMPONENT "${arg_COMPONENT}")
  endif()
  install(FILES $<TARGET_FILE:${companion}> DESTINATION "${folder}" ${component} OPTIONAL)
  # Other configurations may be installed from other build trees, and what is exported is the same for all of them.
  set(configurations ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE} Debug Release RelWithDebInfo MinSizeRel)
  list(TRANSFORM configurations TOUPPER)
  list(REMOVE_DUPLICATES configurations)
  set(postfix "")
  foreach(configuration IN LISTS configurations)
    if(CMAKE_${configuration}_POSTFIX)  # targets have the property for this build tree's own configurations alone
      string(APPEND postfix $<$<CONFIG:${configuration}>:${CMAKE_${configuration}_POSTFIX}>)
    endif()
  endforeach()
  set(name ${CMAKE_STATIC_LIBRARY_PREFIX}${companion}${postfix}${CMAKE_STATIC_LIBRARY_SUFFIX})
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY $<INSTALL_PREFIX>)
  set(${result} "${folder}/${name}" PARENT_SCOPE)
endfunction()

# A target of another directory has that directory's flags, and so have its kernels.
function(_foldwise_use_directory_flags)
  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  if(folder STREQUAL from)
    return()
  endif()
  _foldwise_configurations(configurations)
  foreach(configuration IN LISTS configurations)
    _foldwise_directory_flags("${folder}" "${configuration}" flags)
    _foldwise_directory_flags("${from}" "${configuration}" used)
    if(NOT flags STREQUAL used)
      # First this directory's macros are undone: none may be left, and none defined twice.
      string(REGEX MATCHALL "-D *[A-Za-z_][A-Za-z_0-9]*" defined "${used}")
      list(TRANSFORM defined REPLACE "^-D *" "-U")
      list(JOIN defined " " undefined)
      _foldwise_literal("${undefined} ${flags}" flags)
      string(REPLACE ">" "$<ANGLE-R>" flags "${flags}")
      set_property(TARGET ${companion} APPEND PROPERTY COMPILE_OPTIONS
        "$<$<AND:$<CONFIG:${configuration}>,$<COMPILE_LANGUAGE:CXX>>:SHELL:${flags}>")
    endif()
  endforeach()
endfunction()

# A spec that is also listed among the target's sources, by a glob say, is not compiled.
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
