// tests/unit/generator/model/StencilPlan_test.cpp: how many elements a thread of a stencil kernel has.
#include "model/StencilThread.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// A star: an element and those up to `radius` beside it, along each axis.
static StencilSignature star(const ElementType& type, std::uint32_t rank, std::uint32_t radius) {
    StencilSignature signature;
    signature.inputs = {{"a", type, rank}};
    signature.outputs = {{"out", type, 0}};
    signature.around = {{0, ""}};
    signature.rank = rank;
    signature.reach.resize(rank, {radius, radius});
    signature.reads = rank * (2 * radius + 1);
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
        Look look{0, {rank, {radius, 1}}};
        look.along[axis] = {0, 2 * radius + 1};
        signature.looks.push_back(look);
    }
    return signature;
}

TEST(StencilPlan, AThreadHasVectorsThatHaveRoomInRegisters) {
    const StencilThread seven = threadOf(star(floatType(), 3, 1));
    EXPECT_TRUE(seven.hasWindows);
    EXPECT_EQ(seven.width, 4u) << "16 bytes";
    EXPECT_EQ(seven.planes, 4u);
    EXPECT_EQ(seven.elements, 8u);
    EXPECT_EQ(threadOf(star(doubleType(), 2, 1)).width, 2u);
    EXPECT_EQ(threadOf(star(int8Type(), 2, 1)).width, 8u) << "each element takes a register";
    EXPECT_EQ(threadOf(star(doubleType(), 3, 2)).planes, 2u);
    EXPECT_EQ(threadOf(star(floatType(), 3, 4)).planes, 1u);
}

TEST(StencilPlan, AThreadLooksInMemoryWhereOffsetsAreNotFixedOrMany) {
    StencilSignature signature = star(floatType(), 2, 1);
    signature.looks.clear();
    EXPECT_FALSE(threadOf(signature).hasWindows);
    EXPECT_EQ(threadOf(signature).elements, 1u);
    EXPECT_FALSE(threadOf(star(floatType(), 4, 3)).hasWindows) << "a box of so many cells";
    EXPECT_FALSE(threadOf(star(floatType(), 1, 16)).hasWindows) << "33 reads";
}
