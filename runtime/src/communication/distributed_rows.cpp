// runtime/src/communication/distributed_rows.cpp: which rows of an array a process has.
#include <foldwise/detail/distributed_rows.hpp>

#include <foldwise/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace foldwise::detail {

namespace {

std::string listed(const std::vector<std::int64_t>& counts) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < counts.size() && i < most; ++i) text += (i > 0 ? ", " : "") + std::to_string(counts[i]);
    return counts.size() > most ? text + ", ..." : text;
}

}  // namespace

row_split row_split::even(std::int64_t rows, int processes) {
    const std::int64_t each = rows / processes, more = rows % processes;
    std::vector<std::int64_t> begins;
    for (std::int64_t rank = 0; rank <= processes; ++rank) begins.push_back(rank * each + std::min(rank, more));
    return row_split(std::move(begins));
}

row_split row_split::of_counts(std::span<const std::int64_t> counts, std::int64_t rows, int processes) {
    if (counts.size() != static_cast<std::size_t>(processes))
        throw shape_error(std::to_string(counts.size()) + " numbers of rows are given for the " +
                          std::to_string(processes) + " processes of a group");
    std::vector<std::int64_t> begins{0};
    for (const std::int64_t count : counts) {
        if (count < 0) throw shape_error("a process cannot have " + std::to_string(count) + " rows");
        if (count > rows - begins.back())
            throw shape_error("the numbers of rows of the processes add up to more than the " + std::to_string(rows) +
                              " that there are");
        begins.push_back(begins.back() + count);
    }
    if (begins.back() != rows)
        throw shape_error("the numbers of rows of the processes add up to " + std::to_string(begins.back()) +
                          ", and there are " + std::to_string(rows));
    return row_split(std::move(begins));
}

row_split row_split::of_elements(std::int64_t elements) const {
    std::vector<std::int64_t> begins = *begins_;
    for (std::int64_t& begin : begins) begin *= elements;
    return row_split(std::move(begins));
}

int row_split::owner_of(std::int64_t row) const {
    return static_cast<int>(std::upper_bound(begins_->begin(), begins_->end(), row) - begins_->begin()) - 1;
}

std::int64_t row_split::processes_with_rows() const {
    std::int64_t found = 0;
    for (int rank = 0; rank < processes(); ++rank) found += of(rank).count() > 0 ? 1 : 0;
    return found;
}

std::vector<std::int64_t> row_split::counts() const {
    std::vector<std::int64_t> all;
    for (int rank = 0; rank < processes(); ++rank) all.push_back(of(rank).count());
    return all;
}

row_split row_split::all_to(int rank, std::int64_t rows, int processes) {
    std::vector<std::int64_t> begins(static_cast<std::size_t>(processes) + 1, 0);
    std::fill(begins.begin() + rank + 1, begins.end(), rows);
    return row_split(std::move(begins));
}

row_split split_of(const shape& extents, const communicator& world) {
    if (extents.rank() == 0) throw shape_error("an array of shape () has no rows that processes could share");
    return row_split::even(extents[0], world.size());
}

row_split split_of(const shape& extents, const communicator& world, std::span<const std::int64_t> counts) {
    if (extents.rank() == 0) throw shape_error("an array of shape () has no rows that processes could share");
    return row_split::of_counts(counts, extents[0], world.size());
}

void check_spread_alike(bool output, bool result) {
    if (output == result) return;
    throw std::invalid_argument(std::string("the result of a call is ") +
                                (result ? "spread over processes" : "replicated") + ", and its output is " +
                                (output ? "spread over processes" : "replicated, or no distributed array"));
}

void refuse_splits(const row_split& one, const row_split& other) {
    throw shape_error("the rows of the arrays of a call are split in different ways, " + listed(one.counts()) +
                      " and " + listed(other.counts()) + ": redistribute one of them");
}

shape with_rows(const shape& extents, std::int64_t rows) {
    std::int64_t local[max_rank];
    std::copy(extents.begin(), extents.end(), local);
    local[0] = rows;
    return shape(std::span<const std::int64_t>(local, static_cast<std::size_t>(extents.rank())));
}

call_identity call_of_shape(const shape& extents, const std::type_info* kernel) {
    constexpr std::uint64_t prime = 0x100000001b3;  // Fowler, Noll and Vo's hash, of 64 bits at a time
    std::uint64_t hash = 0xcbf29ce484222325 ^ (kernel ? kernel->hash_code() : 0);
    hash = hash * prime ^ static_cast<std::uint64_t>(extents.rank());
    for (const std::int64_t extent : extents) hash = hash * prime ^ static_cast<std::uint64_t>(extent);
    return {hash * prime, kernel ? kernel->name() : nullptr, extents};
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
