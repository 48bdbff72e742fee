// runtime/src/simulator/warp.hpp: the results of operations that lanes of a warp perform together.
#pragma once

#include <foldwise/simulator/cooperation.hpp>

#include <array>
#include <cstdint>

namespace foldwise::simulation {

/// One value for each lane of a warp.
template <class T> using per_lane = std::array<T, 32>;

/// The result of reading the value of a lane that does not take part. CUDA leaves it undefined; this value is rarely
/// right.
inline constexpr std::uint64_t value_of_nobody = 0xdeadbeefdeadbeef;

/// Returns the lane that a shuffle reads from. A lane whose source is outside of its group reads its own value.
unsigned source_lane(warp_operation shuffle, unsigned lane, std::uint32_t source, int width);

/// Sets the results of the participating lanes from what they brought. For shuffles, widths are powers of two.
void cooperate(warp_operation operation, std::uint32_t lanes, const per_lane<contribution>& brought,
               per_lane<std::uint64_t>& results);

/// Returns the name as a kernel writes it: "__shfl_down_sync".
const char* name(warp_operation operation);
/// Returns the name as a kernel writes it: "__syncthreads".
const char* name(block_barrier barrier);

}  // namespace foldwise::simulation
