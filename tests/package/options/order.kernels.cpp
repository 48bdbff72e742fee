#include "order.hpp"

#include <foldwise/spec.hpp>

auto order = foldwise::vectorize<int(int)>([](auto x) { return x * seen; });
