// foldwise/cpu/scatter.hpp: what emitted scattered folds are made of on the CPU.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/scatter_kernel.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/detail/wrapping.hpp>
#include <foldwise/spec/placed.hpp>

#include <cstdint>
#include <memory>

namespace foldwise::cpu {

/// The bins of a call, into which values are combined.
template <class Steps> class scatter_bins {
  public:
    explicit scatter_bins(const void* given) : given_(*static_cast<const detail::scatter_bins*>(given)) {}

    /// Combines a value into its bin. One outside is dropped or, in a checked build and not `nowhere`, reported.
    template <class Placed> [[gnu::always_inline]] void operator()(const Placed& one) const {
        static_assert(Placed::axes == Steps::bin_axes);
        std::int64_t offset = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) {
            const std::int64_t place = one.place[axis];
            if (place < 0 || place >= given_.extents[axis]) {
#ifdef FOLDWISE_LOOKS
                if (place != nowhere)
                    detail::stop(detail::finding::of_index(one.file, one.line, place, given_.extents[axis], axis));
#endif
                return;
            }
            offset += place * given_.strides[axis];
        }
        auto& bin = static_cast<typename Steps::accumulator*>(given_.data)[offset];
        const typename Steps::accumulator before = bin;
        bin = Steps::combine(before, detail::converted<typename Steps::value>(one.value));
    }

  private:
    const detail::scatter_bins given_;
};

/// Returns the functions of a scattered fold, whose elements are combined by one of the first two.
template <class Steps>
constexpr detail::scatter_on_cpu functions_of(decltype(detail::scatter_on_cpu::scatter) scatter,
                                              decltype(detail::scatter_on_cpu::scatter_at) scatter_at) {
    using accumulator = typename Steps::accumulator;
    return {scatter, scatter_at,
            [](void* bins, std::int64_t count, std::int64_t step) {
                auto* to = static_cast<accumulator*>(bins);
                for (std::int64_t i = 0; i < count; ++i) std::construct_at(to + i * step, Steps::identity());
            },
            [](void* bins, const void* others, std::int64_t count, std::int64_t step) {
                auto* to = static_cast<accumulator*>(bins);
                const auto* from = static_cast<const accumulator*>(others);
                for (std::int64_t i = 0; i < count; ++i) {
                    const accumulator before = to[i * step];
                    to[i * step] = Steps::combine(before, from[i]);
                }
            }};
}

}  // namespace foldwise::cpu
