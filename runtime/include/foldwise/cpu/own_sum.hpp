// foldwise/cpu/own_sum.hpp: what stands for std::atomic_ref where a CPU thread adds to memory of its own.
#pragma once

#include <atomic>
#include <type_traits>

namespace foldwise::cpu {

/// A number that only the calling thread adds to, with the additions of std::atomic_ref: integers wrap around.
template <class T> class own_sum {
  public:
    explicit own_sum(T& sum) : sum_(sum) {}

    void fetch_add(T number, std::memory_order = std::memory_order_relaxed) const {
        if constexpr (std::is_integral_v<T>)
            sum_ = static_cast<T>(static_cast<word>(sum_) + static_cast<word>(number));
        else
            sum_ += number;
    }
    void fetch_sub(T number, std::memory_order = std::memory_order_relaxed) const {
        if constexpr (std::is_integral_v<T>)
            sum_ = static_cast<T>(static_cast<word>(sum_) - static_cast<word>(number));
        else
            sum_ -= number;
    }
    void operator+=(T number) const { fetch_add(number); }
    void operator-=(T number) const { fetch_sub(number); }
    void operator++() const { fetch_add(1); }
    void operator--() const { fetch_sub(1); }
    void operator++(int) const { fetch_add(1); }
    void operator--(int) const { fetch_sub(1); }

  private:
    /// An unsigned type, which wraps around.
    using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;

    T& sum_;
};

}  // namespace foldwise::cpu
