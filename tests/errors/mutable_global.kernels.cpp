// tests/errors/mutable_global.kernels.cpp: a variable that can change, read by a helper.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace settings {
int counter = 0;
}
inline int next(int x) {
    // expected-error@+1 {{'settings::counter' is a variable that can change: declare it constexpr, or take it as a parameter [FW014]}}
    return x + settings::counter;
}
inline int after_next(int x) {
    return next(next(x));  // expected-note {{called from here}}
}
// expected-note@+1 {{called from here}}
auto f = foldwise::vectorize([](int x) { return after_next(x); });

struct Pair {
    int first, second;
};
auto [first, second] = Pair{1, 2};
// expected-error@+1 {{'first' is a variable that can change}}
auto g = foldwise::vectorize([](int x) { return x + first; });

// What is const, but not known while compiling.
float load();
const float measured = load();
const float several[] = {load(), 2};
const auto [low, high] = Pair{static_cast<int>(load()), 2};
// expected-error@+1 {{'measured' is const, and its value is not known while compiling: take it as a parameter, for which calls pass the value [FW014]}}
auto of_measured = foldwise::vectorize([](float x) { return measured * x; });
// expected-error@+1 {{'several' is const, and its value is not known while compiling}}
auto of_several = foldwise::vectorize([](float x) { return several[1] * x; });
// expected-error@+1 {{'low' is const, and its value is not known while compiling}}
auto of_low = foldwise::vectorize([](int x) { return low * x; });
