// tests/unit/runtime/reduce/launch_reduce_test.cpp: which instance of a kernel a reduction is launched with, and how
// its threads share the work.
#include "fake_file.hpp"

#include <foldwise/detail/reduce_code.hpp>

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

using namespace foldwise::detail;

namespace {

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
    unsigned int lines, chunks, each;  ///< As in strided_group_range.
    int rows_each, elements_each;      ///< Rows per block and elements per lane, in shared memory.
    unsigned int shared_bytes;
    std::int64_t share;            ///< Elements and segments' ends per warp.
    unsigned int across;           ///< Threads of a block along columns.
    int folded_axis, column_axis;  ///< As in reduce_space.
};

launched noted;

void note_range(const void* range) {
    noted = {};
    const auto how = static_cast<way>(last_launch().instance);
    if (reducer_of(how) == reducer::group) noted.lanes_log2 = static_cast<const group_range*>(range)->lanes_log2;
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

}  // namespace

/// Warps share elements and segments evenly, whatever their lengths are; every warp has a tile of work where there is
/// as much, and no block is without any.
TEST(FoldPlan, SegmentsAreSharedEvenly) {
    const auto segmented = [](std::int64_t count, std::int64_t segments) {
        return call_of{{count}, {1}, 0, 1 << 20, segments}();
    };
    const launched few = segmented(1000, 3);
    EXPECT_EQ(few.how, way::segmented);
    EXPECT_EQ(few.grid.x, 1u);
    EXPECT_EQ(few.threads, 512u);
    EXPECT_EQ(few.share, (1003 + 15) / 16);
    EXPECT_EQ(segmented(0, 1).share, 1);
    EXPECT_EQ(segmented(16 * 512 - 1, 1).grid.x, 1u);  // 16 warps with a tile of 512 each
    EXPECT_EQ(segmented(16 * 512, 1).grid.x, 2u);
    const launched many = segmented(1'000'000'000, 1'000'000'000);
    const std::int64_t warps = 16 * many.grid.x;
    EXPECT_EQ(many.grid.x, call_of({{1'000'000'000}, {1}, 0})().grid.x);  // as many as the GPU runs at once
    EXPECT_EQ(many.share, (2'000'000'000 + warps - 1) / warps);
    // Large accumulators have smaller tiles.
    EXPECT_EQ((call_of{{64 * 16}, {1}, 0, 1 << 20, 1}.run<heavy_steps>().grid.x), 2u);
    EXPECT_EQ(segment_elements(1), 16);
    EXPECT_EQ(segment_elements(4), 16);
    EXPECT_EQ(segment_elements(5), 8);
    EXPECT_EQ(segment_elements(24), 2);
    EXPECT_EQ(segment_elements(64), 1);
}

/// Where rows are whole axes, indices follow from one of each row.
TEST(FoldPlan, KnowsTheAxisOfRows) {
    const auto axes = [](const call_of& call) {
        const launched all = call();
        return std::pair(all.folded_axis, all.column_axis);
    };
    const std::vector<std::int64_t> shape{500, 4000};
    EXPECT_EQ(axes({.extents = {500, 4000}, .strides = {4000, 1}, .kept = 1, .shape = shape}), std::pair(1, 0));
    EXPECT_EQ(axes({.extents = {2'000'000}, .strides = {1}, .kept = 0, .shape = shape}), std::pair(-1, -1));
    // Nothing at all.
    EXPECT_EQ(axes({.extents = {500, 0}, .strides = {1, 1}, .kept = 1, .shape = {500, 0}}), std::pair(-1, -1));
    EXPECT_EQ(axes({.extents = {0, 500}, .strides = {500, 1}, .kept = 1, .shape = {0, 500}}).first, 1);
    // Parts of other calls: a whole row, and one that begins within a row.
    EXPECT_EQ(axes({.extents = {4000}, .strides = {1}, .kept = 0, .shape = shape, .first = 8000}).first, 1);
    EXPECT_EQ(axes({.extents = {4000}, .strides = {1}, .kept = 0, .shape = shape, .first = 8001}).first, -1);
    EXPECT_EQ(axes({.extents = {3999}, .strides = {1}, .kept = 0, .shape = shape, .first = 8000}).first, -1);
}

TEST(FoldPlan, ShortRowsHaveSomeLanesEach) {
    const launched wide = call_of{{1000, 32}, {32, 1}, 1}();
    EXPECT_EQ(wide.how, way::lanes_vectors);
    EXPECT_EQ(wide.lanes_log2, 2);
    EXPECT_EQ(wide.tiles_log2, 1);
    EXPECT_EQ(wide.threads, 128u);
    EXPECT_EQ(wide.grid.x, (1000u + 63) / 64);  // 32 rows at once, two for each thread
    EXPECT_EQ(call_of({{1000, 32}, {33, 1}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{1000, 32}, {64, 2}, 1})().how, way::lanes_elements);
}

TEST(FoldPlan, RowsThatFollowOneAnotherAreCopiedToSharedMemoryIfTheyCannotBeReadByVectors) {
    const auto rows = [](std::int64_t count, std::int64_t length) {
        return call_of{{count, length}, {length, 1}, 1}();
    };
    const launched odd = rows(1'000'000, 33);
    EXPECT_EQ(odd.how, way::staged);
    EXPECT_EQ(odd.lanes_log2, 1);  // 64 rows fit, but not 128
    EXPECT_EQ(odd.rows_each, 64);
    EXPECT_EQ(odd.grid.x, 1'000'000u / 64);
    EXPECT_EQ(odd.shared_bytes, 64u * 33 * 4 + 32);
    EXPECT_EQ(rows(1'000'000, 9).rows_each, 256);   // a thread has several
    EXPECT_EQ(rows(1'000'000, 301).lanes_log2, 4);  // so that 8 rows fit
    EXPECT_EQ(rows(1'000'000, 301).rows_each, 8);
    EXPECT_EQ(rows(1000, 33).lanes_log2, 5);  // so that all multiprocessors have some
    EXPECT_EQ(rows(10'000, 33).lanes_log2, 2);
    EXPECT_EQ(rows(1'000'000, 511).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 513).how, way::group_shifted);
    EXPECT_EQ(rows(22, 301).how, way::group_shifted) << "blocks have more threads for a row than a warp";
    EXPECT_EQ((call_of{{22, 301}, {301, 1}, 1}.run<ordered_steps>().how), way::group_few);
    EXPECT_EQ(rows(100'000, 301).how, way::staged) << "not all blocks run at once";
    EXPECT_EQ(rows(22, 127).how, way::staged) << "a warp has a few elements for each lane";
    EXPECT_EQ(rows(10'000, 3).how, way::threads_elements);                    // a thread loads them at once
    EXPECT_EQ(call_of({{1000, 33}, {40, 1}, 1})().how, way::lanes_elements);  // there is something between them
    // Lanes of different rows do not read the same bank.
    call_of misaligned{{1'000'000, 32}, {32, 1}, 1};
    misaligned.address += 4;
    EXPECT_EQ(misaligned().how, way::staged);
    EXPECT_EQ(misaligned().lanes_log2, 4);
    // Where order must be kept, a lane has an odd number of neighbours.
    EXPECT_EQ((call_of{{1'000'000, 301}, {301, 1}, 1}.run<ordered_steps>().elements_each), 19);
}

TEST(FoldPlan, RowsWhoseVectorsLeaveLanesIdleAreCopiedToSharedMemoryIfThereAreMany) {
    const auto rows = [](std::int64_t count, std::int64_t length) {
        return call_of{{count, length}, {length, 1}, 1}();
    };
    EXPECT_EQ(rows(1'000'000, 20).how, way::staged) << "5 vectors for 8 places";
    EXPECT_EQ(rows(1'000'000, 24).how, way::lanes_vectors) << "6 for 8";
    EXPECT_EQ(rows(1'000'000, 36).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 132).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 32).how, way::lanes_vectors);
    EXPECT_EQ(rows(10'000, 20).how, way::lanes_vectors) << "too few for the memory to be busy";
    EXPECT_EQ(call_of({{1'000'000, 20}, {24, 1}, 1})().how, way::lanes_vectors) << "there is something between them";
    EXPECT_EQ((call_of{{1'000'000, 20}, {20, 1}, 1}.run<ordered_steps>().how), way::staged);
}

TEST(FoldPlan, RowsOfAFewElementsHaveAThreadForSeveral) {
    const auto rows = [](std::int64_t count, std::int64_t length, std::int64_t apart) {
        return call_of{{count, length}, {apart, 1}, 1};
    };
    const launched tiny = rows(3'000'000, 3, 3)();
    EXPECT_EQ(tiny.how, way::threads_elements);
    EXPECT_EQ(tiny.threads, 128u);
    EXPECT_EQ(tiny.grid.x, 3'000'000u / 512 + 1);  // four rows for each thread
    EXPECT_EQ(rows(3'000'000, 3, 3).run<ordered_steps>().how, way::threads_elements);
    EXPECT_EQ(rows(3'000'000, 7, 7)().how, way::threads_elements);
    EXPECT_EQ(rows(3'000'000, 9, 9)().how, way::staged);
    EXPECT_EQ(rows(3'000'000, 4, 4)().how, way::lanes_vectors);
    EXPECT_EQ(rows(3'000'000, 3, 40)().how, way::threads_elements);
    // Several axes, if what lies along the last one is near.
    EXPECT_EQ(call_of({{3'000'000, 2, 2}, {10, 5, 2}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 4}, {30, 3}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{3'000'000, 2, 2}, {2, 6'000'000, 1}, 1})().how, way::threads_elements);
    // Columns that cannot be read by vectors; which ones these are may differ from row to row.
    EXPECT_EQ(call_of({{3'000'001, 2}, {1, 3'000'001}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 2}, {1, 3'000'000}, 1})().how, way::columns_vectors);
    EXPECT_EQ(call_of({{3'000'001, 16}, {1, 3'000'001}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'001, 17}, {1, 3'000'001}, 1})().how, way::columns_elements);
    // Several threads could share a column, but not the few elements of a row.
    EXPECT_EQ(call_of({{100'001, 2}, {1, 100'001}, 1})().how, way::columns_elements);
    EXPECT_EQ(rows(100'001, 7, 7)().how, way::threads_elements);
    // Few rows, if a thread waits for its elements twice at most.
    EXPECT_EQ(rows(40, 3, 3)().how, way::threads_elements);
    EXPECT_EQ(rows(40, 4, 5)().how, way::threads_elements);
    EXPECT_EQ(rows(40, 5, 6)().how, way::lanes_elements);
    EXPECT_EQ(call_of({{40, 2, 2}, {10, 5, 2}, 1})().how, way::threads_elements);
    EXPECT_EQ(rows(40, 4, 4)().how, way::lanes_vectors);
    call_of reproducible{{3'000'000, 3}, {3, 1}, 1};
    reproducible.is_reproducible = true;
    EXPECT_NE(reproducible().how, way::threads_elements);
}

TEST(FoldPlan, ManyRowsOfShortLinesHaveAThreadForSeveral) {
    // Two lines of 12 floats each.
    const auto rows = [](std::int64_t count) { return call_of{{count, 2, 12}, {12, 12 * count, 1}, 1}; };
    EXPECT_EQ(rows(1'200'000)().how, way::threads_elements);
    EXPECT_EQ(rows(1'200'000).run<ordered_steps>().how, way::threads_elements);
    EXPECT_EQ(rows(800'000)().how, way::lanes_elements) << "too few for how long a thread waits";
    EXPECT_EQ(call_of({{3'000'000, 2, 16}, {16, 48'000'000, 1}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 2, 17}, {17, 51'000'000, 1}, 1})().how, way::lanes_elements) << "34 elements";
    EXPECT_EQ(call_of({{3'000'000, 2, 9}, {18, 54'000'000, 2}, 1})().how, way::lanes_elements) << "68 bytes";
    EXPECT_EQ(call_of({{3'000'000, 10}, {14, 1}, 1})().how, way::threads_elements) << "a slice";
    EXPECT_EQ(call_of({{3'000'000, 10}, {10, 1}, 1})().how, way::staged);
}

TEST(FoldPlan, AFewRowsThatTakeLongHaveAThreadForEachElement) {
    const launched two = call_of{{2, 440}, {440, 1}, 1}.run<long_steps>();
    EXPECT_EQ(two.how, way::group_few);
    EXPECT_EQ(two.lanes_log2, 9);
    EXPECT_EQ(two.grid.x, 2u);
    EXPECT_EQ(call_of({{2, 440}, {440, 1}, 1})().how, way::lanes_vectors);
    EXPECT_EQ((call_of{{2, 440}, {440, 1}, 1}.run<long_ordered_steps>().how), way::lanes_vectors);
    const launched many = call_of{{3588, 30}, {60, 2}, 1}.run<long_steps>();
    EXPECT_EQ(many.how, way::group_few);
    EXPECT_EQ(many.lanes_log2, 5) << "a warp";
    const launched each = call_of{{500, 200}, {400, 2}, 1}.run<long_steps>();
    EXPECT_EQ(each.how, way::group_few);
    EXPECT_EQ(500 << each.lanes_log2, 128'000) << "as many as run at once, twice as many do not";
    EXPECT_EQ((call_of{{2, 15}, {30, 2}, 1}.run<long_steps>().how), way::lanes_elements) << "few for a warp";
    EXPECT_EQ((call_of{{2000}, {1}, 0}.run<long_steps>().how), way::group_vectors) << "a whole array";
    const launched columns = call_of{{52, 147}, {1, 52}, 1}.run<long_steps>();
    EXPECT_EQ(columns.how, way::group_few);
    EXPECT_EQ(columns.lanes_log2, 6) << "neighbouring columns are read by neighbouring warps";
}

TEST(FoldPlan, LanesHaveAsManyTilesAsLeaveTheirLoadsSideBySide) {
    const auto rows = [](std::int64_t length, std::int64_t apart) { return call_of{{1000, length}, {apart, 1}, 1}; };
    const auto expect = [](const launched& got, way how, int lanes, int tiles) {
        EXPECT_EQ(got.how, how);
        EXPECT_EQ(1 << got.lanes_log2, lanes);
        EXPECT_EQ(1 << got.tiles_log2, tiles);
    };
    // 64 bytes of a row at once: four lanes with vectors, 16 with single floats.
    expect(rows(4, 4)(), way::lanes_vectors, 1, 1);
    expect(rows(16, 16)(), way::lanes_vectors, 4, 1);
    expect(rows(32, 32)(), way::lanes_vectors, 4, 2);
    expect(rows(100, 100)(), way::lanes_vectors, 8, 4);
    expect(rows(128, 128)(), way::lanes_vectors, 8, 4);
    expect(rows(5, 6)(), way::lanes_elements, 2, 1);
    expect(rows(60, 61)(), way::lanes_elements, 16, 1);
    expect(rows(100, 101)(), way::lanes_elements, 16, 2);
    // In order, each lane has neighbours: of vectors any number, of single floats those of one sector.
    expect(rows(16, 16).run<ordered_steps>(), way::lanes_vectors, 1, 4);
    expect(rows(100, 100).run<ordered_steps>(), way::lanes_vectors, 8, 4);
    expect(rows(100, 101).run<ordered_steps>(), way::lanes_elements, 16, 2);
    // Where combining takes long, also of longer rows.
    expect(rows(132, 132)(), way::lanes_vectors, 16, 4);
    expect(rows(512, 512)(), way::lanes_vectors, 32, 4);
    EXPECT_EQ(rows(516, 516)().how, way::group_vectors);
    expect(rows(256, 256).run<ordered_steps>(), way::lanes_vectors, 16, 4);
    expect(rows(256, 256).run<heavy_steps>(), way::lanes_vectors, 16, 4);
    EXPECT_EQ((call_of{{1'000'000, 132}, {133, 1}, 1}.run<ordered_steps>().how), way::group_shifted);
}

TEST(FoldPlan, ShortRowsOfSeveralAxesHaveLanesToo) {
    const launched tiny = call_of{{10'000, 2, 3}, {10, 5, 2}, 1}();
    EXPECT_EQ(tiny.how, way::lanes_elements);
    EXPECT_EQ(tiny.lanes_log2, 1);
    EXPECT_EQ(tiny.grid.x, 10'000u / 256 + 1);  // two threads for each row, four rows one after the other
    const launched cubes = call_of{{1000, 3, 3, 3}, {1000, 100, 10, 1}, 1}();
    EXPECT_EQ(cubes.how, way::lanes_elements);
    EXPECT_EQ(cubes.lanes_log2, 3);
    EXPECT_EQ(cubes.tiles_log2, 0);
    EXPECT_EQ(call_of({{1000, 2, 64}, {1000, 100, 1}, 1})().how, way::lanes_elements);
    EXPECT_NE(reducer_of(call_of({{1000, 2, 65}, {1000, 100, 1}, 1})().how), reducer::lanes);
    // All axes together have offsets of 32 bits.
    constexpr std::int64_t half = INT32_MAX / 2;
    EXPECT_EQ(call_of({{2, 2, 2}, {4 * half, half + 1, half}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 2, 2}, {4 * half, half + 2, half}, 1})().how, way::group_few);
}

TEST(FoldPlan, LongLinesOfSeveralFoldedAxesAreReducedOneAfterTheOther) {
    const launched rows = call_of{{3805, 2, 5531}, {5531, 3805 * 5531, 1}, 1}();
    EXPECT_EQ(rows.how, way::group_strided);
    EXPECT_EQ(rows.lines, 2u);
    EXPECT_EQ(rows.chunks, 2u);
    EXPECT_EQ(rows.each, 2u);
    EXPECT_EQ(rows.grid.x, 3805u);
    // In order, the warps of a block share the lines.
    const launched ordered = call_of{{3805, 2, 5532}, {5532, 3805 * 5532, 1}, 1}.run<ordered_steps>();
    EXPECT_EQ(ordered.how, way::group_runs);
    EXPECT_EQ(ordered.lines, 2u);
    EXPECT_EQ(ordered.chunks, ordered.threads / 32);
    EXPECT_EQ(ordered.each, 1u);
    // Few rows are shared by blocks, which have as many chunks each as one another.
    const launched few = call_of{{3, 12, 100'000}, {100'000, 300'000, 1}, 1}();
    EXPECT_EQ(few.lines, 12u);
    EXPECT_EQ(few.chunks, 84u);  // of up to 7 steps of 2048 elements, of which a line has 49
    EXPECT_EQ(few.each, 1u);
    EXPECT_EQ(few.grid.x, 84u);
    const launched uneven = call_of{{7, 3, 100'000}, {100'000, 700'000, 1}, 1}();
    EXPECT_EQ(uneven.chunks, 39u);  // of up to 4 steps
    EXPECT_EQ(uneven.grid.x, 39u);  // of the 43 for each row that run at once
    // Of short lines, elements are counted along all axes.
    EXPECT_EQ(call_of({{100'000, 20, 100}, {2000, 100, 2}, 1})().lines, 1u);
    EXPECT_EQ(call_of({{100'000, 20, 128}, {2560, 128, 2}, 1})().lines, 20u);
}

TEST(FoldPlan, LanesHaveOffsetsOfThirtyTwoBits) {
    constexpr std::int64_t farthest = INT32_MAX / 31;
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, farthest}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, -farthest}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, farthest + 1}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, -farthest - 1}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{2, 2}, {std::int64_t{1} << 33, std::int64_t{1} << 32}, 1})().how, way::group_few);
}

TEST(FoldPlan, FewElementsAreLoadedAllAtOnce) {
    const auto lanes = [](const call_of& call) {
        const launched found = call();
        EXPECT_EQ(found.how, way::group_few);
        return std::pair(found.lanes_log2, found.threads);
    };
    EXPECT_EQ(lanes({{1}, {3}, 0}), std::pair(5, 64u)) << "a warp, which needs no barrier beside another";
    EXPECT_EQ(lanes({{128}, {3}, 0}), std::pair(5, 64u));
    EXPECT_EQ(lanes({{129}, {3}, 0}), std::pair(6, 64u));
    EXPECT_EQ(lanes({{93, 13}, {16, 1}, 0}), std::pair(9, 512u));
    EXPECT_EQ(lanes({{2048}, {3}, 0}), std::pair(9, 512u));
    EXPECT_EQ(call_of({{2049}, {3}, 0})().how, way::group_strided);
    EXPECT_EQ(call_of({{10, 2000}, {4000, 2}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{100'000, 2000}, {4000, 2}, 1})().how, way::group_strided) << "not all blocks run at once";
    EXPECT_EQ(call_of({{2000}, {1}, 0})().how, way::group_vectors);
    EXPECT_EQ((call_of{{2000}, {1}, 0}.run<ordered_steps>().how), way::group_few);
    call_of reproducible{{2000}, {3}, 0};
    reproducible.is_reproducible = true;
    EXPECT_EQ(reproducible().how, way::group_strided);
    EXPECT_EQ(call_of({{0, 2}, {2, 1}, 0})().how, way::group_strided) << "nothing to load";
}

TEST(FoldPlan, FewColumnsHaveAFewElementsForEachThread) {
    const launched few = call_of{{52, 147}, {1, 52}, 1}();
    EXPECT_EQ(few.how, way::group_few);
    EXPECT_EQ(few.lanes_log2, 6);
    EXPECT_EQ((call_of{{52, 147}, {1, 52}, 1}.run<ordered_steps>().how), way::group_few);
    EXPECT_EQ(call_of({{2, 2048}, {1, 2}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{2, 2049}, {1, 2}, 1})().how, way::columns_elements);
    EXPECT_EQ(call_of({{184, 15}, {1, 184}, 1})().how, way::columns_elements) << "most lanes would have no element";
    EXPECT_EQ(call_of({{2, 3, 2, 1000}, {6000, 1, 3000, 3}, 2})().how, way::group_few) << "columns of two axes";
    EXPECT_EQ(call_of({{262, 1000}, {1, 262}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{263, 1000}, {1, 263}, 1})().how, way::columns_elements);
    call_of reproducible{{52, 147}, {1, 52}, 1};
    reproducible.is_reproducible = true;
    EXPECT_EQ(reproducible().how, way::columns_elements);
}

TEST(FoldPlan, LongRowsHaveBlocksAsSmallAsKeepTheGpuBusy) {
    const launched few = call_of{{100, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(few.how, way::group_vectors);
    EXPECT_EQ(few.threads, 512u);
    const launched many = call_of{{10'000, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(many.how, way::group_vectors);
    EXPECT_EQ(many.threads, 256u);
    EXPECT_EQ(many.lanes_log2, 8);
    EXPECT_EQ(many.grid.x, 10'000u);
    EXPECT_EQ(call_of({{10'000, 100'000}, {100'000, 1}, 1})().threads, 512u);
    // 1000 blocks of 256 are more threads than run at once, of 128 they are fewer.
    EXPECT_EQ(call_of({{1000, 1000}, {1000, 1}, 1})().threads, 128u);
}

TEST(FoldPlan, ManyRowsHaveAWarpEachOfWholeBlocks) {
    const launched rows = call_of{{100'000, 1000}, {1000, 1}, 1}();
    EXPECT_EQ(rows.threads, 512u);
    EXPECT_EQ(rows.lanes_log2, 5);
    EXPECT_EQ(rows.grid.x, 100'000u / 16);
    EXPECT_EQ(call_of({{20'000, 2000}, {2000, 1}, 1})().lanes_log2, 6);
}

TEST(FoldPlan, RowsThatAreNotAlignedAlikeAreReadByVectors) {
    const launched rows = call_of{{1001, 9999}, {9999, 1}, 1}();
    EXPECT_EQ(rows.how, way::group_shifted);
    EXPECT_EQ(rows.threads, 128u);  // of 256, not all would run at once
    EXPECT_EQ(call_of({{1001, 9999}, {9999, 1}, 1, (1 << 20) + 4})().how, way::group_shifted);
    EXPECT_EQ(call_of({{1001, 9999}, {2 * 9999, 2}, 1})().how, way::group_strided);
}

/// Vectors of a single input begin at one of its first elements. What cannot be read like that is read by elements.
TEST(FoldPlan, ASingleInputIsReadByVectorsWhereverItBegins) {
    const auto whole = [](std::uintptr_t address, operand_type type = {4, 4}, bool is_reproducible = false) {
        return call_of{{10'000}, {1}, 0, address, 0, type, is_reproducible}().how;
    };
    constexpr std::uintptr_t base = 1 << 20;
    EXPECT_EQ(whole(base + 4), way::group_vectors);
    EXPECT_EQ(whole(base + 4, {12, 4}), way::group_vectors);
    EXPECT_EQ(whole(base + 8, {24, 8}), way::group_vectors);
    EXPECT_EQ(call_of({{10'000}, {0}, 0})().how, way::group_strided);
    EXPECT_EQ(call_of({{100, 10'000}, {0, 0}, 1})().how, way::group_strided);
    // Types that may begin where no vector does.
    EXPECT_EQ(whole(base + 4, {8, 4}), way::group_mixed);
    EXPECT_EQ(whole(base + 8, {16, 8}), way::group_mixed);
    // Combined in the same order wherever it begins.
    EXPECT_EQ(whole(base + 4, {4, 4}, true), way::group_mixed);
}

TEST(FoldPlan, InstancesThatNoCallNeedsAreNotCompiled) {
    constexpr operand_type of_float = {4, 4}, of_complex = {16, 8}, two[] = {of_float, of_float};
    EXPECT_FALSE(may_be_mixed(&of_float, 1, false, false));
    EXPECT_TRUE(may_be_mixed(&of_float, 1, true, false));
    EXPECT_TRUE(may_be_mixed(&of_float, 1, false, true));
    EXPECT_TRUE(may_be_mixed(&of_complex, 1, false, false));
    EXPECT_TRUE(may_be_mixed(two, 2, false, false));
    EXPECT_TRUE(is_used(way::group_vectors, 1, false, true));
    EXPECT_FALSE(is_used(way::group_mixed, 4, false, false));
    EXPECT_TRUE(is_used(way::group_mixed, 4, true, false));
    for (const way of_vectors : {way::group_runs, way::lanes_vectors, way::columns_vectors}) {
        EXPECT_TRUE(is_used(of_vectors, 4, true, false));
        EXPECT_FALSE(is_used(of_vectors, 1, true, false));
        EXPECT_FALSE(is_used(of_vectors, 4, true, true));
    }
    EXPECT_TRUE(is_used(way::staged, 1, true, false));
    EXPECT_FALSE(is_used(way::staged, 1, true, true));
    for (const way of_elements : {way::group_strided, way::lanes_elements, way::columns_elements, way::segmented})
        EXPECT_TRUE(is_used(of_elements, 1, false, true));
}

TEST(FoldPlan, WholeArraysHaveSmallBlocksWhereCombiningTakesLong) {
    const auto whole = [](std::int64_t length) { return call_of{{length}, {1}, 0}; };
    EXPECT_EQ(whole(1000)().threads, 256u);  // a tile for each
    EXPECT_EQ(whole(1000)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048 + 1)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048 + 1)().grid.x, 5u);
    EXPECT_EQ(whole(8 * 2048).run<heavy_steps>().grid.x, 1u);
    const launched heavy = whole(8 * 2048 + 1).run<heavy_steps>();
    EXPECT_EQ(heavy.threads, 256u);
    EXPECT_EQ(heavy.lanes_log2, 8);
    EXPECT_EQ(heavy.grid.x, 17u);
    EXPECT_EQ(whole(64 * 300 * 1024).run<heavy_steps>().threads, 256u);
    EXPECT_EQ(whole(64 * 300 * 1024 + 1).run<heavy_steps>().threads, 512u);
    EXPECT_EQ(whole(2048).run<ordered_steps>().grid.x, 1u);
    EXPECT_EQ(whole(2049).run<ordered_steps>().threads, 256u);
    EXPECT_EQ(whole(300 * 1024 + 1).run<ordered_steps>().threads, 512u);
}

TEST(FoldPlan, RunsOfSeveralFoldedAxesAreWide) {
    const std::vector<std::int64_t> extents = {128, 64, 56 * 56}, strides = {56 * 56, 128 * 56 * 56, 1};
    const launched runs = call_of{extents, strides, 1}();
    EXPECT_EQ(runs.how, way::group_runs);
    EXPECT_EQ(runs.lines, 1u);
    EXPECT_EQ(runs.grid.x, 3u);
    EXPECT_EQ(call_of({{128, 64 * 56 * 56}, {64 * 56 * 56, 1}, 1})().grid.x, 5u);  // along one axis, smaller shares
    EXPECT_EQ(call_of({extents, strides, 1, (1 << 20) + 4})().how, way::group_strided);
    EXPECT_EQ(call_of({{128, 64, 57}, {57, 128 * 57, 1}, 1})().how, way::group_strided);
    EXPECT_EQ(call_of({{128, 64, 56}, {112, 128 * 112, 2}, 1})().how, way::group_strided);
}

TEST(FoldPlan, NeighboursOfDifferentResultsAreColumns) {
    EXPECT_EQ(call_of({{1000, 1000}, {1, 1000}, 1})().how, way::columns_vectors);
    EXPECT_EQ(call_of({{999, 1000}, {1, 999}, 1})().how, way::columns_elements);
}

TEST(FoldPlan, BlocksOfColumnsFitIntoOneWave) {
    const unsigned resident = 3 * 132;
    // 444 blocks of 128 columns, four threads for each, would take two waves.
    const launched wide = call_of{{56'801, 41}, {1, 56'801}, 1}();
    EXPECT_LE(wide.grid.x, resident);
    EXPECT_GT(wide.grid.x, resident / 2);
    // So would 100 of 32 columns, and four for each column.
    const launched tall = call_of{{3179, 542}, {1, 3179}, 1}();
    EXPECT_EQ(tall.grid.x, 100u);
    EXPECT_EQ(tall.grid.y, 3u);
}

TEST(FoldPlan, FewColumnsAreSpreadOverSmallBlocks) {
    const launched few = call_of{{1244, 5}, {1, 1244}, 1}();
    EXPECT_EQ(few.how, way::columns_elements);  // with vectors, a quarter of the threads would have all of the work
    EXPECT_EQ(few.threads, 64u);
    EXPECT_EQ(few.grid.x, (1244u + 63) / 64);  // a thread for each column: two would exchange more than they read
    EXPECT_EQ(few.grid.y, 1u);
    const launched more = call_of{{100'000, 5}, {1, 100'000}, 1}();
    EXPECT_EQ(more.how, way::columns_vectors);
    EXPECT_EQ(more.threads, 128u);
    const launched many = call_of{{1'000'000, 5}, {1, 1'000'000}, 1}();
    EXPECT_EQ(many.how, way::columns_vectors);
    EXPECT_EQ(many.threads, 512u);
    // Of long columns, several blocks have a share each.
    const launched tall = call_of{{40, 100'000}, {1, 40}, 1}();
    EXPECT_EQ(tall.threads, 512u);
    EXPECT_GT(tall.grid.y, 1u);
}

/// Memory is then read without gaps, and few threads are idle.
TEST(FoldPlan, TallBlocksReadWholeRowsOfColumns) {
    const launched narrow = call_of{{20, 500'000}, {1, 20}, 1}();
    EXPECT_EQ(narrow.how, way::columns_vectors);
    EXPECT_EQ(narrow.across, 5u);
    EXPECT_EQ(narrow.grid.x, 1u);
    const launched inner = call_of{{42, 3, 160'000}, {480'000, 1, 3}, 2}();
    EXPECT_EQ(inner.how, way::columns_elements);
    EXPECT_EQ(inner.across, 3u);  // not several rows of three, which are far from one another
    EXPECT_EQ(inner.grid.x, 42u);
    EXPECT_EQ((call_of{{300, 10, 2000}, {20'000, 1, 10}, 2}().across), 32u);  // more blocks than run at once
    EXPECT_EQ((call_of{{1000, 1000}, {1, 1000}, 1}().across), 32u);           // 250 of 256 have columns
    // Of wider rows only where combining takes long, and joining the blocks does not take longer.
    EXPECT_EQ((call_of{{33, 100'000}, {1, 33}, 1}().across), 32u);
    EXPECT_EQ((call_of{{33, 100'000}, {1, 33}, 1}.run<heavy_steps>().across), 33u);
    EXPECT_EQ((call_of{{200, 100'000}, {1, 200}, 1}.run<heavy_steps>().across), 32u);
    for (std::int64_t columns = 3; columns < 1500; columns += 2) {
        const launched tall = call_of{{columns, 10'000}, {1, columns}, 1}();
        ASSERT_LE(tall.across, tall.threads) << columns;
        ASSERT_GE(std::int64_t{tall.grid.x} * tall.across, columns) << columns;
        if (columns <= 16) {
            EXPECT_EQ(tall.across, columns);
        }
    }
}

TEST(FoldPlan, FewerThreadsAreBehindOneAnotherWhereMoreBlocksThenRun) {
    const launched columns = call_of{{5000, 10'000}, {1, 5000}, 1}();
    EXPECT_EQ(columns.how, way::columns_vectors);
    EXPECT_EQ(columns.grid.x, 20u);  // of which 15 behind one another run, 300 in all; 7 of 40 would be 280
    EXPECT_EQ(columns.grid.y, 15u);
}
