// runtime/src/gpu/parameters.hpp: the arguments of one launch, as bytes.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/limits.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace foldwise::detail {

/// The arguments of one launch, added in the order of the kernel's parameters. Lives on the stack of the launch.
class parameters {
  public:
    parameters() = default;
    parameters(const parameters&) = delete;
    parameters& operator=(const parameters&) = delete;

    /// Adds a copy of an argument and returns a reference, so that the caller can fill it in.
    template <class T> T& add(const T& argument) {
        static_assert(std::is_trivially_copyable_v<T>);
        return *new (room_for(sizeof(T), alignof(T))) T(argument);
    }

    /// Adds an argument followed by an element of the given type, which is aligned as a data member would be. The
    /// element is copied from `value`, or left uninitialised if that is null.
    template <class T> T& add(const T& argument, const operand_type& type, const void* value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t place = rounded(sizeof(T), type.alignment);
        std::byte* const memory =
            room_for(place + type.size, alignof(T) > type.alignment ? alignof(T) : type.alignment);
        if (value) std::memcpy(memory + place, value, type.size);
        return *new (memory) T(argument);
    }

    /// Adds a whole array, as device/view_parameter.hpp reads it.
    void add(const whole_array& whole) {
        const std::size_t axes = static_cast<std::size_t>(whole.rank) * sizeof(std::int64_t);
        std::byte* const memory = room_for(sizeof(void*) + 2 * axes, alignof(std::int64_t));
        std::memcpy(memory, &whole.data, sizeof(void*));
        std::memcpy(memory + sizeof(void*), whole.extents, axes);
        std::memcpy(memory + sizeof(void*) + axes, whole.strides, axes);
    }

    /// Adds an element to an array whose elements so far were added last.
    template <class T> T& extend(const T& element) {
        T& added = add(element);
        --count_;
        return added;
    }

    /// Adds an argument that is already in memory elsewhere.
    void add_at(void* argument) { addresses_[count_++] = argument; }

    void** addresses() { return addresses_; }

  private:
    static std::size_t rounded(std::size_t number, std::size_t to) { return (number + to - 1) / to * to; }

    std::byte* room_for(std::size_t bytes, std::size_t alignment) {
        used_ = rounded(used_, alignment);
        std::byte* const memory = memory_ + used_;
        used_ += bytes;
        // The generator reports kernels whose parameters exceed what CUDA allows.
        assert(used_ <= sizeof memory_ && count_ < most);
        add_at(memory);
        return memory;
    }

    static constexpr std::size_t most = max_operands + 4;  ///< A few parameters describe the launch.
    static constexpr std::size_t padding = most * largest_accumulator;

    alignas(largest_accumulator) std::byte memory_[kernel_parameter_bytes + padding];
    std::size_t used_ = 0;
    void* addresses_[most];
    std::size_t count_ = 0;
};

}  // namespace foldwise::detail
