// bench/reduce.cpp: reductions of whole arrays and along axes, against CUB and a kernel that only reads as many bytes.
// peers_reduce.py measures the same cases with Python's libraries.
//
// usage: bench_reduce [--json=FILE] [--only=TEXT]... [--quick]
#include "reduce.kernels.hpp"
#include "reduce_baselines.hpp"
#include "reduce_operands.hpp"
#include "reduce_peers.hpp"
#include "results.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

namespace {

using bench::operands;
using bench::workload;
using foldwise::shape;

std::string times(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

struct benchmark {
    bench::results& out;
    const bench::gpu& gpu;
    const bench::scratch& scratch;
    bench::memory& memory;

    foldwise::executor executor() const { return foldwise::cuda(gpu.stream); }

    /// Checks, then measures both. `cub` may be empty.
    void compare(const workload& work, operands& o, const std::function<void(int)>& foldwise,
                 const std::function<void(int)>& cub, const std::function<bool()>& is_right,
                 const std::function<void()>& fill) const {
        try {
            foldwise(0);
        } catch (const foldwise::error& error) {
            return out.add_missing(work, "foldwise", error.what());
        }
        if (cub) cub(0);
        BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
        if (!is_right()) return out.add_wrong(work, "foldwise");
        fill();
        out.measure(work, "foldwise", o.sets(), foldwise);
        if (cub) out.measure(work, "cub", o.sets(), cub);
    }
};

/// What no reduction can be faster than: a launch, and reading alone with as many blocks as are best.
void measure_baselines(const benchmark& b) {
    for (bool overlaps : {false, true}) {
        const workload work{"baseline", overlaps ? "empty kernel, overlapping" : "empty kernel", "", 1, 0, ""};
        if (b.out.want(work)) b.out.measure(work, "cuda", 1, [&](int) { bench::launch_empty(overlaps, b.gpu.stream); });
    }
    int multiprocessors = 0;
    BENCH_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    for (std::int64_t bytes : {std::int64_t{400'000'000}, std::int64_t{4'000'000'000}}) {
        const workload work{"baseline", "read", "16 bytes", bytes / 16, static_cast<double>(bytes), ""};
        if (!b.out.want(work)) continue;
        operands o(b.gpu, b.memory, {bytes}, 16);
        o.fill_random<float>();
        bench::timing best{1e30, 0};
        for (unsigned int per_multiprocessor : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
            const unsigned int blocks = per_multiprocessor * static_cast<unsigned int>(multiprocessors);
            const auto read = [&](int set) {
                bench::read_all(o.at<void>(set, 0), bytes / 16, blocks, o.results<std::uint32_t>(0), b.gpu.stream);
            };
            const bench::timing time = bench::time_device(b.gpu.stream, o.sets(), work.bytes / 4e6, read);
            if (time.device_us < best.device_us) best = time;
        }
        b.out.add(work, "cuda", best);
    }
}

template <class T> foldwise::view<T> seen(T* data, const shape& extents) { return foldwise::device(data, extents); }

/// One input. fold(x, out) and cub(x, out) launch; `fill` and same(a, b) are for the check.
template <class T, class R, class Fold, class Cub>
void measure(const benchmark& b, const std::string& name, const char* type, const std::string& shape_text,
             const shape& from, const shape& to, Fold fold, Cub cub, const std::function<void(operands&)>& fill,
             bool (*same)(const R&, const R&)) {
    const auto bytes = from.size() * std::int64_t{sizeof(T)}, bytes_of_results = to.size() * std::int64_t{sizeof(R)};
    const workload work{"reduce", name, type, from.size(), static_cast<double>(bytes + bytes_of_results), shape_text};
    if (!b.out.want(work)) return;
    operands o(b.gpu, b.memory, {bytes}, bytes_of_results);
    fill(o);
    b.compare(
        work, o, [&](int set) { fold(seen(o.at<T>(set, 0), from), seen(o.results<R>(0), to)); },
        [&](int set) { cub(o.at<T>(set, 0), o.results<R>(1)); }, [&] { return o.have_same_results(to.size(), same); },
        [&] { o.fill_random<T>(); });
}

template <class R> bool is_equal(const R& a, const R& b) { return a == b; }
bool is_equal_point(const bench::point& a, const bench::point& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool is_equal_peak(const bench::peak& a, const bench::peak& b) { return a.value == b.value && a.at == b.at; }
bool is_near(const double& a, const double& b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

template <class T, class R> void sum(const benchmark& b, const char* type, std::int64_t n) {
    measure<T, R>(
        b, "sum", type, "", {n}, {}, [&](auto x, auto out) { bench::sum(x, out, b.executor()); },
        [&](const T* x, R* out) { bench::cub_sum(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_exactly<T>(); }, is_equal);
}

void sum_points(const benchmark& b, std::int64_t n) {
    using bench::point;
    measure<point, point>(
        b, "sum", "3 doubles", "", {n}, {}, [&](auto x, auto out) { bench::total(x, out, b.executor()); },
        [&](const point* x, point* out) { bench::cub_sum(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_exactly<double>(); }, is_equal_point);
}

void max(const benchmark& b, std::int64_t n) {
    measure<float, float>(
        b, "max", "float", "", {n}, {}, [&](auto x, auto out) { bench::max(x, out, b.executor()); },
        [&](const float* x, float* out) { bench::cub_max(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_equal);
}

void any(const benchmark& b, std::int64_t n) {
    measure<bool, bool>(
        b, "any", "bool", "", {n}, {}, [&](auto x, auto out) { bench::any(x, out, b.executor()); },
        [&](const bool* x, bool* out) { bench::cub_any(x, out, n, b.scratch, b.gpu.stream); },
        [n](operands& o) {  // only the last one, which nobody may miss
            BENCH_CHECK(cudaMemset(o.at<bool>(0, 0), 0, static_cast<std::size_t>(n)));
            BENCH_CHECK(cudaMemset(o.at<bool>(0, 0) + n - 1, 1, 1));
        },
        is_equal);
}

void argmax(const benchmark& b, std::int64_t n) {
    using bench::peak;
    measure<float, peak>(
        b, "argmax", "float", "", {n}, {}, [&](auto x, auto out) { bench::argmax(x, out, b.executor()); },
        [&](const float* x, peak* out) { bench::cub_argmax(x, &out->value, &out->at, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_equal_peak);
}

void variance(const benchmark& b, std::int64_t n) {
    measure<float, double>(
        b, "variance", "float", "", {n}, {}, [&](auto x, auto out) { bench::variance(x, out, b.executor()); },
        [&](const float* x, double* out) { bench::cub_variance(x, out, n, b.scratch, b.gpu.stream); },
        [](operands& o) { o.fill_random<float>(); }, is_near);
}

void dot(const benchmark& b, std::int64_t n) {
    const workload work{"reduce", "dot", "float", n, 8.0 * static_cast<double>(n), ""};
    if (!b.out.want(work)) return;
    operands o(b.gpu, b.memory, {4 * n, 4 * n}, 4);
    o.fill_exactly<float>();
    b.compare(
        work, o,
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
void compose(const benchmark& b, std::int64_t n) {
    using bench::affine;
    const workload work{"reduce", "compose", "2 uint32", n, 8.0 * static_cast<double>(n), ""};
    if (!b.out.want(work)) return;
    operands o(b.gpu, b.memory, {8 * n}, 8);
    o.fill_random<affine>();
    const auto is_right = [&] {
        affine want{1, 0};
        o.each_on_host<affine>(n, [&](const affine& g) { want = {want.a * g.a, g.a * want.b + g.b}; });
        const affine got = o.result_on_host<affine>();
        return got.a == want.a && got.b == want.b;
    };
    b.compare(
        work, o,
        [&](int set) { bench::compose(seen(o.at<affine>(set, 0), {n}), seen(o.results<affine>(0), {}), b.executor()); },
        {}, is_right, [] {});
}

template <class T, class R> void sum_axes(const benchmark& b, const char* type, std::int64_t m, std::int64_t n) {
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

void max_axes(const benchmark& b, std::int64_t m, std::int64_t n) {
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
void sum_channels(const benchmark& b, std::int64_t n, std::int64_t c, std::int64_t side) {
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

void measure_all(const benchmark& b) {
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
    for (std::int64_t n : sizes)
        if (n < 1'000'000'000) compose(b, n);  // the host checks it

    const std::int64_t shapes[][2] = {{3'000'000, 32}, {10'000, 10'000}, {32, 3'000'000}, {1000, 1000},
                                      {8, 12'500'000}, {12'500'000, 8},  {10'000'000, 3}, {1001, 9999}};
    for (auto [m, n] : shapes) sum_axes<float, float>(b, "float", m, n);
    sum_axes<foldwise::bfloat16, float>(b, "bfloat16->float", 10'000, 10'000);
    sum_axes<std::int8_t, std::int32_t>(b, "int8->int32", 10'000, 10'000);
    max_axes(b, 10'000, 10'000);
    sum_channels(b, 64, 128, 56);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results out(options, gpu);
    bench::memory for_scratch, memory;
    const bench::scratch scratch{for_scratch.room_for(64 << 20), 64 << 20};
    const benchmark all{out, gpu, scratch, memory};
    measure_baselines(all);
    measure_all(all);
    return out.status();
}
