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

// Foldwise's own, by a using-directive: qualified in what is generated, where headers may have global names like them.
namespace unqualified {
using namespace foldwise;
using foldwise::at;
struct weight {
    half value;
};
template <int N> float first(view<const weight, N> all) { return all(0).value; }
auto weighted = forall([](index<1> i, view<const weight, 1> all, view<float, 1> out) { out[i] = first(all); });
auto counted = scatter<int(int)>(map([](index<1> i, int x) { return at(i / 2, x); }), std::plus<>{}, identity(0));
}  // namespace unqualified
