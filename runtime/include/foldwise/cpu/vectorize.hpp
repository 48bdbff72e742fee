// foldwise/cpu/vectorize.hpp: includes what emitted loops of vectorize kernels use on the CPU.
#pragma once

#include <foldwise/cpu/floats.hpp>
#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>
