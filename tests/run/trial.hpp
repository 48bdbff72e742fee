// tests/run/trial.hpp: one random call of a generated kernel, compared with a plain loop.
#pragma once

#include <foldwise/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace run_tests {

/// Random numbers (SplitMix64). The standard library's engines take most of a test's time where they are not optimised.
class generator {
  public:
    using result_type = std::uint64_t;

    explicit generator(std::uint64_t seed) : state_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()() {
        state_ += 0x9E3779B97F4A7C15u;
        result_type z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

/// Whether the environment names that executor.
inline bool runs_on(const char* name) {
    const char* executor = std::getenv("FOLDWISE_EXECUTOR");
    return executor && std::strcmp(executor, name) == 0;
}

/// NumPy's sum of floats, as numpy/core/src/umath/loops_utils.h.src describes it: eight sums side by side in blocks of
/// up to 128 elements, and halves above that.
inline float pairwise(const float* x, std::size_t n) {
    if (n < 8) {
        float sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += x[i];
        return sum;
    }
    if (n > 128) {
        std::size_t half = n / 2;
        half -= half % 8;
        return pairwise(x, half) + pairwise(x + half, n - half);
    }
    float r[8];
    std::copy(x, x + 8, r);
    std::size_t i = 8;
    for (; i < n - n % 8; i += 8)
        for (std::size_t k = 0; k < 8; ++k) r[k] += x[i + k];
    float sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += x[i];
    return sum;
}

/// A random number below n.
inline std::size_t below(generator& rng, std::size_t n) { return static_cast<std::size_t>(rng() % n); }

/// A random size: most are around multiples of loads, warps and blocks, and some are large.
inline std::size_t any_size(generator& rng) {
    static constexpr std::size_t edges[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 255, 256, 257};
    switch (rng() % 8) {
    case 0:
        return below(rng, 200'000);
    case 1:
        return 1024 * (1 + below(rng, 5)) - 1 + below(rng, 3);
    case 2:
        return 4096 * (1 + below(rng, 3)) - 1 + below(rng, 3);
    default:
        return edges[below(rng, std::size(edges))] + (rng() % 4 == 0 ? below(rng, 5000) : 0);
    }
}

/// How a test makes a random element of a type of its own: it specialises this with a static `T make(generator&)`.
template <class T> struct sample;

/// A random element.
template <class T> T any_value(generator& rng) {
    if constexpr (std::is_same_v<T, bool>)
        return rng() % 2 != 0;
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<int>(rng() % 2001) - 1000) / T{16};
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(rng() % 120);  // so that no arithmetic here overflows
    else
        return sample<T>::make(rng);
}

/// Storage for n random elements at an offset, with elements on both sides that calls must leave as they are. It is not
/// a std::vector, because std::vector<bool> has no elements of type bool.
template <class T> class buffer {
  public:
    buffer(generator& rng, std::size_t n, bool scalar = false) : offset_(below(rng, 17)), n_(n), scalar_(scalar) {
        storage_ = std::make_unique<T[]>(size());
        for (std::size_t i = 0; i < size(); ++i) storage_[i] = any_value<T>(rng);
    }

    std::size_t offset() const { return offset_; }
    std::size_t size() const { return offset_ + n_ + 16; }
    bool is_scalar() const { return scalar_; }
    T value(std::size_t i) const { return storage_[scalar_ ? 0 : offset_ + i]; }
    std::span<T> all() { return {storage_.get(), size()}; }
    std::span<T> elements() { return {storage_.get() + offset_, n_}; }

  private:
    std::size_t offset_, n_;
    bool scalar_;
    std::unique_ptr<T[]> storage_;
};

/// One operand as the kernel gets it: a host range, or a slice of an array that lives where the executor computes.
template <class T> class lent {
  public:
    lent(buffer<T>& from, bool on_device) : from_(&from) {
        if (on_device && !from.is_scalar()) array_.emplace(foldwise::to_device(from.all()));
    }
    /// Returns the elements between both sides, or the scalar, as the kernel's parameter.
    template <class Operand> Operand as() {
        if (from_->is_scalar()) {
            if constexpr (std::is_same_v<Operand, foldwise::operand<const T>>) return from_->value(0);
        }
        if (array_) return array_->slice(0, begin(), begin() + static_cast<std::int64_t>(from_->elements().size()));
        return from_->elements();
    }
    /// Returns all elements, those on both sides included.
    std::vector<T> all() {
        return array_ ? array_->to_host() : std::vector<T>(from_->all().begin(), from_->all().end());
    }

  private:
    std::int64_t begin() const { return static_cast<std::int64_t>(from_->offset()); }

    buffer<T>* from_;
    std::optional<foldwise::array<T>> array_;
};

/// Whether a result is the expected one, or close to it for floating-point numbers.
template <class T> bool equal(T got, T want) {
    if constexpr (std::is_floating_point_v<T>) {
        // Contraction to fused multiply-add and CUDA's exp may differ from the host's in the last bits.
        return got == want || std::abs(got - want) <= std::abs(want) * (sizeof(T) == 4 ? T(4e-6) : T(1e-14)) + T(1e-6);
    } else {
        return got == want;
    }
}

/// The outputs of a kernel as a tuple, whether it has one or several.
template <class T> struct outputs_of { using type = std::tuple<T>; };
template <class... T> struct outputs_of<std::tuple<T...>> { using type = std::tuple<T...>; };

/// An output of a call: the elements before the call, and those that are expected after it.
template <class T> class expected {
  public:
    expected(generator& rng, std::size_t n, bool on_device)
        : buffer_(std::make_unique<buffer<T>>(rng, n)), before_(buffer_->all().begin(), buffer_->all().end()),
          lent_(*buffer_, on_device) {}

    foldwise::operand<T> operand() { return lent_.template as<foldwise::operand<T>>(); }
    void want(T value) { want_.push_back(value); }

    void compare() {
        const std::vector<T> got = lent_.all();
        for (std::size_t i = 0; i < got.size(); ++i) {
            const bool inside = i >= buffer_->offset() && i < buffer_->offset() + want_.size();
            const T right = inside ? want_[i - buffer_->offset()] : before_[i];
            ASSERT_TRUE(equal<T>(got[i], right)) << "at " << i << ": got " << testing::PrintToString(T{got[i]})
                                                 << ", want " << testing::PrintToString(right);
        }
    }

  private:
    std::unique_ptr<buffer<T>> buffer_;  // at a place that does not move
    std::vector<T> before_, want_;
    lent<T> lent_;
};

/// Computes the n expected elements of each output by `reference`, calls `kernel` with the same inputs, and compares.
template <class... Out, class... In, class Kernel, class Reference>
void try_call(std::tuple<expected<Out>...>& outputs, std::tuple<buffer<In>...>& inputs, std::size_t n, bool on_device,
              Kernel kernel, Reference reference) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto results = std::apply([&](auto&... in) { return reference(in.value(i)...); }, inputs);
        if constexpr (sizeof...(Out) == 1) {
            (std::get<0>(outputs).want(static_cast<Out>(results)), ...);
        } else {
            std::apply(
                [&](auto&... out) {
                    std::apply([&](auto&... result) { (out.want(static_cast<Out>(result)), ...); }, results);
                },
                outputs);
        }
    }
    std::apply(
        [&](auto&... in) {
            std::tuple<lent<In>...> operands{lent<In>(in, on_device)...};
            std::apply(
                [&](auto&... operand) {
                    std::apply(
                        [&](auto&... out) {
                            kernel(operand.template as<foldwise::operand<const In>>()..., out.operand()...);
                        },
                        outputs);
                },
                operands);
        },
        inputs);
    std::apply([](auto&... out) { (out.compare(), ...); }, outputs);
}

/// Calls `kernel` with random operands and compares every element, and what lies around the outputs, with `reference`.
/// `Out` is a type, or a std::tuple of those of several outputs.
template <class Out, class... In, class Kernel, class Reference>
void trial(unsigned seed, Kernel kernel, Reference reference) {
    generator rng(seed);
    const std::size_t n = any_size(rng);
    const bool on_device = rng() % 2 == 0;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", n " + std::to_string(n) + (on_device ? ", device" : ", host"));
    std::tuple<buffer<In>...> inputs{buffer<In>(rng, n, rng() % 4 == 0)...};
    [&]<class... O>(std::type_identity<std::tuple<O...>>) {
        std::tuple<expected<O>...> outputs{expected<O>(rng, n, on_device)...};
        try_call(outputs, inputs, n, on_device, kernel, reference);
    }(std::type_identity<typename outputs_of<Out>::type>{});
}

/// Runs run(seed) for the seeds from 1 to `trials`, or only for that in the environment variable FOLDWISE_TEST_SEED.
template <class Run> void many(unsigned trials, Run run) {
    if (const char* one = std::getenv("FOLDWISE_TEST_SEED")) return run(static_cast<unsigned>(std::atoi(one)));
    for (unsigned seed = 1; seed <= trials && !testing::Test::HasFatalFailure(); ++seed) run(seed);
}

}  // namespace run_tests
