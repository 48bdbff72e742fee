// tests/errors/duplicate_signature.kernels.cpp: the same signature twice, once by another name, and
// signatures that a call's arguments do not tell apart.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <complex>
#include <functional>
#include <tuple>

// As CUDA and Thrust define them.
struct __half {
    unsigned short bits;
};
struct __nv_bfloat16 {
    unsigned short bits;
};
namespace thrust {
inline namespace version {
template <class T> struct complex { T re, im; };
}  // namespace version
}  // namespace thrust

using real = float;
// expected-error@+1 {{signature 'float (float)' of kernel 'f' is given twice [FW003]}}
auto f = foldwise::vectorize<float(float), double(double), real(real)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'by_result' become functions of the same operands [FW050]}}
auto by_result = foldwise::vectorize<float(float), double(float)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'float (const float &)' of kernel 'by_reference' become functions of the same operands [FW050]}}
auto by_reference = foldwise::vectorize<float(float), float(const float&)>([](auto x) { return x; });

// A call that gives an output and one of two inputs.
// expected-error@+1 {{signatures 'float (float)' and 'float (float, float)' of kernel 'all' become functions of the same operands [FW050]}}
auto all = foldwise::vectorize<float(float), float(float, float)>([](auto... x) { return (x + ...); });
// expected-error@+1 {{signatures 'float (float, float)' and 'float (float)' of kernel 'all_2' become functions of the same operands [FW050]}}
auto all_2 = foldwise::vectorize<float(float, float), float(float)>([](auto... x) { return (x + ...); });
// expected-error@+1 {{become functions of the same operands [FW050]}}
auto two_outputs = foldwise::vectorize<std::tuple<float, float>(float), float(float, float)>([](auto... x) {
    if constexpr (sizeof...(x) == 1)
        return std::tuple{(x + ...), (x * ...)};
    else
        return (x + ...);
});
auto other_outputs = foldwise::vectorize<double(float), float(float, float)>([](auto... x) { return (x + ...); });

struct pair {
    float sum, count;
};
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'mean' become functions of the same operands [FW050]}}
auto mean = foldwise::reduce<float(float), double(float)>(
    foldwise::map([](float x) {
        return pair{x, 1};
    }),
    [](pair a, pair b) {
        return pair{a.sum + b.sum, a.count + b.count};
    },
    foldwise::finish([](pair all) { return all.sum / all.count; }), foldwise::no_identity);
// Accumulators may differ.
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'accumulated' become functions of the same operands [FW050]}}
auto accumulated = foldwise::reduce<float, double(float)>(std::plus<>{}, foldwise::identity(0));
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'running' become functions of the same operands [FW050]}}
auto running = foldwise::scan<float, double(float)>(std::plus<>{}, foldwise::identity(0));

// Arrays of CUDA's and Thrust's types are operands of signatures of Foldwise's and the standard library's.
// expected-error@+1 {{signatures 'foldwise::half (foldwise::half)' and '__half (__half)' of kernel 'halves' become functions of the same operands, since arrays of '__half' are operands of 'foldwise::half' as well [FW050]}}
auto halves = foldwise::vectorize<foldwise::half(foldwise::half), __half(__half)>([](auto x) { return x; });
// expected-error@+1 {{since arrays of '__nv_bfloat16' are operands of 'foldwise::bfloat16' as well [FW050]}}
auto brains =
    foldwise::reduce<__nv_bfloat16, foldwise::bfloat16>([](auto a, auto) { return a; }, foldwise::no_identity);
// expected-error@+1 {{since arrays of '__half' are operands of 'foldwise::half' as well [FW050]}}
auto tasks = foldwise::forall<void(foldwise::view<const __half, 1>, foldwise::view<float, 1>),
                              void(foldwise::view<const foldwise::half, 1>, foldwise::view<float, 1>)>(
    [](foldwise::index<1> i, auto x, auto out) { out[i] = x.extent(0); });
// expected-error@+1 {{since arrays of 'thrust::complex<float>' are operands of 'std::complex<float>' as well [FW050]}}
auto numbers =
    foldwise::vectorize<float(std::complex<float>), float(thrust::complex<float>)>([](auto) { return 1.0f; });
// These are told apart.
auto apart = foldwise::vectorize<float(foldwise::half), float(__nv_bfloat16), float(thrust::complex<double>),
                                 float(std::complex<float>)>([](auto) { return 1.0f; });
