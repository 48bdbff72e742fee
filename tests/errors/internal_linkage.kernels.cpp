// tests/errors/internal_linkage.kernels.cpp: kernels that are declared as if no other file could see them.
// RUN: %warned
#include <foldwise/spec.hpp>

namespace {
// expected-warning@+1 {{the unnamed namespace has no effect on the function that is generated for kernel 'scaled', which other files can call and clash with: declare it in a namespace with a name [FW117, -Winternal-linkage]}}
auto scaled = foldwise::vectorize([](float x) { return 2 * x; });
float half(float x) { return x / 2; }  // what kernels call may be there
}  // namespace
namespace outer {
namespace {
namespace inner {
// expected-warning@+1 {{the unnamed namespace has no effect on the function that is generated for kernel 'sum'}}
auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
}  // namespace inner
}  // namespace
}  // namespace outer
// expected-warning@+1 {{'static' has no effect on the function that is generated for kernel 'halved', which other files can call and clash with}}
static auto halved = foldwise::vectorize([](float x) { return half(x); });
namespace named {
const auto shifted = foldwise::vectorize([](float x) { return x + 1; });
inline auto squared = foldwise::vectorize([](float x) { return x * x; });
}  // namespace named
