// tests/errors/duplicate_signature.kernels.cpp: the same signature twice, once by another name.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>

using real = float;
// expected-error@+1 {{signature 'float (float)' of kernel 'f' is given twice [FW003]}}
auto f = foldwise::vectorize<float(float), double(double), real(real)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'by_result' become functions of the same operands [FW050]}}
auto by_result = foldwise::vectorize<float(float), double(float)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'float (const float &)' of kernel 'by_reference' become functions of the same operands [FW050]}}
auto by_reference = foldwise::vectorize<float(float), float(const float&)>([](auto x) { return x; });

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
