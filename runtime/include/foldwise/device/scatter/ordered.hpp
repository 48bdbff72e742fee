// foldwise/device/scatter/ordered.hpp: combines elements into bins in their order.
//
// Each block combines a chunk of the elements: it maps some elements at a time, and each thread combines the values
// that go to its own bins. The chunks' copies are joined in order, so that the result depends on neither the GPU nor
// the time that blocks take.
#pragma once

#include <foldwise/detail/stored.hpp>
#include <foldwise/device/scatter/operands.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Combines a chunk of the elements in order, into a copy of the bins or, if there is one chunk, into the output. Each
/// thread combines into bins of its own.
template <class Steps, int Threads, class Element>
__device__ void scatter_in_order(const detail::scatter_range& range, const scatter_target<Steps>& target,
                                 const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int together = Threads / Steps::entries > 0 ? Threads / Steps::entries : 1;
    constexpr int entries = together * Steps::entries;
    auto* const numbers = dynamic_shared<std::int64_t>();
    const auto behind = reinterpret_cast<std::uintptr_t>(numbers + entries);
    auto* const values = reinterpret_cast<accumulator*>((behind + alignof(accumulator) - 1) / alignof(accumulator) *
                                                        alignof(accumulator));
    const int thread = static_cast<int>(threadIdx.x);
    auto* const copy = static_cast<accumulator*>(target.copies) + blockIdx.x * target.count;
    if (target.copies)
        for (std::int64_t i = thread; i < target.count; i += Threads) copy[i] = Steps::identity();
    const std::int64_t each = (range.count + target.chunks - 1) / target.chunks;
    const std::int64_t begin = blockIdx.x * each, end = begin + each < range.count ? begin + each : range.count;
    for (std::int64_t first = begin; first < end; first += together) {
        if (thread < together) {
            int entry = thread * Steps::entries;
            for (int k = 0; k < Steps::entries; ++k) numbers[entry + k] = -1;
            if (first + thread < end)
                element(first + thread, [&](const auto& one) {
                    values[entry] = foldwise::detail::converted<typename Steps::value>(one.value);
                    std::int64_t number;
                    numbers[entry++] = target.find(one, number) ? number : -1;
                });
        }
        __syncthreads();
        for (int i = 0; i < entries; ++i) {
            const std::int64_t number = numbers[i];
            if (number < 0 || number % Threads != thread) continue;
            accumulator* const bin = target.copies ? copy + number : target.bin(number);
            *bin = Steps::combine(*bin, values[i]);
        }
        __syncthreads();
    }
}

/// Combines the chunks' copies of each bin, in order, with the bin or, in a new output, with the identity.
template <class Steps> __device__ void join_bins(const scatter_target<Steps>& target) {
    using accumulator = typename Steps::accumulator;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < target.count; i += threads) {
        accumulator* const bin = target.bin(i);
        accumulator total = target.is_fresh ? Steps::identity() : *bin;
        const auto* const copies = static_cast<const accumulator*>(target.copies);
        for (int k = 0; copies && k < target.chunks; ++k)
            total = Steps::combine(total, copies[(k * target.count + i) * target.copy_stride]);
        *bin = total;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
