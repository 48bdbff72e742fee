// tests/unit/runtime/simulator/written_memory_test.cpp: which bytes count as written.
#include "simulator/written_memory.hpp"

#include <foldwise/simulator/types.hpp>

#include <gtest/gtest.h>

namespace {

using foldwise::simulation::written_memory;

TEST(WrittenMemory, BytesAreWrittenOneByOne) {
    char memory[16] = {};
    written_memory watched;
    watched.watch(memory, sizeof memory);
    EXPECT_FALSE(watched.is_written(memory, 1));
    watched.write(memory + 4, 4);
    EXPECT_TRUE(watched.is_written(memory + 4, 4));
    EXPECT_TRUE(watched.is_written(memory + 5, 2));
    EXPECT_FALSE(watched.is_written(memory + 3, 2));
    EXPECT_FALSE(watched.is_written(memory + 7, 2));
}

TEST(WrittenMemory, WhatIsNotWatchedCountsAsWritten) {
    char memory[16] = {}, other = 0;
    written_memory watched;
    watched.watch(memory, 8);
    watched.watch(memory, 0);
    EXPECT_TRUE(watched.is_written(&other, 1));
    EXPECT_TRUE(watched.is_written(memory + 8, 8));
    watched.write(memory, 16);  // runs over the end
    EXPECT_TRUE(watched.is_written(memory, 16));
}

TEST(WrittenMemory, IsForgottenWhenABlockBegins) {
    char first[8] = {}, second[8] = {};
    written_memory watched;
    watched.watch(first, sizeof first);
    watched.watch(second, sizeof second);
    watched.write(first + 7, 1);
    watched.write(second, 8);
    watched.forget();
    for (const char& byte : first) EXPECT_FALSE(watched.is_written(&byte, 1));
    for (const char& byte : second) EXPECT_FALSE(watched.is_written(&byte, 1));
}

TEST(WrittenMemory, ThreadLocalVariablesAreWatchedAndTheSimulatorsOwnWritten) {
    thread_local int shared[4];
    written_memory watched;
    watched.watch_thread_local_variables();
    for (int blocks = 0; blocks < 2; ++blocks) {
        EXPECT_TRUE(watched.is_written(&foldwise::simulation::threadIdx, sizeof foldwise::simulation::threadIdx));
        EXPECT_TRUE(watched.is_written(&foldwise::simulation::gridDim.z, sizeof(int)));
        EXPECT_FALSE(watched.is_written(shared + 2, sizeof(int)));
        watched.write(shared + 2, sizeof(int));
        EXPECT_TRUE(watched.is_written(shared + 2, sizeof(int)));
        EXPECT_FALSE(watched.is_written(shared + 1, sizeof(int)));
        watched.forget();
    }
}

}  // namespace
