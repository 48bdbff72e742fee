// tests/run/warp_loops.kernels.cpp: tasks with loops whose terms the lanes of a warp can compute: over rows and parts
// of rows, over arrays that all tasks read, in any shape that such loops are written in.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

namespace run {

using foldwise::index;
using foldwise::view;

auto triangle =
    foldwise::forall([](index<1> at, view<const double, 2> x, view<const double, 1> y, view<double, 1> out) {
        double found = 0;
        for (std::int64_t k = 0; k <= at[0]; ++k) found += x(at[0], k) * y(k);
        out(at) = found;
    });

// Products of a sparse matrix in CSR form and a vector.
auto sparse = foldwise::forall([](index<1> row, view<const std::int32_t, 1> first, view<const std::int32_t, 1> column,
                                  view<const float, 1> value, view<const float, 1> x, view<float, 1> out) {
    float sum = 0;
    for (int k = first[row]; k < first(row[0] + 1); k++) sum += value(k) * x(column(k));
    out[row] = sum;
});

struct nearest_point {
    float distance;
    std::int32_t number;
};
auto nearest = foldwise::forall(
    [](index<1> i, view<const float, 2> points, view<const float, 2> centres, view<nearest_point, 1> out) {
        float best = 1e30f;
        std::int32_t where = -1;
        for (std::int32_t c = 0; c < static_cast<std::int32_t>(centres.extent(0)); ++c) {
            float distance = 0;
            for (std::int64_t axis = 0; axis < centres.extent(1); ++axis) {
                const float d = points(i[0], axis) - centres(c, axis);
                distance += d * d;
            }
            if (distance < best) {
                best = distance;
                where = c;
            }
        }
        out[i] = {best, where};
    });

auto gaussians =
    foldwise::forall([](index<1> at, view<const double, 1> x, view<const double, 1> y, view<double, 1> out) {
        const double own = x(at);
        double found = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(y.extent(0)); ++k) {
            const double d = own - y(static_cast<std::int64_t>(k));
            found += std::exp(-(d * d));
        }
        out(at) = found;
    });

// Two loops, one behind the other, in a loop; several variables of one term; tasks of two axes.
auto moments = foldwise::forall(
    [](index<2> at, view<const float, 3> x, std::int32_t rounds, view<double, 2> mean, view<double, 2> variance) {
        const auto [i, j] = at;
        double sum = 0, squares = 0;
        for (std::int32_t round = 0; round < rounds; ++round) {
            sum = 0;
            squares = 0;
            for (std::int64_t k = 0; k < x.extent(2); ++k) sum += static_cast<double>(x(i, j, k));
            const double m = x.extent(2) > 0 ? sum / static_cast<double>(x.extent(2)) : 0.0;
            for (std::int64_t k = 0; k < x.extent(2); ++k) {
                const double d = x(i, j, k) - m;
                squares += d * d;
            }
            sum = m;
        }
        mean(i, j) = sum;
        if (x.extent(2) > 1) variance(i, j) = squares / static_cast<double>(x.extent(2) - 1);
    });

// An order that matters: a hash, of parts that begin and end anywhere; some tasks do not come to the loop.
auto hashes = foldwise::forall(
    [](index<1> i, view<const std::uint8_t, 1> text, view<const std::uint32_t, 2> parts, view<std::uint64_t, 1> out) {
        if (i[0] % 5 == 2) {
            out[i] = 7;
            return;
        }
        std::uint64_t hash = 14695981039346656037u;
        for (std::uint32_t k = parts(i[0], 0); k < parts(i[0], 1); ++k) hash = (hash ^ text(k)) * 1099511628211u;
        out[i] = hash;
    });

// Sums of shifted rows, weighted by what all tasks read; tasks of two axes, two loops.
auto filtered = foldwise::forall([](index<2> at, view<const std::int32_t, 2> x, view<const std::int32_t, 1> taps,
                                    view<std::int64_t, 2> out, std::int32_t rounds) {
    const auto [r, c] = at;
    std::int64_t sum = 0, spread = 1;
    for (std::int32_t k = 0; k < rounds; ++k) spread += std::int64_t{taps(k)} * taps(k);
    for (std::int64_t k = 0; k < taps.extent(0); ++k) {
        const std::int64_t column = c + k < x.extent(1) ? c + k : c;
        sum += std::int64_t{x(r, column)} * taps(k);
    }
    if (sum < 0) sum -= spread;
    out(r, c) = sum;
});

auto waves = foldwise::forall([](index<1> i, view<const std::complex<float>, 2> x, view<std::complex<float>, 1> out) {
    std::complex<float> sum = 0;
    for (std::int64_t k = 0; k < x.extent(1); ++k) sum += x(i[0], k) * std::complex<float>(0, 1);
    out[i] = sum;
});

}  // namespace run
