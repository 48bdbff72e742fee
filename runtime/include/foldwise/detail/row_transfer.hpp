// foldwise/detail/row_transfer.hpp: rows of an array on their way to the processes that want them.
#pragma once

#include <foldwise/communicator.hpp>
#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/distributed_rows.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace foldwise::detail {

/// Rows that lie behind one another in memory.
struct row_memory {
    void* data;
    place where;
    CUstream_st* stream;  ///< Orders copies from and to a GPU.
};

/// The rows that a process wants, in the order in which they are to lie in its memory.
using row_ranges = std::vector<row_range>;

/// Returns the ranges before and behind the rows of a process that reach `rows` further, of an array of that many rows
/// altogether: as far as there are rows or, if it is periodic, as if the array were repeated. There are none for a
/// process without rows.
struct halo_ranges {
    row_ranges before, behind;

    /// Returns all ranges, those before the process's rows first.
    row_ranges joined() const {
        row_ranges all = before;
        all.insert(all.end(), behind.begin(), behind.end());
        return all;
    }
};
halo_ranges halos_of(row_range own, std::int64_t rows, std::int64_t all, bool is_periodic);

/// Returns the number of rows of some ranges.
std::int64_t rows_in(const row_ranges& ranges);

/// One transfer of rows between all processes of a group, each of which knows what all want. The constructor begins it
/// and reads the rows that others want before it returns. Both throw communication_error, device_error or
/// out_of_memory.
class row_transfer {
  public:
    /// `wanted` has the ranges of each process; `own` is the memory of the rows of this one. If `are_on_gpus`, as
    /// agree() has returned it, rows do not pass through the host where the group can do without; they are not to
    /// change then before wait_for() has returned. Rows from other GPUs go to `target` at once, if that is not null:
    /// memory of this process's GPU, allocated on the stream of `own`.
    row_transfer(const communicator& world, const row_split& split, const std::vector<row_ranges>& wanted,
                 std::size_t row_bytes, const row_memory& own, bool are_on_gpus = false, void* target = nullptr);
    ~row_transfer();

    /// Waits for the rows that this process wants, and copies them to `to` unless they are in the target already.
    void wait_for(const row_memory& to);

  private:
    communicator world_;
    std::size_t bytes_;
    bool is_in_place_ = false;  ///< Whether rows are received where they are wanted.
    std::unique_ptr<std::byte[]> sent_, received_;
    buffer received_on_gpu_;  ///< In the place of received_.
    std::unique_ptr<exchange> under_way_;
};

/// Transfers rows to the processes that have them in another split, some at a time, so that few are under way at once.
void transfer_rows(const communicator& world, const row_split& from, const row_split& to, std::size_t row_bytes,
                   const row_memory& own, const row_memory& target, bool are_on_gpus = false);

}  // namespace foldwise::detail
