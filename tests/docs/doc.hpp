// tests/docs/doc.hpp: what the code blocks of the documentation may use without saying so.
#pragma once

#include <foldwise/runtime.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

using cudaStream_t = CUstream_st*;

inline int doc_failures = 0;

inline void check(bool is_right, const char* file, int line, const char* text) {
    if (is_right) return;
    ++doc_failures;
    std::printf("%s:%d: %s\n", file, line, text);
}
#define CHECK(...) check((__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)

inline bool near(double a, double b) { return std::fabs(a - b) < 1e-5; }

inline void run(void (*block)()) {
    try {
        block();
    } catch (const std::exception& e) {
        ++doc_failures;
        std::printf("a block throws: %s\n", e.what());
    }
}
