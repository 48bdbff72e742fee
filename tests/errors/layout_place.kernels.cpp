// tests/errors/layout_place.kernels.cpp: a mistake at the end of a layout is shown there, before the closing quote.
// RUN: not %foldwise --out-dir=%t.out %s -- %include 2>&1 | FileCheck %s
#include <foldwise/spec.hpp>

// CHECK: layout_place.kernels.cpp:[[@LINE+1]]:43: error: the layout of kernel 'open' cannot be read
auto open = foldwise::guvectorize("(n)->(m", [](foldwise::view<const float, 1> x, foldwise::view<float, 1> y) {});
