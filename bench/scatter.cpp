// bench/scatter.cpp: histograms and sums by place, of places that are all alike or not, against CUB and by hand.
// peers_scatter.py measures the same cases with Python's libraries.
//
// usage: bench_scatter [--json=FILE] [--only=TEXT]... [--quick]
#include "check.hpp"
#include "comparison.hpp"
#include "distributions.hpp"
#include "scatter.kernels.hpp"
#include "scatter_peers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using bench::scratch;
using bench::seen;
using bench::spread;
using foldwise::shape;

std::string size_of(std::int64_t n, std::int64_t bins) { return std::to_string(n) + " in " + std::to_string(bins); }

bench::checking of_zeros(std::int64_t bytes) {
    return {[bytes](void* out) { BENCH_CHECK(cudaMemset(out, 0, static_cast<std::size_t>(bytes))); },
            [bytes](const void* got, const void* wanted) { return bench::same_bytes(got, wanted, bytes); }};
}

/// Counts into bins that begin with zero.
template <class Place>
void measure_histogram(const bench::setting& at, bench::arena& for_scratch, const char* type, std::int64_t n,
                       std::int64_t bins, spread how) {
    const std::int64_t bytes_in = n * std::int64_t{sizeof(Place)}, bytes = 4 * bins;
    const bench::workload work{"scatter", std::string("histogram, ") + name_of(how), type,
                               n,         static_cast<double>(bytes_in + bytes),     size_of(n, bins)};
    if (!at.results.want(work)) return;
    const bench::operand_sets sets = bench::operands_of(at, {bytes_in, bytes});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) bench::fill_places(sets.at<Place>(set, 0), n, bins, how);
    const std::size_t needed = bench::cub_histogram_bytes<Place>(n, bins);
    const scratch scratch{for_scratch.room_for(static_cast<std::int64_t>(needed)), needed};
    const cudaStream_t stream = at.gpu.stream;
    bench::compare(
        at, work, sets, 1, bytes, of_zeros(bytes),
        {{"foldwise",
          [&](int set, void* out) {
              BENCH_CHECK(cudaMemsetAsync(out, 0, static_cast<std::size_t>(bytes), stream));
              bench::histogram(seen<Place>(sets.at<Place>(set, 0), {n}), seen<std::uint32_t>(out, {bins}),
                               at.executor());
          }},
         {"cuda",
          [&](int set, void* out) {
              bench::histogram_by_hand(sets.at<Place>(set, 0), static_cast<std::uint32_t*>(out), n, bins, stream);
          }},
         {"cub", [&](int set, void* out) {
              bench::cub_histogram(sets.at<Place>(set, 0), static_cast<std::uint32_t*>(out), n, bins, scratch, stream);
          }}});
}

/// Adds small odd numbers, whose sums are exact in any order, to what the bins hold.
void measure_add(const bench::setting& at, std::int64_t n, std::int64_t bins, spread how) {
    const bench::workload work{"scatter", std::string("add, ") + name_of(how),   "float",
                               n,         static_cast<double>(8 * n + 8 * bins), size_of(n, bins)};
    if (!at.results.want(work)) return;
    const bench::operand_sets sets = bench::operands_of(at, {4 * n, 4 * n, 4 * bins});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) {
        bench::fill_places(sets.at<std::int32_t>(set, 0), n, bins, how);
        bench::fill_odd(sets.at<float>(set, 1), n);
        bench::fill_with(sets.at<float>(set, 2), bins, 0.0f);
    }
    bench::compare(at, work, sets, 2, 4 * bins, of_zeros(4 * bins),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::add_at(seen<std::int32_t>(sets.at<std::int32_t>(set, 0), {n}),
                                       seen<float>(sets.at<float>(set, 1), {n}), seen<float>(out, {bins}),
                                       at.executor());
                     }},
                    {"cuda", [&](int set, void* out) {
                         bench::add_by_hand(sets.at<std::int32_t>(set, 0), sets.at<float>(set, 1),
                                            static_cast<float*>(out), n, at.gpu.stream);
                     }}});
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu, bench::pace::brisk);
    bench::arena arena, for_scratch;
    const bench::setting at{results, gpu, arena};
    for (const spread how : {spread::uniform, spread::zipf, spread::one})
        for (const std::int64_t n : {1'000'000, 100'000'000}) {
            measure_histogram<std::uint8_t>(at, for_scratch, "uint8", n, 256, how);
            for (const std::int64_t bins : {256, 4096, 1'000'000})
                measure_histogram<std::int32_t>(at, for_scratch, "int32", n, bins, how);
        }
    for (const spread how : {spread::uniform, spread::zipf, spread::one})
        for (const std::int64_t n : {1'000'000, 10'000'000}) measure_add(at, n, n / 10, how);
    return results.status();
}
