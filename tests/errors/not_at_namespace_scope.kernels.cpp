// tests/errors/not_at_namespace_scope.kernels.cpp: kernels in a function and in a class.
// RUN: %refused
#include <foldwise/spec.hpp>

inline float run(float x) {
    // expected-error@+1 {{kernel 'local' is not a variable of a namespace [FW010]}}
    auto local = foldwise::vectorize([](float y) { return y; });
    return local(x);
}

struct Kernels {
    // expected-error@+1 {{kernel 'member' is not a variable of a namespace [FW010]}}
    static inline auto member = foldwise::vectorize([](float x) { return x; });
};
