// runtime/src/cuda/sort.cu: sorts numbers by keys on a GPU, with CUB, which is compiled here once for all programs.
#define THRUST_CUB_WRAPPED_NAMESPACE foldwise_sort  // a program's own CUB may be another one
#include <foldwise/detail/sort.hpp>

#include <cub/device/device_radix_sort.cuh>

namespace foldwise::detail {

int sort_on_cuda(key_sort& all, CUstream_st* stream) {
    namespace cub = foldwise_sort::cub;
    cub::DoubleBuffer<std::uint32_t> keys(all.keys[all.half], all.keys[1 - all.half]);
    cub::DoubleBuffer<std::uint32_t> values(all.values[all.half], all.values[1 - all.half]);
    const cudaError_t status = cub::DeviceRadixSort::SortPairs(all.temporary, all.temporary_bytes, keys, values,
                                                               all.count, 0, all.bits, stream);
    if (status != cudaSuccess && cudaPeekAtLastError() == status) cudaGetLastError();
    if (status == cudaSuccess && all.temporary && keys.selector == 1) all.half = 1 - all.half;
    return status;
}

}  // namespace foldwise::detail
