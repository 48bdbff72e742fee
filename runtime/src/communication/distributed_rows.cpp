// runtime/src/communication/distributed_rows.cpp: which rows of an array a process has.
#include <foldwise/detail/distributed_rows.hpp>

#include <algorithm>

namespace foldwise::detail {

row_range rows_of(const shape& extents, const communicator& world) {
    if (extents.rank() == 0) throw shape_error("an array of shape () has no rows that processes could share");
    const std::int64_t each = extents[0] / world.size(), more = extents[0] % world.size(), rank = world.rank();
    const std::int64_t begin = rank * each + std::min(rank, more);
    return {begin, begin + each + (rank < more ? 1 : 0)};
}

shape with_rows(const shape& extents, std::int64_t rows) {
    std::int64_t local[max_rank];
    std::copy(extents.begin(), extents.end(), local);
    local[0] = rows;
    return shape(std::span<const std::int64_t>(local, static_cast<std::size_t>(extents.rank())));
}

std::uint64_t call_of_shape(const shape& extents, std::uint64_t kernel) {
    constexpr std::uint64_t prime = 0x100000001b3;  // Fowler, Noll and Vo's hash, of 64 bits at a time
    std::uint64_t hash = 0xcbf29ce484222325 ^ kernel;
    hash = hash * prime ^ static_cast<std::uint64_t>(extents.rank());
    for (const std::int64_t extent : extents) hash = hash * prime ^ static_cast<std::uint64_t>(extent);
    return hash * prime;
}

std::optional<shape> broadcast_of(std::span<const shape> shapes) {
    int rank = 0;
    for (const shape& one : shapes) rank = std::max(rank, one.rank());
    std::int64_t all[max_rank];
    std::fill_n(all, max_rank, 1);
    for (const shape& one : shapes) {
        for (int axis = 0; axis < one.rank(); ++axis) {
            std::int64_t& extent = all[rank - one.rank() + axis];
            if (extent == 1)
                extent = one[axis];
            else if (one[axis] != 1 && one[axis] != extent)
                return std::nullopt;
        }
    }
    return shape(std::span<const std::int64_t>(all, static_cast<std::size_t>(rank)));
}

folded_axes folded_axes_of(const shape& whole, const axes& along, bool keepdims) {
    const int rank = whole.rank();
    bool is_folded[max_rank] = {};
    for (int i = 0; i < along.count(); ++i) {
        const int axis = along[i] < 0 ? along[i] + rank : along[i];
        if (axis < 0 || axis >= rank || is_folded[axis]) return {false, false, {}};
        is_folded[axis] = true;
    }
    std::int64_t extents[max_rank];
    std::size_t kept = 0;
    for (int axis = 0; axis < rank; ++axis) {
        if (!is_folded[axis])
            extents[kept++] = whole[axis];
        else if (keepdims)
            extents[kept++] = 1;
    }
    return {true, is_folded[0], shape(std::span<const std::int64_t>(extents, kept))};
}

}  // namespace foldwise::detail
