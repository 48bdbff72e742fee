// runtime/src/scan/columns.cpp: strips are narrow, so that many blocks share the columns, unless columns are short.
#include "scan/columns.hpp"

#include <algorithm>
#include <bit>

namespace foldwise::detail {

namespace {

std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

std::int64_t pieces(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

/// Returns a number's logarithm, rounded up.
int log2_of(std::int64_t number) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number - 1))); }

/// Returns the columns of a warp, or of a line of memory, whose bytes are loaded together, if those are more.
std::int64_t narrowest_strip(std::size_t result_bytes) {
    constexpr std::int64_t line = 128;
    return std::max<std::int64_t>(warp_threads, line / static_cast<std::int64_t>(result_bytes));
}

/// Returns the division into strips of `across` columns, with tiles of `rows` rows.
scan_strips strips_of(std::int64_t columns, std::int64_t across, std::int64_t length, std::int64_t rows) {
    scan_strips plan{};
    plan.columns = columns;
    plan.across = static_cast<int>(across);
    plan.across_log2 = log2_of(across);
    plan.strips = divider<std::uint32_t>::by(static_cast<std::uint32_t>(pieces(columns, across)));
    plan.deep = static_cast<std::uint32_t>(pieces(length, rows));
    return plan;
}

}  // namespace

bool goes_along_columns(const scan_call& call, int results) {
    const element_layout* const layout = call.elements.layout;
    if (!layout || call.kept == 0 || layout->rank != call.kept + 1) return false;
    const std::int64_t* const strides = layout->strides[results];
    const auto is_closer = [&](std::int64_t stride) { return magnitude(stride) < magnitude(strides[call.kept]); };
    return std::any_of(strides, strides + call.kept, is_closer);
}

void order_axes(const scan_call& call, int results, bool along_columns, int* order) {
    const element_layout& layout = *call.elements.layout;
    for (int k = 0; k < layout.rank; ++k) order[k] = layout.rank - 1 - k;
    if (!along_columns) return;
    const std::int64_t* const strides = layout.strides[results];
    std::stable_sort(order + 1, order + layout.rank,
                     [&](int a, int b) { return magnitude(strides[a]) < magnitude(strides[b]); });
}

scan_strips divide_columns(const scan_call& call, std::size_t result_bytes, std::size_t accumulator_bytes) {
    constexpr std::int64_t many = 128;  // strips that keep a GPU busy, few tiles of each at a time
    const int rows = scan_column_rows(accumulator_bytes);
    const std::int64_t threads = scan_column_threads(accumulator_bytes), columns = call.elements.count / call.length;
    const std::int64_t narrowest = narrowest_strip(result_bytes);
    const std::int64_t deepest = std::int64_t{1} << log2_of(pieces(call.length, rows));
    // Powers of two.
    const std::int64_t across = std::min(std::max(threads / std::min(deepest, threads), std::min(narrowest, threads)),
                                         std::int64_t{1} << log2_of(columns));
    const std::int64_t groups = threads / across;
    scan_strips plan = strips_of(columns, across, call.length, groups * rows);
    // Where strips are many, the tiles of each are few at a time, and the one above a tile has long been scanned.
    plan.batch_log2 = plan.strips.divisor >= many ? 0 : log2_of(std::min<std::int64_t>(groups, 64) * scan_column_loads);
    return plan;
}

std::optional<scan_strips> divide_into_whole_strips(const scan_call& call, std::size_t result_bytes,
                                                    std::size_t accumulator_bytes, int few_tiles) {
    // Of larger ones a block loads too little at once: 64 bytes along 8192 columns took 1834 us instead of 1348.
    constexpr std::size_t largest_accumulator = 32;
    // What the loads of a strip are wide enough for; of narrower elements, more strips have as many bytes on their way.
    constexpr std::int64_t whole_bytes = 4, sector_bytes = 32;
    if (accumulator_bytes > largest_accumulator || divide_columns(call, result_bytes, accumulator_bytes).deep == 1)
        return std::nullopt;
    const std::int64_t columns = call.elements.count / call.length, threads = scan_strip_threads(accumulator_bytes);
    const std::int64_t narrowest = std::min(narrowest_strip(result_bytes), threads);
    // Links cost blocks that share strips a quarter of their time.
    if (pieces(columns, narrowest) * 4 < std::int64_t{few_tiles} * 3) return std::nullopt;
    const auto result = static_cast<std::int64_t>(result_bytes);
    std::int64_t most = result < whole_bytes ? few_tiles * (whole_bytes / result) : few_tiles;
    while (pieces(columns, most) > threads) most *= 2;
    // As equal as they can be: multiprocessors that have one more than others would be waited for.
    const std::int64_t each = scan_strip_columns(result_bytes, accumulator_bytes);
    const std::int64_t sector = std::max(sector_bytes / result, each);
    const std::int64_t across =
        std::min(std::max(pieces(pieces(columns, most), sector) * sector, narrowest), threads) / each * each;
    return strips_of(columns, across, call.length,
                     threads / (across / each) * (scan_column_rows(accumulator_bytes) / each));
}

std::size_t aggregates_of(const scan_kernel& kernel, const scan_call& call, int few_tiles) {
    if (!goes_along_columns(call, kernel.inputs)) return scan_aggregates(call.elements.count);
    const std::size_t result = kernel.operands[kernel.inputs].size, accumulator = kernel.accumulator_size;
    if (divide_into_whole_strips(call, result, accumulator, few_tiles)) return 0;
    return divide_columns(call, result, accumulator).aggregates();
}

}  // namespace foldwise::detail
