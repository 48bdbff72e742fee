// foldwise/device/platform.hpp: CUDA, or the simulator in its place.
//
// Emitted kernels are compiled twice in one program where both backends are asked for. Whatever they define therefore
// lives in a namespace of the backend's name, FOLDWISE_BACKEND. FOLDWISE_NOT_UNROLLED stands before a loop that few
// threads run: copies of its body would only cost registers. FOLDWISE_UNROLLED stands before one whose counter has to
// be a constant, because it indexes registers.
//
// FOLDWISE_CALLBACK stands before a function of the user's that has to be the host's as well: one that the standard
// library calls, whose functions are nvcc's for host and device, and one whose deduced result is asked for outside of
// functions, as by `using result = decltype(f(1));`. The host never runs it, and what it calls in turn, and the
// constants that it reads, need not be the host's.
#pragma once

#include <foldwise/detail/loop_hints.hpp>

#ifdef FOLDWISE_SIMULATOR
#include <foldwise/simulator/cuda.hpp>
#define FOLDWISE_BACKEND foldwise_simulator
#define FOLDWISE_NOT_UNROLLED
#define FOLDWISE_UNROLLED
#define FOLDWISE_PARAMETER
#define FOLDWISE_CALLBACK
#define FOLDWISE_CALLBACK_TEMPLATE
#define FOLDWISE_CPU_PRAGMA(...)
#else
#include <cuda_runtime.h>
#include <foldwise/device/builtins.hpp>
#define FOLDWISE_BACKEND foldwise_cuda
#define FOLDWISE_NOT_UNROLLED _Pragma("unroll 1")
#define FOLDWISE_UNROLLED _Pragma("unroll")
#define FOLDWISE_PARAMETER __grid_constant__
#define FOLDWISE_CPU_PRAGMA(...)
#define FOLDWISE_CALLBACK _Pragma("nv_exec_check_disable") __host__ __device__
#define FOLDWISE_CALLBACK_TEMPLATE __host__ __device__
#pragma nv_diag_suppress 20091  // a __device__ variable cannot be directly read in a host function
#endif
