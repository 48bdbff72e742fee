# The rule that foldwise_add_kernels writes for each spec.
include_guard(GLOBAL)

# One spec, one rule. Appends what belongs to the target to `generated`.
macro(_foldwise_add_rule)
  set(base "${out_folder}/${name}")
  set(outputs ${base}.hpp ${base}.launch.cpp)  # the header first, as in the dependency file: Ninja insists
  if("cuda" IN_LIST arg_BACKENDS OR "simulator" IN_LIST arg_BACKENDS)
    list(APPEND outputs ${base}.cu)
  endif()
  foreach(backend cpu simulator)
    if(backend IN_LIST arg_BACKENDS)
      list(APPEND outputs ${base}.${backend}.cpp)
    endif()
  endforeach()
  set(python "")
  if(arg_PYTHON)  # as foldwise_add_python_module says
    set(python --python)
    list(APPEND outputs ${base}.python.cpp)
  endif()
  list(APPEND outputs ${base}.json)
  set(nvcc_options "")
  if("cuda" IN_LIST arg_BACKENDS)
    set(nvcc_options --nvcc-options=${base}.nvcc)
    list(APPEND outputs ${base}.nvcc)
  endif()

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
  set(source_paths absolute)
  if(FOLDWISE_SOURCE_PATHS STREQUAL "RELATIVE")
    set(source_paths relative)
  endif()
  # The dependency file names all outputs. One of other backends' would name some that no rule makes any more, which
  # Ninja takes for an error.
  list(JOIN arg_BACKENDS "-" depfile)
  set(depfile "${base}.${depfile}.d")
  cmake_path(GET spec PARENT_PATH spec_folder)
  list(JOIN arg_BACKENDS "," backends)
  set(arguments
    --backend=${backends} "--out-dir=${out_folder}" --flat "--root=${root}" --source-paths=${source_paths}
    "--depfile=${depfile}" "--compiler-options=${base}.options" ${nvcc_options} ${touch} ${checked} ${python} ${arg_OPTIONS} "${spec}" --
    "-I${spec_folder}" ${definitions})

  cmake_path(RELATIVE_PATH spec BASE_DIRECTORY "${root}" OUTPUT_VARIABLE spec_from_root)
  # Relative folders among the target's options count from where its compiler runs.
  set(working_folder "${CMAKE_BINARY_DIR}")
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    get_target_property(working_folder ${arg_TARGET} BINARY_DIR)
  endif()
  # Of the target's sources, headers that the build makes. In another directory Make does not know their rules, and to
  # Ninja these come behind all that the target waits for, which is its kernels, too.
  set(headers "")
  get_target_property(target_folder ${arg_TARGET} SOURCE_DIR)
  if(target_folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    set(headers $<TARGET_PROPERTY:${arg_TARGET},_foldwise_headers>)
  endif()
  # Make does not see that a command has changed; it does see this file, which CMake writes when it has.
  file(GENERATE OUTPUT "${base}.arguments" CONTENT "${arguments}\n")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${tool} ${arguments}
    DEPENDS ${tool} "${spec}" "${base}.arguments" "${base}.options" ${headers}
    DEPFILE "${depfile}"
    WORKING_DIRECTORY "${working_folder}"
    COMMENT "Generating kernels from ${spec_from_root}"
    COMMAND_EXPAND_LISTS VERBATIM)
  list(REMOVE_ITEM outputs "${base}.nvcc")
  if(NOT "cuda" IN_LIST arg_BACKENDS)
    list(REMOVE_ITEM outputs "${base}.cu")  # the simulator's file includes it; it is no source of its own
  endif()
  if(arg_PYTHON)
    list(REMOVE_ITEM outputs "${base}.launch.cpp")  # the table's file includes it
  endif()
  list(APPEND generated ${outputs})
  list(APPEND specs "${spec}")
  list(APPEND bases "${base}")
endmacro()
