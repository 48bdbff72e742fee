// bench/reduce.cpp: reductions of whole arrays and along axes, against CUB and a kernel that only reads as many bytes.
// peers_reduce.py measures the same cases with PyTorch, torch.compile, CuPy and JAX.
//
// usage: bench_reduce [--json=FILE] [--only=TEXT]... [--queued]
// TEXT is a part of "case type size", as in --only="sum rows float"; several of them choose what has any. --queued
// leaves out what is not the GPU's own time.
#include "delay.hpp"
#include "gpu.hpp"
#include "reduce.kernels.hpp"
#include "reduce_baselines.hpp"
#include "reduce_operands.hpp"
#include "reduce_peers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::operands;
using bench::timing;
using foldwise::shape;

struct row {
    std::string name, type, size;
    double bytes;  ///< Read and written once.
    bool is_right = true;
    bool is_baseline = false;
    timing queued = {}, issued = {};
    double host_us = 0;
    std::optional<timing> cub = {};
};

std::string times(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

class benchmark {
  public:
    benchmark(const bench::gpu& gpu, std::vector<std::string> only, bool is_queued)
        : gpu(gpu), scratch{scratch_.room_for(64 << 20), 64 << 20}, only_(std::move(only)), is_queued_(is_queued) {}

    bool wants(const std::string& name, const std::string& type, const std::string& size) const {
        const std::string row = name + " " + type + " " + size;
        const auto is_part = [&](const std::string& text) { return row.find(text) != std::string::npos; };
        return only_.empty() || std::any_of(only_.begin(), only_.end(), is_part);
    }
    foldwise::executor executor() const { return foldwise::cuda(gpu.stream); }

    void measure_baselines();

    /// Checks, then measures both. `cub` may be empty.
    void add(row r, operands& o, const std::function<void(int)>& foldwise, const std::function<void(int)>& cub,
             const std::function<bool()>& is_right, const std::function<void()>& fill);

    const bench::gpu& gpu;

  private:
    bench::memory scratch_;

  public:
    const bench::scratch scratch;
    bench::memory memory;
    std::vector<row> rows;
    bool all_right = true;

  private:
    static constexpr double too_slow_us = 20'000;

    /// How long one takes, roughly.
    double try_out(const std::function<void(int)>& launch, int set) const;
    timing time_queued(const std::function<void(int)>& launch, int sets, double expected_us) const;
    void print(const row& r) const;

    const std::vector<std::string> only_;
    const bool is_queued_;
    double read_rate_ = 1;  ///< Bytes per microsecond.
};

double benchmark::try_out(const std::function<void(int)>& launch, int set) const {
    cudaEvent_t begin, end;
    BENCH_CHECK(cudaEventCreate(&begin));
    BENCH_CHECK(cudaEventCreate(&end));
    BENCH_CHECK(cudaEventRecord(begin, gpu.stream));
    launch(set);
    BENCH_CHECK(cudaEventRecord(end, gpu.stream));
    BENCH_CHECK(cudaEventSynchronize(end));
    float ms = 0;
    BENCH_CHECK(cudaEventElapsedTime(&ms, begin, end));
    BENCH_CHECK(cudaEventDestroy(begin));
    BENCH_CHECK(cudaEventDestroy(end));
    return 1000.0 * ms;
}

timing benchmark::time_queued(const std::function<void(int)>& launch, int sets, double expected_us) const {
    return bench::time_device(gpu.stream, sets, expected_us, launch,
                              [&](int launches) { bench::delay(50 + 10.0 * launches, gpu.stream); });
}

void benchmark::measure_baselines() {
    std::printf("%-34s %10s %10s %9s\n", "baseline", "queued us", "issued us", "TB/s");
    for (bool overlaps : {false, true}) {
        const auto launch = [&](int) { bench::launch_empty(overlaps, gpu.stream); };
        row r{overlaps ? "empty kernel, overlapping" : "empty kernel", "", "", 0, true, true};
        r.queued = time_queued(launch, 1, 10);
        r.issued = bench::time_device(gpu.stream, 1, 10, launch);
        r.host_us = bench::time_host(gpu.stream, 1, launch);
        std::printf("%-34s %10.3f %10.3f\n", r.name.c_str(), r.queued.device_us, r.issued.device_us);
        rows.push_back(r);
    }
    int multiprocessors = 0;
    BENCH_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    for (std::int64_t bytes : {std::int64_t{400'000'000}, std::int64_t{4'000'000'000}}) {
        operands o(gpu, memory, {bytes}, 16);
        o.fill_random<float>();
        row best{"read", "16 bytes", std::to_string(bytes), static_cast<double>(bytes), true, true};
        unsigned int best_blocks = 0;
        for (unsigned int per_multiprocessor : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
            const unsigned int blocks = per_multiprocessor * static_cast<unsigned int>(multiprocessors);
            const auto launch = [&](int set) {
                bench::read_all(o.at<void>(set, 0), bytes / 16, blocks, o.results<std::uint32_t>(0), gpu.stream);
            };
            const timing queued = time_queued(launch, o.sets(), static_cast<double>(bytes) / 4e6);
            if (best_blocks && queued.device_us >= best.queued.device_us) continue;
            best_blocks = blocks;
            best.queued = queued;
            best.issued = bench::time_device(gpu.stream, o.sets(), queued.device_us, launch);
        }
        const double rate = best.bytes / best.queued.device_us;
        read_rate_ = std::max(read_rate_, rate);
        std::printf("read %-29s %10.3f %10.3f %9.3f  (%u blocks of 512)\n", best.size.c_str(), best.queued.device_us,
                    best.issued.device_us, rate / 1e6, best_blocks);
        rows.push_back(best);
    }
    std::printf("\n%-12s %-11s %-15s %10s %7s %10s %7s %10s %8s %8s %8s\n", "case", "type", "size", "queued us",
                "spread", "issued us", "host us", "CUB us", "of CUB", "GB/s", "of read");
}

void benchmark::add(row r, operands& o, const std::function<void(int)>& foldwise, const std::function<void(int)>& cub,
                    const std::function<bool()>& is_right, const std::function<void()>& fill) {
    try {
        foldwise(0);
    } catch (const foldwise::error& error) {
        std::printf("%s %s %s: %s\n", r.name.c_str(), r.type.c_str(), r.size.c_str(), error.what());
        all_right = false;
        return;
    }
    if (cub) cub(0);
    BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
    r.is_right = is_right();
    all_right = all_right && r.is_right;
    fill();
    const double expected = try_out(foldwise, o.sets() - 1);
    r.queued = time_queued(foldwise, o.sets(), expected);
    if (!is_queued_) {
        r.issued = bench::time_device(gpu.stream, o.sets(), expected, foldwise);
        r.host_us = bench::time_host(gpu.stream, o.sets(), foldwise,
                                     std::clamp(static_cast<int>(20'000 / r.queued.device_us), 10, 200),
                                     r.queued.device_us < 1000 ? 25 : 7);
    }
    const double cub_expected = cub ? try_out(cub, o.sets() - 1) : 0;
    // A call may be three kernels, and a queue holds a thousand: 200 calls a batch.
    if (cub && cub_expected < too_slow_us) r.cub = time_queued(cub, o.sets(), std::fmax(20, cub_expected));
    print(r);
    rows.push_back(r);
}

void benchmark::print(const row& r) const {
    const double rate = r.bytes / r.queued.device_us;
    std::printf("%-12s %-11s %-15s %10.3f %6.1f%% %10.3f %7.2f ", r.name.c_str(), r.type.c_str(), r.size.c_str(),
                r.queued.device_us, 100 * r.queued.spread, r.issued.device_us, r.host_us);
    if (r.cub)
        std::printf("%10.3f %8.3f ", r.cub->device_us, r.queued.device_us / r.cub->device_us);
    else
        std::printf("%10s %8s ", "", "");
    std::printf("%8.1f %8.3f%s\n", rate / 1e3, rate / read_rate_, r.is_right ? "" : "  WRONG");
    std::fflush(stdout);
}

template <class T> foldwise::view<T> seen(T* data, const shape& extents) { return foldwise::device(data, extents); }

/// One input. fold(x, out) and cub(x, out, scratch, stream) launch; `fill` and same(a, b) are for the check.
template <class T, class R, class Fold, class Cub>
void measure(benchmark& bench, const std::string& name, const char* type, const std::string& size, const shape& from,
             const shape& to, Fold fold, Cub cub, const std::function<void(operands&)>& fill,
             bool (*same)(const R&, const R&)) {
    if (!bench.wants(name, type, size)) return;
    const auto bytes = from.size() * std::int64_t{sizeof(T)}, bytes_of_results = to.size() * std::int64_t{sizeof(R)};
    operands o(bench.gpu, bench.memory, {bytes}, bytes_of_results);
    fill(o);
    bench.add(
        {name, type, size, static_cast<double>(bytes + bytes_of_results)}, o,
        [&](int set) { fold(seen(o.at<T>(set, 0), from), seen(o.results<R>(0), to)); },
        [&](int set) { cub(o.at<T>(set, 0), o.results<R>(1)); }, [&] { return o.have_same_results(to.size(), same); },
        [&] { o.fill_random<T>(); });
}

template <class R> bool is_equal(const R& a, const R& b) { return a == b; }
bool is_equal_point(const bench::point& a, const bench::point& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool is_equal_peak(const bench::peak& a, const bench::peak& b) { return a.value == b.value && a.at == b.at; }
bool is_near(const double& a, const double& b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

template <class T, class R> void sum(benchmark& b, const char* type, std::int64_t n) {
    measure<T, R>(
        b, "sum", type, std::to_string(n), {n}, {}, [&](auto x, auto out) { bench::sum(x, out, b.executor()); },
        [&](const T* x, R* out) { bench::cub_sum(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_exactly<T>(); }, is_equal);
}

void sum_points(benchmark& b, std::int64_t n) {
    using bench::point;
    measure<point, point>(
        b, "sum", "3 doubles", std::to_string(n), {n}, {},
        [&](auto x, auto out) { bench::total(x, out, b.executor()); },
        [&](const point* x, point* out) { bench::cub_sum(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_exactly<double>(); }, is_equal_point);
}

void max(benchmark& b, std::int64_t n) {
    measure<float, float>(
        b, "max", "float", std::to_string(n), {n}, {}, [&](auto x, auto out) { bench::max(x, out, b.executor()); },
        [&](const float* x, float* out) { bench::cub_max(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_equal);
}

void any(benchmark& b, std::int64_t n) {
    measure<bool, bool>(
        b, "any", "bool", std::to_string(n), {n}, {}, [&](auto x, auto out) { bench::any(x, out, b.executor()); },
        [&](const bool* x, bool* out) { bench::cub_any(x, out, n, b.scratch, b.gpu.stream); },
        [n](operands& o) {  // only the last one, which nobody may miss
            BENCH_CHECK(cudaMemset(o.at<bool>(0, 0), 0, static_cast<std::size_t>(n)));
            BENCH_CHECK(cudaMemset(o.at<bool>(0, 0) + n - 1, 1, 1));
        },
        is_equal);
}

void argmax(benchmark& b, std::int64_t n) {
    using bench::peak;
    measure<float, peak>(
        b, "argmax", "float", std::to_string(n), {n}, {},
        [&](auto x, auto out) { bench::argmax(x, out, b.executor()); },
        [&](const float* x, peak* out) { bench::cub_argmax(x, &out->value, &out->at, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_equal_peak);
}

void variance(benchmark& b, std::int64_t n) {
    measure<float, double>(
        b, "variance", "float", std::to_string(n), {n}, {},
        [&](auto x, auto out) { bench::variance(x, out, b.executor()); },
        [&](const float* x, double* out) { bench::cub_variance(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_near);
}

void dot(benchmark& b, std::int64_t n) {
    const std::string size = std::to_string(n);
    if (!b.wants("dot", "float", size)) return;
    operands o(b.gpu, b.memory, {4 * n, 4 * n}, 4);
    o.fill_exactly<float>();
    b.add(
        {"dot", "float", size, 8.0 * static_cast<double>(n)}, o,
        [&](int set) {
            bench::dot(seen(o.at<float>(set, 0), {n}), seen(o.at<float>(set, 1), {n}), seen(o.results<float>(0), {}),
                       b.executor());
        },
        [&](int set) {
            bench::cub_dot(o.at<float>(set, 0), o.at<float>(set, 1), o.results<float>(1), n, b.scratch, b.gpu.stream);
        },
        [&] { return o.have_same_results<float>(1, is_equal); }, [&] { o.fill_random<float>(); });
}

/// CUB keeps no order.
void compose(benchmark& b, std::int64_t n) {
    using bench::affine;
    const std::string size = std::to_string(n);
    if (!b.wants("compose", "2 uint32", size)) return;
    operands o(b.gpu, b.memory, {8 * n}, 8);
    o.fill_random<affine>();
    const auto is_right = [&] {
        affine want{1, 0};
        o.each_on_host<affine>(n, [&](const affine& g) { want = {want.a * g.a, g.a * want.b + g.b}; });
        const affine got = o.result_on_host<affine>();
        return got.a == want.a && got.b == want.b;
    };
    b.add(
        {"compose", "2 uint32", size, 8.0 * static_cast<double>(n)}, o,
        [&](int set) { bench::compose(seen(o.at<affine>(set, 0), {n}), seen(o.results<affine>(0), {}), b.executor()); },
        {}, is_right, [] {});
}

template <class T, class R> void sum_axes(benchmark& b, const char* type, std::int64_t m, std::int64_t n) {
    const auto fill = [](operands& o) { o.fill_exactly<T>(); };
    measure<T, R>(
        b, "sum rows", type, times(m, n), {m, n}, {m},
        [&](auto x, auto out) { bench::sum(x, out, foldwise::axis(1), b.executor()); },
        [&](const T* x, R* out) { bench::cub_sum_middle(x, out, m, n, 1, b.scratch, b.gpu.stream); }, fill, is_equal);
    measure<T, R>(
        b, "sum columns", type, times(m, n), {m, n}, {n},
        [&](auto x, auto out) { bench::sum(x, out, foldwise::axis(0), b.executor()); },
        [&](const T* x, R* out) { bench::cub_sum_middle(x, out, 1, m, n, b.scratch, b.gpu.stream); }, fill, is_equal);
}

void max_axes(benchmark& b, std::int64_t m, std::int64_t n) {
    const auto fill = [](operands& o) { o.fill_random<float>(); };
    measure<float, float>(
        b, "max rows", "float", times(m, n), {m, n}, {m},
        [&](auto x, auto out) { bench::max(x, out, foldwise::axis(1), b.executor()); },
        [&](const float* x, float* out) { bench::cub_max_middle(x, out, m, n, 1, b.scratch, b.gpu.stream); }, fill,
        is_equal);
    measure<float, float>(
        b, "max columns", "float", times(m, n), {m, n}, {n},
        [&](auto x, auto out) { bench::max(x, out, foldwise::axis(0), b.executor()); },
        [&](const float* x, float* out) { bench::cub_max_middle(x, out, 1, m, n, b.scratch, b.gpu.stream); }, fill,
        is_equal);
}

/// The channels of pictures, and all but the channels.
void sum_channels(benchmark& b, std::int64_t n, std::int64_t c, std::int64_t side) {
    const std::string size = times(n, c) + "x" + times(side, side);
    const auto fill = [](operands& o) { o.fill_exactly<float>(); };
    const std::int64_t pixels = side * side;
    measure<float, float>(
        b, "sum axis 1", "float", size, {n, c, side, side}, {n, side, side},
        [&](auto x, auto out) { bench::sum(x, out, foldwise::axis(1), b.executor()); },
        [&](const float* x, float* out) { bench::cub_sum_middle(x, out, n, c, pixels, b.scratch, b.gpu.stream); }, fill,
        is_equal);
    measure<float, float>(
        b, "sum axes 023", "float", size, {n, c, side, side}, {c},
        [&](auto x, auto out) { bench::sum(x, out, foldwise::axis(0, 2, 3), b.executor()); },
        [&](const float* x, float* out) { bench::cub_sum_around(x, out, n, c, pixels, b.scratch, b.gpu.stream); }, fill,
        is_equal);
}

void measure_all(benchmark& b) {
    constexpr std::int64_t sizes[] = {1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    for (std::int64_t n : sizes) sum<float, float>(b, "float", n);
    for (std::int64_t n : sizes)
        if (n < 1'000'000'000) sum<double, double>(b, "double", n);
    for (std::int64_t n : sizes) max(b, n);
    for (std::int64_t n : sizes) dot(b, n);
    for (std::int64_t n : sizes) argmax(b, n);
    for (std::int64_t n : sizes) variance(b, n);
    for (std::int64_t n : sizes) any(b, n);
    for (std::int64_t n : sizes) sum<std::int8_t, std::int32_t>(b, "int8->int32", n);
    for (std::int64_t n : sizes) sum_points(b, n);
    for (std::int64_t n : sizes) compose(b, n);

    const std::int64_t shapes[][2] = {{3'000'000, 32}, {10'000, 10'000}, {32, 3'000'000}, {1000, 1000},
                                      {8, 12'500'000}, {12'500'000, 8},  {10'000'000, 3}, {1001, 9999}};
    for (auto [m, n] : shapes) sum_axes<float, float>(b, "float", m, n);
    sum_axes<foldwise::bfloat16, float>(b, "bf16->float", 10'000, 10'000);
    sum_axes<std::int8_t, std::int32_t>(b, "int8->int32", 10'000, 10'000);
    max_axes(b, 10'000, 10'000);
    sum_channels(b, 64, 128, 56);
}

void write_members(std::ostream& out, const row& r) {
    out << "\"case\": \"" << r.name << "\", \"type\": \"" << r.type << "\", \"size\": \"" << r.size
        << "\", \"bytes\": " << r.bytes << ", \"is_right\": " << (r.is_right ? "true" : "false")
        << (r.is_baseline ? ", \"queued_us\": " : ", \"foldwise_us\": ") << r.queued.device_us
        << ", \"spread\": " << r.queued.spread << ", \"issued_us\": " << r.issued.device_us
        << ", \"host_us\": " << r.host_us;
    if (r.cub) out << ", \"cub_us\": " << r.cub->device_us;
}

}  // namespace

int main(int argc, char** argv) {
    const char* json = nullptr;
    std::vector<std::string> only;
    bool is_queued = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--json=", 7) == 0)
            json = argv[i] + 7;
        else if (std::strncmp(argv[i], "--only=", 7) == 0)
            only.emplace_back(argv[i] + 7);
        else if (std::strcmp(argv[i], "--queued") == 0)
            is_queued = true;
        else
            return std::fprintf(stderr, "usage: %s [--json=FILE] [--only=TEXT]... [--queued]\n", argv[0]), 2;
    }
    const bench::gpu gpu = bench::open_gpu();
    benchmark out(gpu, only, is_queued);
    out.measure_baselines();
    measure_all(out);
    if (json) bench::write_json(json, gpu, out.rows, write_members);
    if (!out.all_right) return std::fprintf(stderr, "some results are wrong\n"), 1;
}
