// tests/errors/deep_in_a_header.kernels.cpp: the mistakes of Inputs/mistakes.hpp, one at a time. What is wrong with a
// kernel's own declaration (its lambda, signatures, operands, identity or index, or that there is none) cannot be in a
// header's function: no_kernels, captures, generic_without_types, duplicate_signature, no_such_conversion,
// returns_nothing, unsupported_element and unknown_pattern are specs of their own. Warnings are in slow_in_a_header.
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
// RUN: %refused -DMISTAKE=12
// RUN: %refused -DMISTAKE=13
// RUN: %refused -DMISTAKE=14
// RUN: %refused -DMISTAKE=15
#include <foldwise/spec.hpp>

#include "Inputs/mistakes.hpp"

auto kernel = foldwise::vectorize([](float x) { return helpers::outer(x); });  // expected-note 1+ {{called from here}}
