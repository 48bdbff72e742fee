// tests/errors/c_library_names.kernels.cpp: names that both Foldwise and the C library have.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdlib>

using namespace foldwise;
// expected-error@+2 {{reference to 'random' is ambiguous}}
// expected-note@+1 {{the C library has a function of this name: write foldwise::random}}
auto drawn = vectorize([](foldwise::index<1> i, float x) { return x + random(1, i).uniform(); });
// expected-note@*:* 2 {{candidate found by name lookup}}
