// tests/errors/unnamed_namespace_type.kernels.cpp: types that are declared as if no other file could see them, and that
// callers of kernels see.
// RUN: %warned
#include <foldwise/spec.hpp>

namespace {
// expected-warning@+1 {{the generated header declares 'point' as '::point', which other files can see and clash with, because callers of kernels need it: declare it in a namespace with a name [FW127, -Wunnamed-namespace-type]}}
struct point {
    struct part {
        float value;
    };
    part x, y;
};
struct local {  // which no caller sees
    float value;
};
}  // namespace
namespace geometry {
namespace {
inline namespace units {
// expected-warning@+1 {{the generated header declares 'unit' as '::geometry::units::unit'}}
enum class unit : int { metre };
}  // namespace units
struct total {  // expected-warning {{the generated header declares 'total' as '::geometry::total'}}
    float sum;
    int count;
};
template <class T> struct box {  // expected-warning {{the generated header declares 'box' as '::geometry::box'}}
    T value;
};
using number = float;  // expected-warning {{the generated header declares 'number' as '::geometry::number'}}
}  // namespace
struct named {
    float x;
};

auto length = foldwise::vectorize([](point p) { return p.x.value + p.y.value; });
auto longer = foldwise::vectorize([](point p, float by) { return local{p.x.value + by}.value; });
auto unit_of = foldwise::vectorize([](float x) { return x > 0 ? unit::metre : unit(1); });
auto mean = foldwise::reduce<total(float)>(
    foldwise::map([](float x) {
        return total{x, 1};
    }),
    [](total a, total b) {
        return total{a.sum + b.sum, a.count + b.count};
    },
    foldwise::identity(total{0, 0}));
auto open = foldwise::vectorize([](box<int> b) { return b.value; });
auto negated = foldwise::vectorize<number(number)>([](auto x) { return -x; });
auto of_named = foldwise::vectorize([](named n) { return n.x; });
}  // namespace geometry
