// tests/errors/host_arrays.kernels.cpp: arrays as programs of the host hold them, where kernels take elements or views.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>
#include <string>
#include <vector>

using foldwise::index, foldwise::view;

// expected-error@+1 {{'std::vector<float>' cannot be an element of an array: it is not trivially copyable, and elements are copied as bytes to where a kernel runs; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW007]}}
auto looked_up = foldwise::vectorize([](const std::vector<float>& table, int i) { return table[i]; });
// expected-error@+1 {{; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW007]}}
auto doubled = foldwise::vectorize([](std::vector<float>& all) { return all[0] *= 2; });
// expected-error@+1 {{'std::vector<float>' cannot be an element of an array}}
auto typed = foldwise::vectorize<float(int)>([](const std::vector<float>& table, auto i) { return table[i]; });
// expected-error@+1 {{; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW007]}}
auto sum = foldwise::reduce<float(int)>(foldwise::map([](const std::vector<float>& table, int i) { return table[i]; }),
                                        std::plus<>{}, foldwise::identity(0));
// expected-error@+2 {{; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW007]}}
auto smooth = foldwise::stencil(
    [](foldwise::around<const float, 1> a, const float* weights) { return weights[0] * a(1); }, foldwise::edge::wrap);
// expected-error@+1 {{'std::string' cannot be an element of an array: it is not trivially copyable, and elements are copied as bytes to where a kernel runs; take 'char' for one element of an array, or a foldwise::view<const char, 1> for a whole array [FW007]}}
auto first_letter = foldwise::vectorize([](std::string word) { return word[0]; });

// Tasks, blocks and functions of rows take whole arrays, and write to some.
// expected-error@+1 {{'std::vector<float>' cannot be a parameter of a kernel: the arrays of a kernel are views; write foldwise::view<float, 1> [FW007]}}
auto cleared = foldwise::forall([](index<1> i, std::vector<float>& x) { x[i] = 0; });
// expected-error@+2 {{; write foldwise::view<const float, 1> [FW007]}}
auto copied =
    foldwise::forall<void(view<float, 1>)>([](index<1> i, const std::vector<float>& x, auto out) { out[i] = x[i]; });
// expected-error@+2 {{; write foldwise::view<float, 1> [FW007]}}
auto blocked = foldwise::blocks<32>(
    [](foldwise::block<1> b, std::vector<float>& x) { b.each([&](index<1> t) { x[b.at(t)] = 0; }); });
// expected-error@+1 {{; write foldwise::view<const double, 1> [FW007]}}
auto norm = foldwise::guvectorize("(n)->()", [](const double* x, double& out) { out = x[0]; });

// All parameters that are wrong are told.
auto both =
    foldwise::forall([](index<1> i,
                        std::vector<float> x,     // expected-error {{; write foldwise::view<const float, 1> [FW007]}}
                        std::vector<float>& y) {  // expected-error {{; write foldwise::view<float, 1> [FW007]}}
        y[i] = x[i];
    });
auto both_of_elements = foldwise::vectorize([](const float* x,             // expected-error {{; take 'float' for one}}
                                               std::vector<float>& y,      // expected-error {{; take 'float' for one}}
                                               int& n) { return x[0]; });  // expected-error {{[FW047]}}

// A struct is refused for one of its members.
struct mesh {
    int triangles;
    std::vector<float> points;
};
struct scene {
    float scale;
    mesh ground;
};
// expected-error@+1 {{'scene' cannot be an element of an array: it is not trivially copyable, because its member 'ground.points' is a 'std::vector<float>', and elements are copied as bytes to where a kernel runs; pass that array as an operand of its own, which the lambda takes as a foldwise::view<const float, 1> [FW007]}}
auto scaled = foldwise::vectorize([](scene s, float x) { return s.scale * x; });
// expected-error@+1 {{'scene' cannot be an element of an array: it is not trivially copyable, because its member 'ground.points' is a 'std::vector<float>', and elements are copied as bytes to where a kernel runs [FW007]}}
auto built = foldwise::vectorize([](float x) -> scene { return {x, {}}; });
scene shown;
// expected-error@+1 {{the lambda of kernel 'captured' has a capture whose value is not known while compiling (its member 'ground.points' is a 'std::vector<float>'): what a kernel works with is an operand or a constant; take it as a parameter [FW009]}}
auto captured = foldwise::vectorize([s = shown](float x) { return s.scale * x; });
struct counted {
    float value;
    ~counted();
};
// expected-error@+1 {{'counted' cannot be an element of an array: it is not trivially copyable, because it has a destructor of its own, and elements are copied as bytes to where a kernel runs [FW007]}}
auto unwrapped = foldwise::vectorize([](counted x) { return x.value; });
