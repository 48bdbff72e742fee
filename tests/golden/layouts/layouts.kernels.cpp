// tests/golden/layouts/layouts.kernels.cpp: packing, alignment and pragmas come along with the types and functions that
// they are written for, and each file that is generated asserts the layouts that it has.
// RUN: %golden
#include <foldwise/spec.hpp>

#pragma pack(push, 1)
struct record {
    char tag;
    float value;
};
#pragma pack(pop)

namespace demo {

struct vector {
    float x, y, z;
} __attribute__((aligned(16)));
enum colour { red, green } __attribute__((packed));

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
inline bool is_zero(float x) { return x == 0; }
#pragma GCC diagnostic pop

auto value = foldwise::vectorize([](record r) { return is_zero(r.value) ? 1 : r.value; });
auto mixed = foldwise::vectorize([](vector v, colour c) { return c == green ? v.x : v.z; });
auto power = foldwise::vectorize([](float x, float y) {
    float result = 1;
#pragma unroll 4
    for (int i = 0; i < 16; ++i) result = result * x + y;
    return result;
});

}  // namespace demo
