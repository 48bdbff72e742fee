// tests/unit/generator/model/KernelPlan_test.cpp: plans of kernels of several patterns.
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(KernelPlan, PartsOfAFoldGetNamesThatTheUnitDoesNotHave) {
    UnitSpec unit;
    unit.kernels = {reduceKernel({reduceSignature(floatType(), floatType(), floatType())})};
    EXPECT_EQ(nameParts(unit.kernels[0], unit), (PartNames{"sum_map", "sum_combine", "sum_finish", "sum_identity"}));

    unit.kernels.push_back(vectorizeKernel({vectorizeSignature({floatType()}, floatType())}));
    unit.kernels.back().name = "sum_map";
    for (const char* name : {"sum_combine", "sum_combine_", "sum_finished"}) {
        unit.declarations.emplace_back();
        unit.declarations.back().name = name;
    }
    EXPECT_EQ(nameParts(unit.kernels[0], unit), (PartNames{"sum_map_", "sum_combine_2", "sum_finish", "sum_identity"}));
}

TEST(KernelPlan, BodiesOfTasksGetNamesThatTheUnitDoesNotHave) {
    UnitSpec unit;
    unit.kernels = {reduceKernel({reduceSignature(floatType(), floatType(), floatType())})};
    const BodyNames alone = nameBodies(unit.kernels[0], unit);
    EXPECT_EQ(alone.withLoops, "sum_with_loops");
    EXPECT_EQ(alone.inOwnSums, "sum_in_own_sums");
    EXPECT_EQ(alone.insideEdges, "sum_inside_edges");

    for (const char* name : {"sum_with_loops", "sum_in_own_sums", "sum_inside_edges"}) {
        unit.kernels.push_back(unit.kernels[0]);
        unit.kernels.back().name = name;
    }
    const BodyNames besides = nameBodies(unit.kernels[0], unit);
    EXPECT_EQ(besides.withLoops, "sum_with_loops_");
    EXPECT_EQ(besides.inOwnSums, "sum_in_own_sums_");
    EXPECT_EQ(besides.insideEdges, "sum_inside_edges_");
}
