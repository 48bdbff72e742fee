// options.hpp: what the command line asks for.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

struct Options {
    std::string input;
    std::string output;
    float gamma = 1;
    std::array<float, 3> tint{1, 1, 1};
    bool grey = false;
};

/// A call that cannot be understood.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

extern const char* const usage;

Options parseOptions(int argc, char** argv);
