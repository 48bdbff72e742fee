// foldwise/detail/guvectorize.hpp: the functions that generated launchers of guvectorize kernels call.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <initializer_list>

namespace foldwise::detail {

/// Runs one call of a guvectorize kernel, whose operands are the inputs and then the outputs: checks them, chooses the
/// backend and runs it. Throws shape_error if core dimensions do not agree, or if the other axes of the inputs do not
/// broadcast to those of the outputs; overlap_error if an output shares memory with itself or another operand;
/// value_error, device_error and error as vectorize() does; in these cases nothing has been launched or written. If the
/// outputs are on a GPU and no array operand is on the host, the call is asynchronous on the executor's stream;
/// otherwise it is complete on return.
void guvectorize(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
                 const executor& requested);

/// Returns the shape of an output, which is given by its number among all operands, of a call with these inputs, and
/// the memory in which it is allocated. The layout or the inputs must say all of its core dimensions. Throws
/// shape_error.
result_place place_result(const guvectorize_kernel& kernel, int operand, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// Allocates an array for one output of a call with these inputs: of zeros, unless items certainly assign all elements.
template <class T>
array<T> result(const guvectorize_kernel& kernel, int operand, std::initializer_list<operand_ref> inputs,
                const executor& requested) {
    const result_place where = place_result(kernel, operand, inputs, requested);
    array<T> made(where.shape, where.source);
    if (!kernel.cores[operand].is_overwritten) {
        constexpr std::byte zeros[sizeof(T)] = {};
        fill_elements(made.data(), made.place(), zeros, sizeof(T), made.size(), made.stream());
    }
    return made;
}

}  // namespace foldwise::detail
