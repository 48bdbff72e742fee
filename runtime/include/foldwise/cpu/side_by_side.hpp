// foldwise/cpu/side_by_side.hpp: accumulators of several chains, in vector registers where the compiler can.
#pragma once

#include <foldwise/cpu/slot.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise::cpu {

/// The accumulator of a reduction by its numbers: references to the members that Steps::members() names, or to the
/// accumulator itself.
template <class Steps> [[gnu::always_inline]] inline auto members_of(typename Steps::accumulator& accumulator) {
    if constexpr (requires { Steps::members(accumulator); })
        return Steps::members(accumulator);
    else
        return std::tie(accumulator);
}

/// The types of these members.
template <class Steps> struct member_types {
    template <class... Members> static std::tuple<Members...> of(std::tuple<Members&...>);
    using type = decltype(of(members_of<Steps>(std::declval<typename Steps::accumulator&>())));
};

inline constexpr std::size_t largest_vector = 64;  // bytes
inline constexpr int most_lanes = 64;

template <class Members> inline constexpr std::size_t largest_member = 0;
template <class... Members>
inline constexpr std::size_t largest_member<std::tuple<Members...>> = std::max({sizeof(Members)...});

template <class Members> inline constexpr std::size_t sum_of_members = 0;
template <class... Members>
inline constexpr std::size_t sum_of_members<std::tuple<Members...>> = (sizeof(Members) + ...);

/// The bytes of the narrowest parameter of a function.
template <class Result, class... Parameters> constexpr std::size_t narrowest(Result (*)(Parameters...)) {
    return std::min({largest_vector, sizeof(std::remove_cvref_t<Parameters>)...});
}

/// The bytes of the narrowest element that a fold has. Where floats are made of halves, there are as many chains as
/// with halves, so that results are the same.
template <class Steps> constexpr std::size_t narrowest_element() {
    if constexpr (requires { Steps::narrowest; })
        return std::min(largest_vector, Steps::narrowest);
    else
        return narrowest(&Steps::map);
}

/// The number of chains whose accumulators are combined side by side: their vectors fit the registers. Where elements
/// are narrower than accumulators, there are as many as one vector has elements: compilers use shorter vectors
/// otherwise.
template <class Steps> constexpr int lanes_of() {
    using members = typename member_types<Steps>::type;
    constexpr std::size_t bytes = std::tuple_size_v < members >> 4 ? 64 : 128, most_bytes = 512;
    constexpr std::size_t by_registers = std::bit_floor(bytes / std::min(bytes, largest_member<members>));
    constexpr std::size_t by_elements = std::bit_floor(largest_vector / narrowest_element<Steps>());
    constexpr bool fits = by_elements * sum_of_members<members> <= most_bytes;
    return static_cast<int>(
        std::clamp<std::size_t>(fits ? std::max(by_registers, by_elements) : by_registers, 1, most_lanes));
}

/// The accumulators that are left of a row when its lanes are joined to those of other rows: as many as one vector has,
/// of the elements as well.
template <class Steps> constexpr int width_of() {
    using members = typename member_types<Steps>::type;
    constexpr std::size_t least = 8, bytes = 32, bytes_of_elements = 16;
    constexpr std::size_t fitting =
        std::max({least, bytes / largest_member<members>, bytes_of_elements / narrowest(&Steps::map)});
    return std::min(static_cast<int>(std::bit_floor(fitting)), std::max(lanes_of<Steps>() / 2, 1));
}

/// The fewest elements of a row that are folded in lanes. Of narrow elements that become integers, compilers make
/// better vector code of the plain loop: they may reorder it themselves.
template <class Steps> constexpr int shortest_row() {
    constexpr bool may_reorder = std::is_integral_v<typename Steps::accumulator>;
    return may_reorder && narrowest(&Steps::map) < sizeof(float) ? 2 * lanes_of<Steps>() : width_of<Steps>();
}

// Structs of a spec are in an unnamed namespace of its kernels' file, which is what this class is made for there.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
/// Accumulators of `Lanes` chains, with an array for each member, so that a loop over the lanes becomes vector code. It
/// is to call a function of its own: GCC 12 makes no vector code of a loop in whose body a struct is made.
template <class Steps, int Lanes> class side_by_side {
    using accumulator = typename Steps::accumulator;
    using members = typename member_types<Steps>::type;
    using indices = std::make_index_sequence<std::tuple_size_v<members>>;

  public:
    [[gnu::always_inline]] accumulator operator[](std::int64_t lane) const { return read(lane, indices{}); }
    [[gnu::always_inline]] void set(std::int64_t lane, accumulator value) { write(lane, value, indices{}); }

  private:
    template <class Member> struct lane_array {
        lane_array() {}  // or a tuple would set its memory to zero
        slot<Member> of[Lanes];
    };
    template <class> struct arrays_of;
    template <class... Members> struct arrays_of<std::tuple<Members...>> {
        using type = std::tuple<lane_array<Members>...>;
    };

    template <std::size_t... I>
    [[gnu::always_inline]] accumulator read(std::int64_t lane, std::index_sequence<I...>) const {
        slot<accumulator> made;
        const auto to = members_of<Steps>(made.value);
        (std::construct_at(&std::get<I>(to), std::get<I>(arrays_).of[lane].value), ...);
        return made.value;
    }
    template <std::size_t... I>
    [[gnu::always_inline]] void write(std::int64_t lane, accumulator& value, std::index_sequence<I...>) {
        const auto from = members_of<Steps>(value);
        (std::construct_at(&std::get<I>(arrays_).of[lane].value, std::get<I>(from)), ...);
    }

    typename arrays_of<members>::type arrays_;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace foldwise::cpu
