// foldwise/detail/distributed_guvectorize.hpp: functions of rows and matrices of arrays that are spread over processes.
// Included by foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>

namespace foldwise::detail {

template <class Signatures, class Local> struct guvectorize_fits;
template <class... S, class Local> struct guvectorize_fits<signatures<S...>, Local> {
    using type = type_list<guvectorize_fit<Local, S>...>;
};

/// A call whose items are spread: each process computes its own. Operands that are spread along another axis than the
/// first one of the items are gathered.
template <class Signatures, class Fit> struct distributed_guvectorize {
    static constexpr bool is_chosen_here = true;
    using outputs = typename Fit::outputs;
    static constexpr std::size_t in = Fit::inputs::size, out = outputs::size;
    using result = typename distributed_result<typename Fit::result>::type;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= in; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        return run(function, all, world, are_replicated(arguments...), executor_among(world, arguments...),
                   std::make_index_sequence<in>(), std::make_index_sequence<out>(),
                   std::make_index_sequence<in + (Fit::makes_arrays ? 0 : out)>());
    }

  private:
    /// The axes of an operand's items, or nothing if it has too few axes.
    static std::optional<shape> items_of(const shape& extents, const core_axes& core) {
        if (extents.rank() < core.count) return std::nullopt;
        return shape(std::span(extents.begin(), static_cast<std::size_t>(extents.rank() - core.count)));
    }

    template <class Function, class All, std::size_t... N, std::size_t... M, std::size_t... Given>
    static result run(const Function& function, All& all, const communicator& world, bool is_replicated,
                      const executor& where, std::index_sequence<N...>, std::index_sequence<M...>,
                      std::index_sequence<Given...>) {
        const void* found = nullptr;
        function(std::get<N>(all).without_memory()..., view<typename outputs::template at<M>>(nullptr, shape{0})...,
                 where.asking(&found));
        const auto& kernel = *static_cast<const guvectorize_kernel*>(found);
        std::vector<shape> items;
        bool fits = true;
        const std::optional<shape> shapes[] = {std::get<Given>(all).shape()...};
        std::optional<shape> own_items[sizeof...(Given)];
        for (std::size_t i = 0; i < sizeof...(Given); ++i) {
            if (!shapes[i]) continue;
            own_items[i] = items_of(*shapes[i], kernel.cores[i]);
            fits = fits && own_items[i];
            if (own_items[i]) items.push_back(*own_items[i]);
        }
        const std::optional<shape> common = broadcast_of(items);
        for (std::size_t i = in; i < sizeof...(Given); ++i) fits = fits && common && own_items[i] == common;
        if (!fits || !common) refuse_shapes(function, std::get<Given>(all).without_memory()..., where);
        const shape whole = *common;

        const auto has_rows = [&](std::size_t i) {
            return own_items[i] && whole.rank() > 0 && own_items[i]->rank() == whole.rank() &&
                   (*own_items[i])[0] == whole[0];
        };
        const row_split* split = nullptr;
        const row_split* const splits[] = {std::get<Given>(all).split()...};
        for (std::size_t i = 0; i < sizeof...(Given); ++i) {
            if (!splits[i] || !has_rows(i)) continue;
            if (split && !(*split == *splits[i])) refuse_splits(*split, *splits[i]);
            split = splits[i];
        }
        // Without a spread operand whose first axis is one of the items', every process computes all items.
        const bool is_everywhere = is_replicated || !split;
        if constexpr (!Fit::makes_arrays) (check_spread_alike(std::get<in + M>(all).is_spread(), !is_everywhere), ...);
        const row_range mine = is_everywhere ? row_range{0, whole.rank() > 0 ? whole[0] : 0} : split->of(world.rank());
        const std::tuple<decltype(std::get<Given>(all).rows_or_all(mine, false))...> local{
            std::get<Given>(all).rows_or_all(mine, !is_everywhere && has_rows(Given))...};
        const auto call = [&] { return function(std::get<Given>(local)..., where); };
        if constexpr (!Fit::makes_arrays) {
            run_alone(world, call);
        } else {
            auto made = run_alone(world, call);
            const auto put = [&]<class T>(array<T>& one) {
                const shape extents = is_everywhere ? one.shape() : with_rows(one.shape(), whole[0]);
                return distributed<T>(extents, world, is_everywhere ? row_split() : *split, std::move(one),
                                      is_everywhere);
            };
            if constexpr (out == 1)
                return put(made);
            else
                return std::apply([&](auto&... one) { return result(put(one)...); }, made);
        }
    }
};

template <class Signatures, class... A> struct rank_call_of<guvectorize_call_of, Signatures, A...> {
    using local = call_arguments<typename local_of<A>::type...>;
    using type = typename decltype(first_call_that_fits<distributed_guvectorize, Signatures>(
        local(), typename guvectorize_fits<Signatures, local>::type()))::type;
};

}  // namespace foldwise::detail
