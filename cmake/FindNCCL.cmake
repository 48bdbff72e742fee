# FindNCCL: NVIDIA's library of messages between GPUs, which installs no package file of its own. Looked for in the
# folders that the variable or the environment variable NCCL_ROOT names, in the system and the CUDA toolkit, and in
# PyPI's packages nvidia-nccl-cu12 and -cu13 of the python3 that is found first.
#
# Gives the target NCCL::nccl, and the variables NCCL_FOUND, NCCL_VERSION, NCCL_INCLUDE_DIR and NCCL_LIBRARY.
set(_nccl_hints ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_INCLUDE_DIRS})
if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  find_program(_nccl_python NAMES python3 NO_CACHE)
  if(_nccl_python)
    execute_process(COMMAND ${_nccl_python} -c "import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])"
      OUTPUT_VARIABLE _nccl_wheel OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND _nccl_hints ${_nccl_wheel})
  endif()
endif()
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${_nccl_hints} PATH_SUFFIXES include)
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${_nccl_hints} PATH_SUFFIXES lib lib64)
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

if(NCCL_INCLUDE_DIR)
  set(NCCL_VERSION "")
  foreach(_nccl_part MAJOR MINOR PATCH)
    file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h _nccl_line REGEX "^#define NCCL_${_nccl_part} ")
    string(REGEX REPLACE "[^0-9]+" "" _nccl_number "${_nccl_line}")
    list(APPEND NCCL_VERSION ${_nccl_number})
  endforeach()
  list(JOIN NCCL_VERSION "." NCCL_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL REQUIRED_VARS NCCL_LIBRARY NCCL_INCLUDE_DIR VERSION_VAR NCCL_VERSION)

if(NCCL_FOUND AND NOT TARGET NCCL::nccl)
  add_library(NCCL::nccl UNKNOWN IMPORTED)
  set_target_properties(NCCL::nccl PROPERTIES
    IMPORTED_LOCATION ${NCCL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NCCL_INCLUDE_DIR})
endif()
