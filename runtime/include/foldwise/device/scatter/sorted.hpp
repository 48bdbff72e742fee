// foldwise/device/scatter/sorted.hpp: combines elements into bins in their order, sorted by bin.
//
// Elements are processed in batches. One launch writes for each value of a batch a pair, the number of its bin and the
// value's own number in the batch; the pairs are sorted by bin, which keeps the order of values within a bin; and
// another launch combines the values of each bin, which it computes anew from the elements. The pairs of one bin are
// called a run. Each element has `Steps::entries` values, one for each place that it is combined into, and value number
// v of a batch is that of entry v % entries of element v / entries. The runtime keeps these numbers, and those of bins,
// below 2^32 (launch_scatter.cpp).
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/scatter/operands.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Writes the pairs of a batch of elements. Elements are divided into chunks, each of which has a copy of the bins,
/// with numbers of their own. Places outside of the bins get a number behind all of these.
template <class Steps, class Element>
__device__ void write_pairs(const detail::scatter_range& range, const scatter_target<Steps>& target,
                            const Element& element) {
    const detail::scatter_pairs& pairs = target.pairs;
    const std::int64_t each = (range.count + target.chunks - 1) / target.chunks;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pairs.elements; i += threads) {
        const std::int64_t number = pairs.first + i, chunk = target.chunks > 1 ? number / each : 0;
        std::int64_t value = i * Steps::entries;
        element(number, [&](const auto& one) {
            std::int64_t bin;
            pairs.bins[value] = static_cast<std::uint32_t>(target.find(one, bin) ? chunk * target.count + bin
                                                                                 : target.chunks * target.count);
            pairs.values[value] = static_cast<std::uint32_t>(value);
            ++value;
        });
    }
}

/// The sorted pairs of a batch, and the bins that their values are combined into. `Element` is called as
/// element(number, visit), and calls visit(one) for each entry of the element with this number, in order.
template <class Steps, class Element> class sorted_values {
  public:
    using accumulator = typename Steps::accumulator;

    __device__ sorted_values(const scatter_target<Steps>& target, const Element& element)
        : target_(target), element_(element), bins_(static_cast<std::uint32_t>(target.chunks * target.count)),
          count_(target.pairs.elements * Steps::entries) {}

    __device__ std::int64_t count() const { return count_; }
    /// Returns the number of the bin of the i-th pair; none() for places outside and behind the last pair.
    __device__ std::uint32_t bin_of(std::int64_t i) const {
        const std::uint32_t bin = i < count_ ? target_.pairs.bins[i] : none();
        return bin < bins_ ? bin : none();
    }
    __device__ static constexpr std::uint32_t none() { return 0xffffffff; }
    /// Computes the value of the i-th pair from its element; returns the identity instead unless `is_there`.
    __device__ accumulator value_of(std::int64_t i, bool is_there) const {
        accumulator value = Steps::identity();
        if (!is_there) return value;
        const std::uint32_t number = target_.pairs.values[i];
        std::uint32_t entry = 0;
        element_(target_.pairs.first + number / Steps::entries, [&](const auto& one) {
            if (entry++ == number % Steps::entries)
                value = foldwise::detail::converted<typename Steps::value>(one.value);
        });
        return value;
    }
    /// Returns the accumulator of a bin, in the chunk's copy if there are several chunks.
    __device__ accumulator* place_of(std::uint32_t bin) const {
        return target_.copies ? static_cast<accumulator*>(target_.copies) + bin : target_.bin(bin);
    }

    /// Combines the values of a run from the pair `first` on, in order. All lanes of the warp must call it.
    __device__ void append_run(accumulator& total, std::uint32_t bin, std::int64_t first) const {
        loaded now(*this, bin, first);
        for (;;) {
            first += loaded::size;
            const loaded next(*this, now.ends() ? none() : bin, first);  // on its way while these are combined
            now.append_to(total);
            if (now.ends()) return;
            now = next;
        }
    }

  private:
    /// The values of `size` neighbouring pairs, as far as they belong to a run; a lane of the warp has `each` of them.
    struct loaded {
        static constexpr int each = sizeof(accumulator) <= 8 ? 4 : 1, size = each * warp_size;

        accumulator values[each];
        unsigned int there[each];  ///< For each of a lane's values, which lanes have one of the run, a bit for each.

        __device__ loaded(const sorted_values& all, std::uint32_t bin, std::int64_t first) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < each; ++k) {
                const std::int64_t i = first + k * warp_size + static_cast<int>(threadIdx.x % warp_size);
                const bool is_there = bin != none() && all.bin_of(i) == bin;
                there[k] = __ballot_sync(0xffffffffu, is_there);
                values[k] = all.value_of(i, is_there);
            }
        }
        __device__ bool ends() const { return there[each - 1] != 0xffffffff; }
        __device__ void append_to(accumulator& total) const {
            FOLDWISE_UNROLLED
            for (int k = 0; k < each; ++k) {
                const int length = __builtin_popcount(there[k]);
                for (int from = 0; from < length; ++from) total = Steps::combine(total, shuffle_from(values[k], from));
            }
        }
    };

    const scatter_target<Steps>& target_;
    const Element& element_;
    const std::uint32_t bins_;
    const std::int64_t count_;
};

/// Combines the values of sorted pairs. The lanes of a warp compute the values of neighbouring pairs; then each lane at
/// which a run begins combines those of its run.
template <class Steps, class Element>
__device__ void scatter_sorted(const scatter_target<Steps>& target, const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr unsigned int all = 0xffffffff;
    const sorted_values<Steps, Element> sorted(target, element);
    const int lane = static_cast<int>(threadIdx.x % warp_size);
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t first = thread - lane; first < sorted.count(); first += threads) {
        const std::int64_t i = first + lane;
        const std::uint32_t bin = sorted.bin_of(i);
        std::uint32_t before = __shfl_up_sync(all, bin, 1);
        if (lane == 0) before = i > 0 ? sorted.bin_of(i - 1) : sorted.none();
        const bool begins = bin != before && bin != sorted.none();
        const unsigned int beginnings = __ballot_sync(all, begins), changes = __ballot_sync(all, bin != before);
        if (beginnings == 0) continue;
        // Values before the first beginning belong to another warp's run.
        const accumulator value = sorted.value_of(i, bin != sorted.none() && (beginnings & ((2u << lane) - 1)) != 0);
        const unsigned int later = lane < warp_size - 1 ? changes & (all << (lane + 1)) : 0;
        const int end = later ? __builtin_ctz(later) : warp_size;
        accumulator* const place = begins ? sorted.place_of(bin) : nullptr;
        accumulator total = begins ? *place : Steps::identity();
        for (int from = lane; __any_sync(all, begins && from < end); ++from) {
            const accumulator next = shuffle_from(value, from < warp_size ? from : lane);
            if (begins && from < end) total = Steps::combine(total, next);
        }
        const int last = warp_size - 1 - __builtin_clz(beginnings);
        const std::uint32_t last_bin = __shfl_sync(all, bin, last);
        if (__shfl_sync(all, end, last) == warp_size && sorted.bin_of(first + warp_size) == last_bin) {
            accumulator run = shuffle_from(total, last);
            sorted.append_run(run, last_bin, first + warp_size);
            if (lane == last) total = run;
        }
        if (begins) *place = total;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
