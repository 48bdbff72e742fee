// tests/unit/runtime/vectorize/launch_vectorize_test.cpp: which instance of a kernel a call is launched with.
#include "fake_file.hpp"

#include <foldwise/detail/vectorize_code.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace foldwise::detail;

namespace {

using instance = vectorize_instance;

constexpr std::uintptr_t base = 1 << 20;

/// A call of two inputs and an output, at addresses that nobody touches.
struct call_of {
    std::vector<std::int64_t> extents;
    std::vector<std::vector<std::int64_t>> strides;  ///< Empty: all is contiguous.
    std::uintptr_t addresses[3] = {base, base, base};
    bool is_second_scalar = false, is_first_scalar = false;
    int few_elements = 0, threads_at_once = 0;
    bool is_long = false;

    template <class T, int Width, int IndexRank = 0> instance chosen() const {
        std::int64_t all[3][max_axes] = {};
        element_layout layout{static_cast<int>(extents.size()), {}, all};
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            count *= extents[axis];
            for (std::size_t i = 0; i < strides.size(); ++i) all[i][axis] = strides[i][axis];
        }
        static constexpr T value{};
        void* const second = is_second_scalar ? const_cast<T*>(&value) : reinterpret_cast<void*>(addresses[1]);
        void* const first = is_first_scalar ? const_cast<T*>(&value) : reinterpret_cast<void*>(addresses[0]);
        const operand_address operands[] = {
            {first, is_first_scalar}, {second, is_second_scalar}, {reinterpret_cast<void*>(addresses[2]), false}};
        const element_range call{count, operands, strides.empty() ? nullptr : &layout, 0, extents.data()};
        const operand_type types[] = {{sizeof(T), alignof(T)}, {sizeof(T), alignof(T)}, {sizeof(T), alignof(T)}};
        gpu_file file = fake_file;
        file.few_elements = few_elements;
        file.threads_at_once = std::max(threads_at_once, few_elements);
        vectorize_code code = {&file, {}, types, 2, 1, 256, Width, IndexRank, is_long};
        for (int i = 0; i < vectorize_instances; ++i) code.instances[i] = fake_code(i);
        if (IndexRank > 0) code.instances[static_cast<int>(instance::transposed)] = nullptr;
        EXPECT_EQ(launch(code, call, nullptr), 0);
        return static_cast<instance>(last_launch().instance);
    }
    instance of_floats() const { return chosen<float, 4>(); }
};

}  // namespace

TEST(Instances, ContiguousArraysAlignedAlikeAreReadByVectors) {
    EXPECT_EQ((call_of{{1000}, {}}.of_floats()), instance::vectors);
    EXPECT_EQ((call_of{{1000}, {}, {base + 4, base + 4, base + 4}}.of_floats()), instance::vectors);
}

TEST(Instances, SingleValuesAloneAreNumberedWhereverTheOutputIs) {
    EXPECT_EQ((call_of{{1000}, {}, {base, base, base}, true, true}.chosen<float, 4, 1>()), instance::numbered);
    EXPECT_EQ((call_of{{1000}, {}, {base, base, base + 4}, true, true}.chosen<float, 4, 1>()), instance::numbered);
    EXPECT_EQ((call_of{{1000}, {}, {base, base, base}, true, false}.chosen<float, 4, 1>()), instance::mixed);
}

TEST(Instances, ContiguousArraysMisalignedAndValuesAreMixed) {
    EXPECT_EQ((call_of{{1000}, {}, {base + 4, base, base}}.of_floats()), instance::mixed);
    EXPECT_EQ((call_of{{1000}, {}, {base, base, base}, true}.of_floats()), instance::mixed);
}

TEST(Instances, ContiguousOutputsOfOtherInputsAreFlat) {
    EXPECT_EQ((call_of{{100, 1001}, {{1001, 1}, {0, 1}, {1001, 1}}}.of_floats()), instance::flat);
    EXPECT_EQ((call_of{{100, 3}, {{3, 1}, {0, 1}, {3, 1}}}.of_floats()), instance::flat);
    EXPECT_EQ((call_of{{100, 3}, {{6, 2}, {0, 1}, {3, 1}}}.of_floats()), instance::flat);
}

TEST(Instances, RepeatedNarrowElementsOfLongRowsThatEndInsideVectorsAreTiled) {
    const auto repeated = [](std::int64_t columns) {
        return call_of{{100, columns}, {{columns, 1}, {1, 0}, {columns, 1}}};
    };
    EXPECT_EQ((repeated(2049).chosen<std::int8_t, 16>()), instance::tiled);
    EXPECT_EQ((repeated(2047).chosen<std::int8_t, 16>()), instance::flat);
    EXPECT_EQ((repeated(2064).chosen<std::int8_t, 16>()), instance::flat);  // whole vectors
    EXPECT_EQ((repeated(1025).chosen<std::int16_t, 8>()), instance::tiled);
    EXPECT_EQ((repeated(1023).chosen<std::int16_t, 8>()), instance::flat);
    EXPECT_EQ(repeated(2049).of_floats(), instance::flat);
    // Rows that begin elsewhere in their vectors than the output's are read one by one in tiles, too.
    EXPECT_EQ((call_of{{100, 2049}, {{2049, 1}, {0, 1}, {2049, 1}}}.chosen<std::int8_t, 16>()), instance::flat);
}

TEST(Instances, EverySecondElementOfLongRowsIsTiled) {
    EXPECT_EQ((call_of{{10'000}, {{2}, {1}, {1}}}.of_floats()), instance::tiled);
    EXPECT_EQ((call_of{{1000}, {{2}, {1}, {1}}}.of_floats()), instance::flat);  // half of a tile's places empty
    EXPECT_EQ((call_of{{64, 100}, {{1, 64}, {100, 1}, {100, 1}}}.chosen<float, 4, 2>()),
              instance::tiled);  // an index keeps the axes in order
}

TEST(Instances, AFewChannelsToTheLastAxisAreFlatUnlessVectorsFillTheirRows) {
    const auto channels = [](std::int64_t c) {
        return call_of{{8, 8192, c}, {{8192 * c, 1, 8192}, {8192 * c, c, 1}, {8192 * c, c, 1}}};
    };
    EXPECT_EQ(channels(3).of_floats(), instance::flat);
    EXPECT_EQ(channels(4).of_floats(), instance::tiled);
    EXPECT_EQ(channels(7).of_floats(), instance::flat);
    EXPECT_EQ(channels(16).of_floats(), instance::tiled);
    EXPECT_EQ(channels(17).of_floats(), instance::transposed);
    EXPECT_EQ((channels(16).chosen<std::int8_t, 16>()), instance::tiled);
    EXPECT_EQ((channels(31).chosen<std::int8_t, 16>()), instance::flat);
    EXPECT_EQ((channels(32).chosen<std::int8_t, 16>()), instance::tiled);
    EXPECT_EQ((channels(33).chosen<std::int8_t, 16>()), instance::transposed);
}

TEST(Instances, ManyTransposedRowsAreExchangedAndFewShareATile) {
    EXPECT_EQ((call_of{{64, 100}, {{1, 64}, {100, 1}, {100, 1}}}.of_floats()), instance::transposed);
    EXPECT_EQ((call_of{{3, 10'000}, {{1, 3}, {10'000, 1}, {10'000, 1}}}.of_floats()), instance::tiled);
}

TEST(Instances, FewTransposedRowsAreExchangedInFoldedTiles) {
    const auto rows = [](std::int64_t count) {
        return call_of{{count, 10'240}, {{1, count}, {10'240, 1}, {10'240, 1}}};
    };
    EXPECT_EQ(rows(7).of_floats(), instance::tiled);
    EXPECT_EQ(rows(8).of_floats(), instance::transposed);
    EXPECT_EQ(last_launch().x, 160u) << "64 columns of 32 rows";
    EXPECT_EQ(rows(9).of_floats(), instance::transposed);
    EXPECT_EQ(last_launch().x, 80u) << "128 columns of 16 rows";
    EXPECT_EQ((rows(16).chosen<std::int8_t, 16>()), instance::transposed);
    EXPECT_EQ(last_launch().x, 20u) << "512 columns of 16 rows";
    EXPECT_EQ((rows(9).chosen<double, 2>()), instance::transposed);
    EXPECT_EQ(last_launch().x, 160u) << "64 columns of 16 rows";
}

TEST(Instances, RowsWithGapsBetweenThemAreTiled) {
    EXPECT_EQ((call_of{{100, 1000}, {{1000, 1}, {0, 1}, {1024, 1}}}.of_floats()), instance::tiled);
    EXPECT_EQ(
        (call_of{{2, 3, 4, 64, 100}, {{0, 1, 0, 1, 0}, {76'800, 25'600, 6400, 100, 1}, {76'800, 25'600, 6400, 100, 1}}}
             .of_floats()),
        instance::tiled);  // more axes than flat launches have
}

TEST(Instances, FewElementsHaveAThreadEach) {
    const call_of contiguous = {{1000}, {}, {base, base, base}, false, false, 1000};
    EXPECT_EQ(contiguous.of_floats(), instance::strided);
    EXPECT_EQ(last_launch().x, 16u);
    EXPECT_EQ(last_launch().threads, 64u) << "a block for each multiprocessor, as far as there are so many";
    EXPECT_EQ((call_of{{1001}, {}, {base, base, base}, false, false, 1000}.of_floats()), instance::vectors);
    EXPECT_EQ((call_of{{10, 100}, {{1, 10}, {100, 1}, {100, 1}}, {base, base, base}, false, false, 1000}.of_floats()),
              instance::strided);
    EXPECT_EQ((call_of{{16'384}, {}, {base, base, base}, false, false, 16'384}.of_floats()), instance::strided);
    EXPECT_EQ(last_launch().threads, 256u);
    EXPECT_EQ((call_of{{1000}, {}, {base, base, base}, true, true, 1000}.chosen<float, 4, 1>()), instance::numbered)
        << "blocks of random words are shared";
}

TEST(Instances, ElementsThatHaveStridesOrTakeLongHaveAThreadEachWhileAllRunAtOnce) {
    const auto of = [](std::vector<std::vector<std::int64_t>> strides, bool is_long, std::int64_t rows = 10) {
        return call_of{{rows, 100}, std::move(strides), {base, base, base}, false, false, 100, 1000, is_long}
            .of_floats();
    };
    const std::vector<std::vector<std::int64_t>> columns = {{100, 1}, {1, 0}, {100, 1}};
    EXPECT_EQ(of({}, false), instance::vectors);
    EXPECT_EQ(of({}, true), instance::strided);
    EXPECT_EQ(of(columns, false), instance::strided);
    EXPECT_EQ(of({}, true, 11), instance::vectors);
    EXPECT_EQ(of(columns, true, 11), instance::flat);
}

/// What a part of a call is launched with: blocks of threads begin at multiples of their size, counted in the call.
TEST(Instances, NumberedBlocksBeginAtMultiplesOfTheirSize) {
    static std::int64_t origin, begin, end;
    static const void* output;
    look_at_arguments = [](void** arguments) {
        output = static_cast<const contiguous_operand*>(arguments[0])->data;
        origin = static_cast<const index_space<1>*>(arguments[1])->origin;
        const auto& range = *static_cast<const contiguous_range*>(arguments[2]);
        begin = range.begin, end = range.end;
    };
    const operand_address operands[] = {{reinterpret_cast<void*>(base), false}};
    const std::int64_t extents[] = {100'000};
    const operand_type types[] = {{sizeof(float), alignof(float)}};
    vectorize_code code = {&fake_file, {}, types, 0, 1, 256, 4, 1};
    for (int i = 0; i < vectorize_instances; ++i) code.instances[i] = fake_code(i);
    EXPECT_EQ(launch(code, {10'000, operands, nullptr, 5000, extents}, nullptr), 0);
    look_at_arguments = nullptr;
    EXPECT_EQ(static_cast<instance>(last_launch().instance), instance::numbered);
    EXPECT_EQ(origin, 4096);
    EXPECT_EQ(begin, 904);
    EXPECT_EQ(end, 10'904);
    EXPECT_EQ(last_launch().x, 6u) << "blocks of 2048 elements, two vectors a thread";
    EXPECT_EQ(output, reinterpret_cast<const void*>(base - 904 * sizeof(float)));
}

TEST(Instances, TheRestIsStrided) {
    EXPECT_EQ((call_of{{1000}, {{1}, {1}, {2}}}.of_floats()), instance::strided);
    EXPECT_EQ((call_of{{100, 3}, {{3, 1}, {0, 1}, {4, 1}}}.of_floats()), instance::strided);
    const std::int64_t far = std::int64_t{1} << 30;
    EXPECT_EQ((call_of{{4, 1000}, {{far, 1}, {0, 1}, {1000, 1}}}.of_floats()), instance::strided);
}
