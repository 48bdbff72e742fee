// bench/cub_reduce.cpp: the cases of CUB's benchmarks of DeviceReduce, against CUB; sums as values against Thrust, too,
// whose reduce() returns one.
//
// usage: bench_cub_reduce [--json=FILE] [--only=TEXT]... [--quick]
#include "cub_reduce.kernels.hpp"
#include "cub_suite.hpp"

#include <cmath>
#include <cstring>
#include <functional>

namespace {

using namespace cub_suite;

constexpr std::size_t scratch_bytes = 16 << 20;

scratch open_scratch() {
    void* memory;
    BENCH_CHECK(cudaMalloc(&memory, scratch_bytes));
    return {memory, scratch_bytes};
}

struct reducing : setting {
    const scratch storage = open_scratch();
};

/// Whether two results are the same, or near enough for real numbers.
template <class R> bool is_near(const R& ours, const R& theirs, double tolerance) {
    if constexpr (is_real<R>) {
        const auto a = static_cast<double>(ours), b = static_cast<double>(theirs);
        return std::abs(a - b) <= tolerance * std::abs(b);
    } else if constexpr (requires { ours.at; }) {
        return ours.value == theirs.value && ours.at == theirs.at;
    } else {
        return ours == theirs;
    }
}

/// call(x, out, executor); fill(x, n) makes operands.
template <class Op, class R, class T, class Call>
void measure(const reducing& at, const std::string& name, const std::string& type, std::int64_t n, double tolerance,
             const std::function<void(T*, std::int64_t)>& fill, Call call) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    const bench::workload cell{"cub_suite", name, type, n, static_cast<double>(bytes), {}};
    if (!at.results.want(cell)) return;
    const bench::operand_sets sets(at.gpu, at.arena, {bytes}, 1024);
    if (!sets.have_room()) return at.results.add_missing(cell, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) fill(sets.at<T>(set, 0), n);
    R* const ours = sets.spare<R>();
    R* const theirs = reinterpret_cast<R*>(sets.spare<std::byte>(512));
    std::vector<foldwise::view<T>> x;
    for (int set = 0; set < sets.count(); ++set) x.push_back(foldwise::device(sets.at<T>(set, 0), foldwise::shape{n}));
    const auto out = foldwise::device(ours, foldwise::shape{});
    const auto foldwise = [&](int set) { call(x[static_cast<std::size_t>(set)], out, foldwise::cuda(at.gpu.stream)); };
    const auto cub = [&](int set) {
        fold_peer<Op, R, T>::cub(theirs, n, at.storage, at.gpu.stream, sets.at<T>(set, 0));
    };
    foldwise(0);
    cub(0);
    alignas(R) std::byte results[2][sizeof(R)];
    BENCH_CHECK(cudaDeviceSynchronize());
    BENCH_CHECK(cudaMemcpy(results[0], ours, sizeof(R), cudaMemcpyDeviceToHost));
    BENCH_CHECK(cudaMemcpy(results[1], theirs, sizeof(R), cudaMemcpyDeviceToHost));
    if (!is_near(*reinterpret_cast<R*>(results[0]), *reinterpret_cast<R*>(results[1]), tolerance))
        return at.results.add_wrong(cell, "foldwise");
    at.results.measure(cell, "foldwise", sets.count(), foldwise);
    at.results.measure(cell, "cub", sets.count(), cub);
}

/// Numbers whose sums are the same in any order.
template <class T> void fill_exactly(T* x, std::int64_t n) {
    if constexpr (std::is_integral_v<T>)
        fill_random(x, n);
    else if constexpr (sizeof(T) == 2)
        bench::fill_sparse(x, n, 100);
    else
        bench::fill_odd(x, n);
}

template <class T> void sum_and_min(const reducing& at, std::int64_t n) {
    measure<ops::sum, T, T>(at, "sum", name_of<T>(), n, 0, fill_exactly<T>,
                            [](auto x, auto out, auto where) { cub_suite::sum(x, out, where); });
    measure<ops::min, T, T>(at, "min", name_of<T>(), n, 0, fill_random<T>,
                            [](auto x, auto out, auto where) { cub_suite::min(x, out, where); });
}

template <class T> void custom(const reducing& at, std::int64_t n) {
    measure<ops::max, T, T>(at, "custom", name_of<T>(), n, 0, fill_random<T>,
                            [](auto x, auto out, auto where) { cub_suite::max(x, out, where); });
}

template <class T> void sum_of_squares(const reducing& at, std::int64_t n) {
    measure<ops::sum_of_squares, T, T>(at, "transform_reduce", name_of<T>(), n, 1e-4, fill_random<T>,
                                       [](auto x, auto out, auto where) { cub_suite::sum_of_squares(x, out, where); });
}

template <class T> void argmin(const reducing& at, std::int64_t n) {
    measure<ops::argmin, extremum<T>, T>(at, "argmin", name_of<T>(), n, 0, fill_random<T>,
                                         [](auto x, auto out, auto where) { cub_suite::argmin(x, out, where); });
}

void sum_complex(const reducing& at, std::int64_t n) {
    using complex = std::complex<float>;
    measure<ops::sum, complex, complex>(
        at, "sum", "complex", n, 0,
        [](complex* x, std::int64_t count) { bench::fill_odd(reinterpret_cast<float*>(x), 2 * count); },
        [](auto x, auto out, auto where) { cub_suite::sum_complex(x, out, where); });
}

/// The clock on the wall, from a call to the value that it returns.
template <class T> void sum_as_value(const reducing& at, std::int64_t n) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    const bench::workload cell{"cub_suite", "sum as value", name_of<T>(), n, static_cast<double>(bytes), {}};
    if (!at.results.want(cell)) return;
    const bench::operand_sets sets(at.gpu, at.arena, {bytes}, 0);
    if (!sets.have_room()) return at.results.add_missing(cell, "foldwise", "does not fit into the GPU's memory");
    for (int set = 0; set < sets.count(); ++set) fill_exactly(sets.at<T>(set, 0), n);
    const auto measure = [&](const char* impl, auto call) {
        if (call(0) != sum_by_thrust(sets.at<T>(0, 0), n, at.gpu.stream)) return at.results.add_wrong(cell, impl);
        int set = 0;
        at.results.add(cell, impl, bench::time_calls(n > 1 << 24 ? 20 : 100, [&] { call(set++ % sets.count()); }));
    };
    measure("foldwise", [&](int set) {
        return cub_suite::sum(foldwise::device(sets.at<T>(set, 0), foldwise::shape{n}), foldwise::cuda(at.gpu.stream));
    });
    measure("cub", [&](int set) { return sum_by_cub(sets.at<T>(set, 0), n, at.storage, at.gpu.stream); });
    measure("thrust", [&](int set) { return sum_by_thrust(sets.at<T>(set, 0), n, at.gpu.stream); });
}

template <class... T> void measure_all(const reducing& at, std::int64_t n) {
    (sum_and_min<T>(at, n), ...);
    sum_and_min<foldwise::half>(at, n);
    sum_and_min<foldwise::bfloat16>(at, n);
    sum_complex(at, n);
    (custom<T>(at, n), ...);
    sum_of_squares<std::int32_t>(at, n);
    sum_of_squares<float>(at, n);
    sum_of_squares<double>(at, n);
    argmin<std::int32_t>(at, n);
    argmin<float>(at, n);
    sum_as_value<std::int32_t>(at, n);
    sum_as_value<float>(at, n);
    sum_as_value<double>(at, n);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu, bench::pace::brisk);
    bench::arena arena;
    const reducing at{{results, gpu, arena}};
    for (std::int64_t n : cub_suite::sizes(options.is_quick))
        measure_all<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(at, n);
    return results.status();
}
