// Folds whose chains fit vector registers.
#include <foldwise/spec.hpp>

auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
auto largest = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, foldwise::lowest);
