// foldwise/simulator/cuda.hpp: CUDA's keywords and functions for host compilers, so that emitted kernels can run and be
// debugged anywhere.
//
// Blocks run one after the other. So do the threads of a block in a kernel that never waits for another thread; in
// other kernels each thread is a fiber (launch.hpp). docs/simulator.md says what is simulated and which mistakes are
// reported. The names are CUDA's; in programs that are also built for CUDA, they never occur in the same file as
// cuda_runtime.h.
#pragma once

#define __global__
#define __host__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)

// At block scope both mean one variable for all threads of a block. AddressSanitizer puts red zones around static
// variables, but not around thread-local ones. ThreadSanitizer needs two sets of variables, for consecutive blocks,
// which the simulator then runs on two host threads.
#ifdef __SANITIZE_ADDRESS__
#define __shared__ static
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __shared__ static
#endif
#endif
#ifndef __shared__
#define __shared__ thread_local
#endif

#include <foldwise/simulator/atomic.hpp>
#include <foldwise/simulator/cooperation.hpp>
#include <foldwise/simulator/launch.hpp>
#include <foldwise/simulator/types.hpp>

using foldwise::simulation::blockDim;
using foldwise::simulation::blockIdx;
using foldwise::simulation::dim3;
using foldwise::simulation::gridDim;
using foldwise::simulation::threadIdx;
using foldwise::simulation::uint2;
using foldwise::simulation::uint4;
using foldwise::simulation::warpSize;

using foldwise::simulation::__threadfence;
using foldwise::simulation::__threadfence_block;
using foldwise::simulation::__threadfence_system;
using foldwise::simulation::atomicAdd;
using foldwise::simulation::atomicAnd;
using foldwise::simulation::atomicCAS;
using foldwise::simulation::atomicDec;
using foldwise::simulation::atomicExch;
using foldwise::simulation::atomicInc;
using foldwise::simulation::atomicMax;
using foldwise::simulation::atomicMin;
using foldwise::simulation::atomicOr;
using foldwise::simulation::atomicSub;
using foldwise::simulation::atomicXor;

using foldwise::simulation::__byte_perm;

using foldwise::simulation::__activemask;
using foldwise::simulation::__all_sync;
using foldwise::simulation::__any_sync;
using foldwise::simulation::__ballot_sync;
using foldwise::simulation::__match_all_sync;
using foldwise::simulation::__match_any_sync;
using foldwise::simulation::__reduce_add_sync;
using foldwise::simulation::__reduce_and_sync;
using foldwise::simulation::__reduce_max_sync;
using foldwise::simulation::__reduce_min_sync;
using foldwise::simulation::__reduce_or_sync;
using foldwise::simulation::__reduce_xor_sync;
using foldwise::simulation::__shfl_down_sync;
using foldwise::simulation::__shfl_sync;
using foldwise::simulation::__shfl_up_sync;
using foldwise::simulation::__shfl_xor_sync;
using foldwise::simulation::__syncthreads;
using foldwise::simulation::__syncthreads_and;
using foldwise::simulation::__syncthreads_count;
using foldwise::simulation::__syncthreads_or;
using foldwise::simulation::__syncwarp;
