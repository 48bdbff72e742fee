// foldwise/detail/distributed_rows.hpp: which rows of an array a process has, and what a call with several such arrays
// has to know of them.
#pragma once

#include <foldwise/communicator.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace foldwise::detail {

/// Rows from `begin` up to, but not including, `end`.
struct row_range {
    std::int64_t begin, end;
    std::int64_t count() const { return end - begin; }
};

/// How the rows of an array are split among the processes of a group, which have them in the order of ranks. Copies
/// share their numbers.
class row_split {
  public:
    row_split() = default;
    /// As many rows for each process, or one more for the first ones.
    static row_split even(std::int64_t rows, int processes);
    /// As many rows as are listed. Throws shape_error unless there is a number for each process, and they add up to
    /// `rows`.
    static row_split of_counts(std::span<const std::int64_t> counts, std::int64_t rows, int processes);

    /// All rows for one process.
    static row_split all_to(int rank, std::int64_t rows, int processes);

    /// Returns the split of the elements of rows that have `elements` each.
    row_split of_elements(std::int64_t elements) const;

    int processes() const { return begins_ ? static_cast<int>(begins_->size()) - 1 : 0; }
    row_range of(int rank) const {
        return {(*begins_)[static_cast<std::size_t>(rank)], (*begins_)[static_cast<std::size_t>(rank) + 1]};
    }
    std::int64_t rows() const { return begins_->back(); }
    /// Returns the process that has a row, which exists.
    int owner_of(std::int64_t row) const;
    /// Returns the number of processes that have rows.
    std::int64_t processes_with_rows() const;
    /// Returns how many rows each process has.
    std::vector<std::int64_t> counts() const;

    friend bool operator==(const row_split& a, const row_split& b) {
        return a.begins_ == b.begins_ || (a.begins_ && b.begins_ && *a.begins_ == *b.begins_);
    }

  private:
    explicit row_split(std::vector<std::int64_t>&& begins)
        : begins_(std::make_shared<const std::vector<std::int64_t>>(std::move(begins))) {}

    /// Each process's first row; then the number of all rows.
    std::shared_ptr<const std::vector<std::int64_t>> begins_;
};

/// Returns an even split of the rows of an array of this shape. Throws shape_error for a shape without axes.
row_split split_of(const shape& extents, const communicator& world);
/// Returns a split with given numbers of rows. Throws shape_error for numbers that do not fit.
row_split split_of(const shape& extents, const communicator& world, std::span<const std::int64_t> counts);

/// Throws std::invalid_argument unless an output is spread over processes if the result is, and replicated otherwise.
void check_spread_alike(bool output, bool result);

/// Throws shape_error, because the arrays of a call are split in different ways.
[[noreturn]] void refuse_splits(const row_split& one, const row_split& other);

/// Returns the shape with another number of rows.
shape with_rows(const shape& extents, std::int64_t rows);

/// Returns what tells calls of different shapes, and of different kernels, apart. A kernel is known by the type that
/// calls it.
call_identity call_of_shape(const shape& extents, const std::type_info* kernel = nullptr);

/// Returns the executor that allocates in a place.
inline executor executor_of(place where) { return where.kind == memory::host ? cpu() : cuda(where.device); }

/// Returns the shape that shapes broadcast to, or nothing if they do not.
std::optional<shape> broadcast_of(std::span<const shape> shapes);

/// The axes along which a call folds.
struct folded_axes {
    bool are_valid;  ///< Whether the shape has each of them, and none is named twice.
    bool fold_rows;  ///< Whether axis 0 is one of them.
    shape results;   ///< The shape of the results.
};
folded_axes folded_axes_of(const shape& whole, const axes& along, bool keepdims);

}  // namespace foldwise::detail
