// tests/foreign/refused/boost_pow.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/special_functions/pow.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x) { return boost::math::pow<5>(x); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
