// foldwise/detail/distributed_call.hpp: how generated functions are called with arrays that are spread over processes:
// each process calls the same function with its own rows, and their results are combined.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/call.hpp>
#include <foldwise/communicator.hpp>
#include <foldwise/detail/distributed_rows.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/shape.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace foldwise {

namespace wrong_call {

template <class Arguments> struct blocks_take_the_local_rows_of_a_distributed_array : mistake {};
template <class Arguments> struct a_distributed_reduction_takes_no_segments : mistake {};
template <class Arguments> struct a_call_with_distributed_arrays_takes_no_shape : mistake {};

}  // namespace wrong_call

namespace detail {

template <class A> inline constexpr bool is_distributed_argument = is_distributed<std::remove_cvref_t<A>>;
template <class A> inline constexpr bool has_elements_of_its_own = contiguous<std::remove_reference_t<A>>;
template <class A> inline constexpr bool is_executor = std::is_same_v<std::remove_cvref_t<A>, executor>;

/// What a process passes on in place of an argument.
template <class A> struct local_of { using type = A; };
template <class A>
requires is_distributed_argument<A>
struct local_of<A> {
    using type = std::remove_cvref_t<decltype(std::declval<A&>().local())>;
};
template <class A>
requires has_elements_of_its_own<A>
struct local_of<A> {
    using type = view<range_element<std::remove_reference_t<A>>>;
};

/// The rows that a process computes, of a call with this shape.
struct local_rows {
    shape whole;
    row_split split;  ///< Not set if every process computes all rows.
    row_range own;
    bool is_replicated;  ///< Whether every process computes all rows.
};

/// An argument of a call, as the calling process passes it on.
template <class A> class local_argument {
  public:
    using type = typename local_of<A>::type;
    static constexpr bool is_array = is_distributed_argument<A> || has_elements_of_its_own<A>;

    explicit local_argument(A& given) : given_(given) {}

    /// Returns the shape of an array, or nothing for any other argument.
    std::optional<foldwise::shape> shape() const {
        if constexpr (is_distributed_argument<A>)
            return given_.shape();
        else if constexpr (has_elements_of_its_own<A>)
            return whole().shape();
        else
            return std::nullopt;
    }

    /// Returns whether it is an array of which each process has only its own rows.
    bool is_spread() const {
        if constexpr (is_distributed_argument<A>)
            return !given_.is_replicated();
        else
            return false;
    }

    /// Returns how the rows of an array are spread, or null.
    const row_split* split() const {
        if constexpr (is_distributed_argument<A>)
            return given_.is_replicated() ? nullptr : &given_.split();
        else
            return nullptr;
    }

    /// Returns an array of the whole shape, which is not in memory, for calls that fail because of the shape; any other
    /// argument as it is.
    decltype(auto) without_memory() const {
        if constexpr (is_distributed_argument<A>)
            return detail::without_memory<typename type::element_type>(given_.shape(), given_.local().place());
        else
            return passed();
    }

    /// Returns what the calling process has of an array of rows, after it has asked the others for what it lacks.
    decltype(auto) of(const local_rows& rows) {
        if constexpr (is_distributed_argument<A>) {
            const bool has_rows = has_rows_of(given_.shape(), rows.whole);
            if (given_.is_replicated() || (has_rows && !rows.is_replicated)) {
                type own = given_.local();
                return has_rows && given_.is_replicated() ? own.slice(0, rows.own.begin, rows.own.end) : own;
            }
            return all();
        } else if constexpr (has_elements_of_its_own<A>) {
            type own = whole();
            return has_rows_of(own.shape(), rows.whole) ? own.slice(0, rows.own.begin, rows.own.end) : own;
        } else {
            return passed();
        }
    }

    /// Returns all elements of an array, or some of its rows.
    decltype(auto) rows_or_all(const row_range& own, bool wants_rows) {
        if constexpr (is_array) {
            if (!wants_rows) return as_whole_view();
            if (is_spread()) return own_view();
            type every = as_whole_view();
            return every.slice(0, std::min(own.begin, every.shape()[0]), std::min(own.end, every.shape()[0]));
        } else {
            return passed();
        }
    }
    /// Returns a view of all elements of an array, after it has asked the other processes for those that it lacks.
    type as_whole_view() {
        if constexpr (is_distributed_argument<A>)
            return as_whole();
        else
            return whole();
    }
    /// Returns what this process has of an array.
    type own_view() const {
        if constexpr (is_distributed_argument<A>)
            return type(given_.local());
        else
            return whole();
    }
    /// Returns the argument as it is.
    A& given() const { return given_; }

    /// Returns an array that is passed as a whole.
    decltype(auto) as_whole() {
        if constexpr (is_distributed_argument<A>)
            return given_.is_replicated() ? type(given_.local()) : all();
        else
            return passed();
    }

    /// Returns whether an array has a row for each of a call's.
    static bool has_rows_of(const foldwise::shape& own, const foldwise::shape& whole) {
        return whole.rank() > 0 && own.rank() == whole.rank() && own[0] == whole[0];
    }

  private:
    A& passed() const { return given_; }
    /// Returns a view of an array that is not spread over processes.
    type whole() const {
        const operand_ref all = refer_to(given_);
        return {static_cast<typename std::pointer_traits<decltype(std::declval<type>().data())>::pointer>(all.data),
                all.layout, all.place};
    }
    /// Returns a view of a copy of a spread array, gathered from all processes.
    type all() {
        gathered_.emplace(given_.gathered());
        return type(*gathered_);
    }

    struct nothing {};
    template <class B, bool> struct gathered_of { using type = nothing; };
    template <class B> struct gathered_of<B, true> { using type = array<typename std::remove_cvref_t<B>::value_type>; };

    A& given_;
    std::optional<typename gathered_of<A, is_distributed_argument<A>>::type> gathered_;
};

/// The inputs and outputs of the first of some signatures; all have as many.
template <class Signatures> struct operands_of_first;
template <class First, class... S> struct operands_of_first<signatures<First, S...>> : operands_of_first<First> {};
template <class First, class... S>
struct operands_of_first<shaped_signatures<First, S...>> : operands_of_first<First> {};
template <class Output, class... I> struct operands_of_first<Output(I...)> {
    static constexpr std::size_t inputs = sizeof...(I), outputs = 1;
    static constexpr bool is_whole_at[] = {is_whole<I>..., false};
};
template <class... Output, class... I>
struct operands_of_first<std::tuple<Output...>(I...)> : operands_of_first<void(I...)> {
    static constexpr std::size_t outputs = sizeof...(Output);
};
template <bool Allocates, class Signature>
struct operands_of_first<items<Allocates, Signature>> : operands_of_first<Signature> {};
template <class Accumulator, class Signature>
struct operands_of_first<reduction<Accumulator, Signature>> : operands_of_first<Signature> {};

/// Returns the group of the first distributed argument. Throws std::invalid_argument if another has another group.
template <class... A> communicator group_of(const A&... arguments) {
    std::optional<communicator> found;
    const auto look = [&](const auto& argument) {
        if constexpr (is_distributed_argument<decltype(argument)>) {
            if (!found)
                found = argument.group();
            else if (!(*found == argument.group()))
                throw std::invalid_argument("arrays of one call are spread over different groups of processes");
        }
    };
    (look(arguments), ...);
    return *found;
}

/// Returns the executor among some arguments, or the default, on the GPU of the group if it names none.
template <class... A> executor executor_among(const communicator& world, const A&... arguments) {
    executor found;
    const auto look = [&](const auto& argument) {
        if constexpr (is_executor<decltype(argument)>) found = argument;
    };
    (look(arguments), ...);
    return world.on_own_gpu(found);
}

/// Returns whether every distributed argument is replicated.
template <class... A> bool are_replicated(const A&... arguments) {
    const auto is = [](const auto& argument) {
        if constexpr (is_distributed_argument<decltype(argument)>)
            return argument.is_replicated();
        else
            return true;
    };
    return (is(arguments) && ...);
}

/// Calls f(index of the argument, as a constant; argument) for some arguments of a tuple.
template <std::size_t... N, class Tuple, class F> void each_of(std::index_sequence<N...>, Tuple& all, const F& f) {
    (f(std::integral_constant<std::size_t, N>(), std::get<N>(all)), ...);
}

/// The shapes of the arrays among the first `Count` arguments that are no whole arrays.
template <class Operands, std::size_t First, std::size_t Count, class Tuple>
std::vector<shape> shapes_among(const Tuple& all) {
    std::vector<shape> shapes;
    each_of(std::make_index_sequence<Count>(), all, [&](auto index, const auto& one) {
        constexpr std::size_t position = index();
        if constexpr (position >= First) {
            if constexpr (position >= Operands::inputs) {
                if (const std::optional<shape> own = one.shape()) shapes.push_back(*own);
            } else if constexpr (!Operands::is_whole_at[position]) {
                if (const std::optional<shape> own = one.shape()) shapes.push_back(*own);
            }
        }
    });
    return shapes;
}

/// The first of some fits that fits.
template <class First, class... Fits> struct first_fit {
    using type = typename std::conditional_t<First::fits, std::type_identity<First>, first_fit<Fits...>>::type;
};
template <class Last> struct first_fit<Last> { using type = Last; };
template <class... Fits> using first_that_fits = typename first_fit<Fits...>::type;

/// Returns which rows a process computes, of a call with this shape: those that it has of the arrays that are spread
/// over processes and have as many rows, or an even part. Throws shape_error if these arrays are spread in different
/// ways.
template <class Operands, std::size_t Count, class Tuple>
local_rows rows_of_call(const Tuple& all, const shape& whole, const communicator& world, bool is_replicated) {
    if (is_replicated) return {whole, {}, {0, whole.rank() > 0 ? whole[0] : 1}, true};
    const row_split* found = nullptr;
    each_of(std::make_index_sequence<Count>(), all, [&](auto index, const auto& one) {
        constexpr std::size_t position = index();
        if constexpr (position < Operands::inputs)
            if (Operands::is_whole_at[position]) return;
        const row_split* const own = one.split();
        if (!own || !one.has_rows_of(*one.shape(), whole)) return;
        if (found && !(*found == *own)) refuse_splits(*found, *own);
        found = own;
    });
    const row_split split = found ? *found : split_of(whole, world);
    return {whole, split, split.of(world.rank()), false};
}

/// Returns what a process passes on in place of the argument of that number.
template <class Operands, std::size_t N, class Argument>
decltype(auto) passed_on(Argument& argument, const local_rows& rows) {
    if constexpr (N < Operands::inputs) {
        if constexpr (Operands::is_whole_at[N])
            return argument.as_whole();
        else
            return argument.of(rows);
    } else {
        return argument.of(rows);
    }
}

/// Throws what the function throws for arrays of shapes that do not fit.
template <class Function, class... Argument>
[[noreturn]] void refuse_shapes(const Function& function, Argument&&... all) {
    static_cast<void>(function(all...));
    throw shape_error("the shapes of distributed arrays do not fit");
}

template <class Result> struct distributed_result { using type = Result; };
template <class T> struct distributed_result<array<T>> { using type = distributed<T>; };
template <class... T> struct distributed_result<std::tuple<array<T>...>> {
    using type = std::tuple<distributed<T>...>;
};

template <class T> distributed<T> spread(array<T>&& local, const communicator& world, const local_rows& rows) {
    return {rows.whole, world, rows.split, std::move(local), rows.is_replicated};
}
template <class... T>
std::tuple<distributed<T>...> spread(std::tuple<array<T>...>&& local, const communicator& world,
                                     const local_rows& rows) {
    return std::apply(
        [&](array<T>&... one) { return std::tuple<distributed<T>...>(spread(std::move(one), world, rows)...); }, local);
}

/// How each process of a group makes a call.
template <template <class, class...> class Local, class Signatures, class... A> struct rank_call_of;

/// Returns the call of the first signature that fits, or what to write instead, each as a std::type_identity.
template <template <class, class> class Call, class Signatures, class Local, class... Fits>
constexpr auto first_call_that_fits(Local local, type_list<Fits...> all) {
    if constexpr (!(Fits::fits || ...))
        return diagnose<Signatures>(local, all);
    else
        return std::type_identity<Call<Signatures, first_that_fits<Fits...>>>();
}

}  // namespace detail
}  // namespace foldwise

#include <foldwise/detail/distributed_forall.hpp>
#include <foldwise/detail/distributed_guvectorize.hpp>
#include <foldwise/detail/distributed_reduce.hpp>
#include <foldwise/detail/distributed_scan.hpp>
#include <foldwise/detail/distributed_scatter.hpp>
#include <foldwise/detail/distributed_stencil.hpp>
#include <foldwise/detail/distributed_team.hpp>
#include <foldwise/detail/distributed_vectorize.hpp>

namespace foldwise::detail {

template <class Signatures, class... A> struct rank_call_of<blocks_call_of, Signatures, A...> {
    using type = wrong_call::blocks_take_the_local_rows_of_a_distributed_array<type_list<A&&...>>;
};

template <template <class, class...> class Local, class Signatures, class... A> struct distributed_call_of {
    using type = team_call<typename rank_call_of<Local, Signatures, A...>::type>;
};

}  // namespace foldwise::detail
