// foldwise/detail/no_result.hpp: what a mistaken call gives.
#pragma once

#include <foldwise/shape.hpp>

#include <compare>
#include <type_traits>

namespace foldwise {

/// What a mistaken call gives if there is no telling what it would give without the mistake. So that compilers report
/// the mistake alone, it converts to everything, and what is commonly done with results can be done with it.
struct no_result {
    template <class T> operator T() const;

    no_result to_host() const;
    no_result to(const auto&...) const;
    no_result slice(const auto&...) const;
    no_result reshape(const new_shape&) const;
    no_result transpose() const;
    no_result permute(const auto&...) const;
    no_result broadcast_to(const foldwise::shape&) const;
    no_result shape() const;
    no_result extent(const auto&...) const;
    no_result size() const;
    no_result place() const;
    no_result stream() const;
    no_result data() const;
    void fill(const auto&) const;
    void follow(const auto&) const;
    no_result operator[](const auto&) const;
    no_result operator()(const auto&...) const;
    no_result operator-() const;
    bool operator!() const;
    const no_result* begin() const;
    const no_result* end() const;
    no_result front() const;
    no_result back() const;
    bool empty() const;

    template <class Stream> friend Stream& operator<<(Stream&, const no_result&);
    template <class T> friend bool operator==(const no_result&, const T&);
    template <class T> friend std::strong_ordering operator<=>(const no_result&, const T&);
    friend no_result operator+(const no_result&, const auto&);
    friend no_result operator-(const no_result&, const auto&);
    friend no_result operator*(const no_result&, const auto&);
    friend no_result operator/(const no_result&, const auto&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend no_result operator+(T, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend no_result operator-(T, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend no_result operator*(T, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend no_result operator/(T, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend T& operator+=(T&, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend T& operator-=(T&, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend T& operator*=(T&, const no_result&);
    template <class T>
    requires std::is_arithmetic_v<T>
    friend T& operator/=(T&, const no_result&);
};

no_result to_host(const no_result&, const auto&...);
no_result to_device(const no_result&, const auto&...);
void copy(const no_result&, const auto&...);
template <class From> void copy(const From&, const no_result&, const auto&...);

namespace detail {

/// A call with what another call seems to return, whose mistake is reported.
struct call_of_no_result {
    static constexpr bool is_chosen_here = true;
    using result = no_result&&;
    static result make(const auto&...);
};

}  // namespace detail
}  // namespace foldwise
