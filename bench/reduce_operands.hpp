// bench/reduce_operands.hpp: device memory for what is reduced, and for the results.
#pragma once

#include "gpu.hpp"
#include "reduce.kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace bench {

/// Device memory that grows; what was in it is lost then.
class memory {
  public:
    memory() = default;
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;
    ~memory() { cudaFree(data_); }

    std::byte* room_for(std::int64_t bytes) {
        if (bytes > bytes_) {
            BENCH_CHECK(cudaFree(data_));
            BENCH_CHECK(cudaMalloc(&data_, static_cast<std::size_t>(bytes)));
            bytes_ = bytes;
        }
        return static_cast<std::byte*>(data_);
    }

  private:
    void* data_ = nullptr;
    std::int64_t bytes_ = 0;
};

/// Which bits of the words of numbers of type T are always set, and which are random: numbers in [1, 2) and the like.
struct random_words {
    std::uint32_t fixed, random;
};
template <class T> inline constexpr random_words words_of{0u, ~0u};
template <> inline constexpr random_words words_of<float>{0x3f800000u, 0x007fffffu};
template <> inline constexpr random_words words_of<double>{0x3f800000u, 0x007fffffu};
template <> inline constexpr random_words words_of<point>{0x3f800000u, 0x007fffffu};
template <> inline constexpr random_words words_of<foldwise::bfloat16>{0x3f803f80u, 0x007f007fu};
template <> inline constexpr random_words words_of<bool>{0u, 0x01010101u};

/// Sets of inputs, as many as leave the cache behind, and two places for results.
class operands {
  public:
    operands(const gpu& gpu, memory& memory, const std::vector<std::int64_t>& bytes, std::int64_t bytes_of_results) {
        for (std::int64_t one : bytes) {
            offsets_.push_back(stride_);
            stride_ += rounded(one);
        }
        const auto total = static_cast<double>(stride_);
        sets_ = total > 1e10 ? 1 : static_cast<int>(std::min(400.0, 2 + 3 * static_cast<double>(gpu.cache) / total));
        stride_of_results_ = rounded(bytes_of_results);
        results_ = memory.room_for(2 * stride_of_results_ + sets_ * stride_);
        BENCH_CHECK(cudaMemset(results_, 0xa5, static_cast<std::size_t>(2 * stride_of_results_)));
        inputs_ = results_ + 2 * stride_of_results_;
    }

    int sets() const { return sets_; }
    template <class T> T* at(int set, std::size_t operand) {
        return reinterpret_cast<T*>(inputs_ + set * stride_ + offsets_[operand]);
    }
    /// Foldwise's are 0, its peer's 1.
    template <class T> T* results(int whose) { return reinterpret_cast<T*>(results_ + whose * stride_of_results_); }

    template <class T> void fill_random() {
        const std::int64_t words = sets_ * stride_ / 4;
        noise(words_of<T>.fixed, words_of<T>.random,
              foldwise::device(reinterpret_cast<std::uint32_t*>(inputs_), foldwise::shape{words}));
        BENCH_CHECK(cudaDeviceSynchronize());
    }

    /// Numbers whose sums are the same in any order.
    template <class T> void fill_exactly() {
        if constexpr (std::is_integral_v<T>) {
            fill_random<T>();
        } else {
            const std::int64_t numbers = sets_ * stride_ / static_cast<std::int64_t>(sizeof(T));
            odd(T(0), foldwise::device(reinterpret_cast<T*>(inputs_), foldwise::shape{numbers}));
            BENCH_CHECK(cudaDeviceSynchronize());
        }
    }

    template <class R> bool have_same_results(std::int64_t count, bool (*same)(const R&, const R&)) {
        const auto ours = on_host(results<R>(0), count), theirs = on_host(results<R>(1), count);
        for (std::int64_t i = 0; i < count; ++i)
            if (!same(ours[i], theirs[i])) return false;
        return true;
    }

    template <class R> R result_on_host() { return on_host(results<R>(0), 1)[0]; }

    /// f(element) of the first set's first operand, in order.
    template <class T, class F> void each_on_host(std::int64_t count, F f) {
        constexpr std::int64_t some = 8'000'000;
        for (std::int64_t first = 0; first < count; first += some) {
            const std::int64_t size = std::min(some, count - first);
            const auto part = on_host(at<T>(0, 0) + first, size);
            std::for_each_n(part.get(), size, f);
        }
    }

  private:
    static std::int64_t rounded(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

    template <class R> static std::unique_ptr<R[]> on_host(const R* data, std::int64_t count) {
        const auto size = static_cast<std::size_t>(count);
        auto copy = std::make_unique_for_overwrite<R[]>(size);
        BENCH_CHECK(cudaMemcpy(copy.get(), data, size * sizeof(R), cudaMemcpyDeviceToHost));
        return copy;
    }

    std::int64_t stride_ = 0, stride_of_results_ = 0;
    std::vector<std::int64_t> offsets_;
    int sets_ = 0;
    std::byte *results_ = nullptr, *inputs_ = nullptr;
};

}  // namespace bench
