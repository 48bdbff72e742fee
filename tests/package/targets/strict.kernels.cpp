#include <foldwise/spec.hpp>
#include <vendor/limit.hpp>

#ifdef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#endif
static int next(int x) { return x + 1; }
#ifdef __clang__
#pragma GCC diagnostic pop
#endif

auto limited = foldwise::vectorize<int(int)>([](auto x) { return vendor::limited(next(x), 7u, 0); });
