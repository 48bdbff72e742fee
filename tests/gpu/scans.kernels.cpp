// tests/gpu/scans.kernels.cpp: scans whose numbers of elements, or whose rounding, only a GPU can show.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace gpu_scans {

auto running = foldwise::scan<float>(std::plus<>{}, foldwise::identity(0));
auto parity = foldwise::scan<std::uint8_t>([](std::uint8_t a, std::uint8_t b) -> std::uint8_t { return a ^ b; },
                                           foldwise::identity(0));
auto differences = foldwise::reduce<std::uint64_t(std::uint8_t, std::uint8_t)>(
    foldwise::map([](std::uint8_t a, std::uint8_t b) -> std::uint64_t { return a != b; }), std::plus<>{},
    foldwise::identity(0));
auto pattern = foldwise::vectorize<std::uint8_t()>(
    [](foldwise::index<1> i) { return static_cast<std::uint8_t>(i * 0x9e3779b97f4a7c15 >> 56); });
// What the parity of all elements up to the i-th is, from those of neighbours.
auto undone = foldwise::vectorize<std::uint8_t(std::uint8_t, std::uint8_t)>(
    [](std::uint8_t here, std::uint8_t before) -> std::uint8_t { return here ^ before; });

}  // namespace gpu_scans
