// foldwise/spec/guvectorize.hpp: `guvectorize`, which declares kernels that compute whole rows and matrices.
#pragma once

#include <foldwise/spec/signature.hpp>

#include <type_traits>
#include <utility>

namespace foldwise {

namespace detail {

/// One type of those that a kernel instantiates its lambda with.
template <class Lambda, class Type, int Number> struct typed_item {
    /// Never called. Naming it makes the compiler instantiate the lambda, so that an error in its body is reported even
    /// if nobody calls the kernel on the host. The generator also looks here for the body that belongs to a type.
    static void instantiate() {
        if constexpr (!std::is_function_v<Type>) {  // guvectorize() tells of those
            if constexpr (requires { &Lambda::template operator()<Type>; }) (void)&Lambda::template operator()<Type>;
        }
    }
};

template <class Lambda, class Numbers, class... Types> struct typed_items;
template <class Lambda, int... Number, class... Types>
struct typed_items<Lambda, std::integer_sequence<int, Number...>, Types...> : typed_item<Lambda, Types, Number>... {
    constexpr typed_items() { ((void)&typed_item<Lambda, Types, Number>::instantiate, ...); }
};

}  // namespace detail

/// The type of a kernel that guvectorize() declares. The generator finds variables of this type; on the host calling
/// one computes a single item.
template <class Lambda, class... Types>
class [[maybe_unused]] guvectorized
    : public detail::typed_calls<Lambda>,
      public detail::typed_items<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Types))>,
                                 Types...> {
  public:
    constexpr explicit guvectorized(Lambda lambda) : detail::typed_calls<Lambda>(lambda) {}
};

/// Declares a kernel that computes whole rows, matrices and blocks of more axes. `layout` says which: NumPy's notation
/// of generalised universal functions, as in "(m,n),(n,p)->(m,p)". Each parenthesis lists the core dimensions of an
/// operand, inputs before the arrow and outputs behind it: a name, which means the same extent wherever it stands, or a
/// number, which is the extent. `()` is a single value. The lambda has a parameter for each: `view<const T, N>` for an
/// input with N core dimensions and `view<T, N>` for an output; `T` or `const T&` for a value that is read and `T&` for
/// one that is written. All axes of a call's operands before the core dimensions are broadcast, and the lambda is
/// called once for each of their items. `Types` instantiate a lambda of one type, such as `[]<class T>(...)`.
template <class... Types, class Callable>
constexpr guvectorized<detail::callable<Callable>, Types...> guvectorize(const char* layout, Callable callable) {
    static_assert((!std::is_function_v<Types> && ...),
                  "its signatures are types of elements alone, as in foldwise::guvectorize<float, double>(...): the "
                  "layout says which operands there are");
    (void)layout;
    return guvectorized<detail::callable<Callable>, Types...>(callable);
}

}  // namespace foldwise
