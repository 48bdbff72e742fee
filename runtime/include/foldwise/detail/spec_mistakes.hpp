// foldwise/detail/spec_mistakes.hpp: what programs write that stands in specs, with what to do instead.
#pragma once

#include <foldwise/detail/array_mistakes.hpp>
#include <foldwise/detail/no_result.hpp>
#include <foldwise/spec/index.hpp>  // so that a lambda with an index is not a mistake of its own

#include <type_traits>

#define FOLDWISE_IN_A_SPEC                                                                                             \
    "write this in a spec, a file such as my.kernels.cpp with #include <foldwise/spec.hpp>, and hand it to "           \
    "foldwise_add_kernels; the program includes my.kernels.hpp and calls the functions that this declares"

namespace foldwise {

// Where a program includes foldwise/spec.hpp as well, the functions of that header are preferred: they take what they
// are given without conversions.
template <class... Signatures>
no_result vectorize(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                    detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result forall(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                 detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result reduce(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                 detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result scan(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
               detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result scatter(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                  detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result stencil(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                  detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <class... Signatures>
no_result guvectorize(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                      detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Signatures...>, FOLDWISE_IN_A_SPEC);
    return {};
}
template <int... Extents>
no_result blocks(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {},
                 detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<std::integral_constant<int, Extents>...>, FOLDWISE_IN_A_SPEC);
    return {};
}

}  // namespace foldwise

#undef FOLDWISE_IN_A_SPEC
