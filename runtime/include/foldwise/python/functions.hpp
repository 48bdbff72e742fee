// foldwise/python/functions.hpp: the functions of a Python module, as emitted tables describe them. There is nothing of
// Python here: python/ makes the module of it.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/bfloat16.hpp>
#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/forall.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/reduce.hpp>
#include <foldwise/detail/scan.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/half.hpp>
#include <foldwise/view.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise::python {

using detail::operand_ref;

/// The type of an element, as far as Python's array libraries have it.
struct element_type {
    enum class kinds : std::uint8_t { other, boolean, integer, unsigned_integer, floating, brain_floating, complex };

    kinds kind = kinds::other;
    std::uint8_t size = 0;  ///< In bytes.

    friend bool operator==(const element_type&, const element_type&) = default;
};

/// The element type of T; `other` for classes, enumerations and what has no counterpart in Python.
template <class T> constexpr element_type element_of() {
    using kinds = element_type::kinds;
    constexpr auto size = static_cast<std::uint8_t>(sizeof(T) <= 16 ? sizeof(T) : 0);
    if constexpr (std::is_same_v<T, bool>)
        return {kinds::boolean, size};
    else if constexpr (std::is_same_v<T, bfloat16>)
        return {kinds::brain_floating, size};
    else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>)
        return {kinds::floating, size};
    else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
        return {kinds::complex, size};
    else if constexpr (std::is_integral_v<T>)
        return {std::is_signed_v<T> ? kinds::integer : kinds::unsigned_integer, size};
    else
        return {};
}

/// What is known of an operand of a signature before any call.
struct operand_type {
    const char* name;   ///< The name in the user's lambda.
    element_type type;  ///< Of an element, or of a value.
    int axes = 0;       ///< Of an array that is handed over as a whole; 0 for elements and values.
    bool is_written = false;
};

enum class patterns : std::uint8_t { vectorize, reduce, scan, forall, unsupported };

/// One set of types of a function. Of what runs it, the pointers of its pattern alone are set.
struct signature {
    patterns pattern = patterns::unsupported;
    bool takes_index = false;
    int inputs = 0;
    std::vector<operand_type> operands = {};  ///< The inputs, then the outputs; of forall, all parameters.
    element_type accumulator = {};            ///< Of a fold.
    int index_rank = 0;                       ///< Of forall.

    /// Runs a call on the inputs and outputs, which are one array.
    void (*vectorize)(const operand_ref* operands, const executor& executor) = nullptr;
    /// Reduces along axes, or the whole where `along` is null; the operands are the inputs and the result.
    void (*reduce)(const operand_ref* operands, const axes* along, const detail::reduce_options& options) = nullptr;
    /// Returns the shape of the results of a reduction along axes.
    shape (*reduced)(const operand_ref* inputs, const axes& along, const detail::reduce_options& options) = nullptr;
    void (*scan)(const operand_ref* operands, const detail::scan_options& options) = nullptr;
    void (*forall)(const detail::task_extents& tasks, const operand_ref* arguments, const executor& executor) = nullptr;
};

/// A function of the module: a kernel with all of its signatures.
struct function {
    const char* name;           ///< With its namespaces: "stats::rel_diff".
    const char* documentation;  ///< The user's comment above the kernel; may be empty.
    std::vector<signature> signatures;
};

/// Adds functions to the module that this is linked into. Emitted files do that before the module is imported.
bool add(std::initializer_list<function> functions);

/// Types of operands, in order.
template <class... T> struct types { static constexpr int count = sizeof...(T); };

namespace tables {

template <class T> struct operand_traits {
    static constexpr element_type type = element_of<T>();
    static constexpr int axes = 0;
};
template <class T, int N> struct operand_traits<view<const T, N>> {
    static constexpr element_type type = element_of<T>();
    static constexpr int axes = N;
};

template <class T> operand_type described(const char* name, bool is_written) {
    return {name, operand_traits<T>::type, operand_traits<T>::axes, is_written};
}

/// Calls `function` with the first N operands as a list.
template <int N, class Function> void with_list(const operand_ref* operands, const Function& function) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { function({operands[I]...}); }
    (std::make_index_sequence<N>());
}

/// The operands of an elementwise kernel or a fold.
template <const auto& Kernel, class... In, class... Out>
std::vector<operand_type> operands_of(types<In...>, types<Out...>) {
    int next = 0;
    std::vector<operand_type> all;
    (all.push_back(described<In>(Kernel.operands[next++].name, false)), ...);
    (all.push_back(described<Out>(Kernel.operands[next++].name, true)), ...);
    return all;
}

/// The parameters of a function of tasks.
template <const auto& Kernel, class... T> std::vector<operand_type> parameters_of(types<T...>) {
    std::vector<operand_type> all;
    for (const element_type& type : std::initializer_list<element_type>{element_of<T>()...}) {
        const detail::forall_parameter& parameter = Kernel.parameters[all.size()];
        all.push_back({parameter.name, type, parameter.rank, parameter.rank > 0 && parameter.writes});
    }
    return all;
}

}  // namespace tables

/// A signature of an elementwise function.
template <const auto& Kernel, class Inputs, class Outputs> signature vectorize() {
    signature result;
    result.pattern = patterns::vectorize;
    result.takes_index = Kernel.index_rank > 0;
    result.inputs = Inputs::count;
    result.operands = tables::operands_of<Kernel>(Inputs(), Outputs());
    result.vectorize = [](const operand_ref* operands, const executor& executor) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            tables::with_list<Outputs::count>(operands + Inputs::count, [&](std::initializer_list<operand_ref> out) {
                detail::vectorize(Kernel, in, out, executor);
            });
        });
    };
    return result;
}

/// A signature of a reduction.
template <const auto& Kernel, class Inputs, class Result, class Accumulator> signature reduce() {
    signature result;
    result.pattern = patterns::reduce;
    result.takes_index = Kernel.index_rank > 0;
    result.inputs = Inputs::count;
    result.operands = tables::operands_of<Kernel>(Inputs(), types<Result>());
    result.accumulator = element_of<Accumulator>();
    result.reduce = [](const operand_ref* operands, const axes* along, const detail::reduce_options& options) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            if (along)
                detail::reduce_along(Kernel, in, operands[Inputs::count], *along, options);
            else
                detail::reduce(Kernel, in, operands[Inputs::count], options);
        });
    };
    result.reduced = [](const operand_ref* operands, const axes& along, const detail::reduce_options& options) {
        shape reduced;
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            reduced = detail::place_reduction(Kernel, in, along, options).shape;
        });
        return reduced;
    };
    return result;
}

/// A signature of a scan.
template <const auto& Kernel, class Inputs, class Result, class Accumulator> signature scan() {
    signature result;
    result.pattern = patterns::scan;
    result.takes_index = Kernel.index_rank > 0;
    result.inputs = Inputs::count;
    result.operands = tables::operands_of<Kernel>(Inputs(), types<Result>());
    result.accumulator = element_of<Accumulator>();
    result.scan = [](const operand_ref* operands, const detail::scan_options& options) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            detail::scan(Kernel, in, operands[Inputs::count], options);
        });
    };
    return result;
}

/// A signature of a function of tasks.
template <const auto& Kernel, class Parameters> signature forall() {
    signature result;
    result.pattern = patterns::forall;
    result.inputs = Parameters::count;
    result.operands = tables::parameters_of<Kernel>(Parameters());
    result.index_rank = Kernel.index_rank;
    result.forall = [](const detail::task_extents& tasks, const operand_ref* arguments, const executor& executor) {
        tables::with_list<Parameters::count>(arguments, [&](std::initializer_list<operand_ref> given) {
            detail::forall(Kernel, tasks, given, executor);
        });
    };
    return result;
}

/// A signature of a pattern that Python modules do not call.
inline signature unsupported() { return {}; }

}  // namespace foldwise::python

#endif
