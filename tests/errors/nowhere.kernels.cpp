// tests/errors/nowhere.kernels.cpp: a place alone, where a map returns values with their places.
// RUN: %refused
#include <foldwise/spec.hpp>

auto lost = foldwise::scatter<unsigned(float)>(
    foldwise::map([](float x) {
        if (x < 0) return foldwise::nowhere;
        // expected-error@+2 {{return type 'placed<1, unsigned int>' must match previous return type}}
        // expected-note@+1 {{a value that goes nowhere is placed, too: return foldwise::at(foldwise::nowhere, value)}}
        return foldwise::at(static_cast<int>(x), 1u);
    }),
    [](unsigned a, unsigned b) { return a + b; }, foldwise::identity(0));
auto found = foldwise::scatter<unsigned(float)>(
    foldwise::map([](float x) {
        if (x >= 0) return foldwise::at(static_cast<int>(x), 1u);
        // expected-error@+2 {{must match previous return type 'placed<1, unsigned int>'}}
        // expected-note@+1 {{a value that goes nowhere is placed, too: return foldwise::at(foldwise::nowhere, value)}}
        return foldwise::nowhere;
    }),
    [](unsigned a, unsigned b) { return a + b; }, foldwise::identity(0));
// Values of two types.
auto typed = foldwise::scatter<unsigned(float)>(
    foldwise::map([](float x) {
        if (x >= 0) return foldwise::at(static_cast<int>(x), 1u);
        // expected-error@+2 {{must match previous return type}}
        // expected-note@+1 {{write the type that all of them are to have}}
        return foldwise::at(foldwise::nowhere, 0);
    }),
    [](unsigned a, unsigned b) { return a + b; }, foldwise::identity(0));
