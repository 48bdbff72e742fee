// foldwise/spec/instead.hpp: what to write in a spec for what CUDA sources have, and for what no spec can have. The
// generator reads it, no compiler.
#pragma once

#include <foldwise/spec/index.hpp>
#include <foldwise/spec/placed.hpp>
#include <foldwise/spec/signature.hpp>

#include <type_traits>

// Headers of CUDA's define these words as nothing, unless they find them defined. A spec may include such headers, and
// headers of its own with such words behind them; so the words are errors only where no header of CUDA's has defined
// __device_builtin__, which is nothing to a C++ compiler, too.
#define FOLDWISE_JOINED_AS_THEY_ARE(a, b, c) a##b##c
#define FOLDWISE_JOINED(a, b, c) FOLDWISE_JOINED_AS_THEY_ARE(a, b, c)
#define FOLDWISE__device
#define FOLDWISE___device_builtin___device                                                                             \
    _Pragma("GCC error \"a spec is plain C++: leave __device__ out, the generator adds it\"")
#define FOLDWISE__host
#define FOLDWISE___device_builtin___host _Pragma("GCC error \"a spec is plain C++: leave __host__ out\"")
#define FOLDWISE__global
#define FOLDWISE___device_builtin___global                                                                             \
    _Pragma("GCC error \"a spec is plain C++: a kernel is a variable, made by foldwise::forall\"")
#define FOLDWISE__constant
#define FOLDWISE___device_builtin___constant                                                                           \
    _Pragma("GCC error \"a spec is plain C++: leave __constant__ out and write constexpr\"")
#ifndef __device__
#define __device__ FOLDWISE_JOINED(FOLDWISE_, __device_builtin__, _device)
#endif
#ifndef __host__
#define __host__ FOLDWISE_JOINED(FOLDWISE_, __device_builtin__, _host)
#endif
#ifndef __global__
#define __global__ FOLDWISE_JOINED(FOLDWISE_, __device_builtin__, _global)
#endif
#ifndef __constant__
#define __constant__ FOLDWISE_JOINED(FOLDWISE_, __device_builtin__, _constant)
#endif
#ifndef __forceinline__
#define __forceinline__ _Pragma("GCC error \"a spec is plain C++: leave __forceinline__ out\"") inline
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)                                                                                         \
    _Pragma("GCC error \"a spec is plain C++: leave __launch_bounds__ out, as blocks<256>(...) says it\"")
#endif
// As nothing, it would make each task's own variable of what all tasks are meant to share.
#undef __shared__
#define __shared__ _Pragma("GCC error \"items share memory in foldwise::blocks, as b.shared<float, 64>()\"")

// CUDA's own functions are no templates, and so are preferred where a spec includes them.
#define FOLDWISE_INSTEAD(name, words)                                                                                  \
    template <class T, class... V> __attribute__((unavailable(words))) T name(T*, V...)
FOLDWISE_INSTEAD(atomicAdd, "write std::atomic_ref(element).fetch_add(value)");
FOLDWISE_INSTEAD(atomicSub, "write std::atomic_ref(element).fetch_sub(value)");
FOLDWISE_INSTEAD(atomicAnd, "write std::atomic_ref(element).fetch_and(value)");
FOLDWISE_INSTEAD(atomicOr, "write std::atomic_ref(element).fetch_or(value)");
FOLDWISE_INSTEAD(atomicXor, "write std::atomic_ref(element).fetch_xor(value)");
FOLDWISE_INSTEAD(atomicExch, "write std::atomic_ref(element).exchange(value)");
FOLDWISE_INSTEAD(atomicInc, "write a loop around std::atomic_ref(element).compare_exchange_weak(seen, value)");
FOLDWISE_INSTEAD(atomicDec, "write a loop around std::atomic_ref(element).compare_exchange_weak(seen, value)");
FOLDWISE_INSTEAD(atomicCAS, "write std::atomic_ref(element).compare_exchange_strong(expected, value)");
FOLDWISE_INSTEAD(atomicMin, "write for (T seen = at.load(); value < seen && !at.compare_exchange_weak(seen, value);) {}"
                            " with std::atomic_ref at(element)");
FOLDWISE_INSTEAD(atomicMax, "write for (T seen = at.load(); seen < value && !at.compare_exchange_weak(seen, value);) {}"
                            " with std::atomic_ref at(element)");
#undef FOLDWISE_INSTEAD
#define FOLDWISE_INSTEAD(name, words) template <class... V> __attribute__((unavailable(words))) int name(V...)
FOLDWISE_INSTEAD(__syncthreads, "items wait for each other between the phases of foldwise::blocks, b.each(...); tasks "
                                "of foldwise::forall never do");
FOLDWISE_INSTEAD(__syncwarp, "items wait for each other between the phases of foldwise::blocks, b.each(...); tasks of "
                             "foldwise::forall never do");
#undef FOLDWISE_INSTEAD

namespace foldwise {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#define FOLDWISE_INSTEAD(change)                                                                                       \
    template <int N, class V>                                                                                          \
    index<N>& operator change(index<N>&, V) = delete ("an index does not change: count in a number, j = i")
FOLDWISE_INSTEAD(+=);
FOLDWISE_INSTEAD(-=);
FOLDWISE_INSTEAD(*=);
#undef FOLDWISE_INSTEAD
#pragma clang diagnostic pop

#define FOLDWISE_INSTEAD(name, words) template <class... V> __attribute__((unavailable(words))) int name(V...)
FOLDWISE_INSTEAD(atomic_add, "write std::atomic_ref(element).fetch_add(value)");
FOLDWISE_INSTEAD(atomic_sub, "write std::atomic_ref(element).fetch_sub(value)");
FOLDWISE_INSTEAD(atomic_min,
                 "write for (T seen = at.load(); value < seen && !at.compare_exchange_weak(seen, value);) {}"
                 " with std::atomic_ref at(element)");
FOLDWISE_INSTEAD(atomic_max,
                 "write for (T seen = at.load(); seen < value && !at.compare_exchange_weak(seen, value);) {}"
                 " with std::atomic_ref at(element)");
#undef FOLDWISE_INSTEAD

template <class Place, class T>
requires(std::is_arithmetic_v<Place> && !std::is_integral_v<Place>) __attribute__((
    unavailable("the place comes first, an integer or a foldwise::index: at(place, value)"))) placed<1, T> at(Place, T);

namespace detail {
template <class Signature> struct combined { using type = Signature; };
template <class Accumulator, class... Elements> struct combined<Accumulator(Elements...)> { using type = Accumulator; };
/// The type of std::max<T> and std::min<T> for two accumulators of a signature.
template <class Signature>
using extremum = const typename combined<Signature>::type& (*)(const typename combined<Signature>::type&,
                                                               const typename combined<Signature>::type&);
}  // namespace detail

#define FOLDWISE_EXTREMUM_INSTEAD(pattern)                                                                             \
    template <class Signature, class... Signatures, class... Parts>                                                    \
    __attribute__((                                                                                                    \
        unavailable("the library's functions std::max and std::min are overloaded: write a lambda, such as "           \
                    "[](auto a, auto b) { return std::max(a, b); }"))) int                                             \
    pattern(detail::extremum<Signature>, Parts...)
FOLDWISE_EXTREMUM_INSTEAD(reduce);
FOLDWISE_EXTREMUM_INSTEAD(scan);
#undef FOLDWISE_EXTREMUM_INSTEAD

}  // namespace foldwise
