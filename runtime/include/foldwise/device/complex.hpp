// foldwise/device/complex.hpp: std::complex for device code; in host code it is <complex>.
//
// libstdc++'s std::complex compiles in device code but computes nothing there: nvcc silently turns its __complex__
// arithmetic into copies. This replacement has the same layout, members and results.
#pragma once

#if !defined(__CUDACC__) || defined(FOLDWISE_SIMULATOR)

#include <complex>

#else

#ifdef _GLIBCXX_COMPLEX
#error "include <foldwise/device/complex.hpp> before whatever includes <complex>"
#endif
#define _GLIBCXX_COMPLEX 1  // so that no header includes libstdc++'s as well

namespace std {

template <class T> class complex;

}  // namespace std

#include <foldwise/device/complex/functions.hpp>
#include <foldwise/device/complex/number.hpp>

#endif
