// tests/errors/host_pointer.kernels.cpp: pointers in values and elements, which are copied as they are.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

using foldwise::forall;
using foldwise::index;
using out1 = foldwise::view<float, 1>;

struct table {
    const float* data;
    std::size_t size;
};
struct named_table : table {
    int number;
};
struct tables {
    std::array<table, 2> both;
};
struct callback {
    float (*call)(float);
};

// expected-warning@+1 {{'std::span<const float>' holds a pointer, which is copied to a GPU as it is and points to the host's memory there: pass what it points to as an operand of its own; write foldwise::view<const float, 1> [FW063, -Whost-pointer]}}
auto spanned = forall([](index<1> i, std::span<const float> x, out1 out) { out[i] = x[0]; });
// expected-warning@+1 {{'table' holds a pointer}}
auto looked_up = forall([](index<1> i, table x, out1 out) { out[i] = x.data[0]; });
// expected-warning@+1 {{'named_table' holds a pointer}}
auto inherited = forall([](index<1> i, const named_table& x, out1 out) { out[i] = x.data[0]; });
// expected-warning@+1 {{'tables' holds a pointer}}
auto nested = forall([](index<1> i, tables x, out1 out) { out[i] = x.both[0].data[0]; });
// expected-warning@+1 {{'callback' holds a pointer}}
auto called = forall([](index<1> i, callback f, out1 out) { out[i] = f.call(2); });
// expected-warning@+1 {{'table' holds a pointer}}
auto listed = forall([](index<1> i, foldwise::view<const table, 1> x, out1 out) { out[i] = x[i].data[0]; });
auto summed =
    foldwise::vectorize([](table x, float y) { return x.data[0] + y; });  // expected-warning {{'table' holds}}
// expected-warning@+1 {{'std::string_view' holds a pointer}}
auto measured = foldwise::vectorize([](std::string_view text) { return static_cast<float>(text.size()); });
// Elementwise kernels have no tasks.
// expected-warning@+1 {{'table' holds a pointer, which is copied to a GPU as it is and points to the host's memory there: pass what it points to as an operand of its own, of which the lambda takes single elements or, as a foldwise::view<const T, N>, all [FW063, -Whost-pointer]}}
auto pointed = foldwise::vectorize([](table x, int i) { return x.data[i]; });
// expected-warning@+1 {{; take 'float' for one element of an array, or a foldwise::view<const float, 1> for a whole array [FW063, -Whost-pointer]}}
auto gathered = foldwise::vectorize([](std::span<const float> x, int i) { return x[i]; });
// expected-warning@+2 {{pass what it points to as an operand of its own, which the lambda takes as a foldwise::view [FW063, -Whost-pointer]}}
auto blocked = foldwise::blocks<32>(
    [](foldwise::block<1> b, table x, out1 out) { b.each([&](index<1> t) { out[b.at(t)] = x.data[0]; }); });
// Once for both signatures.
auto twice = forall<void(table, foldwise::view<float, 1>), void(table, foldwise::view<double, 1>)>(
    [](index<1> i, table x, auto out) { out[i] = x.data[0]; });  // expected-warning {{'table' holds a pointer}}

// ---- No pointers. ----

struct plain {
    std::array<float, 3> values;
    std::complex<double> root;
    float table::*member;
    std::nullptr_t nothing;
    std::uintptr_t number;
};
auto copied =
    forall([](index<1> i, plain x, foldwise::view<const float, 1> y, out1 out) { out[i] = x.values[0] + y[i]; });
