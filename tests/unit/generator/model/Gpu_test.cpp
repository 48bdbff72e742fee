// tests/unit/generator/model/Gpu_test.cpp: the table of GPUs against what the datasheets promise.
#include "model/Gpu.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace foldwise;

TEST(Gpu, IsFoundByNameInAnyCase) {
    ASSERT_NE(findGpu("h200"), nullptr);
    EXPECT_EQ(findGpu("H200"), findGpu("h200"));
    EXPECT_EQ(findGpu("h200")->title, "NVIDIA H200");
    EXPECT_DOUBLE_EQ(findGpu("h200")->bytesPerSecond, 4.8e12);
    EXPECT_EQ(findGpu("h20"), nullptr);
    EXPECT_EQ(findGpu(""), nullptr);
}

TEST(Gpu, RatesAreThoseOfTheDatasheets) {
    // TFLOPS of float32 and float64, two for each fused multiply-add, as the datasheets print them. Those of b200 are
    // of the HGX board's sheet, for each of its eight.
    const std::map<std::string, std::pair<double, double>> teraflops = {
        {"b200", {75, 37}},        {"h200", {67, 34}},    {"h100", {67, 34}},
        {"a100", {19.5, 9.7}},     {"l40s", {91.6, 1.4}}, {"l4", {30.3, 0.47}},
        {"rtx4090", {82.6, 1.29}}, {"v100", {15.7, 7.8}}, {"t4", {8.1, 0.25}}};
    EXPECT_EQ(teraflops.size(), allGpus().size());
    for (const Gpu& gpu : allGpus()) {
        const auto [single, twice] = teraflops.at(gpu.name.str());
        EXPECT_NEAR(2e-12 * gpu.resultsPerSecond(Pipe::Float32) / single, 1, 0.02) << gpu.name.str();
        EXPECT_NEAR(2e-12 * gpu.resultsPerSecond(Pipe::Float64) / twice, 1, 0.04) << gpu.name.str();
    }
}

TEST(Gpu, EveryRateIsThere) {
    for (const Gpu& gpu : allGpus())
        for (const double rate : gpu.resultsPerCycle) EXPECT_GT(rate, 0) << gpu.name.str();
}
