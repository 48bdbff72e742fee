// How many pixels have which brightness: many tasks, few bins, so each adds atomically.
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

namespace photograph {

/// How bright the eye finds a colour, in 256 steps.
inline int brightness(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    return (77 * red + 150 * green + 29 * blue) / 256;
}

auto histogram = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const std::uint8_t, 1> red, foldwise::view<const std::uint8_t, 1> green,
       foldwise::view<const std::uint8_t, 1> blue, foldwise::view<std::uint32_t, 1> bins) {
        std::atomic_ref(bins[brightness(red[i], green[i], blue[i])]).fetch_add(1, std::memory_order_relaxed);
    });

}  // namespace photograph
