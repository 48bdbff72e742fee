// tests/unit/runtime/reduce/launched_reduce.hpp: a reduction of fake operands, and what it is launched with.
#pragma once

#include "fake_file.hpp"

#include <foldwise/detail/reduce_code.hpp>

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace test_reduce {

using namespace foldwise::detail;

using way = reduce_instance;

/// What a launch depends on of a reduction.
struct sum_steps {
    static constexpr operand_type accumulator = {4, 4};
    static constexpr bool commutes = true, is_long = false;
};

/// Its accumulators are large, so combining them takes long.
struct heavy_steps {
    static constexpr operand_type accumulator = {24, 8};
    static constexpr bool commutes = true, is_long = false;
};

/// Mapping an element takes long.
struct long_steps : sum_steps {
    static constexpr bool is_long = true;
};

/// The same in order.
struct long_ordered_steps : long_steps {
    static constexpr bool commutes = false;
};

struct ordered_steps : heavy_steps {
    static constexpr bool commutes = false;
};

/// The parameters of a launch.
struct launched {
    way how;
    struct {
        unsigned int x, y;
    } grid;
    unsigned int threads;
    int lanes_log2;                    ///< Lanes per row, as a power of two.
    int tiles_log2;                    ///< Tiles per lane of a short row, as a power of two.
    unsigned int lines, chunks, each;  ///< As in strided_group_range; `each` also as in linear_group_range.
    std::int64_t vectors;              ///< Whole vectors of a contiguous row; what follows as in linear_group_range.
    unsigned int with_one_more;
    int phase;
    std::vector<int> phases;       ///< Those along kept axes.
    int rows_each, elements_each;  ///< Rows per block and elements per lane, in shared memory.
    unsigned int shared_bytes;
    std::int64_t share;            ///< Elements and segments' ends per warp.
    unsigned int across;           ///< Threads of a block along columns.
    int folded_axis, column_axis;  ///< As in reduce_space.
};

inline launched noted;

inline void note_range(const void* range) {
    noted = {};
    const auto how = static_cast<way>(last_launch().instance);
    if (reducer_of(how) == reducer::group) noted.lanes_log2 = static_cast<const group_range*>(range)->lanes_log2;
    if (how == way::group_vectors || how == way::group_mixed) {
        const auto& rows = *static_cast<const linear_group_range*>(range);
        noted.vectors = (std::int64_t{rows.each} * rows.blocks << rows.lanes_log2) + rows.with_one_more;
        noted.each = rows.each;
        noted.with_one_more = rows.with_one_more;
        noted.phase = rows.phase;
        noted.phases.assign(rows.phases, rows.phases + rows.rows.rank);
    }
    if (how == way::group_runs || how == way::group_strided) {
        const auto& rows = *static_cast<const strided_group_range*>(range);
        noted.lines = rows.lines.count;
        noted.chunks = rows.chunks;
        noted.each = rows.each;
    }
    if (how == way::staged) {
        const auto& rows = *static_cast<const staged_range*>(range);
        noted.lanes_log2 = rows.lanes_log2;
        noted.rows_each = rows.rows_each;
        noted.elements_each = rows.each;
    }
    if (reducer_of(how) == reducer::columns) noted.across = static_cast<const columns_range*>(range)->across.divisor;
    if (how == way::segmented) noted.share = static_cast<const segmented_range*>(range)->share;
    if (reducer_of(how) != reducer::lanes) return;
    noted.lanes_log2 = static_cast<const lanes_range*>(range)->lanes_log2;
    noted.tiles_log2 = static_cast<const lanes_range*>(range)->tiles_log2;
}

/// A call that folds one input, of floats unless it says otherwise, at an address that nobody touches, to results in
/// row-major order.
struct call_of {
    std::vector<std::int64_t> extents, strides;
    int kept;
    std::uintptr_t address = 1 << 20;
    std::int64_t segments = 0;  ///< None: a call without segments.
    operand_type type = {4, 4};
    bool is_reproducible = false;
    std::vector<std::int64_t> shape =
        {};                  ///< The extents of an index of two axes that the map takes; none: it takes none.
    std::int64_t first = 0;  ///< The position of the first element.

    template <class Steps = sum_steps> launched run() const {
        std::array<std::int64_t[max_axes], 2> all{};
        std::int64_t positions[max_axes] = {}, count = 1, results = 1;
        element_layout layout{static_cast<int>(extents.size()), {}, all.data()};
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            layout.extents[axis] = extents[axis];
            all[0][axis] = strides[axis];
            positions[axis] = count;
            count *= extents[axis];
            if (static_cast<int>(axis) >= kept) continue;
            all[1][axis] = results;
            results *= extents[axis];
        }
        const operand_address operands[] = {{reinterpret_cast<void*>(address), false},
                                            {reinterpret_cast<void*>(std::uintptr_t{1} << 20), false}};
        reduce_call call{};
        call.elements = {count, operands, &layout, first, shape.data()};
        call.kept = kept;
        call.positions = positions;
        call.workspace = {nullptr, nullptr, foldwise::detail::reduce_counter_bytes,
                          foldwise::detail::reduce_part_bytes};
        call.is_first = call.is_last = true;
        const segments_of_call of_call{nullptr, segments, 1, 4, true};
        if (segments > 0) call.segments = &of_call;
        const operand_type types[] = {type, {4, 4}};
        gpu_file file = fake_file;
        file.is_reproducible = is_reproducible;
        static known_blocks resident[reduce_instances];
        reduce_code code = {.file = &file,
                            .instances = {},
                            .from_partials = nullptr,
                            .resident = resident,
                            .operands = types,
                            .inputs = 1,
                            .threads = 512,
                            .width = 16 / access_bytes(static_cast<int>(type.size)),
                            .index_rank = static_cast<int>(shape.size()),
                            .accumulator = Steps::accumulator,
                            .partial_bytes = Steps::accumulator.size + Steps::accumulator.alignment,
                            .commutes = Steps::commutes,
                            .is_long = Steps::is_long};
        for (int i = 0; i < reduce_instances; ++i) code.instances[i] = fake_code(i);
        if (shape.empty())
            look_at_arguments = [](void** arguments) { note_range(arguments[2]); };  // behind the input and the strides
        else
            look_at_arguments = [](void** arguments) {
                note_range(arguments[3]);
                const auto& space = *static_cast<const reduce_space<2>*>(arguments[2]);
                noted.folded_axis = space.folded_axis;
                noted.column_axis = space.column_axis;
            };
        EXPECT_EQ(launch(code, call, nullptr), 0);
        look_at_arguments = nullptr;
        const noted_launch& last = last_launch();
        noted.how = static_cast<way>(last.instance);
        noted.grid = {last.x, last.y};
        noted.threads = last.threads;
        noted.shared_bytes = last.shared_bytes;
        return noted;
    }
    launched operator()() const { return run(); }
};

}  // namespace test_reduce
