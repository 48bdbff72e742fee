// tests/errors/foreign_types.kernels.cpp: types of Thrust's in each place of a kernel that may have one. Each kernel is
// told once what to write, at a line of the user's, and nothing else that is wrong in it is lost.
// RUN: %refused -ferror-limit=0
#include <foldwise/spec.hpp>

#include "Inputs/cuda/complex.hpp"

// The first kernel of the file, and an element's type alone.
// expected-error@+1 {{a kernel needs 'thrust::complex', which cannot come along with it: write std::complex, of <complex>, whose elements lie in memory in the same way [FW042]}}
auto same = foldwise::vectorize([](thrust::complex<float> x) { return x; });
// A kernel of the same type.
// expected-error@+1 {{a kernel needs 'thrust::complex'}}
auto product = foldwise::vectorize([](thrust::complex<float> x, thrust::complex<float> y) { return x * y; });
// A type of a signature alone.
// expected-error@+1 {{a kernel needs 'thrust::complex'}}
auto squared = foldwise::vectorize<thrust::complex<float>(thrust::complex<float>)>([](auto x) { return x * x; });
// Other functions of Thrust's and libcu++'s, beside the type and without it.
auto beside = foldwise::vectorize([](thrust::complex<float> x) {  // expected-error {{a kernel needs 'thrust::complex'}}
    // expected-error@+1 {{'cuda::std::sqrt' does not exist in device code: namespace std itself works in kernels}}
    return cuda::std::sqrt(thrust::norm(x)) +
           thrust::expf(1);  // expected-error {{'thrust::expf' does not exist in device code}}
});
// expected-error@+1 {{'cuda::std::sqrt' does not exist in device code}}
auto alone = foldwise::vectorize([](float x) { return cuda::std::sqrt(x); });
// A fold's element and its accumulator.
// expected-error@+1 {{a kernel needs 'thrust::complex'}}
auto largest = foldwise::reduce<thrust::complex<float>>(
    [](auto a, auto b) { return thrust::norm(a) < thrust::norm(b) ? b : a; }, foldwise::no_identity);
// A view's.
auto filled = foldwise::forall(
    // expected-error@+1 {{a kernel needs 'thrust::complex'}}
    [](foldwise::index<1> i, foldwise::view<thrust::complex<float>, 1> out) {
        out[i] = {1, 0};
    });
// A local variable's.
// expected-error@+1 {{a kernel needs 'thrust::complex'}}
auto local = foldwise::vectorize([](float x) { return thrust::norm(thrust::complex<float>{x, x}); });
// Functions of such a type, which the text does not name.
// expected-error@+1 {{'thrust::abs' does not exist in device code: write std::complex, of <complex>, whose elements lie in memory in the same way [FW013]}}
auto unnamed = foldwise::vectorize([](float x) { return thrust::abs(thrust::exp(x)); });
