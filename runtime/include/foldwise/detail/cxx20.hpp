// foldwise/detail/cxx20.hpp: one error for compilers that speak an older C++. Each public header includes it first, and
// is empty to them.
#pragma once

#if __cplusplus < 202002L
#ifdef __CUDACC__
#error Foldwise needs C++20, and nvcc compiles this file as an older C++. \
Set CMAKE_CUDA_STANDARD, or CUDA_STANDARD of its target, to 20; without CMake: -std=c++20.
#else
#error Foldwise needs C++20, and this file is compiled as an older C++. \
Call target_compile_features(<target> PRIVATE cxx_std_20), or set CMAKE_CXX_STANDARD to 20; \
without CMake: -std=c++20.
#endif
#endif
