// tests/unit/runtime/scatter/launch_scatter_test.cpp: which way a scattered fold is computed, by how many blocks.
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

constexpr operand_type types[] = {{4, 4}, {4, 4}};

/// A fold of as many integers into so many bins.
struct trial {
    std::int64_t count, bins;
    bool is_atomic = true, is_fresh = false, is_exact = true, is_reproducible = false;
    int chunks = 1;
};

std::vector<noted_launch> launched(const trial& of) {
    gpu_file file = fake_file;
    file.is_reproducible = of.is_reproducible;
    known_blocks resident[scatter_instances] = {};
    scatter_code code = {.file = &file,
                         .instances = {},
                         .resident = resident,
                         .operands = types,
                         .inputs = 1,
                         .threads = 256,
                         .width = 4,
                         .index_rank = 0,
                         .entries = 1,
                         .is_exact = of.is_exact};
    for (int i = 0; i < scatter_instances; ++i) code.instances[i] = fake_code(i);
    if (!of.is_atomic)
        for (scatter_instance one : {scatter_instance::shared_vectors, scatter_instance::shared_elements,
                                     scatter_instance::atomic_vectors, scatter_instance::atomic_elements})
            code.instances[static_cast<int>(one)] = nullptr;
    alignas(16) static std::byte memory[16];
    const operand_address x{memory, false};
    const scatter_call call{
        {of.count, &x, nullptr, 0, nullptr}, {memory, {of.bins}, {1}}, 1, of.is_fresh, of.chunks, memory};
    launches().clear();
    look_at_arguments = [](void**) { launches().push_back(last_launch()); };
    EXPECT_EQ(launch(code, call, nullptr), 0);
    look_at_arguments = nullptr;
    return launches();
}

int number(scatter_instance one) { return static_cast<int>(one); }

TEST(LaunchScatter, FewBinsHaveCopiesInSharedMemory) {
    const auto all = launched({.count = 100'000'000, .bins = 256});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::shared_vectors));
    EXPECT_EQ(all[0].x, 300u);
    EXPECT_EQ(all[0].shared_bytes, 16u * 256 * 4);
    EXPECT_EQ(launched({.count = 100'000'000, .bins = 4096})[0].shared_bytes, 4096u * 4);
}

TEST(LaunchScatter, ManyBinsAreCombinedWhereTheyAre) {
    EXPECT_EQ(launched({.count = 100'000'000, .bins = 1'000'000})[0].instance,
              number(scatter_instance::atomic_vectors));
    EXPECT_EQ(launched({.count = 1000, .bins = 4096})[0].instance, number(scatter_instance::atomic_vectors))
        << "fewer elements than bins";
}

TEST(LaunchScatter, ANewOutputIsFilledFirst) {
    const auto all = launched({.count = 1000, .bins = 10, .is_fresh = true});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].instance, number(scatter_instance::join));
    EXPECT_EQ(launched({.count = 0, .bins = 10, .is_fresh = true}).size(), 1u);
}

TEST(LaunchScatter, OrderIsKeptWhereItMatters) {
    const auto ordered = launched({.count = 1'000'000, .bins = 10, .is_atomic = false, .chunks = 488});
    ASSERT_EQ(ordered.size(), 2u);
    EXPECT_EQ(ordered[0].instance, number(scatter_instance::ordered));
    EXPECT_EQ(ordered[0].x, 488u);
    EXPECT_EQ(ordered[1].instance, number(scatter_instance::join));
    const auto floats =
        launched({.count = 1'000'000, .bins = 10, .is_exact = false, .is_reproducible = true, .chunks = 488});
    EXPECT_EQ(floats[0].instance, number(scatter_instance::ordered));
    const auto integers = launched({.count = 1'000'000, .bins = 10, .is_reproducible = true, .chunks = 488});
    EXPECT_EQ(integers[0].instance, number(scatter_instance::shared_vectors)) << "exact in any order";
    EXPECT_EQ(launched({.count = 1'000'000, .bins = 10, .is_atomic = false}).size(), 1u) << "one chunk has no copies";
}

}  // namespace
