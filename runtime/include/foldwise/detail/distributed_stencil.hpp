// foldwise/detail/distributed_stencil.hpp: stencils of arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/stencil_kernel.hpp>
#include <foldwise/detail/stencil_rows.hpp>
#include <foldwise/steps.hpp>

#include <algorithm>

namespace foldwise::detail {

template <class Signatures, class Local> struct stencil_fits;
template <class... S, class Local> struct stencil_fits<signatures<S...>, Local> {
    using type = type_list<stencil_fit<Local, S>...>;
};

/// The element type of an input or output of a signature.
template <class T> struct element_of_operand { using type = T; };
template <class T, int N> struct element_of_operand<view<const T, N>> { using type = T; };

/// A stencil call: each process fetches the rows around its own, computes its inner rows meanwhile, and then those at
/// its ends, which it copies together with what is around them.
template <class Signatures, class Fit> struct distributed_stencil {
    static constexpr bool is_chosen_here = true;
    using inputs = typename Fit::inputs;
    using outputs = typename Fit::outputs;
    static constexpr std::size_t in = inputs::size, out = outputs::size;
    using result = typename distributed_result<typename Fit::result>::type;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= in; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        std::int64_t count = 1;
        const auto look = [&](const auto& argument) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(argument)>, steps>) count = argument.count();
        };
        (look(arguments), ...);
        return run(function, all, world, are_replicated(arguments...), count, executor_among(world, arguments...),
                   std::make_index_sequence<in>(), std::make_index_sequence<out>());
    }

  private:
    template <std::size_t N> using input_type = typename element_of_operand<typename inputs::template at<N>>::type;
    template <std::size_t M> using output_type = typename outputs::template at<M>;

    template <class T> static view<T> viewed(const operand_ref& ref) {
        return {static_cast<T*>(ref.data), ref.layout, ref.place};
    }
    template <class T> static operand_ref referred(const view<T>& window) {
        return {const_cast<std::remove_const_t<T>*>(window.data()), window.layout(), window.place(), false};
    }

    template <class Function, class All, std::size_t... N, std::size_t... M>
    static result run(const Function& function, All& all, const communicator& world, bool is_replicated,
                      std::int64_t count, const executor& where, std::index_sequence<N...>, std::index_sequence<M...>) {
        const std::optional<shape> shapes[] = {std::get<N>(all).shape()...};
        const void* found = nullptr;
        function(std::get<N>(all).without_memory()..., view<output_type<M>>(nullptr, shape{0})...,
                 where.asking(&found));
        const auto& kernel = *static_cast<const stencil_kernel*>(found);
        const shape whole = check(function, all, kernel, shapes, count, where, std::index_sequence<N...>(),
                                  std::index_sequence<M...>());
        if constexpr (!Fit::makes_arrays) (check_spread_alike(std::get<in + M>(all).is_spread(), !is_replicated), ...);
        using operands = operands_with<in>;
        const local_rows rows =
            rows_of_call<operands, in + (Fit::makes_arrays ? 0 : out)>(all, whole, world, is_replicated);

        // What each process has, of which arrays with rows are passed on row by row.
        auto own = std::tuple<decltype(own_part<N>(std::get<N>(all), kernel, rows))...>{
            own_part<N>(std::get<N>(all), kernel, rows)...};
        const row_split split = is_replicated ? row_split::all_to(world.rank(), whole[0], world.size()) : rows.split;
        std::vector<std::optional<stencil_rows>> moving(in);
        const auto look = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            if constexpr (std::remove_cvref_t<decltype(std::get<I>(own))>::is_array) {
                const auto& part = std::get<I>(own);
                if (kernel.roles[I] == stencil_role::whole || !part.has_rows) return;
                moving[I].emplace(referred(part.value), sizeof(input_type<I>), split, world);
                if (part.known) moving[I]->know(*part.known);
            }
        };
        (look(std::integral_constant<std::size_t, N>()), ...);
        const auto call = [&](const operand_ref* refs, const operand_ref* to) {
            function(std::get<N>(own).template passed<input_type<N>>(moving[N] ? &refs[N] : nullptr)...,
                     viewed<output_type<M>>(to[M])..., where);
        };

        const shape mine = with_rows(whole, rows.own.count());
        const place there = place_of_results(moving, kernel);
        const std::size_t sizes[] = {sizeof(output_type<M>)...};
        std::tuple<array<output_type<M>>...> made, spare;
        const auto allocate = [&] {
            const executor allocates = there.kind == memory::host
                                           ? cpu(where.resource())
                                           : cuda(there.device, where.stream(), where.resource());
            if constexpr (Fit::makes_arrays)
                made = std::tuple<array<output_type<M>>...>(array<output_type<M>>(mine, allocates)...);
            if (count > 1) spare = std::tuple<array<output_type<M>>...>(array<output_type<M>>(mine, allocates)...);
        };
        bool sends_from_host = false;
        for (std::size_t i = 0; i < in; ++i)
            if (kernel.roles[i] == stencil_role::around && !moving[i]->is_known())
                sends_from_host = sends_from_host || moving[i]->own().place.kind == memory::host;
        if (count > 1) {  // each step looks around in the results of the one before
            sends_from_host = sends_from_host || there.kind == memory::host;
            if constexpr (!Fit::makes_arrays)
                sends_from_host =
                    sends_from_host || ((std::get<in + M>(all).own_view().place().kind == memory::host) || ...);
        }
        const bool are_on_gpus = together(world, call_of_shape(whole, &typeid(Function)), allocate, sends_from_host);
        operand_ref final_place[] = {output_place<M>(all, made, rows)...};
        operand_ref spare_place[] = {referred(view<output_type<M>>(std::get<M>(spare)))...};
        if (count > 1 && !kernel.is_whole)  // what is not written is the same in all steps
            (copy(viewed<const output_type<M>>(final_place[M]), std::get<M>(spare), where.stream()), ...);
        run_alone(world, [&] {
            for (std::int64_t number = 0; number < count; ++number) {
                const operand_ref* const to = (count - 1 - number) % 2 == 0 ? final_place : spare_place;
                step(kernel, moving, rows, to, sizes, call, where.stream(), are_on_gpus);
                if (number + 1 == count) break;
                for (std::size_t i = 0, next = 0; i < in && next < out; ++i)
                    if (kernel.roles[i] == stencil_role::around) moving[i]->replace(to[next++]);
            }
        });
        if constexpr (Fit::makes_arrays) {
            if constexpr (out == 1)
                return spread(std::move(std::get<0>(made)), world, rows);
            else
                return spread(std::move(made), world, rows);
        }
    }

    template <std::size_t Inputs> struct operands_with {
        static constexpr std::size_t inputs = Inputs;
        static constexpr bool is_whole_at[Inputs + 1] = {};  // which arrays are whole is known when the call is made
    };

    /// An input as this process passes it on.
    template <class Value, bool IsArray> struct part_of_input {
        static constexpr bool is_array = IsArray;
        Value value;
        bool has_rows = false;             ///< Whether it has a row for each of the call's.
        std::optional<operand_ref> known;  ///< All rows, if this process has them.

        /// Returns the rows that are referred to, or the input as it is.
        template <class T> decltype(auto) passed(const operand_ref* rows) const {
            if constexpr (IsArray)
                return rows ? view<const T>(viewed<const T>(*rows)) : view<const T>(value);
            else
                return value;
        }
    };

    template <std::size_t I, class Argument>
    static auto own_part(Argument& argument, const stencil_kernel& kernel, const local_rows& rows) {
        using T = input_type<I>;
        if constexpr (Argument::is_array) {
            part_of_input<view<const T>, true> part{view<const T>(nullptr, shape{0}), false, {}};
            const bool has_rows =
                kernel.roles[I] != stencil_role::whole && Argument::has_rows_of(*argument.shape(), rows.whole);
            part.has_rows = has_rows;
            if (!has_rows) {
                part.value = view<const T>(argument.as_whole_view());
            } else {
                part.value = view<const T>(argument.of(rows));
                if (!argument.is_spread()) part.known = referred(view<const T>(argument.as_whole_view()));
            }
            return part;
        } else {
            return part_of_input<decltype(argument.given()), false>{argument.given(), false, {}};
        }
    }

    /// Returns the shape of a call; throws what the function throws for arguments that do not fit.
    template <class Function, class All, std::size_t... N, std::size_t... M>
    static shape check(const Function& function, All& all, const stencil_kernel& kernel,
                       const std::optional<shape>* shapes, std::int64_t count, const executor& where,
                       std::index_sequence<N...>, std::index_sequence<M...>) {
        std::optional<shape> whole;
        bool fits = true;
        for (std::size_t i = 0; i < in; ++i) {
            if (kernel.roles[i] != stencil_role::around) continue;
            if (!whole) whole = shapes[i];
            fits = fits && *whole == *shapes[i] && whole->rank() == kernel.rank;
        }
        for (std::size_t i = 0; i < in; ++i) {
            if (kernel.roles[i] != stencil_role::value || !shapes[i]) continue;
            const shape both[] = {*whole, *shapes[i]};
            fits = fits && broadcast_of(both) == whole;
        }
        if constexpr (Fit::makes_arrays) {
            if (!fits) refuse_shapes(function, std::get<N>(all).without_memory()..., where);
        } else {
            fits = fits && ((*std::get<in + M>(all).shape() == *whole) && ...);
            if (!fits)
                refuse_shapes(function, std::get<N>(all).without_memory()..., std::get<in + M>(all).without_memory()...,
                              where);
        }
        if (count < 1)
            throw value_error(std::string(kernel.name) + ": " + std::to_string(count) +
                              " steps are too few: 1 is least");
        if (count > 1) check_steps(kernel, std::index_sequence<N...>(), std::index_sequence<M...>());
        return *whole;
    }

    /// Throws std::invalid_argument unless the results of a step can be looked around in.
    template <std::size_t... N, std::size_t... M>
    static void check_steps(const stencil_kernel& kernel, std::index_sequence<N...>, std::index_sequence<M...>) {
        const std::type_info* const around[] = {&typeid(input_type<N>)...};
        const std::type_info* const results[] = {&typeid(output_type<M>)...};
        std::size_t next = 0;
        for (std::size_t i = 0; i < in && next < out; ++i) {
            if (kernel.roles[i] != stencil_role::around) continue;
            if (*around[i] != *results[next]) break;
            ++next;
        }
        if (next < out)
            throw std::invalid_argument(std::string(kernel.name) +
                                        ": results are not of the types of the arrays around, so there are no steps");
    }

    static place place_of_results(const std::vector<std::optional<stencil_rows>>& moving,
                                  const stencil_kernel& kernel) {
        place there;
        for (std::size_t i = 0; i < in; ++i)
            if (kernel.roles[i] == stencil_role::around && moving[i]->own().place.kind != memory::host)
                there = moving[i]->own().place;
        return there;
    }

    template <std::size_t M, class All, class Made>
    static operand_ref output_place(All& all, Made& made, const local_rows& rows) {
        if constexpr (Fit::makes_arrays)
            return referred(view<output_type<M>>(std::get<M>(made)));
        else
            return referred(view<output_type<M>>(std::get<in + M>(all).of(rows)));
    }

    /// Computes this process's rows once. `call(inputs, outputs)` computes with arrays of any number of rows.
    /// `are_on_gpus` is what all processes have agreed on.
    template <class Call>
    static void step(const stencil_kernel& kernel, std::vector<std::optional<stencil_rows>>& moving,
                     const local_rows& rows, const operand_ref* to, const std::size_t* sizes, const Call& call,
                     CUstream_st* stream, bool are_on_gpus) {
        operand_ref own[in]{};
        for (std::size_t i = 0; i < in; ++i)
            if (moving[i]) own[i] = moving[i]->own();
        if (rows.is_replicated) return call(own, to);
        // At an end of the array, what is beyond it is found as far on this side of it.
        const int farthest = std::max(kernel.rows_before, kernel.rows_behind);
        const row_reach reach{kernel.wraps ? kernel.rows_before : farthest,
                              kernel.wraps ? kernel.rows_behind : farthest, kernel.wraps};
        const std::int64_t count = rows.own.count();
        std::int64_t before = 0, behind = 0;  // rows around those of this process, at most as many as are looked at
        for (std::size_t i = 0; i < in; ++i) {
            if (kernel.roles[i] != stencil_role::around) continue;
            moving[i]->begin_halo(reach, stream, are_on_gpus);
            before = moving[i]->rows_before();
            behind = moving[i]->rows_behind();
        }
        const bool has_inner = count > reach.before + reach.behind;
        if (has_inner) call(own, to);
        for (std::size_t i = 0; i < in; ++i)
            if (moving[i] && kernel.roles[i] == stencil_role::around) moving[i]->finish_halo(stream);
        if (count == 0) return;
        const auto strip = [&](std::int64_t first, std::int64_t last) {
            if (first >= last) return;
            const std::int64_t from = std::max(first - reach.before, -before),
                               upto = std::min(last + reach.behind, count + behind);
            std::vector<buffer> kept;
            operand_ref inputs_of_strip[in]{}, outputs_of_strip[out]{};
            const auto place_rows = [&](const operand_ref& like, buffer&& memory) {
                kept.push_back(std::move(memory));
                return operand_ref{kept.back().data(), row_major(with_rows(like.layout.shape, upto - from)), like.place,
                                   false};
            };
            for (std::size_t i = 0; i < in; ++i)
                if (moving[i]) inputs_of_strip[i] = place_rows(own[i], moving[i]->rows(from, upto, stream));
            for (std::size_t m = 0; m < out; ++m) {
                const stencil_rows given(to[m], sizes[m], rows.split, communicator());
                outputs_of_strip[m] = place_rows(to[m], kernel.is_whole ? given.memory_for(upto - from, stream)
                                                                        : given.rows(from, upto, stream));
            }
            call(inputs_of_strip, outputs_of_strip);
            for (std::size_t m = 0; m < out; ++m)
                copy_rows_back(to[m], first, kept[kept.size() - out + m], first - from, last - from, sizes[m], stream);
        };
        if (!has_inner) return strip(0, count);
        if (before > 0) strip(0, reach.before);
        if (behind > 0) strip(count - reach.behind, count);
    }
};

template <class Signatures, class... A> struct rank_call_of<stencil_call_of, Signatures, A...> {
    template <class T>
    using unless_steps = std::conditional_t<std::is_same_v<std::remove_cvref_t<T>, steps>, type_list<>, type_list<T>>;
    template <class List> struct call_of_list;
    template <class... T> struct call_of_list<type_list<T...>> { using type = call_arguments<T...>; };
    using local = typename call_of_list<typename joined<unless_steps<typename local_of<A>::type>...>::type>::type;
    using type = typename decltype(first_call_that_fits<distributed_stencil, Signatures>(
        local(), typename stencil_fits<Signatures, local>::type()))::type;
};

}  // namespace foldwise::detail
