// bench/accuracy/accuracy.cpp: the largest errors of <cmath> in kernels, in units in the last place.
//
//   accuracy cpu|simulator|cuda FILE [EXPONENT]
//
// Floats are compared with the same function in double, run by the same backend; doubles with the host's long double.
// On a GPU functions of one float are given all 2^32 of them; elsewhere, and otherwise, 2^EXPONENT arguments of all
// magnitudes, and as many of the function's ordinary range. report.py makes a table of what it writes.
#include "error.hpp"
#include "errors.kernels.hpp"
#include "fast.kernels.hpp"
#include "plain.kernels.hpp"
#include "vector.kernels.hpp"

#include <foldwise/runtime.hpp>

#if ACCURACY_HAS_CUDA
#include <cuda_runtime_api.h>
#endif
#include <gnu/libc-version.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using accuracy::worst_case;
using namespace std::string_view_literals;

template <class T> using elements = foldwise::array<T>;

struct interval {
    double low, high;
};

/// A run of the program.
class measurement {
  public:
    measurement(foldwise::executor where, std::FILE* file, int exponent)
        : where_(where), file_(file), count_(std::int64_t{1} << exponent) {}

    /// `kernel` is given the arguments' arrays and the result's; `reference` the same in double, `exact` long doubles.
    template <class Kernel, class Reference, class Exact>
    void unary(const char* name, const char* variant, Kernel kernel, Reference reference, Exact exact, interval x) {
        const bool is_on_gpu = where_.backend() == foldwise::backend::cuda;
        const std::int64_t all = is_on_gpu ? std::int64_t{1} << 32 : count_, chunk = std::min(all, most_at_once);
        worst_case everywhere{0, 0, 0};
        for (std::int64_t first = 0; first < all; first += chunk)
            keep(everywhere, floats(kernel, reference, 1, chunk, [&](elements<float>& to, int) {
                     accuracy::floats(static_cast<std::uint32_t>(first), to, where_);
                 }));
        const worst_case ordinary = floats(kernel, reference, 1, count_, ordinary_floats({x, x}));
        write(name, variant, "float", everywhere, ordinary);
        doubles<1>(name, variant, kernel, exact, {x, x});
    }

    template <class Kernel, class Reference, class Exact>
    void binary(const char* name, const char* variant, Kernel kernel, Reference reference, Exact exact, interval x,
                interval y) {
        const worst_case everywhere = floats(kernel, reference, 2, count_, [&](elements<float>& to, int number) {
            accuracy::scattered_floats(seeds[number], to, where_);
        });
        const worst_case ordinary = floats(kernel, reference, 2, count_, ordinary_floats({x, y}));
        write(name, variant, "float", everywhere, ordinary);
        doubles<2>(name, variant, kernel, exact, {x, y});
    }

  private:
    static constexpr std::int64_t most_at_once = std::int64_t{1} << 26;
    static constexpr std::uint32_t seeds[] = {0x1234567, 0x89abcde};
    using intervals = std::array<interval, 2>;

    static void keep(worst_case& worst, const worst_case& other) {
        if (worst.error < other.error) worst = other;
    }

    auto ordinary_floats(intervals where) const {
        return [this, where](elements<float>& to, int number) {
            const interval range = where[static_cast<std::size_t>(number)];
            accuracy::ordinary_floats(seeds[number], static_cast<float>(range.low), static_cast<float>(range.high), to,
                                      where_);
        };
    }

    template <class Kernel, class Reference, class Fill>
    worst_case floats(Kernel kernel, Reference reference, int arguments, std::int64_t count, Fill fill) const {
        const foldwise::shape extents(count);
        elements<float> x(extents, where_), y(extents, where_), got(extents, where_);
        elements<double> wide_x(extents, where_), wide_y(extents, where_), want(extents, where_);
        fill(x, 0);
        accuracy::widened(x, wide_x, where_);
        if (arguments == 2) {
            fill(y, 1);
            accuracy::widened(y, wide_y, where_);
        }
        kernel(x, y, got, where_);
        reference(wide_x, wide_y, want, where_);
        return accuracy::worst(got, want, x, arguments == 2 ? y : x, where_);
    }

    template <int Arguments, class Kernel, class Exact>
    void doubles(const char* name, const char* variant, Kernel kernel, Exact exact, intervals where) {
        std::vector<double> x(static_cast<std::size_t>(count_)), y = x;
        const auto bits = [](std::int64_t i, int number, std::uint32_t part) {
            return accuracy::scattered(static_cast<std::uint32_t>(i) ^ seeds[number] ^ part);
        };
        const auto random = [&](std::int64_t i, int number) {
            return std::uint64_t{bits(i, number, 0)} << 32 | bits(i, number, 0x55555555);
        };
        const auto ordinary = [&](std::int64_t i, int number) {
            const auto [low, high] = where[static_cast<std::size_t>(number)];
            return low + (high - low) * (static_cast<double>(random(i, number) >> 11) * 0x1p-53);
        };
        worst_case found[2];
        for (const bool is_ordinary : {false, true}) {
            for (std::int64_t i = 0; i < count_; ++i)
                for (int number = 0; number < Arguments; ++number)
                    (number == 0 ? x : y)[static_cast<std::size_t>(i)] =
                        is_ordinary ? ordinary(i, number) : std::bit_cast<double>(random(i, number));
            const elements<double> on_device[] = {foldwise::to_device(x, where_), foldwise::to_device(y, where_)};
            elements<double> to(foldwise::shape(count_), where_);
            kernel(on_device[0], on_device[1], to, where_);
            found[is_ordinary] = farthest(to.to_host(), x, y, exact);
        }
        write(name, variant, "double", found[0], found[1]);
    }

    template <class Exact>
    static worst_case farthest(const std::vector<double>& got, const std::vector<double>& x,
                               const std::vector<double>& y, Exact exact) {
        worst_case worst{0, 0, 0};
#pragma omp parallel
        {
            worst_case mine{0, 0, 0};
#pragma omp for
            for (std::size_t i = 0; i < got.size(); ++i) {
                const long double want = exact(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
                keep(mine, {accuracy::error_in_ulp(got[i], want), x[i], y[i]});
            }
#pragma omp critical
            keep(worst, mine);
        }
        return worst;
    }

    void write(const char* name, const char* variant, const char* type, worst_case everywhere,
               worst_case ordinary) const {
        std::fprintf(file_, "%s\t%s\t%s\t%.4g\t%.9g\t%.9g\t%.4g\t%.9g\t%.9g\n", name, variant, type, everywhere.error,
                     everywhere.x, everywhere.y, ordinary.error, ordinary.x, ordinary.y);
        std::fflush(file_);
    }

    foldwise::executor where_;
    std::FILE* file_;
    std::int64_t count_;
};

void measure(measurement& all, foldwise::backend backend) {
#define KERNEL_1(space, name) [](auto& x, auto&, auto& to, auto where) { accuracy::space::name(x, to, where); }
#define KERNEL_2(space, name) [](auto& x, auto& y, auto& to, auto where) { accuracy::space::name(x, y, to, where); }
#define VARIANT_1(space, name, expression, low, high)                                                                  \
    all.unary(#name, #space, KERNEL_1(space, name), KERNEL_1(plain, name),                                             \
              [](auto x, [[maybe_unused]] auto y) { return expression; }, {low, high})
#define VARIANT_2(space, name, expression, low, high, low_y, high_y)                                                   \
    all.binary(#name, #space, KERNEL_2(space, name), KERNEL_2(plain, name), [](auto x, auto y) { return expression; }, \
               {low, high}, {low_y, high_y})
#define EACH(number, ...)                                                                                              \
    VARIANT_##number(plain, __VA_ARGS__);                                                                              \
    if (backend != foldwise::backend::simulator) VARIANT_##number(fast, __VA_ARGS__);                                  \
    if (backend == foldwise::backend::cpu) VARIANT_##number(vector, __VA_ARGS__);
#define UNARY(...) EACH(1, __VA_ARGS__)
#define BINARY(...) EACH(2, __VA_ARGS__)
#include "functions.def"
}

/// What the functions that were measured are part of.
std::string library(foldwise::backend backend) {
    if (backend != foldwise::backend::cuda) return std::string("glibc ") + gnu_get_libc_version();
#if ACCURACY_HAS_CUDA
    cudaDeviceProp gpu;
    int device = 0, version = 0;
    if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&gpu, device) == cudaSuccess &&
        cudaRuntimeGetVersion(&version) == cudaSuccess)
        return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) + ", " + gpu.name;
#endif
    return "CUDA";
}

int help() {
    std::fputs("usage: accuracy cpu|simulator|cuda FILE [EXPONENT]   (of the number of arguments: 10 to 26)\n", stderr);
    return 2;
}

int run(int count, char** arguments) {
    if (count != 3 && count != 4) return help();
    foldwise::executor where;
    if (arguments[1] == "cpu"sv)
        where = foldwise::cpu();
    else if (arguments[1] == "simulator"sv)
        where = foldwise::simulator();
    else if (arguments[1] == "cuda"sv)
        where = foldwise::cuda();
    else
        return help();
    const int exponent = count == 4 ? std::atoi(arguments[3]) : 21;
    if (exponent < 10 || exponent > 26) return help();
    std::FILE* file = std::fopen(arguments[2], "w");
    if (!file) {
        std::fprintf(stderr, "accuracy: cannot write '%s'\n", arguments[2]);
        return 1;
    }
    std::fprintf(file, "# %s\t%s\t%d\n", arguments[1], library(where.backend()).c_str(), exponent);
    std::fputs("# function\tvariant\ttype\tlargest error\tx\ty\tlargest error in the ordinary range\tx\ty\n", file);
    measurement all(where, file, exponent);
    measure(all, where.backend());
    return std::fclose(file) == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) try { return run(count, arguments); } catch (const std::exception& e) {
    std::fprintf(stderr, "accuracy: %s\n", e.what());
    return 1;
}
