// runtime/src/call.hpp: the steps of every call, whatever its pattern: check, resolve the backend, run.
#pragma once

#include "checks.hpp"
#include "resolve.hpp"
#include "simulated_kernel.hpp"

#include <foldwise/error.hpp>

#include <concepts>
#include <new>
#include <string>

namespace foldwise::detail {

/// Returns the backends that a kernel was generated for.
template <class Kernel> backends backends_of(const Kernel& kernel) {
    bool has_cpu = kernel.cpu != nullptr;
    if constexpr (requires { kernel.cpu_at; }) has_cpu = has_cpu || kernel.cpu_at != nullptr;
    return {kernel.name, has_cpu, kernel.cuda != nullptr, kernel.simulator != nullptr,
            kernel.is_per_thread && *kernel.is_per_thread};
}

/// One call of a pattern, on the stack of its launcher.
template <class Call>
concept pattern_request = requires(Call& call, const executor& where) {
    call.check();                         ///< Fills in the arguments, or throws if they are invalid.
    { call.gpu() } -> std::same_as<int>;  ///< The GPU whose memory operands are in, or no_gpu.
    { call.operand_on_gpu() } -> std::convertible_to<std::string>;  ///< The first operand on a GPU, for messages.
    { call.has_work() } -> std::same_as<bool>;                      ///< Whether there is anything to do; may throw.
    call.run_on_cuda(where);
    call.run_on_simulator();
    call.run_on_cpu();
};

/// Runs one call, unless it only asks for the kernel: checks it, resolves the backend and runs the kernel there. Throws
/// device_error if operands are on a GPU and the call is to run elsewhere, or if a kernel of a checked build finds an
/// error; out_of_memory if the heap has no memory left for the call itself; and whatever the steps of the call throw.
template <class Kernel, pattern_request Call>
void run_call(const Kernel& kernel, Call call, const executor& requested) try {
    if (requested.asked()) {
        *requested.asked() = &kernel;
        return;
    }
    call.check();
    backends generated = backends_of(kernel);
    if constexpr (requires { call.has_single_values_alone(); })
        generated.has_single_values_alone = call.has_single_values_alone();
    const executor chosen = resolve(generated, call.gpu(), requested);
    if (call.gpu() != no_gpu && chosen.backend() != backend::cuda)
        refuse_gpu_memory(kernel.name, call.operand_on_gpu(), chosen.backend());
    if (!call.has_work()) return;
    try {
        switch (chosen.backend()) {
        case backend::cuda:
            return call.run_on_cuda(chosen);
        case backend::simulator: {
            const simulates running(kernel.name);
            return call.run_on_simulator();
        }
        default:
            return call.run_on_cpu();
        }
    } catch (const check_failed& failed) {
        refuse(kernel.name, failed.found);
    }
} catch (const std::bad_alloc&) {
    refuse_bookkeeping(kernel.name);
}

}  // namespace foldwise::detail
