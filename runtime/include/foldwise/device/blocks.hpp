// foldwise/device/blocks.hpp: the block that the lambda of a `blocks` kernel receives on a GPU.
//
// Every thread of a CUDA block runs the lambda. A phase calls its lambda for the items of the thread, and the next one
// waits for all threads. Items of a thread are as many apart as there are threads, so that neighbouring threads have
// neighbouring items. Whatever a block holds is a constant or a register once its functions are inlined.
#pragma once

#define FOLDWISE_BLOCKS_ON_DEVICE  // spec/block.hpp has the CPU's

#include <foldwise/detail/blocks_code.hpp>
#include <foldwise/device/blocks/frame.hpp>
#include <foldwise/device/blocks/in_order.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/shared_array.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise {
inline namespace FOLDWISE_BACKEND {

template <int N, unsigned int Slots> class block_items;

/// A variable of each item's own, as in spec/block.hpp: `Slots` registers, one for each item of the thread. The
/// generator makes sure that an item asks for its own.
template <class T, int N, unsigned int Slots = 1> class own_variable {
  public:
    using value_type = T;

    own_variable(const own_variable&) = delete;
    own_variable& operator=(const own_variable&) = delete;

    __device__ __forceinline__ T& operator[](const index<N>&) const { return value_of<0>(*slot_); }

  private:
    friend class block_items<N, Slots>;

    /// Returns the value of an item by comparisons. By an index, compilers would take what is written to it for what
    /// may be any part of this object.
    template <unsigned int First> __device__ __forceinline__ T& value_of(unsigned int slot) const {
        if constexpr (First + 1 < Slots)
            if (slot != First) return value_of<First + 1>(slot);
        return slots_.values[First];
    }

    /// Elements that have yet to be written, which need no default constructor.
    union slots {
        T values[Slots];
        __device__ __forceinline__ slots() {}
    };

    template <class Fill>
    __device__ __forceinline__ own_variable(const device_code::block_frame<N>& frame, const Fill& fill)
        : slot_(frame.slot) {
        fill(slots_.values);
    }

    const unsigned int* slot_;
    mutable slots slots_;
};

/// What a block does with its items, of which each thread has up to `Slots`.
template <int N, unsigned int Slots> class block_items {
  public:
    __device__ __forceinline__ explicit block_items(device_code::block_frame<N>& frame) : frame_(&frame) {}

    template <class T> __device__ __forceinline__ own_variable<T, N, Slots> own(T initial) const {
        return own_variable<T, N, Slots>(*frame_, [&](T* values) {
            device_code::each_slot<Slots>([&](unsigned int slot) { values[slot] = initial; });
        });
    }

    template <class Phase> __device__ __forceinline__ void each(const Phase& phase) const {
        frame_->begin_phase();
        frame_->template each_item<Slots>(phase);
        frame_->end_phase();
    }

    template <class T, class Op>
    __device__ __forceinline__ T fold(const own_variable<T, N, Slots>& values, const Op& op) const {
        return device_code::fold_items(*frame_, values.slots_.values, op);
    }
    template <class T, class Op>
    __device__ __forceinline__ own_variable<T, N, Slots> inclusive_scan(const own_variable<T, N, Slots>& values,
                                                                        const Op& op) const {
        const auto finish = [&](bool has_before, const T& before, const T&, const T& upto) {
            return has_before ? op(before, upto) : upto;
        };
        return own_variable<T, N, Slots>(*frame_, [&](T(&results)[Slots]) {
            device_code::scan_items(*frame_, values.slots_.values, results, op, finish);
        });
    }
    template <class T, class Op>
    __device__ __forceinline__ own_variable<T, N, Slots> exclusive_scan(const own_variable<T, N, Slots>& values,
                                                                        T initial, const Op& op) const {
        const auto finish = [&](bool has_before, const T& before, const T& previous, const T&) {
            const T first = has_before ? op(initial, before) : initial;
            return threadIdx.x % device_code::warp_size > 0 ? op(first, previous) : first;
        };
        return own_variable<T, N, Slots>(*frame_, [&](T(&results)[Slots]) {
            device_code::scan_items(*frame_, values.slots_.values, results, op, finish);
        });
    }

  protected:
    device_code::block_frame<N>* frame_;
};

/// A block of items, as in spec/block.hpp. Where threads have several items, emitted code says how many wherever it
/// works on them: `b.per_thread<4>().each(...)`.
template <int N> class block : public block_items<N, 1> {
    using block_items<N, 1>::frame_;

  public:
    static constexpr int rank = N;

    using block_items<N, 1>::block_items;

    template <unsigned int Slots> __device__ __forceinline__ block_items<N, Slots> per_thread() const {
        return block_items<N, Slots>(*frame_);
    }

    __device__ __forceinline__ std::int64_t extent(int axis) const { return frame_->extents[axis]; }
    __device__ __forceinline__ std::int64_t number(int axis) const { return frame_->number[axis]; }
    __device__ __forceinline__ std::int64_t origin(int axis) const {
        return static_cast<std::int64_t>(frame_->number[axis]) * frame_->extents[axis];
    }
    __device__ __forceinline__ index<N> at(const index<N>& item) const {
        index<N> position;
        for (int axis = 0; axis < N; ++axis) position[axis] = origin(axis) + item[axis];
        return position;
    }

    template <class T, std::int64_t... E>
    requires(sizeof...(E) > 0) __device__ __forceinline__ shared_array<T, E...> shared()
    const { return {frame_->template take<T>((E * ...)), {}}; }
    template <class T> __device__ __forceinline__ shared_array<T> shared(std::int64_t count) const {
        const std::int64_t some = count < 0 ? 0 : count;
        return {frame_->template take<T>(some), {some}};
    }

    template <class Phase> __device__ __forceinline__ void once(const Phase& phase) const {
        frame_->begin_phase();
        if (threadIdx.x == 0) phase();
        frame_->end_phase();
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise
