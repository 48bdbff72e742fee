// tests/foreign/refused/stb_perlin_noise3.kernels.cpp: its tables are not const.
#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x) { return stb_perlin_noise3(x, x, x, 0, 0, 0); });  // expected-error {{'stb__perlin_randtab' is a variable that can change}}
// expected-note@*:* {{the library's code needs it here}}
