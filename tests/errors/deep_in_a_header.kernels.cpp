// tests/errors/deep_in_a_header.kernels.cpp: the mistakes of Inputs/mistakes.hpp, one at a time.
// RUN: %refused -DMISTAKE=1
// RUN: %refused -DMISTAKE=2
// RUN: %refused -DMISTAKE=3
// RUN: %refused -DMISTAKE=4
// RUN: %refused -DMISTAKE=5
// RUN: %refused -DMISTAKE=6
// RUN: %refused -DMISTAKE=7
// RUN: %refused -DMISTAKE=8
// RUN: %refused -DMISTAKE=9
// RUN: %refused -DMISTAKE=10
// RUN: %refused -DMISTAKE=11
#include <foldwise/spec.hpp>

#include "Inputs/mistakes.hpp"

auto kernel = foldwise::vectorize([](float x) { return helpers::outer(x); });  // expected-note 1+ {{called from here}}
