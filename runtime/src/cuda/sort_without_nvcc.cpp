// runtime/src/cuda/sort_without_nvcc.cpp: says that there is no sort on GPUs, where no nvcc could compile it.
#include <foldwise/detail/sort.hpp>

#include <cuda_runtime_api.h>

namespace foldwise::detail {

int sort_on_cuda(key_sort&, CUstream_st*) { return cudaErrorNotSupported; }

}  // namespace foldwise::detail
