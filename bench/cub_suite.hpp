// bench/cub_suite.hpp: one elementwise case of CUB's benchmarks, checked and timed.
#pragma once

#include "check.hpp"
#include "cub_suite_peers.hpp"
#include "operand_sets.hpp"
#include "results.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace cub_suite {

/// The elements that CUB's benchmarks have, and one of them for a quick run.
inline std::vector<std::int64_t> sizes(bool is_quick) {
    if (is_quick) return {1 << 20};
    return {1 << 16, 1 << 20, 1 << 24, 1 << 28};
}

template <class T> constexpr const char* name_of() {
    if constexpr (std::is_same_v<T, foldwise::half>) return "half";
    if constexpr (std::is_same_v<T, foldwise::bfloat16>) return "bf16";
    if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
    if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
    if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (std::is_same_v<T, double>) return "double";
}

template <class T>
inline constexpr bool is_real =
    std::is_floating_point_v<T> || std::is_same_v<T, foldwise::half> || std::is_same_v<T, foldwise::bfloat16>;

/// Any integers; finite complex numbers of any magnitude; other numbers from 1 to 2.
template <class T> void fill_random(T* data, std::int64_t n) {
    std::uint32_t fixed = 0x3f800000u, random = 0x007fffffu;
    if constexpr (std::is_integral_v<T>) fixed = 0, random = ~0u;
    if constexpr (std::is_same_v<T, std::complex<float>>) fixed = 0, random = 0xff7fffffu;
    if constexpr (std::is_same_v<T, foldwise::half>) fixed = 0x3c003c00u, random = 0x03ff03ffu;
    if constexpr (std::is_same_v<T, foldwise::bfloat16>) fixed = 0x3f803f80u, random = 0x007f007fu;
    bench::fill_noise(data, n * static_cast<std::int64_t>(sizeof(T)), fixed, random);
}

struct setting {
    bench::results& results;
    const bench::gpu& gpu;
    bench::arena& arena;
};

/// What is particular about a case.
struct particulars {
    double tolerance = 0;            ///< Of real numbers; others have to be the same.
    std::vector<float> constants{};  ///< What is timed has these elements everywhere, one for each input.
    bool is_in_place = false;        ///< The output is the first input.
    bool overlaps = false;           ///< The second input is the first one but for its first element.
    std::int64_t below = 0;          ///< The input has numbers from 0 to below this.
};

/// Type Op names the peers' function; call(executor, output, inputs...) calls the kernel.
template <class Op, class Out, class... In, class Call>
void measure(const setting& at, const std::string& name, const std::string& type, std::int64_t n,
             const particulars& how, Call call) {
    constexpr auto last = sizeof...(In);
    using sequence = std::index_sequence_for<In...>;
    std::vector<std::int64_t> bytes{n * static_cast<std::int64_t>(sizeof(In))...,
                                    n * static_cast<std::int64_t>(sizeof(Out))};
    double traffic = 0;
    for (std::int64_t one : bytes) traffic += static_cast<double>(one);
    if constexpr (last == 2)
        if (how.overlaps) traffic -= static_cast<double>(bytes[1]);
    const bench::workload cell{"cub_suite", name, type, n, traffic, {}};
    if (!at.results.want(cell)) return;
    const bench::operand_sets sets(at.gpu, at.arena, bytes, 2 * bytes[last]);
    if (!sets.have_room()) return at.results.add_missing(cell, "foldwise", "does not fit into the GPU's memory");

    const std::int64_t count = how.overlaps ? n - 1 : n;
    const auto inputs = [&]<std::size_t... I>([[maybe_unused]] int set, std::index_sequence<I...>) {
        return std::tuple{how.overlaps && I == 1 ? sets.at<In>(set, 0) + 1 : sets.at<In>(set, I)...};
    };
    const auto output = [&](int set) { return sets.at<Out>(set, how.is_in_place ? 0 : last); };
    const auto views = [&](int set, Out* out) {
        const foldwise::shape line{count};
        return std::apply(
            [&](auto*... in) {
                return std::tuple{foldwise::cuda(at.gpu.stream), foldwise::device(out, line),
                                  foldwise::device(in, line)...};
            },
            inputs(set, sequence()));
    };
    const auto run_peer = [&](auto run, int set, Out* out) {
        std::apply([&](auto*... in) { run(out, count, at.gpu.stream, in...); }, inputs(set, sequence()));
    };

    const auto fill = [&]<std::size_t... I>([[maybe_unused]] int set, std::index_sequence<I...>) {
        if (how.below)
            bench::fill_below(sets.at<std::int64_t>(set, 0), n, how.below);
        else
            (fill_random(sets.at<In>(set, how.overlaps ? 0 : I), n), ...);
    };
    for (int set = 0; set < sets.count(); ++set) fill(set, sequence());
    Out* const ours = sets.spare<Out>();
    Out* const theirs = sets.spare<Out>(n);
    const auto is_same = [&] {
        if constexpr (is_real<Out>)
            return bench::worst_difference(ours, theirs, count, 1e-3) <= how.tolerance;
        else
            return bench::same_bytes(ours, theirs, count * static_cast<std::int64_t>(sizeof(Out)));
    };
    std::apply(call, views(0, ours));
    using run = void (*)(Out*, std::int64_t, cudaStream_t, const In*...);
    const std::pair<const char*, run> all_peers[] = {{"cub", peers<Op, Out, In...>::cub},
                                                     {"thrust", peers<Op, Out, In...>::thrust}};
    bool is_right[2];
    for (int i = 0; i < 2; ++i) {
        run_peer(all_peers[i].second, 0, theirs);
        BENCH_CHECK(cudaStreamSynchronize(at.gpu.stream));
        is_right[i] = is_same();
    }
    if (!is_right[0]) return at.results.add_wrong(cell, "foldwise");

    if constexpr (((is_real<In> || std::is_integral_v<In>)&&...))
        if (!how.constants.empty())
            for (int set = 0; set < sets.count(); ++set)
                std::apply(
                    [&, k = std::size_t(0)](auto*... in) mutable {
                        (bench::fill_with(in, n, static_cast<In>(how.constants[k++])), ...);
                    },
                    inputs(set, sequence()));
    std::vector<decltype(views(0, ours))> operands;
    for (int set = 0; set < sets.count(); ++set) operands.push_back(views(set, output(set)));
    at.results.measure(cell, "foldwise", sets.count(),
                       [&](int set) { std::apply(call, operands[static_cast<std::size_t>(set)]); });
    for (int i = 0; i < 2; ++i) {
        const auto& [impl, launch] = all_peers[i];
        if (!is_right[i]) {
            at.results.add_wrong(cell, impl);
            continue;
        }
        at.results.measure(cell, impl, sets.count(),
                           [&, launch = launch](int set) { run_peer(launch, set, output(set)); });
    }
}

}  // namespace cub_suite
