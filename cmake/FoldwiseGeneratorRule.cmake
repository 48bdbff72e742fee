# The rule that foldwise_add_kernels writes for each spec, and the Clang arguments that the generator gets from the target.
include_guard(GLOBAL)

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
