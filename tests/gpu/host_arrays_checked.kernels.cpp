// tests/gpu/host_arrays_checked.kernels.cpp: a kernel that finds something wrong in the middle of a call.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace host_arrays {

auto quotient = foldwise::vectorize([](std::int32_t x, std::int32_t y) { return x / y; });

}  // namespace host_arrays
