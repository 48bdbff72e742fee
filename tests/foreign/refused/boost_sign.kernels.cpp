// tests/foreign/refused/boost_sign.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/special_functions/sign.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x) { return boost::math::sign(x); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
