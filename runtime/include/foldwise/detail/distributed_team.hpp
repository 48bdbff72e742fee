// foldwise/detail/distributed_team.hpp: calls with arrays that are spread over threads of the calling process: each of
// them makes the call with its own part of the arrays. Included by foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>

namespace foldwise::detail {

template <class A> inline constexpr bool is_array_argument = false;
template <class T> inline constexpr bool is_array_argument<array<T>> = true;
template <class T, int Rank> inline constexpr bool is_array_argument<view<const T, Rank>> = true;

/// What a rank passes on of an argument.
template <class A> struct rank_argument {
    A& of(A& given, const communicator&) { return given; }
};
template <class A>
requires is_distributed<std::remove_const_t<A>>
struct rank_argument<A> {
    A& of(A& given, const communicator& rank) {
        const auto parts = given.parts();
        return parts.size() == 1 ? parts.front() : parts[static_cast<std::size_t>(rank.rank())];
    }
};
/// An array that is in the memory of another GPU than the rank's is copied from there.
template <class A>
requires is_array_argument<std::remove_const_t<A>>
class rank_argument<A> {
  public:
    A& of(A& given, const communicator& rank) {
        const int own = rank.transport().device();
        if (own < 0 || given.place().kind == memory::host || given.place().device == own) return given;
        copy_.emplace(to_device(given, cuda(own)));
        if constexpr (std::is_same_v<array_type, std::remove_const_t<A>>)
            return *copy_;
        else
            return view_.emplace(*copy_);
    }

  private:
    using array_type = array<std::remove_const_t<typename std::remove_const_t<A>::value_type>>;
    std::optional<array_type> copy_;
    std::optional<std::remove_const_t<A>> view_;
};

/// What the ranks return, as their process returns it: values are the same for all of them.
template <class R> struct result_of_ranks {
    static R of(const communicator&, std::vector<std::optional<R>>&& all) { return std::move(*all.front()); }
};
template <class T> struct result_of_ranks<distributed<T>> {
    static distributed<T> of(const communicator& world, std::vector<std::optional<distributed<T>>>&& all) {
        return {world, std::move(all)};
    }
};
template <class... T> struct result_of_ranks<std::tuple<distributed<T>...>> {
    using results = std::tuple<distributed<T>...>;
    static results of(const communicator& world, std::vector<std::optional<results>>&& all) {
        return [&]<std::size_t... N>(std::index_sequence<N...>) { return results(output<N>(world, all)...); }
        (std::index_sequence_for<T...>());
    }

  private:
    template <std::size_t N>
    static std::tuple_element_t<N, results> output(const communicator& world,
                                                   std::vector<std::optional<results>>& all) {
        std::vector<std::optional<std::tuple_element_t<N, results>>> parts;
        for (std::optional<results>& one : all) parts.emplace_back(std::get<N>(std::move(*one)));
        return {world, std::move(parts)};
    }
};

/// A call that each rank makes: the calling process, or all of its threads that are ranks.
template <class Call> struct each_rank_calls {
    static constexpr bool is_chosen_here = true;
    using result = typename Call::result;

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        const auto call = [&](const communicator& rank, int) {
            std::tuple<rank_argument<std::remove_reference_t<A>>...> own;
            return std::apply([&](auto&... one) { return Call::make(function, one.of(arguments, rank)...); }, own);
        };
        team* const ranks = world.transport().ranks_here();
        if (!ranks) return call(world, world.rank());
        if constexpr (writes_what_is_shared<A...>(std::index_sequence_for<A...>())) refuse_shared_output();
        if constexpr (std::is_void_v<result>)
            on_all_ranks(*ranks, call);
        else
            return result_of_ranks<result>::of(world, on_all_ranks(*ranks, call));
    }

  private:
    template <class... A, std::size_t... N> static constexpr bool writes_what_is_shared(std::index_sequence<N...>) {
        return ((Call::writes_at(N) && is_shared_memory<A>()) || ...);
    }
    /// Whether an argument is an array that can be written and of which ranks have no parts of their own.
    template <class A> static constexpr bool is_shared_memory() {
        if constexpr (!is_distributed_argument<A> && has_elements_of_its_own<A>)
            return !std::is_const_v<range_element<std::remove_reference_t<A>>>;
        else
            return false;
    }
};

template <class Call>
using team_call = std::conditional_t<std::is_base_of_v<wrong_call::mistake, Call>, Call, each_rank_calls<Call>>;

}  // namespace foldwise::detail
