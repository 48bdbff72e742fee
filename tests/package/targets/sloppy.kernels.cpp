#include <foldwise/spec.hpp>
#include <vendor/limit.hpp>

static int next(int x, int unused) { return x + 1; }

auto sloppy = foldwise::vectorize<int(int)>([](auto x) { return vendor::limited(next(x, 0), 7u, 0); });
