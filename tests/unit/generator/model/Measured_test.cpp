// tests/unit/generator/model/Measured_test.cpp: reading result files of the benchmarks.
#include "model/Measured.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static std::string errorOfMeasured(llvm::StringRef text) {
    llvm::Expected<Measured> measured = parseMeasured(text);
    return measured ? "none" : llvm::toString(measured.takeError());
}

static Measured measuredOn(const std::string& gpu) { return {gpu, {}}; }

TEST(Measured, TimesOfFoldwisesKernelsAreKept) {
    llvm::Expected<Measured> measured = parseMeasured(R"({"gpu": "NVIDIA H200", "cells": [
        {"suite": "vectorize", "case": "add", "type": "float", "n": 1000, "bytes": 12000, "impl": "foldwise", "us": 2.5},
        {"suite": "vectorize", "case": "add", "type": "float", "n": 1000, "bytes": 12000, "impl": "cub", "us": 3},
        {"suite": "vectorize", "case": "add", "type": "double", "n": 1000, "bytes": 24000, "impl": "foldwise", "us": 4},
        {"suite": "vectorize", "case": "add", "type": "half", "n": 1, "bytes": 6, "impl": "foldwise", "why": "none"}]})");
    ASSERT_TRUE(static_cast<bool>(measured));
    ASSERT_EQ(measured->calls.size(), 2u);
    const std::vector<MeasuredCall> found = measured->find("add", 1000, 12);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].type, "float");
    EXPECT_DOUBLE_EQ(found[0].seconds, 2.5e-6);
    EXPECT_EQ(measured->find("add", 1000, 24).size(), 1u);
    EXPECT_TRUE(measured->find("add", 1001, 12).empty());
    EXPECT_TRUE(measured->find("sub", 1000, 12).empty());
}

TEST(Measured, OtherFilesAreRefused) {
    EXPECT_NE(errorOfMeasured("{"), "none");
    EXPECT_EQ(errorOfMeasured(R"({"cells": []})"), R"(it has no "gpu", so it is no result of a GPU's benchmarks)");
    EXPECT_EQ(errorOfMeasured(R"({"gpu": "NVIDIA H200"})"), R"(it has no "cells")");
    EXPECT_EQ(errorOfMeasured(R"({"gpu": "NVIDIA H200", "cells": [{"impl": "foldwise", "us": 1}]})"),
              "a cell of Foldwise's lacks its case, type, n, bytes or a time");
}

TEST(Measured, GpusAreToldApartByTheirModels) {
    EXPECT_TRUE(measuredOn("NVIDIA H100 80GB HBM3").isOf(*findGpu("h100")));
    EXPECT_FALSE(measuredOn("NVIDIA H100 80GB HBM3").isOf(*findGpu("h200")));
    EXPECT_TRUE(measuredOn("NVIDIA A100-SXM4-80GB").isOf(*findGpu("a100")));
    EXPECT_TRUE(measuredOn("NVIDIA GeForce RTX 4090").isOf(*findGpu("rtx4090")));
    EXPECT_TRUE(measuredOn("NVIDIA L4").isOf(*findGpu("l4")));
    EXPECT_FALSE(measuredOn("NVIDIA L40S").isOf(*findGpu("l4")));
}
