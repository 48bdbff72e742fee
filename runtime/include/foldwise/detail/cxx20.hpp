// foldwise/detail/cxx20.hpp: one error for compilers that speak an older C++. Each public header includes it first, and
// is empty to them.
#pragma once

#if __cplusplus < 202002L
#ifdef __CUDACC__
#error Foldwise needs C++20, and nvcc compiles this file as an older C++. \
Add -std=c++20 to CMAKE_CUDA_FLAGS, or call \
target_compile_options(<target> PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>). \
CMake 3.25 has no CUDA_STANDARD 20 for recent versions of nvcc.
#else
#error Foldwise needs C++20, and this file is compiled as an older C++. \
Call target_compile_features(<target> PRIVATE cxx_std_20), or set CMAKE_CXX_STANDARD to 20; \
without CMake: -std=c++20.
#endif
#endif
