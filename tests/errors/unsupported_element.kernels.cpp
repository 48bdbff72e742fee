// tests/errors/unsupported_element.kernels.cpp: types that no array has.
// RUN: %refused
#include <foldwise/spec.hpp>

struct Shape {
    float area;
    virtual ~Shape() = default;
};
// expected-error@+1 {{'const float *' cannot be an element of an array: a kernel is given arrays as operands, not pointers; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW007]}}
auto pointer = foldwise::vectorize([](const float* x) { return *x; });
// expected-error@+1 {{'long double' cannot be an element of an array: it is wider than 64 bits [FW007]}}
auto wide = foldwise::vectorize([](long double x) { return static_cast<float>(x); });
// expected-error@+1 {{'Shape' cannot be an element of an array: it has virtual functions [FW007]}}
auto object = foldwise::vectorize([](Shape x) { return x.area; });

struct Fixed {
    const float gain;
};
struct Once {
    float gain;
    Once& operator=(const Once&) = delete;
    Once(const Once&) = default;
};
// expected-error@+1 {{'Fixed' cannot be an element of an array: its member 'gain' is const, and elements and accumulators are assigned to [FW007]}}
auto fixed = foldwise::vectorize([](float x) { return Fixed{x}; });
// expected-error@+1 {{'Once' cannot be an element of an array: it has no copy assignment, and elements and accumulators are assigned to [FW007]}}
auto once = foldwise::vectorize([](Once x) { return x.gain; });

// The index is the first parameter.
auto misplaced = foldwise::vectorize(
    // expected-error@+1 {{'foldwise::index<1>' cannot be an element of an array: it is the place of an element, and a kernel takes it as its first parameter [FW007]}}
    [](foldwise::view<const float, 2> m, foldwise::index<1> column) { return m(0, column); });
auto misplaced_in_map = foldwise::reduce<float(float, foldwise::index<2>)>(
    // expected-error@+1 {{'foldwise::index<2>' cannot be an element of an array: it is the place of an element, and a kernel takes it as its first parameter [FW007]}}
    foldwise::map([](float x, foldwise::index<2> at) { return x * at[0]; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
// expected-error@+1 {{'_Complex float' cannot be an element of an array: it is the complex type of C, as an imaginary literal such as 1j is: write std::complex, of <complex>, and std::complex<float>(0, 1) for 1j [FW007]}}
auto imaginary = foldwise::vectorize([](float x) { return x * 1.0if; });
