// examples.hpp: what programs of several examples share: a command line, a clock, a comparison, pictures.
#pragma once

#include "picture.hpp"

#include <foldwise/runtime.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct Size {
    std::int64_t width, height;
};

struct Options {
    std::string example;
    std::optional<Size> size;
    std::optional<int> steps;
    std::string in, out;
    bool check = false;  ///< Compare with plain loops on the host.
};

struct Example {
    const char* name;
    void (*run)(const Options&);
    std::vector<const char*> help;  ///< Lines of at most 100 characters.
};

/// The main function of a program of this name: runs the example that the command line names, and returns the program's
/// status.
int runExample(const std::string& program, const std::vector<Example>& examples, int argc, char** argv);

/// "1600 x 1000".
std::string describe(Size size);

/// Where kernels run if nothing else is said: "GPU" or "CPU".
const char* whereKernelsRun();

/// Runs `work` twice, the first time to start the GPU or the threads, and prints how long the second took.
template <class Work> auto timed(const std::string& what, Work work, double* milliseconds = nullptr) {
    work();
    const auto begin = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %.3f ms on the %s, copies there and back included\n", what.c_str(), took.count(),
                whereKernelsRun());
    if (milliseconds) *milliseconds = took.count();
    return result;
}

/// A result is not what a plain loop computes.
struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws Mismatch unless each element is within `tolerance` of the expected one.
template <class T> void expectSame(const std::vector<T>& got, const std::vector<T>& expected, double tolerance) {
    if (got.size() != expected.size()) throw Mismatch("not as many elements as by the plain loop");
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto is = static_cast<double>(got[i]), should_be = static_cast<double>(expected[i]);
        if (!(std::abs(is - should_be) <= tolerance))
            throw Mismatch("element " + std::to_string(i) + " is " + std::to_string(is) + ", by the plain loop " +
                           std::to_string(should_be));
    }
    std::printf("  checked: %zu elements are as by the plain loop\n", got.size());
}

/// Black.
Picture blankPicture(Size size);

/// writePng, and a word of it.
void savePicture(const std::string& path, const Picture& picture);
