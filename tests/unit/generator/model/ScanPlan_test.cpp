// tests/unit/generator/model/ScanPlan_test.cpp: plans of scans.
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// A scan of `input` to `output` in accumulators of `bytes`.
static ScanSignature scanSignature(const ElementType& input, const ElementType& output, unsigned bytes) {
    ScanSignature signature;
    static_cast<FoldSignature&>(signature) = reduceSignature(input, input, output);
    signature.fold.accumulator.size = bytes;
    return signature;
}

TEST(ScanPlan, ReadsAndWritesEveryElement) {
    const SignaturePlan plan = planSignature(scanSignature(floatType(), doubleType(), 4));
    EXPECT_EQ(plan.bytesRead, 4u);
    EXPECT_EQ(plan.bytesWritten, 8u);
    EXPECT_EQ(plan.cuda.width, 2u) << "the widest operand fills 16 bytes";
    EXPECT_EQ(planSignature(scanSignature(floatType(), floatType(), 4)).cuda.width, 4u);
}

/// A vector of each thread's accumulators is in shared memory, 16 KiB at most.
TEST(ScanPlan, LargeAccumulatorsHaveFewerThreads) {
    EXPECT_EQ(planSignature(scanSignature(floatType(), floatType(), 4)).cuda.threads, 256u);
    EXPECT_EQ(planSignature(scanSignature(floatType(), floatType(), 16)).cuda.threads, 256u);
    EXPECT_EQ(planSignature(scanSignature(floatType(), floatType(), 24)).cuda.threads, 128u);
    EXPECT_EQ(planSignature(scanSignature(floatType(), floatType(), 64)).cuda.threads, 64u);
}
