// foldwise/spec/blocks.hpp: `blocks`, which declares kernels whose items share memory and work in phases.
#pragma once

#include <foldwise/spec/block.hpp>
#include <foldwise/spec/signature.hpp>

#include <cstdint>

namespace foldwise {

/// The type of a kernel that blocks() declares. The generator finds variables of this type. On the host, calling one
/// with an index<N> of extents and the lambda's other arguments runs all blocks that cover these extents.
template <class Callable, std::int64_t... E> class [[maybe_unused]] blocked {
  public:
    constexpr explicit blocked(Callable callable) : called_(callable) {}

    template <class... Operands>
    void operator()(const index<static_cast<int>(sizeof...(E))>& shape, const Operands&... operands) const {
        constexpr std::int64_t extents[] = {E...};
        std::int64_t all[sizeof...(E)], count = 1;
        for (int axis = 0; axis < static_cast<int>(sizeof...(E)); ++axis) {
            all[axis] = shape[axis];
            count *= (all[axis] + extents[axis] - 1) / extents[axis];
        }
        detail::each_block<E...>(all, 0, count, [&](const auto& block) { called_(block, operands...); });
    }

  private:
    [[no_unique_address]] Callable called_;
};

/// Declares a kernel of blocks with these extents, one to three of them. For each block that is needed to cover a
/// call's shape, `callable` is called with a block<N> and the call's arguments: each is a view<T, N>, read-only if T is
/// const, or a value. Items work in the phases block<N>::each(); what stands between phases is done once for the block.
template <std::int64_t... E, class Callable>
constexpr blocked<detail::callable<Callable>, E...> blocks(Callable callable) {
    return blocked<detail::callable<Callable>, E...>(callable);
}

}  // namespace foldwise
