#include "near.hpp"

#include <foldwise/spec.hpp>

static_assert(sizeof(QUOTED) == 4, "a definition with a blank arrives whole");

namespace first {
auto scaled = foldwise::vectorize<float(float), int(int)>([](auto x) { return SCALE * x + OFFSET; });
}
