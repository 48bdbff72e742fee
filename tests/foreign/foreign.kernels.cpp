// tests/foreign/foreign.kernels.cpp: a kernel for each row of functions.def.
#include "libraries.hpp"

#include <foldwise/spec.hpp>

namespace foreign {

#define WORKS(name, signature, parameters, ...)                                                                        \
    auto name = foldwise::vectorize<signature>([] parameters { return __VA_ARGS__; });
#include "functions.def"

}  // namespace foreign
