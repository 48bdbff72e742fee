// foldwise/python/functions.hpp: how emitted files describe the functions of a Python module. This header does not use
// Python's C API: the sources in python/ make the module from these descriptions.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/blocks.hpp>
#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/forall.hpp>
#include <foldwise/detail/guvectorize.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/reduce.hpp>
#include <foldwise/detail/scan.hpp>
#include <foldwise/detail/scatter.hpp>
#include <foldwise/detail/stencil.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/python/elements.hpp>
#include <foldwise/view.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise::python {

using detail::operand_ref;

/// What is known of an operand of a signature before any call.
struct operand_type {
    const char* name;            ///< The name in the user's lambda.
    element_type type;           ///< The type of an element, or of a scalar.
    int axes = 0;                ///< The rank of an array that is passed as a whole; 0 for elements and scalars.
    bool is_written = false;     ///< Whether kernels write to it.
    bool is_around = false;      ///< Whether it is an array whose neighbouring elements a stencil reads.
    std::vector<int> core = {};  ///< In guvectorize, its core dimensions, as indices into signature::dimensions.
    bool keeps = false;          ///< Whether some elements of an output may keep the values that they have.
};

/// The pattern that a function is written with.
enum class patterns : std::uint8_t { vectorize, reduce, scan, scatter, forall, blocks, guvectorize, stencil };

/// One overload of a function: the types of its operands, and what runs it. Only the function pointers of its pattern
/// are set.
struct signature {
    patterns pattern;
    int inputs = 0;                           ///< The number of inputs; for forall and blocks, of all parameters.
    std::vector<operand_type> operands = {};  ///< The inputs, then the outputs; for forall and blocks, all parameters.
    element_type accumulator = {};            ///< The type of the accumulators of a reduction or scan.
    int index_rank = 0;                       ///< The rank of the index that the kernel takes; 0 if it takes none.
    int bin_axes = 0;                         ///< The rank of a scatter's output.
    bool has_steps = false;     ///< Whether a stencil can be repeated, so that its results are the next step's inputs.
    bool has_identity = false;  ///< Whether a reduction or scan has an identity, the result for no elements.
    bool commutes = false;      ///< Whether a reduction may combine elements in any order.
    std::vector<detail::core_dimension> dimensions = {};  ///< The core dimensions of a guvectorize function.

    /// Runs a call of an elementwise function; `operands` are the inputs and then the outputs.
    void (*vectorize)(const operand_ref* operands, const executor& executor) = nullptr;
    /// Computes `count` elements that are contiguous in all operands, on the calling thread. Null without kernels for
    /// the CPU.
    void (*elements)(void* const* operands, std::int64_t count) = nullptr;
    /// Reduces along the axes `along`, or all elements if it is null. `operands` are the inputs and then the result;
    /// where the stage begins from accumulators of earlier reductions, the accumulators and the result.
    void (*reduce)(const operand_ref* operands, const axes* along, const detail::reduce_options& options) = nullptr;
    /// Reduces each of the segments between `offsets`; `operands` are the inputs and then the results.
    void (*reduce_segments)(const operand_ref* operands, const offset_range& offsets,
                            const detail::reduce_options& options) = nullptr;
    /// Returns the shape of the results of a reduction along the axes `along`.
    shape (*reduced)(const operand_ref* inputs, const axes& along, const detail::reduce_options& options) = nullptr;
    /// Runs a scan; `operands` are the inputs and then the results.
    void (*scan)(const operand_ref* operands, const detail::scan_options& options) = nullptr;
    /// Combines inputs into the bins of the output, the last of `operands`: into what they hold or, if `is_fresh`, into
    /// the identity.
    void (*scatter)(const operand_ref* operands, bool is_fresh, const executor& executor) = nullptr;
    /// Runs the tasks of a forall function, or the blocks of a blocks function.
    void (*tasks)(const detail::task_extents& tasks, const operand_ref* arguments, const executor& executor) = nullptr;
    /// Runs a guvectorize function; `operands` are the inputs and then the outputs.
    void (*guvectorize)(const operand_ref* operands, const executor& executor) = nullptr;
    /// Runs `count` steps of a stencil; `operands` are the inputs and then the outputs.
    void (*stencil)(const operand_ref* operands, steps count, const executor& executor) = nullptr;

    /// Whether inputs are read element by element.
    bool has_elements() const {
        for (int i = 0; i < inputs; ++i)
            if (operands[static_cast<std::size_t>(i)].axes == 0) return true;
        return false;
    }
    /// Whether a call may pass the shape of the results: the kernel takes an index, or has no inputs that are read
    /// element by element.
    bool takes_shape() const { return index_rank > 0 || !has_elements(); }
};

/// A function of the module: a kernel with all of its signatures.
struct function {
    const char* name;           ///< With its namespaces: "stats::rel_diff".
    const char* documentation;  ///< The user's comment above the kernel; may be empty.
    const char* operation;      ///< A key that is equal for kernels that combine two values alike; may be empty.
    const char* source;         ///< The name of the spec's file.
    std::vector<signature> signatures;
};

/// Adds functions to the module that this is linked into. Emitted files do that before the module is imported.
bool add(std::initializer_list<function> functions);

/// A list of the types of operands.
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

/// Describes an operand of type T; the arguments are members of the same names.
template <class T> operand_type described(const char* name, bool is_written) {
    return {name, operand_traits<T>::type, operand_traits<T>::axes, is_written};
}

/// Calls `function` with the first N operands as a list.
template <int N, class Function> void with_list(const operand_ref* operands, const Function& function) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { function({operands[I]...}); }
    (std::make_index_sequence<N>());
}

/// Calls `function` with a list of the inputs of a call and a list of its outputs.
template <class Inputs, class Outputs, class Function>
void with_lists(const operand_ref* operands, const Function& function) {
    with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
        with_list<Outputs::count>(operands + Inputs::count,
                                  [&](std::initializer_list<operand_ref> out) { function(in, out); });
    });
}

/// Calls `function` with a list of the inputs of a reduction, which are elements or, in the stage from_partials,
/// accumulators of earlier ones, and with its output.
template <class Inputs, class Function>
void with_folded(const operand_ref* operands, detail::fold_stage stage, const Function& function) {
    if (stage == detail::fold_stage::from_partials)
        function({operands[0]}, operands[1]);
    else
        with_list<Inputs::count>(operands,
                                 [&](std::initializer_list<operand_ref> in) { function(in, operands[Inputs::count]); });
}

/// Describes the operands of a kernel that has inputs and outputs.
template <const auto& Kernel, class... In, class... Out>
std::vector<operand_type> operands_of(types<In...>, types<Out...>) {
    int next = 0;
    std::vector<operand_type> all;
    (all.push_back(described<In>(Kernel.operands[next++].name, false)), ...);
    (all.push_back(described<Out>(Kernel.operands[next++].name, true)), ...);
    return all;
}

/// Describes the parameters of a forall or blocks kernel.
template <class... T> std::vector<operand_type> parameters_of(const detail::forall_kernel& kernel, types<T...>) {
    std::vector<operand_type> all;
    for (const element_type& type : std::initializer_list<element_type>{element_of<T>()...}) {
        const detail::forall_parameter& parameter = kernel.parameters[all.size()];
        all.push_back({parameter.name, type, parameter.rank, parameter.rank > 0 && parameter.writes});
    }
    return all;
}

}  // namespace tables

/// Describes a signature of an elementwise function.
template <const auto& Kernel, class Inputs, class Outputs> signature vectorize() {
    signature result{patterns::vectorize, Inputs::count, tables::operands_of<Kernel>(Inputs(), Outputs())};
    result.index_rank = Kernel.index_rank;
    result.elements = Kernel.cpu;
    result.vectorize = [](const operand_ref* operands, const executor& executor) {
        tables::with_lists<Inputs, Outputs>(operands,
                                            [&](auto in, auto out) { detail::vectorize(Kernel, in, out, executor); });
    };
    return result;
}

/// Describes a signature of a reduction.
template <const auto& Kernel, class Inputs, class Result, class Accumulator> signature reduce() {
    signature result{patterns::reduce, Inputs::count, tables::operands_of<Kernel>(Inputs(), types<Result>())};
    result.index_rank = Kernel.index_rank;
    result.accumulator = element_of<Accumulator>();
    result.has_identity = Kernel.has_identity;
    result.commutes = Kernel.commutes;
    result.reduce = [](const operand_ref* operands, const axes* along, const detail::reduce_options& options) {
        tables::with_folded<Inputs>(operands, options.stage,
                                    [&](std::initializer_list<operand_ref> in, const operand_ref& out) {
                                        if (along)
                                            detail::reduce_along(Kernel, in, out, *along, options);
                                        else
                                            detail::reduce(Kernel, in, out, options);
                                    });
    };
    result.reduce_segments = [](const operand_ref* operands, const offset_range& offsets,
                                const detail::reduce_options& options) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            detail::reduce_segments(Kernel, in, operands[Inputs::count], offsets, options);
        });
    };
    result.reduced = [](const operand_ref* operands, const axes& along, const detail::reduce_options& options) {
        shape reduced;
        tables::with_folded<Inputs>(operands, options.stage,
                                    [&](std::initializer_list<operand_ref> in, const operand_ref&) {
                                        reduced = detail::place_reduction(Kernel, in, along, options).shape;
                                    });
        return reduced;
    };
    return result;
}

/// Describes a signature of a scan.
template <const auto& Kernel, class Inputs, class Result, class Accumulator> signature scan() {
    signature result{patterns::scan, Inputs::count, tables::operands_of<Kernel>(Inputs(), types<Result>())};
    result.index_rank = Kernel.index_rank;
    result.accumulator = element_of<Accumulator>();
    result.has_identity = Kernel.has_identity;
    result.scan = [](const operand_ref* operands, const detail::scan_options& options) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            detail::scan(Kernel, in, operands[Inputs::count], options);
        });
    };
    return result;
}

/// Describes a signature of a scatter function.
template <const auto& Kernel, class Inputs, class Result> signature scatter() {
    signature result{patterns::scatter, Inputs::count, tables::operands_of<Kernel>(Inputs(), types<Result>())};
    result.operands.back().keeps = true;
    result.index_rank = Kernel.index_rank;
    result.bin_axes = Kernel.bin_axes;
    result.scatter = [](const operand_ref* operands, bool is_fresh, const executor& executor) {
        tables::with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
            detail::scatter(Kernel, in, operands[Inputs::count], is_fresh, executor);
        });
    };
    return result;
}

/// Describes a signature of a forall function.
template <const auto& Kernel, class Parameters> signature forall() {
    signature result{patterns::forall, Parameters::count, tables::parameters_of(Kernel, Parameters())};
    result.index_rank = Kernel.index_rank;
    result.tasks = [](const detail::task_extents& tasks, const operand_ref* arguments, const executor& executor) {
        tables::with_list<Parameters::count>(arguments, [&](std::initializer_list<operand_ref> given) {
            detail::forall(Kernel, tasks, given, executor);
        });
    };
    return result;
}

/// Describes a signature of a blocks function.
template <const auto& Kernel, class Parameters> signature blocks() {
    signature result{patterns::blocks, Parameters::count, tables::parameters_of(Kernel.call, Parameters())};
    result.index_rank = Kernel.call.index_rank;
    result.tasks = [](const detail::task_extents& items, const operand_ref* arguments, const executor& executor) {
        tables::with_list<Parameters::count>(arguments, [&](std::initializer_list<operand_ref> given) {
            detail::blocks(Kernel, items, given, executor);
        });
    };
    return result;
}

/// Describes a signature of a guvectorize function.
template <const auto& Kernel, class Inputs, class Outputs> signature guvectorize() {
    signature result{patterns::guvectorize, Inputs::count, tables::operands_of<Kernel>(Inputs(), Outputs())};
    for (std::size_t i = 0; i < result.operands.size(); ++i) {
        const detail::core_axes& core = Kernel.cores[i];
        if (core.count > 0) result.operands[i].core.assign(core.dimensions, core.dimensions + core.count);
        result.operands[i].keeps = result.operands[i].is_written && !core.is_overwritten;
    }
    if (Kernel.dimension_count > 0)
        result.dimensions.assign(Kernel.dimensions, Kernel.dimensions + Kernel.dimension_count);
    result.guvectorize = [](const operand_ref* operands, const executor& executor) {
        tables::with_list<Inputs::count + Outputs::count>(
            operands, [&](std::initializer_list<operand_ref> all) { detail::guvectorize(Kernel, all, executor); });
    };
    return result;
}

/// Describes a signature of a stencil.
template <const auto& Kernel, class Inputs, class Outputs, bool HasSteps> signature stencil() {
    signature result{patterns::stencil, Inputs::count, tables::operands_of<Kernel>(Inputs(), Outputs())};
    for (std::size_t i = 0; i < result.operands.size(); ++i) {
        result.operands[i].is_around = Kernel.roles[i] == detail::stencil_role::around;
        result.operands[i].keeps = result.operands[i].is_written && !Kernel.is_whole;
    }
    result.has_steps = HasSteps;
    result.stencil = [](const operand_ref* operands, steps count, const executor& executor) {
        tables::with_list<Inputs::count + Outputs::count>(
            operands, [&](std::initializer_list<operand_ref> all) { detail::stencil(Kernel, all, count, executor); });
    };
    return result;
}

}  // namespace foldwise::python

#endif
