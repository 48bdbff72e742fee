// tests/foreign/refused/boost_sinc_pi.kernels.cpp: Boost's type traits are made of Clang's own where Clang reads them.
#include <boost/math/special_functions/sinc.hpp>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x) { return boost::math::sinc_pi(x); });  // expected-error {{'__is_convertible_to', which only Clang has, is not possible in a kernel}}
// expected-note@*:* {{the library's code needs it here}}
// expected-warning@*:* 0+ {{a computation in double}}
// expected-note@*:* 0+ {{called from here}}
