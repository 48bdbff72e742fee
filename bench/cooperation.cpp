// bench/cooperation.cpp: items that share what they read, by the three patterns that are for them, whose names the
// suites have: blocks, stencil, guvectorize. Against kernels written by hand; peers_cooperation.py measures the same
// cases with Python's libraries, cuBLAS and cuSOLVER among them.
//
// usage: bench_cooperation [--json=FILE] [--only=TEXT]... [--quick]
#include "check.hpp"
#include "comparison.hpp"
#include "cooperation.kernels.hpp"
#include "cooperation_peers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using bench::operand_sets;
using bench::seen;
using foldwise::shape;

std::string name_of(const shape& extents) {
    std::string name;
    for (const std::int64_t extent : extents) name += (name.empty() ? "" : "x") + std::to_string(extent);
    return name;
}

/// The same bytes: numbers that are moved, or small odd ones, whose sums are exact in any order.
bench::checking exactly(std::int64_t bytes) {
    return {[bytes](void* out) { BENCH_CHECK(cudaMemset(out, 0xa5, static_cast<std::size_t>(bytes))); },
            [bytes](const void* got, const void* wanted) { return bench::same_bytes(got, wanted, bytes); }};
}

template <class T> bench::checking nearly(std::int64_t n, double error) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    return {exactly(bytes).prepare, [n, error](const void* got, const void* wanted) {
                return bench::worst_difference(static_cast<const T*>(got), static_cast<const T*>(wanted), n, 1) <
                       error;  // of numbers between 0.1 and 10
            }};
}

/// The operands of a workload. None where it is not wanted, or where the GPU has no room for them, as is then written
/// down.
std::optional<operand_sets> begin(const bench::setting& at, const bench::workload& work,
                                  const std::vector<std::int64_t>& bytes) {
    if (!at.results.want(work)) return {};
    operand_sets sets = bench::operands_of(at, bytes);
    if (sets.have_room()) return sets;
    at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    return {};
}

// Blocks

void measure_transpose(const bench::setting& at, std::int64_t side) {
    const shape all{side, side};
    const std::int64_t n = side * side, bytes = 4 * n;
    const int edge = static_cast<int>(side);
    const bench::workload work{"blocks", "transpose", "float", n, static_cast<double>(2 * bytes), name_of(all)};
    const auto sets = begin(at, work, {bytes, bytes});
    if (!sets) return;
    for (int set = 0; set < sets->count(); ++set)
        bench::fill_noise(sets->at<float>(set, 0), bytes, 0x3f800000u, 0x007fffffu);
    const auto by_hand = [&](int set, void* out, int tile) {
        bench::transpose_by_hand(sets->at<float>(set, 0), static_cast<float*>(out), edge, edge, tile, at.gpu.stream);
    };
    bench::compare(at, work, *sets, 1, bytes, exactly(bytes),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::transpose(all, seen<float>(sets->at<float>(set, 0), all), seen<float>(out, all),
                                          at.executor());
                     }},
                    {"cuda", [&](int set, void* out) { by_hand(set, out, 32); }},
                    {"cuda, 64x64", [&](int set, void* out) { by_hand(set, out, 64); }},
                    {"foldwise forall", [&](int set, void* out) {
                         bench::transpose_each(all, seen<float>(sets->at<float>(set, 0), all), seen<float>(out, all),
                                               at.executor());
                     }}});
}

void measure_matmul(const bench::setting& at, std::int64_t side) {
    const shape all{side, side}, items{side / 8, side / 8};
    const std::int64_t n = side * side, bytes = 4 * n;
    const int edge = static_cast<int>(side);
    const bench::workload work{"blocks", "matmul", "float", n, static_cast<double>(3 * bytes), name_of(all)};
    const auto sets = begin(at, work, {bytes, bytes, bytes});
    if (!sets) return;
    for (int set = 0; set < sets->count(); ++set)
        for (std::size_t factor : {0u, 1u}) bench::fill_odd(sets->at<float>(set, factor), n);
    const auto x = [&](int set) { return sets->at<float>(set, 0); };
    const auto y = [&](int set) { return sets->at<float>(set, 1); };
    bench::compare(at, work, *sets, 2, bytes, exactly(bytes),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::product(items, seen<float>(x(set), all), seen<float>(y(set), all),
                                        seen<float>(out, all), at.executor());
                     }},
                    {"cuda",
                     [&](int set, void* out) {
                         bench::product_by_hand(x(set), y(set), static_cast<float*>(out), edge, at.gpu.stream);
                     }},
                    {"foldwise 32x32",
                     [&](int set, void* out) {
                         bench::product_of_tiles(all, seen<float>(x(set), all), seen<float>(y(set), all),
                                                 seen<float>(out, all), at.executor());
                     }},
                    {"cuda, 32x32", [&](int set, void* out) {
                         bench::product_of_tiles_by_hand(x(set), y(set), static_cast<float*>(out), edge, at.gpu.stream);
                     }}});
}

// Stencils

/// Numbers from 1 to 2.
template <class T> void fill_numbers(const operand_sets& sets, std::int64_t bytes) {
    constexpr bool is_double = sizeof(T) == 8;
    for (int set = 0; set < sets.count(); ++set)
        bench::fill_noise(sets.at<T>(set, 0), bytes, is_double ? 0x3ff00000u : 0x3f800000u,
                          is_double ? 0x000fffffu : 0x007fffffu);
}

/// One step of five points, or several.
void measure_five_point(const bench::setting& at, std::int64_t side, int steps) {
    const shape all{side, side};
    const std::int64_t n = side * side, bytes = 8 * n;
    const int edge = static_cast<int>(side);
    const std::string name = steps == 1 ? "5-point" : "5-point, " + std::to_string(steps) + " steps";
    const bench::workload work{"stencil", name, "double", n, static_cast<double>(2 * bytes), name_of(all)};
    const auto sets = begin(at, work, {bytes, steps == 1 ? 0 : bytes, bytes});
    if (!sets) return;
    fill_numbers<double>(*sets, bytes);
    bench::compare(at, work, *sets, 2, bytes, nearly<double>(n, 1e-12),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::five_point(seen<double>(sets->at<double>(set, 0), all), seen<double>(out, all),
                                           foldwise::steps(steps), at.executor());
                     }},
                    {"cuda", [&](int set, void* out) {
                         bench::five_point_steps_by_hand(sets->at<double>(set, 0), sets->at<double>(set, 1),
                                                         static_cast<double*>(out), edge, edge, steps, at.gpu.stream);
                     }}});
}

/// What is around each element along three axes.
void measure_star(const bench::setting& at, std::int64_t side, int points) {
    const shape all{side, side, side};
    const std::int64_t n = side * side * side, bytes = 4 * n;
    const int edge = static_cast<int>(side);
    const bench::workload work{"stencil", std::to_string(points) + "-point", "float",
                               n,         static_cast<double>(2 * bytes),    name_of(all)};
    const auto sets = begin(at, work, {bytes, bytes});
    if (!sets) return;
    fill_numbers<float>(*sets, bytes);
    bench::compare(at, work, *sets, 1, bytes, nearly<float>(n, 1e-5),
                   {{"foldwise",
                     [&](int set, void* out) {
                         const auto x = seen<float>(sets->at<float>(set, 0), all), to = seen<float>(out, all);
                         if (points == 7)
                             bench::seven_point(x, to, at.executor());
                         else
                             bench::thirteen_point(x, to, at.executor());
                     }},
                    {"cuda", [&](int set, void* out) {
                         const auto by_hand = points == 7 ? bench::seven_point_by_hand : bench::thirteen_point_by_hand;
                         by_hand(sets->at<float>(set, 0), static_cast<float*>(out), edge, at.gpu.stream);
                     }}});
}

// Functions of rows and of small matrices

void measure_products(const bench::setting& at, std::int64_t count) {
    const std::int64_t a_bytes = 8 * count * 2 * 4, b_bytes = 8 * count * 4 * 5, bytes = 8 * count * 2 * 5;
    const bench::workload work{"guvectorize",
                               "matmul",
                               "double",
                               20 * count,
                               static_cast<double>(a_bytes + b_bytes + bytes),
                               std::to_string(count) + " of 2x4x5"};
    const auto sets = begin(at, work, {a_bytes, b_bytes, bytes});
    if (!sets) return;
    for (int set = 0; set < sets->count(); ++set) {
        bench::fill_odd(sets->at<double>(set, 0), a_bytes / 8);
        bench::fill_odd(sets->at<double>(set, 1), b_bytes / 8);
    }
    bench::compare(at, work, *sets, 2, bytes, exactly(bytes),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::products(seen<double>(sets->at<double>(set, 0), {count, 2, 4}),
                                         seen<double>(sets->at<double>(set, 1), {count, 4, 5}),
                                         seen<double>(out, {count, 2, 5}), at.executor());
                     }},
                    {"cuda", [&](int set, void* out) {
                         bench::products_by_hand(sets->at<double>(set, 0), sets->at<double>(set, 1),
                                                 static_cast<double*>(out), static_cast<int>(count), at.gpu.stream);
                     }}});
}

void measure_norms(const bench::setting& at, std::int64_t rows) {
    const shape all{rows, 32}, results{rows};
    const std::int64_t n = 32 * rows, bytes = 4 * rows;
    const bench::workload work{"guvectorize", "row norms", "float", n, static_cast<double>(4 * n + bytes),
                               name_of(all)};
    const auto sets = begin(at, work, {4 * n, bytes});
    if (!sets) return;
    for (int set = 0; set < sets->count(); ++set) bench::fill_odd(sets->at<float>(set, 0), n);
    bench::compare(at, work, *sets, 1, bytes, exactly(bytes),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::norms(seen<float>(sets->at<float>(set, 0), all), seen<float>(out, results),
                                      at.executor());
                     }},
                    {"cuda",
                     [&](int set, void* out) {
                         bench::norms_by_hand(sets->at<float>(set, 0), static_cast<float*>(out), static_cast<int>(rows),
                                              at.gpu.stream);
                     }},
                    {"foldwise reduce", [&](int set, void* out) {
                         bench::norms_by_reduce(seen<float>(sets->at<float>(set, 0), all), seen<float>(out, results),
                                                foldwise::axis(1), at.executor());
                     }}});
}

void measure_cholesky(const bench::setting& at, std::int64_t count) {
    const shape all{count, 16, 16};
    const std::int64_t n = 256 * count, bytes = 4 * n;
    const bench::workload work{"guvectorize", "cholesky", "float", n, static_cast<double>(2 * bytes), name_of(all)};
    const auto sets = begin(at, work, {bytes, bytes});
    if (!sets) return;
    for (int set = 0; set < sets->count(); ++set)
        bench::fill_definite(sets->at<float>(set, 0), static_cast<int>(count));
    bench::compare(at, work, *sets, 1, bytes, nearly<float>(n, 1e-5),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::cholesky(seen<float>(sets->at<float>(set, 0), all), seen<float>(out, all),
                                         at.executor());
                     }},
                    {"cuda", [&](int set, void* out) {
                         bench::cholesky_by_hand(sets->at<float>(set, 0), static_cast<float*>(out),
                                                 static_cast<int>(count), at.gpu.stream);
                     }}});
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    bench::arena arena;
    const bench::setting at{results, gpu, arena};
    measure_transpose(at, 10'000);
    measure_matmul(at, 2048);
    measure_five_point(at, 10'000, 1);
    measure_star(at, 512, 7);
    measure_star(at, 512, 13);
    measure_five_point(at, 1024, 100);
    measure_five_point(at, 4096, 100);
    measure_products(at, 1'000'000);
    measure_norms(at, 3'000'000);
    measure_cholesky(at, 100'000);
    return results.status();
}
