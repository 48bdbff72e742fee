// bench/segments.kernels.cpp: sums of segments, and a sparse matrix times a vector.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace bench {

auto segment_sum = foldwise::reduce<float>(std::plus<>{}, foldwise::identity(0));

/// Values and columns row after row; the rows are the segments.
auto csr_times = foldwise::reduce<float(float, std::int32_t, foldwise::view<const float, 1>)>(
    foldwise::map([](float value, std::int32_t column, foldwise::view<const float, 1> x) { return value * x[column]; }),
    std::plus<>{}, foldwise::identity(0));

}  // namespace bench
