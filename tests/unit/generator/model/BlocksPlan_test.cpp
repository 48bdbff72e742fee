// tests/unit/generator/model/BlocksPlan_test.cpp: the threads and the shared memory of planned blocks.
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(BlocksPlan, UpTo256ItemsHaveAThreadEach) {
    EXPECT_EQ(threadsOf(1), 32u);
    EXPECT_EQ(threadsOf(32), 32u);
    EXPECT_EQ(threadsOf(33), 64u);
    EXPECT_EQ(threadsOf(256), 256u);
}

TEST(BlocksPlan, ThreadsOfLargerBlocksHaveSeveralItems) {
    for (const std::uint64_t items : {257, 1000, 1024, 1025, 4096, 5000, 16384}) {
        BlocksSignature signature;
        signature.extents = {items};
        signature.threads = threadsOf(items);
        EXPECT_EQ(signature.threads & (signature.threads - 1), 0u) << "folds take groups of powers of two";
        EXPECT_LE(signature.threads, 1024u) << items;
        EXPECT_GE(signature.threads * itemsOfThread(signature), items);
        EXPECT_LE(itemsOfThread(signature), items <= 4096 ? 4u : 16u) << items;
    }
}

TEST(BlocksPlan, RegistersAreBoundWhereItemsOwnMany) {
    BlocksSignature signature;
    signature.extents = {16, 16};
    signature.threads = 256;
    const auto blocksOf = [&](std::uint32_t owned) {
        signature.owned = owned;
        return leastBlocks(signature);
    };
    EXPECT_EQ(blocksOf(0), 1u);
    EXPECT_EQ(blocksOf(4), 1u) << "few anyway";
    EXPECT_EQ(blocksOf(4 * 72), 2u) << "an item's 8 by 8 sums, and what it loads next";
    EXPECT_EQ(blocksOf(8 * 64), 1u) << "more than have room";
    signature.threads = 64;
    signature.extents = {8, 8};
    EXPECT_EQ(blocksOf(4 * 72), 8u);
    signature.threads = 256;
    signature.extents = {32, 32};
    EXPECT_EQ(blocksOf(4 * 16), 2u) << "of each of a thread's items";
}

TEST(BlocksPlan, FoldsAndScansHaveTwoHalvesOfMemory) {
    BlocksSignature signature;
    signature.extents = {256};
    EXPECT_EQ(scratchBytes(signature), 0u);
    signature.exchanged = 8;
    EXPECT_EQ(scratchBytes(signature), 2u * 64);
    signature.extents = {32};
    EXPECT_EQ(scratchBytes(signature), 2u * 16) << "aligned as shared memory is";
}

TEST(BlocksPlan, SharedArraysFollowEachOtherAligned) {
    BlocksSignature signature;
    signature.extents = {32};
    signature.shared = {{"bytes", int8Type(), {5}, "5", {}}, {"words", doubleType(), {2, 3}, "2 * 3", {}}};
    EXPECT_EQ(sharedBytes(signature), 8u + 48);
    signature.shared.push_back({"more", floatType(), {}, "n", {}});
    EXPECT_EQ(sharedBytes(signature), std::nullopt) << "the call knows";
}
