// bench/cub_transform.cpp: the cases of CUB's benchmarks of DeviceTransform, against CUB and Thrust.
//
// usage: bench_cub_transform [--json=FILE] [--only=TEXT]... [--quick]
#include "cub_suite.hpp"
#include "cub_transform.kernels.hpp"

namespace {

using namespace cub_suite;

/// With the constants of that benchmark, which nstream leaves as they are.
template <class T> void measure_streams(const setting& at, std::int64_t n) {
    constexpr int a = 11, b = 2, c = 1;
    const char* const type = name_of<T>();
    const auto how = [](std::vector<float> constants, bool is_in_place = false) {
        return particulars{.tolerance = 1e-6, .constants = constants, .is_in_place = is_in_place};
    };
    measure<ops::mul, T, T>(at, "stream mul", type, n, how({c}),
                            [](auto where, auto out, auto c) { cub_suite::mul(c, out, where); });
    measure<ops::add, T, T, T>(at, "stream add", type, n, how({a, b}),
                               [](auto where, auto out, auto a, auto b) { cub_suite::add(a, b, out, where); });
    measure<ops::triad, T, T, T>(at, "stream triad", type, n, how({b, c}),
                                 [](auto where, auto out, auto b, auto c) { cub_suite::triad(b, c, out, where); });
    measure<ops::nstream, T, T, T, T>(
        at, "stream nstream", type, n, how({a, b, c}, true),
        [](auto where, auto out, auto a, auto b, auto c) { cub_suite::nstream(a, b, c, out, where); });
}

template <class T> void measure_fill(const setting& at, std::int64_t n) {
    measure<ops::fill<T>, T>(at, "fill", name_of<T>(), n, {},
                             [](auto where, auto out) { cub_suite::fill(T(42), out, where); });
}

template <class T> void measure_grayscale(const setting& at, std::int64_t n) {
    measure<ops::grayscale, T, rgb<T>>(at, "grayscale", name_of<T>(), n, {.tolerance = 1e-6},
                                       [](auto where, auto out, auto x) { cub_suite::grayscale(x, out, where); });
}

template <int N, class Call> void measure_heavy(const setting& at, std::int64_t n, Call call) {
    measure<ops::heavy<N>, std::uint32_t, std::uint32_t>(at, "heavy " + std::to_string(N), "uint32", n, {}, call);
}

void measure_all(const setting& at, std::int64_t n) {
    measure_streams<std::int8_t>(at, n);
    measure_streams<std::int16_t>(at, n);
    measure_streams<float>(at, n);
    measure_streams<double>(at, n);
    measure_fill<std::int8_t>(at, n);
    measure_fill<std::int16_t>(at, n);
    measure_fill<std::int32_t>(at, n);
    measure_fill<std::int64_t>(at, n);
    measure<ops::compare_complex, bool, std::complex<float>, std::complex<float>>(
        at, "complex_cmp", "complex", n, {.overlaps = true},
        [](auto where, auto out, auto a, auto b) { cub_suite::compare_complex(a, b, out, where); });
    measure_grayscale<float>(at, n);
    measure_grayscale<double>(at, n);
    measure<ops::fibonacci, std::uint32_t, std::int64_t>(
        at, "fib", "int64", n, {.below = 43},
        [](auto where, auto out, auto x) { cub_suite::fibonacci(x, out, where); });
    measure_heavy<32>(at, n, [](auto where, auto out, auto x) { cub_suite::heavy_32(x, out, where); });
    measure_heavy<64>(at, n, [](auto where, auto out, auto x) { cub_suite::heavy_64(x, out, where); });
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu, bench::pace::brisk);
    bench::arena arena;
    for (std::int64_t n : cub_suite::sizes(options.is_quick)) measure_all({results, gpu, arena}, n);
    return results.status();
}
