// tests/golden/scan/scan.kernels.cpp: scans: types and parts that differ, an index, and a shape alone.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace stats {

/// Adds all elements so far.
auto running = foldwise::scan<float, std::int64_t(std::int32_t)>(std::plus<>{}, foldwise::identity(0));

struct affine {
    float slope, offset;
};

// h[t] = a[t] * h[t - 1] + b[t].
auto recurrence = foldwise::scan<float(float, float)>(
    foldwise::map([](float a, float b) {
        return affine{a, b};
    }),
    foldwise::combine([](affine f, affine g) {
        return affine{f.slope * g.slope, f.offset * g.slope + g.offset};
    }),
    foldwise::no_identity, foldwise::finish([](affine f) { return f.offset; }));

// The place of the last element above a limit.
auto last_above = foldwise::scan<std::int64_t(float, float)>(
    foldwise::map([](foldwise::index<1> i, float x, float limit) { return x > limit ? std::int64_t{i} : -1; }),
    [](std::int64_t a, std::int64_t b) { return a < b ? b : a; }, foldwise::identity(-1));

auto harmonic = foldwise::scan<double()>(foldwise::map([](foldwise::index<1> i) { return 1.0 / static_cast<double>(i + 1); }),
                                         std::plus<>{}, foldwise::identity(0));

}  // namespace stats
