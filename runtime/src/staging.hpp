// runtime/src/staging.hpp: copies host operands to a GPU and back.
#pragma once

#include "arguments.hpp"
#include "device.hpp"
#include "elements.hpp"
#include "pipeline.hpp"
#include "result_slots.hpp"

#include <foldwise/detail/buffer.hpp>

#include <optional>
#include <vector>

namespace foldwise::detail {

/// Returns whether an operand is an array in host memory.
inline bool on_host(const operand_ref& operand) { return !operand.is_scalar && operand.place.kind == memory::host; }

/// Temporary GPU memory for operands on the host. However the call ends, nothing in flight accesses the host's memory
/// afterwards, and the temporary memory is freed.
class staging {
  public:
    /// `where` names the current GPU and a stream.
    staging(const char* kernel, const executor& where)
        : kernel_(kernel), gpu_(require_gpu(kernel)), where_(where), pending_(gpu_, where.stream()) {}
    staging(const staging&) = delete;
    staging& operator=(const staging&) = delete;

    /// Returns the GPU's copy of host memory, which is filled only for an input. Memory that is both input and output
    /// has a single copy.
    void* stage(void* host, std::size_t bytes, bool is_input) {
        for (const staged& one : staged_) {
            if (one.host == host && one.memory.bytes() == bytes) return one.memory.data();
        }
        return stage_alone(host, bytes, is_input);
    }

    /// Returns a separate GPU copy of host memory, even if another operand has one. `skew` is the distance in bytes
    /// from an address with the alignment of the widest elements.
    void* stage_alone(void* host, std::size_t bytes, bool is_input, std::size_t skew = 0) {
        staged_.push_back({host, gpu_memory(kernel_, bytes + skew, where_)});
        void* device = static_cast<std::byte*>(staged_.back().memory.data()) + skew;
        if (is_input && bytes > 0) {
            wait_for_earlier_work();
            copy(device, host, bytes, copy_direction::to_device);
        }
        return device;
    }

    /// Returns pinned host memory for one small result, which the kernel writes directly.
    void* result() {
        if (!result_) result_.emplace(gpu_, kernel_);
        pending_.begin();
        return result_->data();
    }

    /// Returns host memory that lives as long as this object.
    std::byte* gathered(std::size_t bytes) {
        gathered_.emplace_back(bytes, memory_source{{}, nullptr, where_.resource()});
        return static_cast<std::byte*>(gathered_.back().data());
    }

    /// Copies results back to the host: asynchronously, or complete on return, as copy_fast() does.
    void fetch(void* host, const void* device, std::size_t bytes) {
        copy(host, device, bytes, copy_direction::to_host);
    }

    /// Waits until the work queued on the stream before this call is done, so that the host's memory may be read. (For
    /// pageable memory, CUDA itself guarantees no order.)
    void wait_for_earlier_work() {
        if (has_waited_) return;
        check(gpu_.synchronize(where_.stream()));
        has_waited_ = true;
    }

    /// Waits until everything queued is done. Throws device_error.
    void finish() { check(pending_.finish()); }

  private:
    struct staged {
        void* host;
        buffer memory;
    };

    void copy(void* to, const void* from, std::size_t bytes, copy_direction direction) {
        pending_.begin();
        check(copy_fast(kernel_, to, from, bytes, direction, where_));
    }

    void check(int status) const {
        if (status != 0) throw_status(gpu_, status, kernel_);
    }

    const char* kernel_;
    const device_api& gpu_;
    const executor& where_;
    bool has_waited_ = false;
    std::optional<result_slot> result_;
    std::vector<staged> staged_;
    std::vector<buffer> gathered_;
    pending_work pending_;  ///< The last member: work in flight uses all the others.
};

/// The transfer of one strided host operand, which copies each element once even if broadcasting repeats it. Elements
/// without gaps are copied directly; others are gathered in the order of the call's axes.
class strided_transfer {
  public:
    /// Takes elements of `size` bytes, the first one at index 0. There is at least one element; strides are in
    /// elements.
    strided_transfer(void* first, std::size_t size, axes_of axes, const std::int64_t* strides)
        : first_(static_cast<std::byte*>(first)), size_(size) {
        for (int axis = 0; axis < axes.rank; ++axis) {
            const std::int64_t stride = strides[axis];
            if (stride == 0) continue;
            const std::int64_t extent = axes.extents[axis];
            extents_[rank_] = extent;
            strides_[rank_++] = stride;
            count_ *= extent;
            reach_ += (extent - 1) * (stride < 0 ? -stride : stride);
            if (stride < 0) before_ -= (extent - 1) * stride;
        }
    }

    /// Takes an operand of a checked call.
    strided_transfer(const kernel_operands& kernel, const arguments& all, int index)
        : strided_transfer(all.operands[index].data, kernel.operands[index].size, {all.layout.rank, all.layout.extents},
                           all.strides[index]) {}

    /// Copies the elements to the GPU, or only allocates memory for an output, and updates `strides` to those on the
    /// GPU. Returns the GPU address of the element at index 0.
    void* send(staging& temporary, bool is_input, axes_of axes, std::int64_t* strides) {
        const auto step = static_cast<std::int64_t>(size_);
        if (is_dense()) {
            host_ = first_ - before_ * step;
            device_ = temporary.stage_alone(host_, bytes(), is_input);
            return static_cast<std::byte*>(device_) + before_ * step;
        }
        host_ = temporary.gathered(bytes());
        if (is_input) {
            temporary.wait_for_earlier_work();
            gather(host_, first_, strides_, cursor({rank_, extents_}, 0), count_, size_);
        }
        device_ = temporary.stage_alone(host_, bytes(), is_input);
        std::int64_t stride = 1;
        for (int axis = axes.rank - 1; axis >= 0; --axis) {
            if (strides[axis] == 0) continue;
            strides[axis] = stride;
            stride *= axes.extents[axis];
        }
        return device_;
    }
    void* send(staging& temporary, bool is_input, const element_layout& layout, std::int64_t* strides) {
        return send(temporary, is_input, axes_of{layout.rank, layout.extents}, strides);
    }

    /// Copies the results to the host, where unpack() then scatters them if necessary.
    void fetch(staging& temporary) const { temporary.fetch(host_, device_, bytes()); }

    /// Scatters gathered results to their places in host memory, once they have arrived.
    void unpack() const {
        if (!is_dense()) scatter(first_, strides_, host_, cursor({rank_, extents_}, 0), count_, size_);
    }

  private:
    /// Whether the span from the lowest to the highest element has as many places as there are elements. If several
    /// indices of an input share a place, its gaps are copied too.
    bool is_dense() const { return reach_ + 1 == count_; }
    std::size_t bytes() const { return static_cast<std::size_t>(count_) * size_; }

    std::byte* first_;
    std::size_t size_;
    int rank_ = 0;
    std::int64_t extents_[max_axes], strides_[max_axes];
    std::int64_t count_ = 1, reach_ = 0, before_ = 0;
    std::byte* host_ = nullptr;
    void* device_ = nullptr;
};

/// Copies the whole arrays of a call that are on the host to the GPU, and points the call's operands to the copies.
inline void stage_wholes(const kernel_operands& kernel, arguments& all, staging& temporary) {
    for (int i = 0; i < kernel.inputs; ++i) {
        const operand_ref& source = *all.sources[i];
        if (!source.is_whole() || source.place.kind != memory::host || source.layout.shape.size() == 0) continue;
        whole_array& whole = all.wholes[i];
        const axes_of axes{whole.rank, whole.extents};
        strided_transfer one(whole.data, kernel.operands[i].size, axes, whole.strides);
        whole.data = one.send(temporary, true, axes, whole.strides);
    }
}

}  // namespace foldwise::detail
