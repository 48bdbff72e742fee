// runtime/src/guvectorize/stage_plan.hpp: which items of a guvectorize call a block copies to shared memory.
#pragma once

#include <foldwise/detail/guvectorize_code.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>

namespace foldwise::detail {

/// How the blocks of a launch copy their items to shared memory.
struct stage_plan {
    std::uint32_t together = 0;  ///< Items that a block has at a time; 0 if items are not to be copied.
    std::uint32_t shared_bytes = 0;
    item_stage stages[max_operands];
};

/// Plans a call whose items lie along one axis. Neighbouring threads have neighbouring items, so their accesses to
/// elements of items are as far apart as items are; copied by a block, the same elements are read and written in the
/// order in which they are in memory, each once. That needs operands whose items follow one another without gaps, or
/// are one item for all, and room for the items of at least half a warp.
stage_plan plan_stages(const guvectorize_code& code, const guvectorize_call& call);

}  // namespace foldwise::detail
