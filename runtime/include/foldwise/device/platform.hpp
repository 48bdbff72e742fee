// foldwise/device/platform.hpp: CUDA, or the simulator in its place.
//
// Emitted kernels are compiled twice in one program where both backends are asked for. Whatever they define therefore
// lives in a namespace of the backend's name, FOLDWISE_BACKEND. FOLDWISE_NOT_UNROLLED stands before a loop that few
// threads run: copies of its body would only cost registers. FOLDWISE_UNROLLED stands before one whose counter has to
// be a constant, because it indexes registers.
#pragma once

#ifdef FOLDWISE_SIMULATOR
#include <foldwise/simulator/cuda.hpp>
#define FOLDWISE_BACKEND foldwise_simulator
#define FOLDWISE_NOT_UNROLLED
#define FOLDWISE_UNROLLED
#else
#include <cuda_runtime.h>
#include <foldwise/device/builtins.hpp>
#define FOLDWISE_BACKEND foldwise_cuda
#define FOLDWISE_NOT_UNROLLED _Pragma("unroll 1")
#define FOLDWISE_UNROLLED _Pragma("unroll")
#endif
