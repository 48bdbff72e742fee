// foldwise/detail/distributed_scatter.hpp: scattered folds of arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/process_folds.hpp>
#include <foldwise/detail/scatter_kernel.hpp>

namespace foldwise::detail {

template <class Signatures, class Local> struct scatter_fits;
template <class... S, class Local> struct scatter_fits<signatures<S...>, Local> {
    using type = type_list<scatter_fit<Local, S>...>;
};

template <class Fit> struct scattered_type;
template <class Arguments, class Output, class... I> struct scattered_type<scatter_fit<Arguments, Output(I...)>> {
    using type = Output;
};

/// A scattered fold: every process combines its own elements into bins of its own; each then combines its share of the
/// bins of all processes, in the order of ranks. New bins are replicated.
template <class Signatures, class Fit> struct distributed_scatter {
    static constexpr bool is_chosen_here = true;
    using operands = operands_of_first<Signatures>;
    using value = typename scattered_type<Fit>::type;
    using result = std::conditional_t<Fit::ends_with_shape, distributed<value>, void>;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= operands::inputs; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        return run(function, all, world, executor_among(world, arguments...),
                   std::get<operands::inputs>(std::tie(arguments...)), std::make_index_sequence<operands::inputs>());
    }

  private:
    template <class Function, class All, class Output, std::size_t... N>
    static result run(const Function& function, All& all, const communicator& world, const executor& where,
                      Output& output, std::index_sequence<N...>) {
        const std::optional<shape> whole = broadcast_of(shapes_among<operands, 0, operands::inputs>(all));
        const shape bins = [&] {
            if constexpr (Fit::ends_with_shape)
                return output;
            else
                return *std::get<operands::inputs>(all).shape();
        }();
        if (!whole) refuse_shapes(function, std::get<N>(all).without_memory()..., bins, where);
        // If every process has all elements, none needs another.
        const bool are_known = !(std::get<N>(all).is_spread() || ...);
        const local_rows rows = rows_of_call<operands, operands::inputs>(all, *whole, world, are_known);
        const executor part = where.from_row(rows.own.begin);
        const std::tuple<decltype(passed_on<operands, N>(std::get<N>(all), rows))...> local{
            passed_on<operands, N>(std::get<N>(all), rows)...};
        const void* found = nullptr;
        function(std::get<N>(local)..., detail::without_memory<value>(bins), part.asking(&found));
        const auto& kernel = *static_cast<const scatter_kernel*>(found);
        if (bins.rank() != kernel.bin_axes)
            refuse_shapes(function, std::get<N>(all).without_memory()..., detail::without_memory<value>(bins), where);

        array<value> own;
        place there;
        together(world, call_of_shape(bins, &typeid(Function)), [&] {
            check_combines(kernel.name, kernel.cpu != nullptr);
            array<value> fresh = function(std::get<N>(local)..., bins, part);
            there = fresh.place();
            own = there.kind == memory::host ? std::move(fresh) : fresh.to(cpu());
        });
        const accumulators all_bins{own.data(), own.size(), sizeof(value)};
        return run_alone(world, [&] {
            if constexpr (Fit::ends_with_shape) {
                if (!are_known) share_all(world, all_bins, kernel);
                return distributed<value>(bins, world, row_split(), own.to(executor_of(there)), true);
            } else {
                const auto& out = std::get<operands::inputs>(all);
                const std::int64_t row = bins.size() / std::max<std::int64_t>(1, bins[0]);
                if (!are_known && out.split())
                    combine_shares(world, out.split()->of_elements(row), all_bins, kernel.cpu->join);
                else if (!are_known)
                    share_all(world, all_bins, kernel);
                const row_range mine = out.split() ? out.split()->of(world.rank()) : row_range{0, bins[0]};
                const view<value> to = out.own_view();
                if (to.size() > 0) add(kernel, to, view<value>(own).slice(0, mine.begin, mine.end), where);
            }
        });
    }

    /// Combines the bins of all processes, of which each then has all.
    static void share_all(const communicator& world, const accumulators& bins, const scatter_kernel& kernel) {
        const row_split shares = row_split::even(bins.count, world.size());
        combine_shares(world, shares, bins, kernel.cpu->join);
        gather_shares(world, shares, bins);
    }

    /// Combines contiguous bins into those of an output.
    static void add(const scatter_kernel& kernel, view<value> output, view<const value> bins, const executor& where) {
        if (output.place().kind == memory::host && output.is_contiguous())
            return kernel.cpu->join(output.data(), bins.data(), bins.size(), 1);
        array<value> held(output.shape(), cpu());
        copy(output, held, where.stream());
        kernel.cpu->join(held.data(), bins.data(), bins.size(), 1);
        copy(held, output, where.stream());
    }
};

template <class Signatures, class... A> struct rank_call_of<scatter_call_of, Signatures, A...> {
    using local = call_arguments<typename local_of<A>::type...>;
    using type = typename decltype(first_call_that_fits<distributed_scatter, Signatures>(
        local(), typename scatter_fits<Signatures, local>::type()))::type;
};

}  // namespace foldwise::detail
