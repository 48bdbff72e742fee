// tests/errors/Inputs/cuda/config.hpp: what Thrust's headers and libcu++'s include themselves.
#pragma once

namespace thrust {
template <class T> struct pair;
template <class T> struct complex;
complex<float> exp(float x);
float abs(const complex<float>& z);
float expf(float x);
}  // namespace thrust
namespace cuda {
namespace std {
float sqrt(float x);
}
}  // namespace cuda
