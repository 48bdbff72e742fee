// tests/unit/generator/model/VectorizePlan_test.cpp: plans of vectorize kernels.
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(VectorizePlan, TheWidestTypeFillsSixteenBytes) {
    EXPECT_EQ(planSignature(vectorizeSignature({int8Type()}, int8Type())).cuda.width, 16u);
    EXPECT_EQ(planSignature(vectorizeSignature({floatType()}, floatType())).cuda.width, 4u);
    EXPECT_EQ(planSignature(vectorizeSignature({int8Type(), doubleType()}, floatType())).cuda.width, 2u);
    EXPECT_EQ(planSignature(vectorizeSignature({int8Type()}, doubleType())).cuda.width, 2u);
    EXPECT_EQ(planSignature(vectorizeSignature({}, boolType())).cuda.width, 16u);
}

TEST(VectorizePlan, SeedsLeaveTheElementsOfABlockOfRandomWordsTogether) {
    VectorizeSignature signature = vectorizeSignature({doubleType()}, floatType());
    signature.indexRank = 1;
    EXPECT_EQ(planSignature(signature).cuda.width, 2u);
    signature.drawsByNumber = true;
    EXPECT_EQ(planSignature(signature).cuda.width, 4u);
}

TEST(VectorizePlan, StructsOfOddSizesMoveInWordsOfFourBytes) {
    const ElementType point{"Point", "Point", TypeKind::Structure, 12, 4};
    EXPECT_EQ(planSignature(vectorizeSignature({point, point}, point)).cuda.width, 1u);
    EXPECT_EQ(planSignature(vectorizeSignature({point, floatType()}, point)).cuda.width, 1u);
    EXPECT_EQ(planSignature(vectorizeSignature({floatType()}, point)).cuda.width, 1u);
}

TEST(VectorizePlan, StructsOfThreeNumbersAreReadInWordsOfSixteenBytesBesideNarrowerElements) {
    const ElementType floats{"Floats", "Floats", TypeKind::Structure, 12, 4};
    const ElementType doubles{"Doubles", "Doubles", TypeKind::Structure, 24, 8};
    const ElementType bytes{"Bytes", "Bytes", TypeKind::Structure, 3, 1};
    EXPECT_EQ(planSignature(vectorizeSignature({floats}, floatType())).cuda.width, 4u);
    EXPECT_EQ(planSignature(vectorizeSignature({int8Type(), doubles}, floatType())).cuda.width, 2u);
    EXPECT_EQ(planSignature(vectorizeSignature({bytes}, int8Type())).cuda.width, 4u) << "words of four bytes";
}

TEST(VectorizePlan, CountsBytesPerElement) {
    const SignaturePlan plan = planSignature(vectorizeSignature({int8Type(), doubleType(), floatType()}, floatType()));
    EXPECT_EQ(plan.bytesRead, 13u);
    EXPECT_EQ(plan.bytesWritten, 4u);
    EXPECT_EQ(planSignature(vectorizeSignature({}, doubleType())).bytesRead, 0u);
}
