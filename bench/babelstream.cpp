// bench/babelstream.cpp: BabelStream's kernels with its sizes, numbers, order, check and way of reporting, against its
// kernels in CUDA, CUB and Thrust. A call waits for its kernel, as BabelStream's do: the clock on the wall.
//
// usage: bench_babelstream [--json=FILE] [--only=TEXT]... [--quick]
#include "babelstream.kernels.hpp"
#include "babelstream_check.hpp"
#include "babelstream_peers.hpp"
#include "check.hpp"
#include "operand_sets.hpp"
#include "results.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <vector>

namespace {

using babelstream::arrays;
using babelstream::step;

struct kernel {
    step what;
    const char* name;
    int arrays;  ///< Read or written.
};
/// These run one after the other, again and again; then the last one alone, which BabelStream leaves out of the others.
constexpr kernel classic[] = {{step::copy, "copy", 2},
                              {step::mul, "mul", 2},
                              {step::add, "add", 3},
                              {step::triad, "triad", 3},
                              {step::dot, "dot", 2}};
constexpr kernel alone[] = {{step::nstream, "nstream", 4}};

template <class T> T run_foldwise(step what, const arrays<T>& on, cudaStream_t stream) {
    const foldwise::shape line{on.n};
    const auto a = foldwise::device(on.a, line), b = foldwise::device(on.b, line), c = foldwise::device(on.c, line);
    const foldwise::executor where = foldwise::cuda(stream);
    switch (what) {
    case step::copy:
        babelstream::copy(a, c, where);
        break;
    case step::mul:
        babelstream::mul(c, b, where);
        break;
    case step::add:
        babelstream::add(a, b, c, where);
        break;
    case step::triad:
        babelstream::triad(b, c, a, where);
        break;
    case step::nstream:
        babelstream::nstream(a, b, c, a, where);
        break;
    case step::dot:
        return babelstream::dot(a, b, where);
    }
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return 0;
}

template <class T> struct implementation {
    const char* name;
    T (*run)(step, const arrays<T>&, cudaStream_t);
};

class pinned {
  public:
    explicit pinned(std::size_t bytes) { BENCH_CHECK(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault)); }
    pinned(const pinned&) = delete;
    ~pinned() { cudaFreeHost(data_); }
    template <class T> std::span<const T> copy_of(const T* device, std::int64_t n) {
        const std::span all(static_cast<T*>(data_), static_cast<std::size_t>(n));
        BENCH_CHECK(cudaMemcpy(all.data(), device, all.size_bytes(), cudaMemcpyDeviceToHost));
        return all;
    }

  private:
    void* data_ = nullptr;
};

/// Seconds of each call, by kernel; none if some result is wrong.
template <class T>
std::map<step, std::vector<double>> run(const implementation<T>& impl, std::span<const kernel> kernels,
                                        const arrays<T>& on, int times, cudaStream_t stream, pinned& host) {
    bench::fill_with(on.a, on.n, babelstream::initial_a<T>);
    bench::fill_with(on.b, on.n, babelstream::initial_b<T>);
    bench::fill_with(on.c, on.n, babelstream::initial_c<T>);
    std::map<step, std::vector<double>> seconds;
    babelstream::expected<T> expected;
    T dot = 0;
    for (int i = 0; i < times; ++i) {
        for (const kernel& kernel : kernels) {
            const auto begin = std::chrono::steady_clock::now();
            const T result = impl.run(kernel.what, on, stream);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            seconds[kernel.what].push_back(took.count());
            if (kernel.what == step::dot) dot = result;
            expected.run(kernel.what, on.n);
        }
    }
    const bool is_right = babelstream::is_near_in_arrays(host.copy_of(on.a, on.n), expected.a) &&
                          babelstream::is_near_in_arrays(host.copy_of(on.b, on.n), expected.b) &&
                          babelstream::is_near_in_arrays(host.copy_of(on.c, on.n), expected.c) &&
                          (!seconds.contains(step::dot) || babelstream::is_near_as_dot(dot, expected.dot));
    return is_right ? seconds : std::map<step, std::vector<double>>();
}

template <class T>
void measure(bench::results& results, const bench::gpu& gpu, bench::arena& arena, const char* type,
             std::span<const kernel> kernels) {
    const std::int64_t n = results.is_quick() ? 1 << 18 : 1 << 25;
    const int times = 100;
    constexpr implementation<T> implementations[] = {{"foldwise", run_foldwise<T>},
                                                     {"cub", babelstream::run_cub<T>},
                                                     {"thrust", babelstream::run_thrust<T>},
                                                     {"cuda", babelstream::run_by_hand<T>}};
    const auto bytes = n * static_cast<std::int64_t>(sizeof(T));
    const auto cell_of = [&](const kernel& kernel) {
        return bench::workload{"babelstream", kernel.name, type, n, static_cast<double>(kernel.arrays * bytes), {}};
    };
    if (std::none_of(kernels.begin(), kernels.end(), [&](const kernel& one) { return results.want(cell_of(one)); }))
        return;
    const bench::operand_sets memory(gpu, arena, {bytes, bytes, bytes}, 0);
    const arrays<T> on{memory.at<T>(0, 0), memory.at<T>(0, 1), memory.at<T>(0, 2), n};
    pinned host(static_cast<std::size_t>(bytes));
    std::vector<std::map<step, std::vector<double>>> seconds;
    for (const implementation<T>& impl : implementations)
        seconds.push_back(run(impl, kernels, on, times, gpu.stream, host));

    for (const kernel& kernel : kernels) {
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            if (seconds[i].empty()) {
                results.add_wrong(cell_of(kernel), implementations[i].name);
                continue;
            }
            std::vector<double>& all = seconds[i][kernel.what];
            all.erase(all.begin());  // BabelStream ignores the first
            bench::timing time = bench::summary(all);
            time.device_us *= 1e6;
            results.add(cell_of(kernel), implementations[i].name, time);
            std::printf(" (%.0f MBytes/s)", cell_of(kernel).bytes / 1e6 / *std::min_element(all.begin(), all.end()));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    bench::arena arena;
    for (const std::span<const kernel> kernels : {std::span<const kernel>(classic), std::span<const kernel>(alone)}) {
        measure<double>(results, gpu, arena, "double", kernels);
        measure<float>(results, gpu, arena, "float", kernels);
    }
    return results.status();
}
