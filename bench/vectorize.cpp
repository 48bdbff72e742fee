// bench/vectorize.cpp: elementwise kernels over contiguous arrays, against CUB, Thrust, kernels written by hand and a
// copy of as many bytes.
//
// usage: bench_vectorize [--json=FILE] [--only=TEXT]... [--quick]
#include "check.hpp"
#include "cpu/formulas.hpp"
#include "operand_sets.hpp"
#include "results.hpp"
#include "vectorize.kernels.hpp"
#include "vectorize_peers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::contiguous;
using bench::elementwise;

/// What the words of operands are made of.
struct words {
    std::uint32_t fixed, random;
};
constexpr words one_to_two{0x3f800000u, 0x007fffffu};  // as floats; as doubles 2^-7 to 2

/// What there is to know of a case. call(inputs, outputs, n, executor) calls the kernel; reference(inputs) is what it
/// computes, in double.
template <class T, std::size_t In, std::size_t Out> struct workload {
    elementwise what;
    std::string name, type;
    std::array<words, In> operands;
    double tolerance, floor;  ///< |a - b| / max(|b|, floor) may be so much.
    std::array<double, Out> (*reference)(const std::array<double, In>&);
    void (*call)(const std::array<foldwise::view<T>, In>&, const std::array<foldwise::view<T>, Out>&,
                 foldwise::executor);
};

template <class T> std::vector<T> on_host(const void* data, std::int64_t first, std::int64_t count) {
    std::vector<T> copy(static_cast<std::size_t>(count));
    BENCH_CHECK(
        cudaMemcpy(copy.data(), static_cast<const T*>(data) + first, copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
}

/// Whether so many elements behind `first` are what the reference says.
template <class T, std::size_t In, std::size_t Out>
bool is_right(const workload<T, In, Out>& work, const contiguous& on, std::int64_t first, std::int64_t count) {
    std::array<std::vector<T>, In> x;
    std::array<std::vector<T>, Out> y;
    for (std::size_t i = 0; i < In; ++i) x[i] = on_host<T>(on.in[i], first, count);
    for (std::size_t i = 0; i < Out; ++i) y[i] = on_host<T>(on.out[i], first, count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        std::array<double, In> element;
        for (std::size_t i = 0; i < In; ++i) element[i] = static_cast<double>(x[i][k]);
        const std::array<double, Out> want = work.reference(element);
        for (std::size_t i = 0; i < Out; ++i)
            if (!(std::abs(static_cast<double>(y[i][k]) - want[i]) <=
                  work.tolerance * std::fmax(std::abs(want[i]), work.floor)))
                return false;
    }
    return true;
}

template <class T, std::size_t In, std::size_t Out>
void measure(bench::results& results, const bench::gpu& gpu, bench::arena& arena, const workload<T, In, Out>& work,
             std::int64_t n) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const bench::workload cell{
        "vectorize", work.name, work.type, n, static_cast<double>((In + Out) * sizeof(T)) * static_cast<double>(n), {}};
    if (!results.want(cell)) return;
    bench::operand_sets sets(gpu, arena, std::vector(In + Out, n * size), static_cast<std::int64_t>(Out) * n * size);
    if (!sets.have_room()) return results.add_missing(cell, "foldwise", "does not fit into the GPU's memory");

    const auto on = [&](int set) {
        contiguous all{{}, {}, n};
        for (std::size_t i = 0; i < In; ++i) all.in[i] = sets.at<T>(set, i);
        for (std::size_t i = 0; i < Out; ++i) all.out[i] = sets.at<T>(set, In + i);
        return all;
    };
    for (int set = 0; set < sets.count(); ++set)
        for (std::size_t i = 0; i < In; ++i)
            bench::fill_noise(sets.at<T>(set, i), n * size, work.operands[i].fixed, work.operands[i].random);

    const auto views = [&]<std::size_t... I>(int set, std::size_t first, std::index_sequence<I...>) {
        return std::array{foldwise::device(sets.at<T>(set, first + I), foldwise::shape{n})...};
    };
    std::vector<std::array<foldwise::view<T>, In>> x;
    std::vector<std::array<foldwise::view<T>, Out>> y;
    for (int set = 0; set < sets.count(); ++set) {
        x.push_back(views(set, 0, std::make_index_sequence<In>()));
        y.push_back(views(set, In, std::make_index_sequence<Out>()));
    }
    const auto foldwise = [&](int set) {
        const auto at = static_cast<std::size_t>(set);
        work.call(x[at], y[at], foldwise::cuda(gpu.stream));
    };
    foldwise(0);
    BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
    const std::int64_t some = std::min<std::int64_t>(n, 20'000);
    if (!is_right(work, on(0), 0, some) || !is_right(work, on(0), n - some, some))
        return results.add_wrong(cell, "foldwise");
    results.measure(cell, "foldwise", sets.count(), foldwise);

    using peer = void (*)(elementwise, const contiguous&, cudaStream_t);
    for (const auto& [impl, run] : {std::pair<const char*, peer>{"cub", bench::run_cub},
                                    {"thrust", bench::run_thrust},
                                    {"cuda", bench::run_by_hand}}) {
        contiguous other = on(0);
        for (std::size_t i = 0; i < Out; ++i) other.out[i] = sets.spare<T>(static_cast<std::int64_t>(i) * n);
        run(work.what, other, gpu.stream);
        BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
        bool same = true;
        for (std::size_t i = 0; i < Out; ++i)
            same =
                same && bench::worst_difference(sets.at<T>(0, In + i), sets.spare<T>(static_cast<std::int64_t>(i) * n),
                                                n, work.floor) <= work.tolerance;
        if (!same) {
            results.add_wrong(cell, impl);
            continue;
        }
        results.measure(cell, impl, sets.count(), [&, run = run](int set) { run(work.what, on(set), gpu.stream); });
    }
    results.measure(cell, "copy", sets.count(), [&](int set) {
        auto* first = sets.at<std::byte>(set, 0);
        const auto half = static_cast<std::size_t>(cell.bytes / 32) * 16;
        BENCH_CHECK(cudaMemcpyAsync(first + half, first, half, cudaMemcpyDeviceToDevice, gpu.stream));
    });
}

std::array<double, 1> rel_diff(const std::array<double, 2>& x) { return {2 * (x[0] - x[1]) / (x[0] + x[1])}; }

std::array<double, 1> add_int8(const std::array<double, 2>& x) {
    return {static_cast<double>(static_cast<std::int8_t>(static_cast<int>(x[0] + x[1])))};
}

std::array<double, 2> black_scholes(const std::array<double, 5>& x) {
    const auto f = [&](std::size_t i) { return static_cast<float>(x[i]); };
    const formulas::prices both = formulas::black_scholes(f(0), f(1), f(2), f(3), f(4));
    return {both.call, both.put};
}

std::array<double, 2> polar(const std::array<double, 2>& x) { return {std::hypot(x[0], x[1]), std::atan2(x[1], x[0])}; }

template <class T>
workload<T, 2, 1> rel_diff_of(elementwise what, const char* type, const words& operands, double tolerance) {
    return {what,      "rel_diff",
            type,      {operands, operands},
            tolerance, 1e-3,
            rel_diff,  [](const auto& x, const auto& y, auto where) { bench::rel_diff(x[0], x[1], y[0], where); }};
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu, bench::pace::brisk);
    bench::arena arena;

    // Rates, years and volatilities that options have; prices of 32 to 64.
    const workload<float, 5, 2> options_prices{elementwise::black_scholes,
                                               "black_scholes",
                                               "float",
                                               {words{0x42000000u, 0x007fffffu},
                                                {0x42000000u, 0x007fffffu},
                                                {0x3f000000u, 0x007fffffu},
                                                {0x3c800000u, 0x007fffffu},
                                                {0x3e000000u, 0x007fffffu}},
                                               1e-4,
                                               1,
                                               black_scholes,
                                               [](const auto& x, const auto& y, auto where) {
                                                   bench::black_scholes(x[0], x[1], x[2], x[3], x[4], y[0], y[1],
                                                                        where);
                                               }};
    const workload<float, 2, 2> coordinates{
        elementwise::polar,
        "polar",
        "float",
        {one_to_two, one_to_two},
        1e-6,
        1e-3,
        polar,
        [](const auto& x, const auto& y, auto where) { bench::polar(x[0], x[1], y[0], y[1], where); }};
    const workload<std::int8_t, 2, 1> bytes{
        elementwise::add_int8,
        "add",
        "int8",
        {words{0, ~0u}, {0, ~0u}},
        0,
        1,
        add_int8,
        [](const auto& x, const auto& y, auto where) { bench::add(x[0], x[1], y[0], where); }};

    // The largest first: CUB 3.0 keeps, for all calls to come, the tile that it has chosen for its first one, and one
    // for a thousand elements makes the others up to twice as slow.
    for (std::int64_t n : {1'000'000'000, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000}) {
        measure(results, gpu, arena, rel_diff_of<float>(elementwise::rel_diff_float, "float", one_to_two, 1e-6), n);
        measure(results, gpu, arena, rel_diff_of<double>(elementwise::rel_diff_double, "double", one_to_two, 1e-14), n);
        measure(results, gpu, arena,
                rel_diff_of<foldwise::bfloat16>(elementwise::rel_diff_bfloat16, "bfloat16", {0x3f803f80u, 0x007f007fu},
                                                5e-3),
                n);
        measure(results, gpu, arena, bytes, n);
        measure(results, gpu, arena, options_prices, n);
        measure(results, gpu, arena, coordinates, n);
    }
    return results.status();
}
