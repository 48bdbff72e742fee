// tests/errors/not_utf8.kernels.cpp: bytes of literals that the emitted text, which is UTF-8, cannot hold.
// RUN: %refused -Wno-invalid-source-encoding
#include <foldwise/spec.hpp>

// An escape stands for each such byte.
auto escaped = foldwise::vectorize([](int i) { return "éè"[i & 1] + 0; });
// Comments may be in any encoding: café.
// expected-error@+1 {{this literal has bytes that are not UTF-8 and that no escape can stand for: write them as escapes, such as '\351', in a literal that is not raw [FW054]}}
auto raw = foldwise::vectorize([](int i) { return R"(éè)"[i & 1] + 0; });
