// foldwise/detail/distributed_rows.hpp: which rows of an array a process has, and what a call with several such arrays
// has to know of them.
#pragma once

#include <foldwise/communicator.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace foldwise::detail {

/// Rows from `begin` up to, but not including, `end`.
struct row_range {
    std::int64_t begin, end;
    std::int64_t count() const { return end - begin; }
};

/// Returns the rows that this process has of an array of this shape. Throws shape_error for a shape without axes.
row_range rows_of(const shape& extents, const communicator& world);

/// Returns the number of processes that have rows, which are the first ones.
inline std::int64_t processes_with_rows(const shape& extents, const communicator& world) {
    return extents[0] < world.size() ? extents[0] : world.size();
}

/// Returns the shape with another number of rows.
shape with_rows(const shape& extents, std::int64_t rows);

/// Returns a number that tells calls of different shapes, and of different kernels, apart.
std::uint64_t call_of_shape(const shape& extents, std::uint64_t kernel = 0);

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
