// bench/cub_math.cpp: PyTorch's functions as CUB's benchmarks have them, against CUB and Thrust.
//
// usage: bench_cub_math [--json=FILE] [--only=TEXT]... [--quick]
#include "cub_math.kernels.hpp"
#include "cub_suite.hpp"

namespace {

using namespace cub_suite;

/// The functions of 16-bit numbers that CUB's side calls round more than once.
template <class T> constexpr double tolerance = sizeof(T) == 4 ? 1e-6 : std::is_same_v<T, foldwise::half> ? 3e-3 : 2e-2;

template <class Op, class T, class Call> void unary(const setting& at, const char* name, std::int64_t n, Call call) {
    measure<Op, T, T>(at, name, name_of<T>(), n, {.tolerance = tolerance<T>, .constants = {1337}}, call);
}
template <class Op, class T, class Call> void binary(const setting& at, const char* name, std::int64_t n, Call call) {
    measure<Op, T, T, T>(at, name, name_of<T>(), n, {.tolerance = tolerance<T>, .constants = {1337, 42}}, call);
}

#define UNARY(name)                                                                                                    \
    unary<ops::name, T>(at, #name, n, [](auto where, auto out, auto x) { cub_suite::name(x, out, where); })
#define BINARY(op, name)                                                                                               \
    binary<ops::op, T>(at, #name, n, [](auto where, auto out, auto a, auto b) { cub_suite::name(a, b, out, where); })

template <class T> void measure_all(const setting& at, std::int64_t n) {
    UNARY(relu);
    UNARY(sigmoid);
    UNARY(tanh);
    UNARY(gelu);
    UNARY(sin);
    UNARY(exp);
    BINARY(math_add, add);
    BINARY(math_sub, sub);
    BINARY(math_mul, mul);
    BINARY(math_div, div);
    BINARY(le, le);
    BINARY(ge, ge);
    BINARY(fmin, fmin);
    BINARY(fmax, fmax);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu, bench::pace::brisk);
    bench::arena arena;
    const setting at{results, gpu, arena};
    for (std::int64_t n : cub_suite::sizes(options.is_quick)) {
        measure_all<foldwise::half>(at, n);
        measure_all<foldwise::bfloat16>(at, n);
        measure_all<float>(at, n);
    }
    return results.status();
}
