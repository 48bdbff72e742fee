// foldwise/device/platform.hpp: the macros that adapt device code to CUDA or the simulator.
//
// If a program uses both backends, emitted kernels are compiled twice. Therefore everything that they define is in a
// namespace named after the backend, FOLDWISE_BACKEND. FOLDWISE_NOT_UNROLLED precedes a loop that few threads run, of
// which copies of the body would only cost registers. FOLDWISE_UNROLLED precedes a loop whose counter has to be a
// constant, because it indexes registers. FOLDWISE_PARAMETER marks a kernel's parameter that is not modified.
// FOLDWISE_LAST_CALL precedes a function that several kernels of a file call last, and that ends the calling thread
// (end_thread() in device/launch.hpp) so that it is compiled like one that does not return.
//
// FOLDWISE_CALLBACK precedes a function of the user's that must be a host function as well: one that the standard
// library calls, whose functions nvcc compiles for host and device, or one whose deduced result type is used outside of
// functions, as in `using result = decltype(f(1));`. The host never calls it, so the functions that it calls and the
// constants that it reads need not exist on the host.
#pragma once

#include <foldwise/detail/loop_hints.hpp>

#ifdef FOLDWISE_SIMULATOR
#include <foldwise/simulator/cuda.hpp>
#define FOLDWISE_BACKEND foldwise_simulator
#define FOLDWISE_NOT_UNROLLED
#define FOLDWISE_UNROLLED
#define FOLDWISE_UNROLLED_BY_FOUR
#define FOLDWISE_PARAMETER
#define FOLDWISE_LAST_CALL
#define FOLDWISE_CALLBACK
#define FOLDWISE_CALLBACK_TEMPLATE
#define FOLDWISE_CPU_PRAGMA(...)
#else
#include <cuda_runtime.h>
#include <foldwise/device/builtins.hpp>
#define FOLDWISE_BACKEND foldwise_cuda
#define FOLDWISE_NOT_UNROLLED _Pragma("unroll 1")
#define FOLDWISE_UNROLLED _Pragma("unroll")
#define FOLDWISE_UNROLLED_BY_FOUR _Pragma("unroll 4")
#define FOLDWISE_PARAMETER __grid_constant__
#define FOLDWISE_LAST_CALL [[noreturn]] __noinline__
#define FOLDWISE_CPU_PRAGMA(...)
#define FOLDWISE_CALLBACK _Pragma("nv_exec_check_disable") __host__ __device__
#define FOLDWISE_CALLBACK_TEMPLATE __host__ __device__
#pragma nv_diag_suppress 20091  // a __device__ variable cannot be directly read in a host function
#endif
