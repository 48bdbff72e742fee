// tests/run/cuda_std.kernels.cpp: types of libcu++ as elements, accumulators and within kernels.
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <foldwise/spec.hpp>

namespace cuda_std {

using complex = cuda::std::complex<float>;
using triple = cuda::std::array<float, 3>;
using mixed = cuda::std::tuple<int, double, bool>;
using pair = cuda::std::pair<float, int>;

auto product = foldwise::vectorize([](complex x, complex y) { return x * y + complex(1, 2); });
auto rotated = foldwise::vectorize([](triple x, int i) {
    return triple{x[static_cast<std::size_t>(i % 3)], x[1], x[0]};
});
auto made = foldwise::vectorize([](int x) { return mixed(x, x / 2.0, x > 3); });
auto taken = foldwise::vectorize([](mixed x) {
    auto [number, half, is_large] = x;
    return is_large ? number + half : cuda::std::get<1>(x);
});
auto turned = foldwise::vectorize([](pair p) { return pair(p.first + 1, -p.second); });
auto within = foldwise::vectorize([](int x) {
    cuda::std::optional<int> found;
    if (x > 2) found = cuda::std::get<1>(cuda::std::make_tuple(1.5f, x));
    return found.value_or(-1);
});
auto total = foldwise::reduce<complex>([](complex a, complex b) { return a + b; }, foldwise::identity(complex(0, 0)));
auto summed =
    foldwise::forall([](foldwise::index<1> i, foldwise::view<const triple, 1> x, foldwise::view<float, 1> out) {
        float sum = 0;
        for (float v : x[i]) sum += v;
        out[i] = sum;
    });

}  // namespace cuda_std
