#include <foldwise/spec.hpp>

#include "part.hpp"

auto f = foldwise::vectorize([](float x) { return part(x); });
