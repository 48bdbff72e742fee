// tests/errors/not_a_part.kernels.cpp: values among the parts of folds, which are mostly meant to be identities.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>

using namespace foldwise;

#define NOTHING 0
struct vec3 {
    float x, y, z;
    friend vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};
constexpr float one = 1;

// expected-error@+1 {{kernel 'sum' is given '0', which is no part: write foldwise::identity(0) [FW032]}}
auto sum = reduce<float>(0, std::plus<>{});
// expected-error@+1 {{kernel 'product' is given 'one', which is no part: write foldwise::identity(one) [FW032]}}
auto product = scan<float>(std::multiplies<>{}, one);
// expected-error@+1 {{kernel 'counts' is given '0u', which is no part: write foldwise::identity(0u) [FW032]}}
auto counts = scatter<unsigned(int)>(map([](int x) { return at(x, 1u); }), std::plus<>{}, 0u);
// expected-error@+1 {{kernel 'of_structs' is given 'vec3{0, 0, 0}', which is no part: write foldwise::identity(vec3{0, 0, 0}) [FW032]}}
auto of_structs = reduce<vec3>(std::plus<>{}, vec3{0, 0, 0});
// expected-error@+1 {{kernel 'of_macro' is given 'NOTHING', which is no part: write foldwise::identity(NOTHING) [FW032]}}
auto of_macro = reduce<float>(std::plus<>{}, NOTHING);
// expected-error@+1 {{kernel 'begun' is given '5', which is no part: calls begin with another value than the identity by foldwise::initial(5) [FW032]}}
auto begun = reduce<float>(std::plus<>{}, identity(0), 5);
// expected-error@+1 {{kernel 'text' is given 'const char *', which is none of map, combine, identity, lowest, highest, no_identity, finish and commutative [FW032]}}
auto text = reduce<float>(std::plus<>{}, "0");
