// tests/errors/races_without_atomic.kernels.cpp: elements that several tasks write, without <atomic>.
// RUN: env PRECOMPILED= %warned
#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::forall, foldwise::index, foldwise::view;

// expected-warning@+2 {{several tasks update the same element of 'v', and all but one may be lost: give each task elements of its own, or write std::atomic_ref(v[i / 2]).fetch_add(1), with #include <atomic> [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (1) both update element 0}}
auto halves = forall([](index<1> i, view<std::uint32_t, 1> v) { v[i / 2] += 1; });
// expected-warning@+2 {{or use std::atomic_ref, with #include <atomic>, in a loop as forall.md has it for a maximum [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (4) both update element 0}}
auto scaled = forall([](index<1> i, view<float, 1> v) { v[i % 4] *= 2; });
