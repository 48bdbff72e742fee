// foldwise/detail/host_device.hpp: marks what both the host and kernels may call.
#pragma once

#ifdef __CUDACC__
#define FOLDWISE_HD __host__ __device__
#else
#define FOLDWISE_HD
#endif
