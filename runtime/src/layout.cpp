// runtime/src/layout.cpp: slices, reshapes, permutes and broadcasts strided layouts.
#include <foldwise/detail/layout.hpp>

#include <foldwise/detail/ranges.hpp>
#include <foldwise/error.hpp>

#include <cstdint>
#include <string>

namespace foldwise::detail {

layout row_major(const shape& extents) {
    layout result{extents, {}};
    // The extents of an empty shape may have a product that overflows. Its strides are never used, and unsigned ones
    // may wrap.
    std::uint64_t stride = 1;
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
        result.strides[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(stride);
        stride *= static_cast<std::uint64_t>(extents[axis]);
    }
    return result;
}

layout pitched_layout(const shape& extents, std::size_t pitch_bytes, std::size_t element) {
    const std::string text = "a pitched view of shape " + to_string(extents) + ": ";
    const int rank = extents.rank();
    if (rank < 2) throw shape_error(text + "it takes rows, and so two axes or more");
    const std::string pitch = "the pitch of " + std::to_string(pitch_bytes) + " bytes is ";
    if (pitch_bytes % element != 0)
        throw shape_error(text + pitch + "not a multiple of an element's " + std::to_string(element) +
                          ": no strides in elements can express it");
    if (pitch_bytes < bytes_of(shape(extents[rank - 1]), element))
        throw shape_error(text + pitch + "less than a row's " + std::to_string(extents[rank - 1]) + " elements of " +
                          std::to_string(element));
    layout result{extents, {}};
    auto stride = static_cast<std::int64_t>(pitch_bytes / element);
    result.strides[static_cast<std::size_t>(rank - 1)] = 1;
    for (int axis = rank - 2; axis >= 0; --axis) {
        result.strides[static_cast<std::size_t>(axis)] = stride;
        if (__builtin_mul_overflow(stride, extents[axis], &stride) && axis > 0)
            throw shape_error(text + "it has more elements than an int64 counts");
    }
    return result;
}

bool is_contiguous(const shape& extents, const stride_array& strides) {
    std::int64_t expected = 1;
    bool in_order = true;
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
        if (extents[axis] == 0) return true;
        if (extents[axis] == 1 || !in_order) continue;
        in_order = strides[static_cast<std::size_t>(axis)] == expected;
        expected *= extents[axis];
    }
    return in_order;
}

namespace {

std::string describe_slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step, const shape& of) {
    std::string text = "slice [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
    if (step != 1) text += " by " + std::to_string(step);
    return text + " of axis " + std::to_string(axis) + " of the shape " + to_string(of);
}

bool in_range(std::int64_t begin, std::int64_t end, std::int64_t step, std::int64_t extent) {
    if (step > 0) return 0 <= begin && begin <= end && end <= extent;
    return step < 0 && -1 <= end && end <= begin && begin < extent;
}

std::int64_t count_steps(std::int64_t begin, std::int64_t end, std::int64_t step) {
    // Unsigned, because the smallest step has no positive counterpart.
    const auto distance = static_cast<std::uint64_t>(step > 0 ? end - begin : begin - end);
    const std::uint64_t magnitude = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
    return static_cast<std::int64_t>(distance / magnitude + (distance % magnitude != 0));
}

}  // namespace

sublayout slice(const layout& whole, int axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
    const int rank = whole.shape.rank(), along = axis < 0 ? axis + rank : axis;
    if (along < 0 || along >= rank)
        throw shape_error("slice: there is no axis " + std::to_string(axis) + " in the shape " +
                          to_string(whole.shape));
    if (!in_range(begin, end, step, whole.shape[along]))
        throw shape_error(
            describe_slice(axis, begin, end, step, whole.shape) +
            (step == 0 ? " does not get on" : " is out of range") +
            (begin < 0 || end < (step < 0 ? -1 : 0) ? "; negative numbers do not count from the end" : ""));

    std::int64_t extents[max_rank];
    for (int i = 0; i < rank; ++i) extents[i] = whole.shape[i];
    const std::int64_t count = count_steps(begin, end, step);
    extents[along] = count;

    sublayout part{{shape(std::span<const std::int64_t>(extents, static_cast<std::size_t>(rank))), whole.strides}, 0};
    std::int64_t& stride = part.layout.strides[static_cast<std::size_t>(along)];
    if (count > 0) part.offset = begin * stride;
    if (count > 1) stride *= step;  // with fewer elements, the product may overflow
    return part;
}

namespace {

/// Elements at equal distances.
struct run {
    std::int64_t count, stride;
};

/// Finds the longest runs that the elements form in row-major order, outermost first, and returns their number.
int runs_of(const layout& of, run* runs) {
    int count = 0;
    for (int axis = 0; axis < of.shape.rank(); ++axis) {
        const run next{of.shape[axis], of.strides[static_cast<std::size_t>(axis)]};
        if (next.count == 1) continue;
        if (count > 0 && runs[count - 1].stride == next.stride * next.count)
            runs[count - 1] = {runs[count - 1].count * next.count, next.stride};
        else
            runs[count++] = next;
    }
    return count;
}

/// Splits the runs into the axes of `to`, starting from the last axis. Returns false if an axis would span two runs.
bool cut(run* runs, int count, const shape& to, stride_array& strides) {
    for (int axis = to.rank() - 1; axis >= 0; --axis) {
        if (to[axis] == 1) continue;
        run& last = runs[count - 1];
        if (last.count % to[axis] != 0) return false;
        strides[static_cast<std::size_t>(axis)] = last.stride;
        last = {last.count / to[axis], last.stride * to[axis]};
        if (last.count == 1) --count;
    }
    return true;
}

std::string strides_text(const layout& of) {
    std::string text;
    for (int axis = 0; axis < of.shape.rank(); ++axis)
        text += (text.empty() ? "" : ", ") + std::to_string(of.strides[static_cast<std::size_t>(axis)]);
    return "(" + text + ")";
}

}  // namespace

layout reshape(const layout& from, const shape& to) {
    if (from.shape.size() != to.size())
        throw shape_error("reshape: the shape " + to_string(from.shape) + " cannot become " + to_string(to) +
                          ": it has " + std::to_string(from.shape.size()) + " elements and not " +
                          std::to_string(to.size()));
    layout result = row_major(to);  // the strides of axes of one element, and of empty shapes
    if (to.size() == 0) return result;
    run runs[max_rank];
    if (!cut(runs, runs_of(from, runs), to, result.strides))
        throw shape_error("reshape: the shape " + to_string(from.shape) + " with the strides " + strides_text(from) +
                          " cannot become " + to_string(to) + " without a copy");
    return result;
}

void check_size(const shape& extents, std::size_t elements) {
    if (static_cast<std::size_t>(extents.size()) != elements)
        throw shape_error("a view of shape " + to_string(extents) + " has " + std::to_string(extents.size()) +
                          " elements, and the memory that it is made of has " + std::to_string(elements));
}

void refuse_null(const shape& extents) {
    if (extents.size() != 0)
        throw shape_error("a view of shape " + to_string(extents) + " has " + std::to_string(extents.size()) +
                          " elements, and its pointer is null");
}

void refuse_without_strides(const shape& extents) {
    throw shape_error("an mdspan of shape " + to_string(extents) + " has a layout without strides");
}

layout strided(const shape& extents, std::span<const std::int64_t> strides) {
    if (strides.size() != static_cast<std::size_t>(extents.rank()))
        throw shape_error("the shape " + to_string(extents) + " needs " + std::to_string(extents.rank()) +
                          " strides and is given " + std::to_string(strides.size()));
    layout result{extents, {}};
    for (std::size_t axis = 0; axis < strides.size(); ++axis) result.strides[axis] = strides[axis];
    return result;
}

layout permute(const layout& from, std::span<const int> axes) {
    const int rank = from.shape.rank();
    std::int64_t extents[max_rank];
    stride_array strides = {};
    std::string text;
    unsigned seen = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const int axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis >= 0 && axis < rank && i < max_rank) {
            seen |= 1u << axis;
            extents[i] = from.shape[axis];
            strides[i] = from.strides[static_cast<std::size_t>(axis)];
        }
        text += (text.empty() ? "" : ", ") + std::to_string(axes[i]);
    }
    if (axes.size() != static_cast<std::size_t>(rank) || seen != (1u << rank) - 1)
        throw shape_error("permute: the axes (" + text + ") are no order of those of the shape " +
                          to_string(from.shape));
    return {shape(std::span<const std::int64_t>(extents, axes.size())), strides};
}

layout transpose(const layout& from) {
    const int rank = from.shape.rank();
    int axes[max_rank];
    for (int i = 0; i < rank; ++i) axes[i] = rank - 1 - i;
    return permute(from, {axes, static_cast<std::size_t>(rank)});
}

layout broadcast(const layout& from, const shape& to) {
    const int added = to.rank() - from.shape.rank();
    bool fits = added >= 0;
    layout result{to, {}};
    for (int axis = 0; fits && axis < from.shape.rank(); ++axis) {
        const std::int64_t extent = from.shape[axis];
        if (extent == to[axis + added])
            result.strides[static_cast<std::size_t>(axis + added)] = from.strides[static_cast<std::size_t>(axis)];
        else
            fits = extent == 1;
    }
    if (!fits)
        throw shape_error("broadcast_to: the shape " + to_string(from.shape) + " does not broadcast to " +
                          to_string(to));
    return result;
}

std::size_t bytes_of(const shape& extents, std::size_t element) {
    std::size_t bytes = 0;
    const std::int64_t count = extents.size();
    if (__builtin_mul_overflow(static_cast<std::size_t>(count), element, &bytes) || bytes > PTRDIFF_MAX)
        throw out_of_memory("an array of shape " + to_string(extents) + " with " + std::to_string(element) +
                            " bytes per element has more bytes than there are addresses");
    return bytes;
}

}  // namespace foldwise::detail
