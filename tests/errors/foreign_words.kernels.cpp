// tests/errors/foreign_words.kernels.cpp: words of Thrust, CUB and CUDA in a spec, with what to write.
// RUN: env PRECOMPILED= %refused -ferror-limit=0
#include <foldwise/spec.hpp>

#include <functional>

// The word is nobody's.
// expected-error@+2 {{no member named 'inclusive_prefix' in namespace 'foldwise'}}
// expected-note@+1 {{kernels are made by foldwise::vectorize, foldwise::reduce, foldwise::scatter, foldwise::forall, foldwise::scan, foldwise::blocks, foldwise::guvectorize and foldwise::stencil}}
auto unknown = foldwise::inclusive_prefix(1);
// expected-error@+2 {{no member named 'inclusive_scan' in namespace 'foldwise'}}
// expected-note@+1 {{scans are made by foldwise::scan, and calls add foldwise::exclusive, reverse or by_key(keys)}}
auto prefixes = foldwise::inclusive_scan(1);
// expected-error@+2 {{no member named 'scan_by_key' in namespace 'foldwise'}}
// expected-note@+1 {{scans are made by foldwise::scan, and calls add foldwise::exclusive, reverse or by_key(keys)}}
auto of_keys = foldwise::scan_by_key(1);
// expected-error@+2 {{no member named 'segmented_reduce' in namespace 'foldwise'}}
// expected-note@+1 {{folds are made by foldwise::reduce, and calls add foldwise::segments(offsets), or foldwise::axis(1) where all segments are rows}}
auto parts = foldwise::segmented_reduce(1);
// expected-error@+2 {{no member named 'gather' in namespace 'foldwise'}}
// expected-note@+1 {{a gather is a foldwise::vectorize whose lambda takes a foldwise::view<const T, 1>, the whole source}}
auto picked = foldwise::gather(1);
// A name that the standard library has as well, and the compiler suggests.
// expected-error@+2 {{no template named 'plus' in namespace 'foldwise'; did you mean 'std::plus'?}}
// expected-note@+1 {{operators are those of the standard library, as std::plus<>{}, or lambdas}}
auto sum = foldwise::reduce<float>(foldwise::plus<>{}, foldwise::identity(0));
// expected-note@*:* {{'std::plus' declared here}}

auto tasks = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out) {
    // expected-error@+2 {{use of undeclared identifier 'threadIdx'}}
    // expected-note@+1 {{a kernel is written for one element or task, whose place is its first parameter, a foldwise::index<N>}}
    out[i] = threadIdx.x;
    // expected-error@+1 {{'__syncthreads<>' is unavailable: items wait for each other between the phases of foldwise::blocks, b.each(...); tasks of foldwise::forall never do}}
    __syncthreads();
});
auto shared = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out) {
    // expected-error@+1 {{items share memory in foldwise::blocks, as b.shared<float, 64>()}}
    __shared__ float tile[32];
    out[i] = tile[0];
});
// Words that begin as one of the table does.
// expected-error@+2 {{use of undeclared identifier '__shfl_down_sync'}}
// expected-note@+1 {{items that hand each other values share memory in a foldwise::blocks, which has b.fold(...) and b.inclusive_scan(...)}}
auto shuffled = foldwise::vectorize([](float x) { return __shfl_down_sync(~0u, x, 1); });
// expected-error@+2 {{use of undeclared identifier 'make_float3'}}
// expected-note@+1 {{CUDA's vector types are structs: include <vector_types.h> in the spec, or write a struct of your own; float4{x, y, z, w} makes one}}
auto vectors = foldwise::vectorize([](float x) { return make_float3(x, x, x).x; });
constexpr float factor = 3;
// expected-error@+2 {{non-local lambda expression cannot have a capture-default}}
// expected-note@+1 {{a kernel has nothing to capture: what its program knows is a parameter of the lambda, and calls pass a value for it; [k = 2.5f] is a constant}}
auto scaled = foldwise::vectorize([=](float x) { return factor * x; });
// expected-error@+2 {{no member named 'unique_by_key' in namespace 'foldwise'}}
// expected-note@+1 {{compaction is a foldwise::scan that numbers what is kept and a foldwise::forall that writes it there: coming-from.md; or CUB or Thrust on the same arrays}}
auto kept = foldwise::unique_by_key(1);
// expected-error@+2 {{no member named 'sqrt' in namespace 'foldwise'}}
// expected-note@+1 {{it is the standard library's: std::sqrt, of <cmath>}}
auto root = foldwise::vectorize([](float x) { return foldwise::sqrt(x); });
// expected-error@+2 {{use of class template 'foldwise::index' requires template arguments}}
// expected-note@+1 {{write the number of axes, as in foldwise::index<1> or foldwise::block<2>}}
auto bare = foldwise::forall([](foldwise::index i, foldwise::view<float, 1> x) {});
// expected-note@*:* 0+ {{template is declared here}}
// expected-error@+2 {{use of undeclared identifier 'rsqrtf'}}
// expected-note@+1 {{write 1 / std::sqrt(x), with <cmath>}}
auto inverse = foldwise::vectorize([](float x) { return rsqrtf(x); });
// expected-error@+2 {{use of undeclared identifier 'thrust'}}
// expected-note@+1 {{a spec is made of standard C++: std::plus<>{}, std::tuple, std::pair and std::complex, and lambdas of several parameters for zipped ranges}}
auto pairs = foldwise::vectorize([](float x) { return thrust::make_tuple(x, x); });
// expected-error@+1 {{a spec is plain C++: leave __constant__ out and write constexpr}}
__constant__ float weights[] = {1, 2, 3};

auto totals = foldwise::scatter<float(float, int)>(
    // expected-error@+1 {{is unavailable: the place comes first, an integer or a foldwise::index: at(place, value)}}
    foldwise::map([](float x, int bin) { return foldwise::at(x, bin); }), std::plus<>{}, foldwise::identity(0));
auto waiting = foldwise::blocks<64>([](foldwise::block<1> b, foldwise::view<float, 1> x) {
    // expected-error@+2 {{no member named 'sync' in 'foldwise::block<1>'}}
    // expected-note@+1 {{items wait for each other between phases: what follows the wait is a b.each(...) of its own}}
    b.sync();
});
auto row = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 2> x) {
    // expected-error@+2 {{no member named 'row' in 'foldwise::view<float, 2>'}}
    // expected-note@+1 {{x(i, j) is the element in row i and column j; a kernel of rows is made by foldwise::guvectorize}}
    x.row(i);
});
