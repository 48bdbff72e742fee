// bench/random.cpp: arrays filled with random numbers, against kernels with cuRAND's Philox. peers_random.py measures
// the same cases with Python's libraries, cuRAND's host interface among them.
//
// usage: bench_random [--json=FILE] [--only=TEXT]... [--quick]
#include "comparison.hpp"
#include "random.kernels.hpp"
#include "random_peers.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace {

using bench::seen;

constexpr std::uint64_t seed = 20'261'123;

/// Whether the mean and the mean of squares are as near to the expected ones as those of n numbers are, and no number
/// lies outside.
template <class T> bool is_uniform(const void* x, std::int64_t n) {
    const bench::moments found = bench::moments_of(static_cast<const T*>(x), n);
    const double error = 5 / std::sqrt(static_cast<double>(n));
    return found.least >= 0 && found.greatest <= 1 && std::fabs(found.mean - 1.0 / 2) < 0.29 * error &&
           std::fabs(found.mean_of_squares - 1.0 / 3) < 0.3 * error;
}
template <class T> bool is_normal(const void* x, std::int64_t n) {
    const bench::moments found = bench::moments_of(static_cast<const T*>(x), n);
    const double error = 5 / std::sqrt(static_cast<double>(n));
    return found.greatest < 10 && found.least > -10 && std::fabs(found.mean) < error &&
           std::fabs(found.mean_of_squares - 1) < 1.42 * error;
}

template <class T, class Fill, class Peer>
void measure(const bench::setting& at, const char* name, const char* type, std::int64_t n, Fill fill, Peer peer,
             bool (*is_right)(const void*, std::int64_t)) {
    const std::int64_t bytes = n * std::int64_t{sizeof(T)};
    const bench::workload work{"random", name, type, n, static_cast<double>(bytes), ""};
    if (!at.results.want(work)) return;
    const bench::operand_sets sets = bench::operands_of(at, {bytes});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    bench::compare(at, work, sets, 0, bytes,
                   {[&](void* out) { BENCH_CHECK(cudaMemset(out, 0xff, static_cast<std::size_t>(bytes))); },  // NaN
                    [&](const void* got, const void*) { return is_right(got, n); }},
                   {{"foldwise", [&](int, void* out) { fill(seed, seen<T>(out, {n}), at.executor()); }},
                    {"cuda", [&](int, void* out) { peer(seed, static_cast<T*>(out), n, at.gpu.stream); }}});
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    bench::arena arena;
    const bench::setting at{results, gpu, arena};
    const auto uniform = [](auto... all) { bench::curand_uniform(all...); };
    const auto normal = [](auto... all) { bench::curand_normal(all...); };
    for (const std::int64_t n : {1'000'000, 10'000'000, 100'000'000}) {
        measure<float>(
            at, "uniform", "float", n, [](auto... all) { bench::uniform_floats(all...); }, uniform, is_uniform<float>);
        measure<double>(
            at, "uniform", "double", n, [](auto... all) { bench::uniform_doubles(all...); }, uniform,
            is_uniform<double>);
        measure<float>(
            at, "normal", "float", n, [](auto... all) { bench::normal_floats(all...); }, normal, is_normal<float>);
        measure<double>(
            at, "normal", "double", n, [](auto... all) { bench::normal_doubles(all...); }, normal, is_normal<double>);
    }
    return results.status();
}
