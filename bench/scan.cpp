// bench/scan.cpp: running sums of whole arrays, rows and columns, against CUB and Thrust. peers_scan.py measures the
// same cases with Python's libraries.
//
// usage: bench_scan [--json=FILE] [--only=TEXT]... [--quick]
#include "check.hpp"
#include "comparison.hpp"
#include "scan.kernels.hpp"
#include "scan_peers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using bench::scratch;
using bench::seen;
using foldwise::shape;

/// Sums along the axis, or of all elements if it is negative. Sums of small odd numbers are exact in any order.
void measure(const bench::setting& at, const scratch& scratch, const std::string& name, const shape& extents,
             int axis) {
    const std::int64_t n = extents.size(), bytes = 4 * n;
    const std::string text = axis < 0 ? "" : std::to_string(extents[0]) + "x" + std::to_string(extents[1]);
    const bench::workload work{"scan", name, "float", n, 2.0 * static_cast<double>(bytes), text};
    if (!at.results.want(work)) return;
    const bench::operand_sets sets = bench::operands_of(at, {bytes, bytes});
    if (!sets.have_room()) return at.results.add_missing(work, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) bench::fill_odd(sets.at<float>(set, 0), n);

    const cudaStream_t stream = at.gpu.stream;
    std::vector<bench::implementation> all{{"foldwise", [&](int set, void* out) {
                                                const auto x = seen<float>(sets.at<float>(set, 0), extents),
                                                           y = seen<float>(out, extents);
                                                if (axis < 0)
                                                    bench::running(x, y, at.executor());
                                                else
                                                    bench::running(x, y, foldwise::axis(axis), at.executor());
                                            }}};
    const auto add = [&](const char* peer, auto launch) {
        all.push_back(
            {peer, [&sets, launch](int set, void* out) { launch(sets.at<float>(set, 0), static_cast<float*>(out)); }});
    };
    if (axis < 0) {
        add("cub", [&](const float* x, float* y) { bench::cub_running(x, y, n, scratch, stream); });
        add("thrust", [&](const float* x, float* y) { bench::thrust_running(x, y, n, scratch, stream); });
    } else if (axis == 1) {
        add("cub",
            [&](const float* x, float* y) { bench::cub_running_rows(x, y, extents[0], extents[1], scratch, stream); });
    } else {
        add("cub", [&](const float* x, float* y) {
            bench::cub_running_columns(x, y, extents[0], extents[1], scratch, stream);
        });
        if (extents[1] >= 1000)
            add("cuda", [&](const float* x, float* y) {
                bench::running_columns_by_hand(x, y, extents[0], extents[1], stream);
            });
    }
    bench::compare(at, work, sets, 1, bytes,
                   {[&](void* out) { BENCH_CHECK(cudaMemset(out, 0xa5, static_cast<std::size_t>(bytes))); },
                    [&](const void* got, const void* wanted) { return bench::same_bytes(got, wanted, bytes); }},
                   all);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    bench::arena arena, for_scratch;
    const bench::setting at{results, gpu, arena};
    const scratch scratch{for_scratch.room_for(64 << 20), 64 << 20};
    for (std::int64_t n = 1000; n <= 1'000'000'000; n *= 10) measure(at, scratch, "sum", {n}, -1);
    for (const shape& extents : {shape{1000, 1000}, {8192, 8192}, {1'000'000, 16}, {16, 1'000'000}, {10'000'000, 3}}) {
        measure(at, scratch, "sum rows", extents, 1);
        measure(at, scratch, "sum columns", extents, 0);
    }
    return results.status();
}
