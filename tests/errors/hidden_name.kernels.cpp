// tests/errors/hidden_name.kernels.cpp: names that lead elsewhere from where the generated code stands.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace x {
namespace foldwise {  // expected-error {{'x::foldwise' hides '::foldwise' from the code that is generated for kernel 'f' [FW040]}}
inline float same(float v) { return v; }
}  // namespace foldwise
auto f = ::foldwise::vectorize([](float v) { return foldwise::same(v); });
}  // namespace x

namespace y {
struct std {};  // expected-error {{'y::std' hides '::std' from the code that is generated for kernel 'g' [FW040]}}
auto g = foldwise::vectorize([](float v) { return v; });
}  // namespace y

namespace a {
struct point {
    float v;
};
namespace b {
// expected-error@+1 {{'a::b::a' hides '::a' from the code that is generated for kernel 'h' [FW040]}}
namespace a {}
auto h = foldwise::vectorize([](point p) { return p.v; });
}  // namespace b
}  // namespace a

struct spread {
    float low, high;
};
// expected-error@+1 {{'spread' hides '::spread' from the code that is generated for kernel 'spread'}}
auto spread = foldwise::vectorize([](struct spread x) { return x.high - x.low; });
