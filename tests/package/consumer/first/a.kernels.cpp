#include "near.hpp"
#include "reading.hpp"

#include <foldwise/spec.hpp>

#include <cassert>

static_assert(sizeof(QUOTED) == 4, "a definition with a blank arrives whole");

namespace first {
auto scaled = foldwise::vectorize<float(float), int(int)>([](auto x) {
    assert(x < 1000);  // compiled in where the build does not define NDEBUG
    return SCALE * x + OFFSET;
});

auto values = foldwise::vectorize([](reading one) { return one.value; });
}  // namespace first
