// tests/foreign/refused/eigen_dot.kernels.cpp: matrices can print themselves.
#include <eigen3/Eigen/Core>
#include <foldwise/spec.hpp>

auto refused = foldwise::vectorize([](float x, float y) { return Eigen::Vector2f(x, y).dot(Eigen::Vector2f(y, x)); });  // expected-error {{'std::basic_string<char>' cannot be used in a kernel, because it manages memory}}
// expected-note@*:* {{the library's code needs it here}}
