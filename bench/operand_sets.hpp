// bench/operand_sets.hpp: device memory for operands, in as many sets as it takes to leave the cache behind.
#pragma once

#include "gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Device memory that grows; what was in it is lost then.
class arena {
  public:
    arena() = default;
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;
    ~arena() { cudaFree(data_); }

    /// Null where the GPU has not that much.
    std::byte* room_for(std::int64_t bytes) {
        if (bytes <= bytes_) return data_;
        BENCH_CHECK(cudaFree(data_));
        data_ = nullptr;
        const bool has_room =
            cudaMalloc(reinterpret_cast<void**>(&data_), static_cast<std::size_t>(bytes)) == cudaSuccess;
        if (!has_room) cudaGetLastError();
        bytes_ = has_room ? bytes : 0;
        return data_;
    }

  private:
    std::byte* data_ = nullptr;
    std::int64_t bytes_ = 0;
};

/// Sets of operands that lie behind one another, and one further place for what is compared with the first set's.
class operand_sets {
  public:
    operand_sets(const gpu& gpu, arena& arena, const std::vector<std::int64_t>& bytes, std::int64_t bytes_of_spare) {
        for (std::int64_t one : bytes) {
            offsets_.push_back(stride_);
            stride_ += rounded(one);
        }
        // Ten gigabytes leave the cache behind alone.
        sets_ = stride_ > 10'000'000'000 ? 1 : gpu.sets_of(static_cast<double>(stride_));
        memory_ = arena.room_for(sets_ * stride_ + rounded(bytes_of_spare));
    }

    bool have_room() const { return memory_ != nullptr; }
    int count() const { return sets_; }
    std::int64_t bytes_of_set() const { return stride_; }
    template <class T> T* at(int set, std::size_t operand) const {
        return reinterpret_cast<T*>(memory_ + set * stride_ + offsets_[operand]);
    }
    template <class T> T* spare(std::int64_t offset = 0) const {
        return reinterpret_cast<T*>(memory_ + sets_ * stride_) + offset;
    }

  private:
    static std::int64_t rounded(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

    std::int64_t stride_ = 0;
    std::vector<std::int64_t> offsets_;
    int sets_ = 0;
    std::byte* memory_ = nullptr;
};

}  // namespace bench
