// tests/foreign/refused/boost_legendre_next.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/special_functions/legendre.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x, float p, float q) { return boost::math::legendre_next(3u, x, p, q); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
