// foldwise/python/functions.hpp: the functions of a Python module, as emitted tables describe them. There is nothing of
// Python here: python/ makes the module of it.
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
    const char* name;   ///< The name in the user's lambda.
    element_type type;  ///< Of an element, or of a value.
    int axes = 0;       ///< Of an array that is handed over as a whole; 0 for elements and values.
    bool is_written = false;
    bool is_around = false;      ///< Whether it is an array that a stencil looks around in.
    std::vector<int> core = {};  ///< Of guvectorize: the numbers of its core dimensions.
    bool keeps = false;          ///< Whether some elements of an output may keep the values that they have.
};

enum class patterns : std::uint8_t { vectorize, reduce, scan, scatter, forall, blocks, guvectorize, stencil };

/// One set of types of a function. Of what runs it, the pointers of its pattern alone are set.
struct signature {
    patterns pattern;
    int inputs = 0;
    std::vector<operand_type> operands = {};  ///< The inputs, then the outputs; of tasks and blocks, all parameters.
    element_type accumulator = {};            ///< Of a fold.
    int index_rank = 0;                       ///< The axes of the index that the kernel takes; 0 if it takes none.
    int bin_axes = 0;                         ///< Of scatter: the axes of its output.
    bool has_steps = false;                   ///< Of stencil: whether results can be what it looks around in.
    bool has_identity = false;                ///< Of a fold.
    bool commutes = false;                    ///< Whether a reduction may combine elements in any order.
    std::vector<detail::core_dimension> dimensions = {};  ///< Of guvectorize.

    /// Runs a call on the inputs and outputs, which are one array.
    void (*vectorize)(const operand_ref* operands, const executor& executor) = nullptr;
    /// Computes so many elements that lie one behind the other, on the calling thread; null without the backend.
    void (*elements)(void* const* operands, std::int64_t count) = nullptr;
    /// Reduces along axes, or the whole where `along` is null; the operands are the inputs and the result. Of
    /// accumulators, they are those alone and the result.
    void (*reduce)(const operand_ref* operands, const axes* along, const detail::reduce_options& options) = nullptr;
    void (*reduce_segments)(const operand_ref* operands, const offset_range& offsets,
                            const detail::reduce_options& options) = nullptr;
    /// Returns the shape of the results of a reduction along axes.
    shape (*reduced)(const operand_ref* inputs, const axes& along, const detail::reduce_options& options) = nullptr;
    void (*scan)(const operand_ref* operands, const detail::scan_options& options) = nullptr;
    void (*scatter)(const operand_ref* operands, bool is_fresh, const executor& executor) = nullptr;
    /// Of forall and blocks.
    void (*tasks)(const detail::task_extents& tasks, const operand_ref* arguments, const executor& executor) = nullptr;
    void (*guvectorize)(const operand_ref* operands, const executor& executor) = nullptr;
    void (*stencil)(const operand_ref* operands, steps count, const executor& executor) = nullptr;

    /// Whether inputs are read element by element.
    bool has_elements() const {
        for (int i = 0; i < inputs; ++i)
            if (operands[static_cast<std::size_t>(i)].axes == 0) return true;
        return false;
    }
    /// Whether a call may say the shape that is computed.
    bool takes_shape() const { return index_rank > 0 || !has_elements(); }
};

/// A function of the module: a kernel with all of its signatures.
struct function {
    const char* name;           ///< With its namespaces: "stats::rel_diff".
    const char* documentation;  ///< The user's comment above the kernel; may be empty.
    const char* operation;      ///< What it computes of two values, the same for kernels that do the same; or empty.
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

/// The inputs of a call as a list, and its outputs.
template <class Inputs, class Outputs, class Function>
void with_lists(const operand_ref* operands, const Function& function) {
    with_list<Inputs::count>(operands, [&](std::initializer_list<operand_ref> in) {
        with_list<Outputs::count>(operands + Inputs::count,
                                  [&](std::initializer_list<operand_ref> out) { function(in, out); });
    });
}

/// The inputs of a fold: elements, or accumulators of an earlier one.
template <class Inputs, class Function>
void with_folded(const operand_ref* operands, detail::fold_stage stage, const Function& function) {
    if (stage == detail::fold_stage::from_partials)
        function({operands[0]}, operands[1]);
    else
        with_list<Inputs::count>(operands,
                                 [&](std::initializer_list<operand_ref> in) { function(in, operands[Inputs::count]); });
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
template <class... T> std::vector<operand_type> parameters_of(const detail::forall_kernel& kernel, types<T...>) {
    std::vector<operand_type> all;
    for (const element_type& type : std::initializer_list<element_type>{element_of<T>()...}) {
        const detail::forall_parameter& parameter = kernel.parameters[all.size()];
        all.push_back({parameter.name, type, parameter.rank, parameter.rank > 0 && parameter.writes});
    }
    return all;
}

}  // namespace tables

/// A signature of an elementwise function.
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

/// A signature of a reduction.
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

/// A signature of a scan.
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

/// A signature of a scattered fold.
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

/// A signature of a function of tasks.
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

/// A signature of a function of blocks.
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

/// A signature of a function of rows and matrices.
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

/// A signature of a stencil.
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
