// tests/golden/guvectorize/guvectorize.kernels.cpp: functions of rows and matrices.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>

namespace linear {

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;

/// Products of matrices.
auto matmul = foldwise::guvectorize<float, double>(
    "(m,n),(n,p)->(m,p)", []<class T>(in<T, 2> a, in<T, 2> b, out<T, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                T sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });

/// The least and the largest of a row of three, where a limit leaves any.
inline void range(float limit, in<float, 1> x, float& least, float& largest) {
    least = largest = limit;
    for (int i = 0; i < 3; ++i) {
        if (x[i] < least) least = x[i];
        if (x[i] > largest) largest = x[i];
    }
}
auto ranges = foldwise::guvectorize("(),(3)->(),()", range);

/// As many differences of neighbours as the output has room for.
auto steps = foldwise::guvectorize("(n)->(p)", [](in<float, 1> x, out<float, 1> differences) {
    for (std::int64_t i = 0; i < differences.extent(0) && i + 1 < x.extent(0); ++i) differences[i] = x[i + 1] - x[i];
});

}  // namespace linear
