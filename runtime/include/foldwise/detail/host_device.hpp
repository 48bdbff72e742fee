// foldwise/detail/host_device.hpp: marks functions that both the host and kernels can call.
#pragma once

#ifdef __CUDACC__
#define FOLDWISE_HD __host__ __device__
#else
#define FOLDWISE_HD
#endif
