// runtime/src/guvectorize/stage_plan.cpp: plans what blocks copy to shared memory.
#include "guvectorize/stage_plan.hpp"
#include "divided.hpp"

#include <algorithm>
#include <numeric>

namespace foldwise::detail {

namespace {

constexpr struct {
    /// A block has this much shared memory without asking for more, and a multiprocessor that of several such blocks.
    std::int64_t block_bytes = 48 << 10;
    /// Items of which all threads read the same elements have at most this part of it.
    std::int64_t common_bytes = 16 << 10;
    /// With fewer items than this in a block, too many of its threads have none.
    std::int64_t least_items = 16;
    /// There are at least about as many blocks as a large GPU has multiprocessors twice, while each has a warp of
    /// items.
    std::int64_t blocks = 256;
} tuning;

constexpr std::int64_t warp_threads = 32;

/// Returns the elements of an item, or 0 if there are gaps between them: some order of the axes has each stride the
/// product of the extents before.
std::int64_t dense_elements(const core_argument& core, int axes) {
    int order[max_axes];
    std::iota(order, order + axes, 0);
    std::stable_sort(order, order + axes, [&](int a, int b) { return core.strides[a] < core.strides[b]; });
    std::int64_t elements = 1;
    for (int i = 0; i < axes; ++i) {
        const std::int64_t extent = core.extents[order[i]];
        if (extent != 1 && core.strides[order[i]] != elements) return 0;
        elements *= extent;
    }
    return elements;
}

/// Returns the distance between items in shared memory: an odd number of words of at least 4 bytes, by which threads of
/// a warp that read the same element of their items read from different banks.
std::uint32_t pitch_of(std::uint32_t item_bytes, std::uint32_t word) {
    const std::uint32_t unit = std::max<std::uint32_t>(word, 4);
    return ((item_bytes + unit - 1) / unit | 1) * unit;
}

}  // namespace

stage_plan plan_stages(const guvectorize_code& code, const guvectorize_call& call) {
    stage_plan plan;
    std::int64_t common = 0, each = 0;
    bool is_worth_it = false;
    for (int i = 0; i < code.operands; ++i) {
        if (code.core_axes[i] == 0) continue;
        const core_argument& core = call.arguments[i];
        const std::int64_t elements = dense_elements(core, code.core_axes[i]);
        const bool is_common = core.item_strides[0] == 0;
        if (elements == 0 || elements * code.types[i].size > tuning.block_bytes) return plan;
        if (!is_common && core.item_strides[0] != elements) return plan;
        if (reinterpret_cast<std::uintptr_t>(core.data) % code.types[i].alignment != 0) return plan;
        is_worth_it = is_worth_it || (!is_common && elements > 1);
        const auto bytes = static_cast<std::uint32_t>(elements * code.types[i].size);
        const auto word = static_cast<std::uint32_t>(staged_word(code.types[i].alignment));
        plan.stages[i] = {.begin = 0,
                          .pitch = is_common ? 0 : pitch_of(bytes, word),
                          .words = divider<std::uint32_t>::by(bytes / word),
                          .is_read = !code.overwritten[i]};
        (is_common ? common : each) += is_common ? (bytes + 15) / 16 * 16 : plan.stages[i].pitch;
    }
    if (!is_worth_it || common > tuning.common_bytes) return plan;
    constexpr std::int64_t rounding = 16 * max_operands;
    std::int64_t together = std::min<std::int64_t>((tuning.block_bytes - rounding - common) / each, code.threads);
    if (together < tuning.least_items) return plan;
    while (together > warp_threads && divided(call.count, together) < tuning.blocks) together = divided(together, 2);
    if (together > warp_threads) together = together / warp_threads * warp_threads;
    plan.together = static_cast<std::uint32_t>(together);
    for (int i = 0; i < code.operands; ++i) {
        if (code.core_axes[i] == 0) continue;
        item_stage& stage = plan.stages[i];
        stage.begin = plan.shared_bytes;
        const std::uint32_t word = static_cast<std::uint32_t>(staged_word(code.types[i].alignment));
        const std::uint32_t bytes = stage.pitch == 0 ? stage.words.divisor * word : stage.pitch * plan.together;
        plan.shared_bytes += (bytes + 15) / 16 * 16;
    }
    return plan;
}

}  // namespace foldwise::detail
