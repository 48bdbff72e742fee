// tests/errors/reserved_name.kernels.cpp: names that generated code declares itself.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace device {
// expected-error@+1 {{'device' is a name that generated code keeps for itself [FW041]}}
inline float twice(float x) { return 2 * x; }
}  // namespace device
auto f = foldwise::vectorize([](float x) { return device::twice(x); });
// expected-error@+1 {{'foldwise_cpu' is a name that generated code keeps for itself [FW041]}}
auto foldwise_cpu = foldwise::vectorize([](float x) { return x; });
namespace a {
// expected-error@+1 {{'device' is a name that generated code keeps for itself [FW041]}}
auto device = foldwise::vectorize([](float x) { return x; });
auto foldwise_cpu = ::foldwise::vectorize([](float x) { return x; });
inline float device_(float x) { return x; }
}  // namespace a
namespace b {
// expected-error@+1 {{'device' is a name that generated code keeps for itself [FW041]}}
struct device {
    float value;
};
struct machine {
    struct device {
        float value;
    };
};
auto f = foldwise::vectorize([](float x) { return device{x}.value; });
auto g = foldwise::vectorize([](float x) { return machine::device{x}.value; });
}  // namespace b

// Types by which emitted code calls others of its own.
// expected-error@+1 {{'result' is a name that generated code keeps for itself}}
struct result {
    float value;
};
auto larger = foldwise::reduce<result>([](result a, result b) { return a.value < b.value ? b : a; },
                                       foldwise::identity(result{0}));
