// tests/errors/reserved_name.kernels.cpp: names that generated code declares itself.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace device {
inline float twice(float x) { return 2 * x; }  // expected-error {{'device' is a name that generated code keeps for itself [FW041]}}
}  // namespace device
auto f = foldwise::vectorize([](float x) { return device::twice(x); });
auto foldwise_cpu = foldwise::vectorize([](float x) { return x; });  // expected-error {{'foldwise_cpu' is a name that generated code keeps for itself [FW041]}}
namespace a {
auto device = foldwise::vectorize([](float x) { return x; });  // expected-error {{'device' is a name that generated code keeps}}
auto foldwise_cpu = ::foldwise::vectorize([](float x) { return x; });
inline float device_(float x) { return x; }
}  // namespace a
