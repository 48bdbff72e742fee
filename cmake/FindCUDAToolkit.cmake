# CMake's own FindCUDAToolkit, around a fault of it: that of CMake 3.25.1, Debian 12's, fails with CUDA 13, which has no
# nvToolsExt any more, in projects whose cmake_minimum_required says 3.25.
set(foldwise_saved_version ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
include(${CMAKE_ROOT}/Modules/FindCUDAToolkit.cmake)
set(CMAKE_MINIMUM_REQUIRED_VERSION ${foldwise_saved_version})
unset(foldwise_saved_version)
