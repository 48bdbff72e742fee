// foldwise/detail/process_folds.hpp: how accumulators of several processes are combined, in the order of ranks.
#pragma once

#include <foldwise/communicator.hpp>
#include <foldwise/detail/distributed_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// Computes first = combine(first, second).
using join_function = void (*)(void* first, const void* second);

/// Accumulators in the host's memory.
struct accumulators {
    void* data;
    std::int64_t count;  ///< Their number, which is equal in all processes.
    std::size_t size;    ///< The size of each in bytes.
};

/// Replaces the accumulators of each process by what those of the processes before it combine to, one by one. `order`
/// names the processes that have any, in the order in which they are combined. Called by all processes; returns whether
/// there is any before this one. Throws communication_error or out_of_memory.
bool combine_before(const communicator& world, std::span<const int> order, const accumulators& mine,
                    join_function join);

/// Computes bins[i * step] = combine(bins[i * step], others[i]) for `count` bins.
using join_bins_function = void (*)(void* bins, const void* others, std::int64_t count, std::int64_t step);

/// Replaces each process's share of the bins, which are one behind the other, by what those of all processes combine
/// to, in the order of ranks. Called by all processes. Throws communication_error or out_of_memory.
void combine_shares(const communicator& world, const row_split& shares, const accumulators& bins,
                    join_bins_function join);
/// Replaces all bins by the shares of the processes that have them. Called by all processes.
void gather_shares(const communicator& world, const row_split& shares, const accumulators& bins);

/// Throws error unless a kernel has code for the backend cpu, which combines what processes bring.
void check_combines(const char* kernel, bool has_cpu);

}  // namespace foldwise::detail
