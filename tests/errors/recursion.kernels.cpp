// tests/errors/recursion.kernels.cpp: functions that call themselves, told where the kernel calls them.
// RUN: %warned
#include <foldwise/spec.hpp>

inline int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);  // expected-note {{'depth' calls 'depth' here}}
}
// expected-warning@+1 {{'depth' is recursive: its calls use up a thread's stack, which is small and lies in local memory [FW021, -Wrecursion]}}
auto direct = foldwise::vectorize([](int n) { return depth(n) + depth(n + 1); });

// Each kernel is told at its own line, but once only for all its signatures.
template <class T> T halvings(T x) {
    return x < 2 ? T(0) : 1 + halvings(x / 2);  // expected-note {{'halvings' calls 'halvings' here}}
}
// expected-warning@+1 {{'halvings' is recursive}}
auto typed = foldwise::vectorize<int(int), float(float)>([](auto n) { return halvings(n); });

namespace parity {
inline bool odd(unsigned n);
inline bool even(unsigned n) {
    return n == 0 || odd(n - 1);  // expected-note {{'parity::even' calls 'parity::odd' here}}
}
inline bool odd(unsigned n) {
    return n != 0 && even(n - 1);  // expected-note {{'parity::odd' calls 'parity::even' here}}
}
inline int ask(unsigned n) {
    return even(n) ? 1 : 0;  // expected-note {{'parity::ask' calls 'parity::even' here}}
}
// expected-warning@+1 {{'parity::even' is recursive}}
auto mutual = foldwise::vectorize([](unsigned n) { return ask(n); });
}  // namespace parity

auto throughItself = foldwise::vectorize([](int n) {
    const auto factorial = [](auto self, int k) -> int {
        return k < 2 ? 1 : k * self(self, k - 1);  // expected-note {{'operator()' calls 'operator()' here}}
    };
    return factorial(factorial, n);  // expected-warning {{'operator()' is recursive}}
});

// ---- Silent: nothing here calls itself while the kernel runs --------------------------------------------------------

template <int N> constexpr int powerOf(int x) {
    if constexpr (N == 0)
        return 1;
    else
        return x * powerOf<N - 1>(x);  // another function each time
}
template <class... Rest> constexpr int total(int first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0)
        return first;
    else
        return first + total(rest...);
}
auto instances = foldwise::vectorize([](int x) { return powerOf<5>(x) + total(x, 1, 2); });

constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
consteval int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr int fiveFactorial = factorial(5);
auto whileCompiling = foldwise::vectorize([](int x) {
    constexpr int four = factorial(4);
    static_assert(factorial(3) == 6);
    static constexpr int table[factorial(3)] = {1, 2, 3};
    return x + four + fiveFactorial + fibonacci(9) + table[0];
});

inline int twice(int x) { return 2 * x; }
auto calledTwice = foldwise::vectorize([](int x) { return twice(twice(x)); });
