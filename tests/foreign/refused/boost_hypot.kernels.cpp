// tests/foreign/refused/boost_hypot.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/special_functions/hypot.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x, float y) { return boost::math::hypot(x, y); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
