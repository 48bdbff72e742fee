// bench/segments.cpp: sums of segments, of equal lengths and by Zipf's law, and sparse matrices times a vector,
// against CUB. peers_segments.py measures the same cases with Python's libraries, cuSPARSE among them.
//
// usage: bench_segments [--json=FILE] [--only=TEXT]... [--quick]
#include "check.hpp"
#include "comparison.hpp"
#include "distributions.hpp"
#include "segments.kernels.hpp"
#include "segments_peers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using bench::scratch;
using bench::seen;
using foldwise::shape;

std::int64_t bytes_of(const std::vector<std::int32_t>& all) { return 4 * static_cast<std::int64_t>(all.size()); }

void put(std::int32_t* to, const std::vector<std::int32_t>& all) {
    BENCH_CHECK(cudaMemcpy(to, all.data(), static_cast<std::size_t>(bytes_of(all)), cudaMemcpyHostToDevice));
}

/// Small odd numbers, whose sums are exact in any order.
bench::checking exactly(std::int64_t bytes) {
    return {[bytes](void* out) { BENCH_CHECK(cudaMemset(out, 0xa5, static_cast<std::size_t>(bytes))); },
            [bytes](const void* got, const void* wanted) { return bench::same_bytes(got, wanted, bytes); }};
}

void measure_sums(const bench::setting& at, const scratch& scratch, const std::string& name, std::int64_t n,
                  std::int64_t segments, std::vector<std::int32_t> (*make)(std::int64_t, std::int64_t)) {
    const std::int64_t bytes = 4 * segments;
    const bench::workload work{"segments",
                               name,
                               "float",
                               n,
                               static_cast<double>(4 * n + 4 * (segments + 1) + bytes),
                               std::to_string(n) + " in " + std::to_string(segments)};
    if (!at.results.want(work)) return;
    const std::vector<std::int32_t> offsets = make(n, segments);
    const bench::operand_sets sets = bench::operands_of(at, {4 * n, bytes_of(offsets), bytes});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) {
        bench::fill_odd(sets.at<float>(set, 0), n);
        put(sets.at<std::int32_t>(set, 1), offsets);
    }
    bench::compare(at, work, sets, 2, bytes, exactly(bytes),
                   {{"foldwise",
                     [&](int set, void* out) {
                         bench::segment_sum(
                             seen<float>(sets.at<float>(set, 0), {n}), seen<float>(out, {segments}),
                             foldwise::segments(seen<std::int32_t>(sets.at<std::int32_t>(set, 1), {segments + 1})),
                             at.executor());
                     }},
                    {"cub", [&](int set, void* out) {
                         bench::cub_segment_sum(sets.at<float>(set, 0), sets.at<std::int32_t>(set, 1),
                                                static_cast<float*>(out), segments, scratch, at.gpu.stream);
                     }}});
}

/// A square matrix with as many values in each row, beside its diagonal or anywhere.
void measure_csr(const bench::setting& at, const scratch& scratch, bool is_band, std::int64_t rows,
                 std::int64_t in_row) {
    const std::int64_t n = rows * in_row, bytes = 4 * rows;
    const bench::workload work{"segments",
                               is_band ? "csr, band" : "csr, random",
                               "float",
                               n,
                               static_cast<double>(8 * n + 4 * (rows + 1) + 2 * bytes),
                               std::to_string(rows) + " rows of " + std::to_string(in_row)};
    if (!at.results.want(work)) return;
    const std::vector<std::int32_t> offsets = bench::even_offsets(n, rows);
    const bench::operand_sets sets = bench::operands_of(at, {4 * n, 4 * n, bytes_of(offsets), bytes, bytes});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) {
        bench::fill_odd(sets.at<float>(set, 0), n);
        if (is_band)
            bench::fill_band(sets.at<std::int32_t>(set, 1), rows, in_row);
        else
            bench::fill_columns(sets.at<std::int32_t>(set, 1), rows, in_row);
        put(sets.at<std::int32_t>(set, 2), offsets);
        bench::fill_odd(sets.at<float>(set, 3), rows);
    }
    const auto operands = [&](int set) {
        return bench::csr_operands{sets.at<float>(set, 0), sets.at<std::int32_t>(set, 1), sets.at<std::int32_t>(set, 2),
                                   sets.at<float>(set, 3)};
    };
    bench::compare(
        at, work, sets, 4, bytes, exactly(bytes),
        {{"foldwise",
          [&](int set, void* out) {
              const bench::csr_operands of = operands(set);
              bench::csr_times(seen<float>(of.values, {n}), seen<std::int32_t>(of.columns, {n}),
                               seen<float>(of.x, {rows}), seen<float>(out, {rows}),
                               foldwise::segments(seen<std::int32_t>(of.offsets, {rows + 1})), at.executor());
          }},
         {"cuda", [&](int set,
                      void* out) { bench::csr_by_hand(operands(set), static_cast<float*>(out), rows, at.gpu.stream); }},
         {"cub", [&](int set, void* out) {
              bench::cub_csr(operands(set), static_cast<float*>(out), rows, scratch, at.gpu.stream);
          }}});
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    bench::arena arena, for_scratch;
    const bench::setting at{results, gpu, arena};
    const scratch scratch{for_scratch.room_for(64 << 20), 64 << 20};
    for (const auto& [n, segments] : {std::pair<std::int64_t, std::int64_t>{1'000'000, 1'000},
                                      {100'000'000, 100},
                                      {100'000'000, 100'000},
                                      {100'000'000, 10'000'000}}) {
        measure_sums(at, scratch, "sum, even", n, segments, bench::even_offsets);
        measure_sums(at, scratch, "sum, zipf", n, segments, bench::zipf_offsets);
    }
    for (const auto& [rows, in_row] : {std::pair<std::int64_t, std::int64_t>{100'000, 16}, {4'000'000, 16}}) {
        measure_csr(at, scratch, true, rows, in_row);
        measure_csr(at, scratch, false, rows, in_row);
    }
    return results.status();
}
