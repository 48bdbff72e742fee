// runtime/src/shape.cpp: formats shapes and throws their errors.
#include <foldwise/error.hpp>
#include <foldwise/shape.hpp>

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
    const char* const instead =
        extent == "-1" ? "; no extent is inferred from the others, so reshape() and the like are given all of them"
                       : "";
    throw shape_error("axis " + std::to_string(rank_) + " of a shape cannot be an axis of " + extent + " elements" +
                      instead);
}

void shape::refuse_rank() { throw shape_error("a shape has at most " + std::to_string(max_rank) + " axes"); }

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
