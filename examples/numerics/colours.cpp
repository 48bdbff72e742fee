// colours.cpp: pictures of numbers.
#include "colours.hpp"

#include "colours.kernels.hpp"  // generated

Picture glowing(const foldwise::array<float>& heat) {
    const auto [red, green, blue] = colours::glow(heat);
    return {static_cast<std::size_t>(heat.shape()[1]),
            static_cast<std::size_t>(heat.shape()[0]),
            {red.to_host(), green.to_host(), blue.to_host()}};
}
