// runtime/src/simulator/warp.hpp: what comes out when lanes of a warp do something together.
#pragma once

#include <foldwise/simulator/cooperation.hpp>

#include <array>
#include <cstdint>

namespace foldwise::simulation {

template <class T> using per_lane = std::array<T, 32>;

/// What a lane gets that asks for the value of one that takes no part. CUDA leaves it undefined; this is seldom right.
inline constexpr std::uint64_t value_of_nobody = 0xdeadbeefdeadbeef;

/// The lane that a shuffle reads from; a lane whose source lies outside of its group reads its own value.
unsigned source_lane(warp_operation shuffle, unsigned lane, std::uint32_t source, int width);

/// Sets the results of the lanes that take part, from what they brought. For shuffles, widths are powers of two.
void cooperate(warp_operation operation, std::uint32_t lanes, const per_lane<contribution>& brought,
               per_lane<std::uint64_t>& results);

/// As a kernel writes it: "__shfl_down_sync".
const char* name(warp_operation operation);
const char* name(block_barrier barrier);

}  // namespace foldwise::simulation
