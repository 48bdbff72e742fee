// foldwise/spec.hpp: the vocabulary of specs, the files in which lambdas become kernels.
//
//     auto rel_diff = foldwise::vectorize<float(float, float)>([](auto x, auto y) { return 2 * (x - y) / (x + y); });
//
// A spec is ordinary C++20: any compiler accepts it as it is, `rel_diff(1.0f, 2.0f)` computes on the host, and an IDE
// completes and navigates it. The generator reads the same file and writes the kernels.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>
#include <foldwise/random.hpp>
#include <foldwise/spec/blocks.hpp>
#include <foldwise/spec/fail.hpp>
#include <foldwise/spec/forall.hpp>
#include <foldwise/spec/guvectorize.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/reduce.hpp>
#include <foldwise/spec/scan.hpp>
#include <foldwise/spec/scatter.hpp>
#include <foldwise/spec/stencil.hpp>
#include <foldwise/spec/vectorize.hpp>
#include <foldwise/spec/view.hpp>
#include <foldwise/xoroshiro128p.hpp>
#ifdef FOLDWISE_GENERATOR
#include <foldwise/spec/instead.hpp>
#endif

#endif  // C++20
