// tests/unit/generator/model/ReducePlan_test.cpp: plans of reductions.
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(ReducePlan, NamesThatAReductionsTemplatesWriteGiveWayInTheKernel) {
    for (const std::string name :
         {"Count", "Place", "enter", "mapped", "place", "places", "strides", "tile", "tiles"}) {
        UnitSpec unit;
        unit.kernels = {reduceKernel({reduceSignature(floatType(), floatType(), floatType())})};
        unit.kernels[0].as<ReduceSpec>().signatures[0].inputs[0].name = name;
        EXPECT_EQ(planUnit(unit)[0][0].operands[0].local, name + "_");
    }
}

TEST(ReducePlan, ReadsElementsAndWritesOnce) {
    const SignaturePlan plan = planSignature(reduceSignature(floatType(), doubleType(), doubleType()));
    EXPECT_EQ(plan.bytesRead, 4u);
    EXPECT_EQ(plan.bytesWritten, 0u);
    EXPECT_EQ(plan.cuda, (CudaPlan{.threads = 512, .word = 16, .width = 4})) << "the widest input counts, no result";
}
