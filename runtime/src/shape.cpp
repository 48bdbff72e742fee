// runtime/src/shape.cpp: formats shapes and throws their errors.
#include <foldwise/error.hpp>
#include <foldwise/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace foldwise {

std::string to_string(const shape& extents) {
    std::string text = "(";
    for (std::int64_t extent : extents) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(extent);
    }
    return text + ")";
}

void shape::refuse_extent(const std::string& extent) const {
    const char* const instead = extent == "-1" ? "; only reshape() infers an extent from the others" : "";
    throw shape_error("axis " + std::to_string(rank_) + " of a shape cannot be an axis of " + extent + " elements" +
                      instead);
}

void shape::refuse_rank() { throw shape_error("a shape has at most " + std::to_string(max_rank) + " axes"); }

shape new_shape::inferred(const shape& from) const {
    const std::int64_t size = from.size(), others = extents_.size();
    std::int64_t extents[max_rank];
    for (int axis = 0; axis < extents_.rank(); ++axis) extents[axis] = extents_[axis];
    if (others == 0 || size % others != 0) {
        std::string wanted;
        for (int axis = 0; axis < extents_.rank(); ++axis)
            wanted += (axis > 0 ? ", " : "") + std::to_string(axis == inferred_ ? -1 : extents[axis]);
        throw shape_error("reshape: the shape " + to_string(from) + " cannot become (" + wanted +
                          "): " + (size == 0 ? "any" : "no") + " extent in place of -1 gives " + std::to_string(size) +
                          " elements");
    }
    extents[inferred_] = size / others;
    return shape(std::span<const std::int64_t>(extents, static_cast<std::size_t>(extents_.rank())));
}

void new_shape::refuse_second() {
    throw shape_error("reshape: one extent may be -1, which is inferred from the others, and two are");
}

void strides::refuse_stride(const std::string& step) {
    throw shape_error("a stride of " + step + " elements is too large for a 64-bit integer");
}

void strides::refuse_rank() { throw shape_error("there are at most " + std::to_string(max_rank) + " strides"); }

// A shape with an axis of zero elements is empty, however long the other axes are.
std::int64_t shape::size_despite_overflow() const {
    for (std::int64_t extent : *this) {
        if (extent == 0) return 0;
    }
    throw shape_error("the shape " + to_string(*this) + " has more elements than a 64-bit integer counts");
}

}  // namespace foldwise
