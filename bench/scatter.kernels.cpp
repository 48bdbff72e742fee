// bench/scatter.kernels.cpp: histograms, and sums by place.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace bench {

auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t), std::uint32_t(std::int32_t)>(
    foldwise::map([](auto place) { return foldwise::at(place, 1u); }), std::plus<>{}, foldwise::identity(0));

auto add_at = foldwise::scatter<float(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) { return foldwise::at(place, x); }), std::plus<>{},
    foldwise::identity(0));

}  // namespace bench
