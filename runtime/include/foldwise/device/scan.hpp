// foldwise/device/scan.hpp: the device code of emitted scans.
#pragma once

#include <foldwise/detail/stored.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/scan/columns.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/pipeline.hpp>
#include <foldwise/device/scan/rows.hpp>
#include <foldwise/device/scan/strips.hpp>
#include <foldwise/device/scan/tiles.hpp>
#include <foldwise/device/view_parameter.hpp>

#include <cstddef>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// How many threads a block has, and how many blocks are to share a multiprocessor.
struct scan_blocks_of {
    int threads, blocks;
};

/// Returns the blocks of a kernel that has `threads` threads in each unless it scans along columns.
template <scan_instance Instance, class Elements> constexpr scan_blocks_of blocks_of_scan(int threads) {
    if (Instance == scan_instance::pipelined || Instance == scan_instance::rows)
        return {threads, pipeline_blocks<Elements>(threads)};
    if (!is_along_columns<Instance>) return {threads, scan_blocks<Elements>(threads)};
    constexpr std::size_t size = sizeof(typename Elements::steps::accumulator);
    constexpr bool is_shared = Instance == scan_instance::columns;
    constexpr int own = is_shared ? detail::scan_column_threads(size) : detail::scan_strip_threads(size), all = 65536;
    return {own, all / (own * (is_shared ? detail::scan_column_registers(size) : detail::scan_strip_registers(size)))};
}

/// Scans all elements. `Elements` loads, maps and stores them.
template <scan_instance Instance, int Threads, class Elements, class Steps>
__device__ inline void scan_all(const Elements& elements, const scan_task<Steps>& task) {
    if constexpr (Instance == scan_instance::columns)
        scan_columns(elements, task);
    else if constexpr (Instance == scan_instance::strips)
        scan_strips(elements, task);
    else if constexpr (Instance == scan_instance::pipelined)
        scan_pipelined<Threads>(elements, task);
    else if constexpr (Instance == scan_instance::rows)
        scan_rows_of_tiles<Threads>(elements, task);
    else
        scan<Threads>(elements, task);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
