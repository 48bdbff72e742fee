// tests/unit/runtime/scatter/launch_scatter_test.cpp: how a scattered fold is computed on a GPU, and by how many
// blocks.
#include "fake_file.hpp"

#include <foldwise/detail/scatter_code.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace foldwise::detail;

namespace {

std::vector<noted_launch>& launches() {
    static std::vector<noted_launch> all;
    return all;
}

constexpr operand_type types[] = {{4, 4}, {4, 4}}, bytes[] = {{4, 4}, {1, 1}};

/// A fold of as many integers into so many bins.
struct trial {
    std::int64_t count, bins;
    bool is_atomic = true, is_fresh = false, is_exact = true, is_reproducible = false;
    int chunks = 1;
    bool has_sort = true;
    std::size_t memory = 1 << 30;
    bool are_bytes = false;
    int most_threads = 256;  ///< Of a block with copies.
    int least_rows = 0;
};

/// How many pairs each sort was given.
std::vector<std::int64_t>& sorts() {
    static std::vector<std::int64_t> all;
    return all;
}

int note_sort(key_sort& all, CUstream_st*) {
    if (!all.temporary) {
        all.temporary_bytes = 1000;
        return 0;
    }
    sorts().push_back(all.count);
    all.half = 1 - all.half;
    return 0;
}

std::size_t needed_memory = 0;

std::vector<noted_launch> launched(const trial& of) {
    gpu_file file = fake_file;
    file.is_reproducible = of.is_reproducible;
    if (of.most_threads > 256)
        file.occupancy = [](gpu_code, int, int* blocks, int* multiprocessors) {
            *blocks = 8;
            *multiprocessors = 100;
            return 0;
        };
    known_blocks resident[scatter_instances] = {};
    scatter_code code = {.file = &file,
                         .instances = {},
                         .resident = resident,
                         .operands = of.are_bytes ? bytes : types,
                         .inputs = 1,
                         .threads = 256,
                         .width = 4,
                         .index_rank = 0,
                         .entries = 1,
                         .copies = of.most_threads > 256 ? 32 : 8,
                         .least_rows = of.least_rows,
                         .threads_of_copies = of.most_threads,
                         .is_exact = of.is_exact};
    for (int i = 0; i < scatter_instances; ++i) code.instances[i] = fake_code(i);
    if (!of.is_atomic)
        for (scatter_instance one : {scatter_instance::shared_vectors, scatter_instance::shared_elements,
                                     scatter_instance::atomic_vectors, scatter_instance::atomic_elements})
            code.instances[static_cast<int>(one)] = nullptr;
    alignas(16) static std::byte memory[16];
    const operand_address x{memory, false};
    std::size_t needed = 0;
    const scatter_call call{{of.count, &x, nullptr, 0, nullptr},
                            {memory, {of.bins}, {1}},
                            1,
                            of.is_fresh,
                            of.chunks,
                            of.has_sort ? note_sort : nullptr,
                            memory,
                            of.memory,
                            &needed};
    launches().clear();
    sorts().clear();
    look_at_arguments = [](void**) { launches().push_back(last_launch()); };
    const int status = launch(code, call, nullptr);
    EXPECT_EQ(status, needed > of.memory ? needs_memory : 0);
    needed_memory = needed;
    look_at_arguments = nullptr;
    return launches();
}

int number(scatter_instance one) { return static_cast<int>(one); }

TEST(LaunchScatter, FewBinsHaveCopiesInSharedMemory) {
    const auto all = launched({.count = 100'000'000, .bins = 256});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::shared_vectors));
    EXPECT_EQ(all[0].x, 300u);
    EXPECT_EQ(all[0].shared_bytes, 8u * 257 * 4);
    EXPECT_EQ(launched({.count = 100'000'000, .bins = 4096})[0].shared_bytes, 4097u * 4);
    const auto of_bytes = [](std::int64_t bins) {
        return launched({.count = 100'000'000, .bins = bins, .least_rows = 256})[0].shared_bytes;
    };
    EXPECT_EQ(of_bytes(10), 8u * 257 * 4) << "room for every value of a byte";
    EXPECT_EQ(of_bytes(4095), 4096u * 4);
    EXPECT_EQ(of_bytes(4096), 4353u * 4) << "a number that compilers know not to be below 256";
    EXPECT_EQ(of_bytes(12'287), 12'288u * 4) << "no more than all bins may take";
    EXPECT_EQ(of_bytes(11'800), 12'057u * 4);
}

TEST(LaunchScatter, ManyElementsHaveLargeBlocksWithACopyForEachLane) {
    const auto bins = [](std::int64_t count, std::int64_t bins) {
        return launched({.count = count, .bins = bins, .most_threads = 1024})[0];
    };
    const noted_launch few = bins(100'000'000, 256);
    EXPECT_EQ(few.threads, 1024u);
    EXPECT_EQ(few.x, 200u) << "as many threads as run at once";
    EXPECT_EQ(few.shared_bytes, 32u * 257 * 4);
    EXPECT_EQ(bins(100'000'000, 4096).shared_bytes, 4u * 4097 * 4) << "what half of a multiprocessor has room for";
    const noted_launch small = bins(800'000, 256);
    EXPECT_EQ(small.threads, 256u) << "not all threads that run at once would have a vector";
    EXPECT_EQ(small.shared_bytes, 8u * 257 * 4) << "fewer to fill and to empty";
}

TEST(LaunchScatter, ManyBinsAreCombinedWhereTheyAre) {
    EXPECT_EQ(launched({.count = 100'000'000, .bins = 1'000'000})[0].instance,
              number(scatter_instance::atomic_vectors));
    EXPECT_EQ(launched({.count = 1000, .bins = 4096})[0].instance, number(scatter_instance::atomic_vectors))
        << "fewer elements than bins";
    EXPECT_EQ(launched({.count = 100'000'000, .bins = 1'000'000})[0].shared_bytes, 2048u * (4 + 4)) << "kept bins";
    EXPECT_EQ(launched({.count = 1'000'000, .bins = 1'000'000})[0].shared_bytes, 512u * (4 + 4))
        << "fewer for fewer elements";
    EXPECT_EQ(launched({.count = 100, .bins = 1'000'000})[0].shared_bytes, 0u);
}

TEST(LaunchScatter, BytesAreCombinedInWords) {
    for (const bool is_fresh : {false, true}) {
        const auto all = launched({.count = 1'000'000, .bins = 100'000, .is_fresh = is_fresh, .are_bytes = true});
        ASSERT_EQ(all.size(), 3u);
        EXPECT_EQ(all[0].instance, number(scatter_instance::join)) << "fills the words";
        EXPECT_EQ(all[1].instance, number(scatter_instance::atomic_vectors));
        EXPECT_EQ(all[2].instance, number(scatter_instance::join));
    }
    EXPECT_EQ(launched({.count = 1'000'000, .bins = 100, .are_bytes = true})[1].instance,
              number(scatter_instance::shared_vectors));
    EXPECT_TRUE(launched({.count = 1000, .bins = 1000, .memory = 3999, .are_bytes = true}).empty());
}

TEST(LaunchScatter, ANewOutputIsFilledFirst) {
    const auto all = launched({.count = 1000, .bins = 10, .is_fresh = true});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::join));
    EXPECT_EQ(launched({.count = 0, .bins = 10, .is_fresh = true}).size(), 1u);
}

TEST(LaunchScatter, OrderIsKeptWhereItMatters) {
    const auto ordered =
        launched({.count = 1'000'000, .bins = 10, .is_atomic = false, .chunks = 488, .has_sort = false});
    ASSERT_EQ(ordered.size(), 2u);
    EXPECT_EQ(ordered[0].instance, number(scatter_instance::ordered));
    EXPECT_EQ(ordered[0].x, 488u);
    EXPECT_EQ(ordered[1].instance, number(scatter_instance::join));
    const auto floats =
        launched({.count = 1'000'000, .bins = 10, .is_exact = false, .is_reproducible = true, .chunks = 488});
    EXPECT_EQ(floats[2].instance, number(scatter_instance::sorted));
    const auto integers = launched({.count = 1'000'000, .bins = 10, .is_reproducible = true, .chunks = 488});
    EXPECT_EQ(integers[0].instance, number(scatter_instance::shared_vectors)) << "exact in any order";
    EXPECT_EQ(launched({.count = 100, .bins = 10, .is_atomic = false}).size(), 1u) << "one chunk has no copies";
}

TEST(LaunchScatter, ManyElementsAreCombinedInOrderBySorting) {
    std::vector<noted_launch> all = launched({.count = 5'000'000, .bins = 1'000'000, .is_atomic = false, .chunks = 5});
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::join)) << "fills the copies";
    EXPECT_EQ(all[1].instance, number(scatter_instance::pairs));
    EXPECT_EQ(all[2].instance, number(scatter_instance::sorted));
    EXPECT_EQ(all[3].instance, number(scatter_instance::join));
    EXPECT_EQ(sorts(), (std::vector<std::int64_t>{5'000'000}));
    all = launched({.count = 20'000'000, .bins = 15'000'000, .is_atomic = false});
    EXPECT_EQ(sorts(), (std::vector<std::int64_t>{7 << 20, 7 << 20, 20'000'000 - (14 << 20)}))
        << "one batch after another";
    EXPECT_EQ(all.size(), 6u);
    EXPECT_TRUE(launched({.count = 20'000'000, .bins = 15'000'000, .is_atomic = false, .memory = 100}).empty());
    EXPECT_GE(needed_memory, std::size_t{16 * 7} << 20);
    EXPECT_LE(needed_memory, (std::size_t{16 * 7} << 20) + 1024);
    all = launched({.count = 20'000'000, .bins = 15'000'000, .is_atomic = false, .has_sort = false});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::ordered));
}

}  // namespace
