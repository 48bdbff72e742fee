#include <foldwise/spec.hpp>
#include <vendor/limit.hpp>

static int next(int x) { return x + 1; }

auto limited = foldwise::vectorize<int(int)>([](auto x) { return vendor::limited(next(x), 7u, 0); });
