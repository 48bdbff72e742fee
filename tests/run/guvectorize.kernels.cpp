// tests/run/guvectorize.kernels.cpp: functions of rows and matrices, whose results are exact.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace run {

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;

/// Two dimensions that inputs share with the output, and one that they share with each other.
auto matmul =
    foldwise::guvectorize<double, std::int32_t>("(m,n),(n,p)->(m,p)", []<class T>(in<T, 2> a, in<T, 2> b, out<T, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                T sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });

/// Two outputs of other types than the input's.
auto largest = foldwise::guvectorize("(n)->(),()", [](in<std::int16_t, 1> x, std::int16_t& value, std::int64_t& at) {
    value = -32768;
    at = -1;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        if (x[i] <= value) continue;
        value = x[i];
        at = i;
    }
});

struct line {
    std::int32_t slope, offset;
};

/// Values beside rows: a struct and a number, by value and by reference.
inline void trace(const line& of, std::int32_t scale, in<std::int32_t, 1> x, out<std::int32_t, 1> y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) y[i] = scale * (of.slope * x[i] + of.offset);
}
auto traced = foldwise::guvectorize("(),(),(n)->(n)", trace);

/// Fixed sizes, and a matrix of them.
auto turn = foldwise::guvectorize("(3,3),(3)->(3)", [](in<float, 2> by, in<float, 1> x, out<float, 1> y) {
    for (int i = 0; i < 3; ++i) y[i] = by(i, 0) * x[0] + by(i, 1) * x[1] + by(i, 2) * x[2];
});

/// A dimension that the output alone has, and elements that keep what they had.
auto spread = foldwise::guvectorize("(n)->(p)", [](in<std::int64_t, 1> x, out<std::int64_t, 1> sums) {
    if (sums.extent(0) == 0) return;
    for (std::int64_t i = 0, to = 0; i < x.extent(0); ++i) {
        sums[to] += x[i];
        to = to + 1 < sums.extent(0) ? to + 1 : 0;
    }
});

/// What a new array has is added to.
auto added = foldwise::guvectorize("(n)->()", [](in<double, 1> x, double& sum) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i];
});

/// No core dimensions at all, and 16-bit elements.
auto halved = foldwise::guvectorize("()->()", [](foldwise::half x, foldwise::half& out) {
    out = static_cast<foldwise::half>(0.5f * static_cast<float>(x));
});

}  // namespace run
