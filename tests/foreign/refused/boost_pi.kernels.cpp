// tests/foreign/refused/boost_pi.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/constants/constants.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x) { return x * boost::math::constants::pi<float>(); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
