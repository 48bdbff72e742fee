// foldwise/detail/host_device.hpp: marks functions that both the host and kernels can call.
#pragma once

#ifdef __CUDACC__
#define FOLDWISE_HD __host__ __device__
#else
#define FOLDWISE_HD
#endif

/// Marks a function of its arguments alone that is long and not inlined on a GPU: neighbouring elements that call it
/// with the same arguments compute it once, which compilers do not see in code with branches.
#ifdef __CUDA_ARCH__
#define FOLDWISE_SHARED_CALL __attribute__((const, noinline))
#else
#define FOLDWISE_SHARED_CALL
#endif
