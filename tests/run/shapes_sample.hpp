// tests/run/shapes_sample.hpp: operands of random shape, strides and offset, and the expected results of calls with
// them.
#pragma once

#include "trial.hpp"

#include <foldwise/runtime.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace run_tests {

using foldwise::shape;
using foldwise::detail::layout;

inline shape shape_of(const std::vector<std::int64_t>& extents) {
    return shape(std::span<const std::int64_t>(extents.data(), extents.size()));
}

/// 0 to 8 axes, of which few are long, so that there are at most some ten thousand elements.
inline shape any_shape(generator& rng) {
    static constexpr std::int64_t usual[] = {1, 2, 2, 3, 3, 5, 7, 13, 31, 32, 33, 97};
    std::vector<std::int64_t> extents(below(rng, 9));
    std::int64_t left = rng() % 16 == 0 ? 60'000 : 3'000;
    for (std::int64_t& extent : extents) {
        extent =
            rng() % 24 == 0 ? 1000 + static_cast<std::int64_t>(below(rng, 300)) : usual[below(rng, std::size(usual))];
        if (extent > left) extent = left >= 2 ? 2 : 1;
        left /= extent;
        if (rng() % 128 == 0) extent = 0;
    }
    std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

/// A shape that broadcasts to this one: axes of one element, and fewer axes in front.
inline shape any_part(const shape& whole, generator& rng) {
    const std::size_t dropped = rng() % 3 == 0 ? below(rng, static_cast<std::size_t>(whole.rank()) + 1) : 0;
    std::vector<std::int64_t> extents(whole.begin() + dropped, whole.end());
    for (std::int64_t& extent : extents) {
        if (rng() % 4 == 0) extent = 1;
    }
    return shape_of(extents);
}

/// The plain rule, for shapes that do broadcast.
inline shape both(const shape& a, const shape& b) {
    std::vector<std::int64_t> extents(static_cast<std::size_t>(std::max(a.rank(), b.rank())), 1);
    for (const shape* one : {&a, &b}) {
        const auto added = static_cast<std::int64_t>(extents.size()) - one->rank();
        for (int axis = 0; axis < one->rank(); ++axis) {
            std::int64_t& extent = extents[static_cast<std::size_t>(added + axis)];
            if (extent == 1) extent = (*one)[axis];
        }
    }
    return shape_of(extents);
}

/// Calls f(index, offsets) for every index of the shape, in row-major order, with one offset for each layout, which
/// broadcasts.
template <class F> void each_element(const shape& whole, const std::vector<const layout*>& layouts, const F& f) {
    const auto rank = static_cast<std::size_t>(whole.rank()), count = layouts.size();
    std::vector<std::int64_t> index(rank), offsets(count), steps(rank * count);
    for (std::size_t k = 0; k < count; ++k) {
        const shape& own = layouts[k]->shape;
        const auto added = rank - static_cast<std::size_t>(own.rank());
        for (std::size_t axis = added; axis < rank; ++axis)
            if (own[static_cast<int>(axis - added)] > 1) steps[axis * count + k] = layouts[k]->strides[axis - added];
    }
    for (std::int64_t left = whole.size(); left > 0; --left) {
        f(std::as_const(index), std::as_const(offsets));
        for (std::size_t axis = rank; axis-- > 0;) {
            const std::int64_t extent = whole[static_cast<int>(axis)];
            const bool is_last = ++index[axis] == extent;
            for (std::size_t k = 0; k < count; ++k)
                offsets[k] += is_last ? steps[axis * count + k] * (1 - extent) : steps[axis * count + k];
            if (!is_last) break;
            index[axis] = 0;
        }
    }
}

/// Axes in any order in memory, with gaps between rows or elements, walked backwards, and for inputs also standing
/// still.
inline layout any_layout(const shape& extents, bool is_input, generator& rng) {
    std::vector<int> order(static_cast<std::size_t>(extents.rank()));
    std::iota(order.begin(), order.end(), 0);
    if (rng() % 3 == 0) std::shuffle(order.begin(), order.end(), rng);
    const bool is_plain = rng() % 3 == 0;
    layout result{extents, {}};
    std::int64_t stride = is_plain || rng() % 3 != 0 ? 1 : 2 + static_cast<std::int64_t>(below(rng, 2));
    for (std::size_t i = order.size(); i-- > 0;) {
        std::int64_t& own = result.strides[static_cast<std::size_t>(order[i])];
        own = stride;
        if (is_plain) {
            stride *= std::max<std::int64_t>(extents[order[i]], 1);
            continue;
        }
        if (rng() % 4 == 0) own = -own;
        if (is_input && rng() % 12 == 0) own = 0;
        if (own != 0) stride *= std::max<std::int64_t>(extents[order[i]], 1);
        if (rng() % 6 == 0) stride += 1 + static_cast<std::int64_t>(below(rng, 3));
    }
    return result;
}

/// Random elements: any bits, except for types of which a test specialises this.
template <class T> struct random_elements {
    static void fill(std::vector<T>& all, generator& rng) {
        auto* bytes = reinterpret_cast<unsigned char*>(all.data());
        const std::size_t count = all.size() * sizeof(T);
        for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
            const std::uint64_t some = rng();
            std::memcpy(bytes + i, &some, std::min(sizeof some, count - i));
        }
    }
};

/// An operand: a window on memory of which everything is checked afterwards.
template <class T> class sample {
  public:
    sample(const shape& extents, bool is_input, generator& rng)
        : sample(any_layout(extents, is_input, rng), is_input, rng) {}

    sample(const layout& where, bool is_input, generator& rng) : layout_(where) {
        const shape& extents = layout_.shape;
        std::int64_t lowest = 0, highest = 0;
        for (int axis = 0; axis < extents.rank() && extents.size() > 0; ++axis) {
            const std::int64_t reach = (extents[axis] - 1) * layout_.strides[static_cast<std::size_t>(axis)];
            (reach < 0 ? lowest : highest) += reach;
        }
        first_ = static_cast<std::int64_t>(rng() % 2 ? 16 : below(rng, 17)) - lowest;
        memory_.resize(static_cast<std::size_t>(first_ + highest) + 1 + below(rng, 9));
        random_elements<T>::fill(memory_, rng);
        wanted_ = memory_;
        if (rng() % 2 == 0) array_.emplace(foldwise::to_device(memory_));
        is_scalar_ = is_input && rng() % 8 == 0;
        if (is_scalar_) layout_ = {};
    }

    const layout& where() const { return layout_; }
    bool is_scalar() const { return is_scalar_; }
    bool is_unique() const {  // whether it may be written
        for (int axis = 0; axis < layout_.shape.rank(); ++axis) {
            if (layout_.shape[axis] > 1 && layout_.strides[static_cast<std::size_t>(axis)] == 0) return false;
        }
        return !is_scalar_;
    }

    T& at(std::int64_t offset) { return memory_[static_cast<std::size_t>(first_ + offset)]; }

    foldwise::view<T> window() {
        T* data = array_ ? array_->data() : memory_.data();
        return {data + first_, layout_, array_ ? array_->place() : foldwise::place{}};
    }
    foldwise::operand<const T> input() {
        if (is_scalar_) return at(0);
        return foldwise::view<const T>(window());
    }
    foldwise::operand<T> output() { return window(); }

    /// All of its memory, gaps included.
    std::vector<T> memory() const { return array_ ? array_->to_host() : memory_; }
    void expect(std::int64_t offset, T value) { wanted_[static_cast<std::size_t>(first_ + offset)] = value; }
    bool is_as_expected() {
        const std::vector<T> got = memory();
        return std::memcmp(got.data(), wanted_.data(), got.size() * sizeof(T)) == 0;
    }

    std::string text() const {
        if (is_scalar_) return "scalar";
        std::string text = to_string(layout_.shape) + " by (";
        for (int axis = 0; axis < layout_.shape.rank(); ++axis)
            text += (axis ? ", " : "") + std::to_string(layout_.strides[static_cast<std::size_t>(axis)]);
        return text + ") from " + std::to_string(first_) + (array_ ? " on the device" : " on the host");
    }

  private:
    layout layout_;
    std::int64_t first_ = 0;
    std::vector<T> memory_, wanted_;
    std::optional<foldwise::array<T>> array_;
    bool is_scalar_ = false;
};

/// What runs the case again.
inline std::string rerun(unsigned seed) {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    const char* executor = std::getenv("FOLDWISE_EXECUTOR");
    return "FOLDWISE_EXECUTOR=" + std::string(executor ? executor : "") +
           " FOLDWISE_TEST_SEED=" + std::to_string(seed) + " " + program_invocation_short_name +
           " --gtest_filter=" + test.test_suite_name() + "." + test.name();
}

}  // namespace run_tests
