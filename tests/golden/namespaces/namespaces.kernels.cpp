// tests/golden/namespaces/namespaces.kernels.cpp: nested, inline, unnamed and reopened ones; names found through others.
// RUN: %golden
#include <foldwise/spec.hpp>

namespace util {
inline float twice(float x) { return 2 * x; }
namespace detail {
inline float half(float x) { return x / 2; }
}  // namespace detail
}  // namespace util

namespace d = util::detail;

auto global = foldwise::vectorize([](float x) { return util::twice(d::half(x)); });

namespace a::b {
namespace {
inline float hidden(float x) { return x; }
}  // namespace
using namespace util;
auto nested = foldwise::vectorize([](float x) { return hidden(twice(x)); });
}  // namespace a::b

namespace a {
inline namespace v1 {
inline float versioned(float x) { return x + 1; }
}  // namespace v1
auto outer = foldwise::vectorize([](float x) { return versioned(x); });
}  // namespace a

namespace a::b {
auto reopened = foldwise::vectorize([](float out, float i) { return hidden(out) + i; });
}  // namespace a::b
