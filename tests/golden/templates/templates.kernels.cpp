// tests/golden/templates/templates.kernels.cpp: template helpers, their specializations, concepts, templated lambdas.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <concepts>

template <class T> concept Small = sizeof(T) <= 4;

template <class T> T twice(T x) { return 2 * x; }
template <> inline double twice<double>(double x) { return x + x; }

template <int N, class T> T power(T x) {
    if constexpr (N == 0) return T(1);
    else return x * power<N - 1>(x);
}

template <class T> struct Pair {
    T first, second;
    T sum() const { return first + second; }
};
template <class T> Pair(T, T) -> Pair<T>;

auto cube = foldwise::vectorize<float(float), double(double)>([](auto x) { return twice(power<3>(x)); });
auto sum = foldwise::vectorize<float(float)>([]<Small T>(T x) -> T { return Pair{x, x}.sum(); });
auto same = foldwise::vectorize<int(int)>([](std::integral auto x) { return x; });
