// foldwise/device/reduce/operands.hpp: how reductions load their inputs.
//
// The elements that are reduced to one result are called a row, whichever axes they lie along. Threads enter a row
// once, which moves every pointer to it; from then on, a place is a position along the folded axes.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/device/index.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/reduce/stage.hpp>
#include <foldwise/device/strided.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::reading_of;
using detail::reduce_instance;
using detail::reduce_reading;
using detail::reducer;
using detail::reducer_of;

/// Returns whether elements have to be counted along several axes.
constexpr bool has_several_axes(reduce_instance one) {
    return one == reduce_instance::group_runs || one == reduce_instance::group_strided ||
           one == reduce_instance::columns_elements;
}

/// The number of elements per tile: those that are loaded together or, along rows that are read element by element,
/// those that a thread keeps.
template <reduce_instance Instance, int Width, class Accumulator>
inline constexpr int width_of = Instance == reduce_instance::columns_vectors
                                    ? detail::columns_of(Width, sizeof(Accumulator))
                                : Instance == reduce_instance::lanes_elements ? detail::single_elements
                                : reading_of(Instance) == reduce_reading::elements ||
                                        reading_of(Instance) == reduce_reading::staged
                                    ? 1
                                    : Width;

/// Whether inputs of these types may have to be read both by vectors and by single elements.
template <bool TakesIndex, class... Inputs>
inline constexpr bool may_be_mixed = detail::may_be_mixed(types<Inputs..., char>, int{sizeof...(Inputs)}, TakesIndex,
                                                          is_reproducible);

/// Whether calls may need an instance, and who reduces elements in one that they may need.
template <class Elements>
inline constexpr bool is_used = detail::is_used(Elements::instance, Elements::width, Elements::may_be_mixed,
                                                is_reproducible);
template <class Elements, reducer Who>
inline constexpr bool is_reduced_by = is_used<Elements>&& reducer_of(Elements::instance) == Who;

/// The place of a tile, for a single folded axis.
struct linear_place {
    std::int64_t number;
};

/// The place of a tile in columns, which have fewer than 2^31 elements.
struct column_place {
    std::uint32_t number;
};

/// The place of a tile whose elements are counted along several axes: its offset in each operand.
template <int Operands> struct strided_place { std::int64_t offsets[Operands > 0 ? Operands : 1]; };

/// The place of a vector in a short row: the row's offset in each operand, and the vector's first element in the row.
template <int Operands> struct lane_place : strided_place<Operands> { int number; };

/// The offsets of a tile's elements in each operand. They fit in 32 bits because they are counted from a short row.
template <int Operands> struct lane_offsets { std::int32_t of[Operands > 0 ? Operands : 1][detail::single_elements]; };

/// The place of a tile whose elements are loaded one by one: what precedes the elements' offsets in each operand, these
/// offsets, which the tiles of a thread share, and how many elements the tile has.
template <int Operands> struct scattered_place : strided_place<Operands> {
    const lane_offsets<Operands>& elements;
    int count;
};

/// The place of an element of a short row.
struct short_place {
    std::int32_t number;
};

/// The strides of a kernel's inputs, followed by those of positions if it takes an index; a kernel's parameter.
template <int Operands> struct operand_strides { detail::reduce_strides of[Operands > 0 ? Operands : 1]; };

/// An input of a kernel, as a parameter.
template <class T> struct reduce_parameter {
    detail::reduce_operand place;
    union {
        T value;  ///< Stands for every element if place.data is null.
    };
};

/// Returns whether an input loads when it enters a row: if it has one value for all of the row.
constexpr bool loads_on_entry(reduce_instance instance) { return reading_of(instance) == reduce_reading::mixed; }

/// An input as a thread reads it; `Number` is its number among the operands.
template <class T, reduce_instance Instance, int Number> class reduce_input {
  public:
    __device__ reduce_input(const reduce_parameter<T>& given, const detail::reduce_strides& strides)
        : given_(given), strides_(strides), data_(static_cast<const T*>(given.place.data)) {
        // Read where it is, a value needs no branch: its strides are zero.
        if (is_staged && !data_) data_ = &given.value;
    }

    /// Moves to a row that begins `offset` elements further on; has no effect on a value.
    __device__ void enter(std::int64_t offset) {
        data_ += is_staged ? offset - staged_from_ : offset;
        if constexpr (loads_on_entry(Instance)) row_value_[0] = given_.place.is_row_value ? *data_ : given_.value;
    }

    /// Begins to copy `count` elements, which begin `first` elements further on, to shared memory, from which they are
    /// then read. All threads of the block must call it and then wait_for_copies(). Has no effect on an input whose
    /// rows do not follow one another.
    __device__ void stage(std::int64_t first, int count) {
        if (given_.place.stage < 0) return;
        const T* const from = data_ + first;
        T* const to = reinterpret_cast<T*>(stage_of(dynamic_shared<unsigned char>() + given_.place.stage, from));
        copy_to_shared(to, from, count);
        staged_from_ = first;
        data_ = to;
    }

    /// Loads `count` of `Count` tiles into the `Member` of each tile that belongs to this input. Whether the input is a
    /// value is checked once for all of them, because the loads have to be in flight together.
    template <auto Member, int Count, class Place, class Tile>
    __device__ void load(const Place (&places)[Count], Tile (&tiles)[Count], int count) const {
        constexpr int width = Tile::width;
        if constexpr (reading_of(Instance) == reduce_reading::mixed) {
            if (given_.place.is_wide) {
                FOLDWISE_UNROLLED
                for (int i = 0; i < Count; ++i)
                    if (i < count) tiles[i].*Member = device_code::load<width>(data_ + places[i].number);
                return;
            }
        }
        if constexpr (may_be_value) {
            if (is_value()) {
                FOLDWISE_UNROLLED
                for (int i = 0; i < Count; ++i) {
                    FOLDWISE_UNROLLED
                    for (int k = 0; k < width; ++k) (tiles[i].*Member)[k] = value();
                }
                return;
            }
        }
        FOLDWISE_UNROLLED
        for (int i = 0; i < Count; ++i)
            if (i < count) tiles[i].*Member = load_from<width>(places[i]);
    }

    /// Loads a single element.
    template <class Place> __device__ T operator[](const Place& at) const {
        if constexpr (may_be_value) {
            if (is_value()) return value();
        }
        return *(data_ + offset_of(at));
    }

  private:
    static constexpr bool is_staged = reading_of(Instance) == reduce_reading::staged;
    static constexpr bool may_be_value =
        reading_of(Instance) == reduce_reading::mixed || reading_of(Instance) == reduce_reading::elements;

    __device__ bool is_value() const { return given_.place.data == nullptr || given_.place.is_row_value; }
    __device__ const T& value() const {
        if constexpr (reading_of(Instance) == reduce_reading::mixed) return row_value_[0];
        return given_.value;
    }

    __device__ std::int64_t offset_of(const linear_place& at) const { return at.number; }
    __device__ std::int64_t offset_of(const column_place& at) const { return at.number * strides_.folded(0); }
    __device__ std::int64_t offset_of(const short_place& at) const {
        return at.number * static_cast<std::int32_t>(strides_.folded(0));
    }
    template <int Operands> __device__ std::int64_t offset_of(const strided_place<Operands>& at) const {
        return at.offsets[Number];
    }

    template <int N, class Place> __device__ pack<T, N> load_from(const Place& at) const {
        if constexpr (reading_of(Instance) == reduce_reading::vectors || reading_of(Instance) == reduce_reading::runs) {
            return device_code::load<N>(data_ + offset_of(at));
        } else {
            pack<T, N> loaded;
            for (int k = 0; k < N; ++k) loaded[k] = data_[offset_of(at) + k];
            return loaded;
        }
    }
    template <int N, int Operands> __device__ pack<T, N> load_from(const lane_place<Operands>& at) const {
        return device_code::load<N>(data_ + at.offsets[Number] + at.number);
    }
    /// Loads a tile of a row. Beyond the end of a row, lanes load the tile's first element again, so that no load waits
    /// for a branch.
    template <int N, int Operands> __device__ pack<T, N> load_from(const scattered_place<Operands>& at) const {
        const T* const from = data_ + at.offsets[Number];
        pack<T, N> loaded;
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k) loaded[k] = from[at.elements.of[Number][k < at.count ? k : 0]];
        return loaded;
    }

    const reduce_parameter<T>& given_;
    const detail::reduce_strides& strides_;
    const T* data_;
    std::int64_t staged_from_ = 0;  ///< The offset of the first element in shared memory.
    pack<T, 1> row_value_;          ///< The value that stands for all elements of a row.
};

/// The place of a tile of neighbours along an axis, as the index of the first one.
template <int N> struct known_place {
    index<N> first;
    int axis;
};

/// Converts an element's place to the index of rank N that a map takes. Positions are the `Number`-th operand. Along a
/// single axis, indices follow from that of one element of the row, without divisions.
template <int N, reduce_instance Instance, int Number> class reduce_space {
  public:
    __device__ reduce_space(const detail::reduce_space<N>& given, const detail::reduce_strides& strides)
        : given_(given), strides_(strides), origin_(given.origin) {}

    __device__ void enter(std::int64_t offset) { origin_ += offset; }
    /// Computes the index of one of the elements of the row that has been entered. Must be called before at() for
    /// places in columns and in short rows, and before known() of a linear_place.
    __device__ void refer(std::int64_t number) {
        reference_ = at_number(number * strides_.folded(0));
        referred_ = number;
    }

    /// Returns whether a row extends along a single axis; known() is for such rows, and of a linear_place once one has
    /// called refer().
    __device__ bool has_one_axis() const { return given_.folded_axis >= 0; }
    __device__ known_place<N> known(const linear_place& first) const {
        return {moved(reference_, given_.folded_axis, first.number - referred_), given_.folded_axis};
    }
    template <int Operands> __device__ known_place<N> known(const lane_place<Operands>& first) const {
        return {at(first, 0), given_.folded_axis};
    }

    /// Returns the place of an element that has been entered, and that of one `distance` further on along a single
    /// axis.
    template <int Operands> __device__ known_place<N> located(const strided_place<Operands>& one) const {
        return {at(one, 0), given_.folded_axis};
    }
    __device__ known_place<N> located(const known_place<N>& one, std::int64_t distance) const {
        return {moved(one.first, one.axis, distance), one.axis};
    }

    __device__ index<N> at(const known_place<N>& tile, int k) const { return moved(tile.first, tile.axis, k); }
    /// Returns the index of the k-th element of a tile; in columns, the elements of a tile are side by side in
    /// different ones.
    __device__ index<N> at(const linear_place& first, int k) const {
        return at_number((first.number + k) * strides_.folded(0));
    }
    __device__ index<N> at(const column_place& first, int k) const {
        if (has_one_axis() && (k == 0 || given_.column_axis >= 0))
            return moved(moved(reference_, given_.folded_axis, first.number), given_.column_axis, k);
        return at_number(first.number * strides_.folded(0) + k * strides_.column);
    }
    __device__ index<N> at(const short_place& first, int k) const {
        if (has_one_axis()) return moved(reference_, given_.folded_axis, first.number + k - referred_);
        return at_number((first.number + k) * strides_.folded(0));
    }
    template <int Operands> __device__ index<N> at(const strided_place<Operands>& first, int k) const {
        return at_number(first.offsets[Number] + k * strides_.column);
    }
    template <int Operands> __device__ index<N> at(const lane_place<Operands>& first, int k) const {
        return at_number(first.offsets[Number] + (first.number + k) * strides_.folded(0));
    }
    template <int Operands> __device__ index<N> at(const scattered_place<Operands>& first, int k) const {
        return at_number(first.offsets[Number] + first.elements.of[Number][k]);
    }

  private:
    __device__ index<N> at_number(std::int64_t number) const { return index_of(origin_ + number, given_.extents); }

    __device__ static index<N> moved(index<N> at, int along, std::int64_t distance) {
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < N; ++axis) at[axis] += axis == along ? distance : 0;
        return at;
    }

    const detail::reduce_space<N>& given_;
    const detail::reduce_strides& strides_;
    std::int64_t origin_;
    index<N> reference_{};
    std::int64_t referred_ = 0;  ///< The number of the element whose index is `reference_`.
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
