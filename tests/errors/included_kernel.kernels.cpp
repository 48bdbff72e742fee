// tests/errors/included_kernel.kernels.cpp: kernels in files that a spec includes.
// RUN: %warned
#include <foldwise/spec.hpp>

#include "Inputs/included_kernel.hpp"

auto doubled = foldwise::vectorize([](float x) { return shared::scale * x; });

// expected-warning@Inputs/included_kernel.hpp:9 {{kernel 'shared::halved' is in a file that the spec includes, and nothing is generated for it here: declare it in the spec, or have this file be a spec of its own [FW118, -Wincluded-kernel]}}
// expected-warning@Inputs/included_kernel.hpp:11 {{kernel 'total' is in a file that the spec includes}}
