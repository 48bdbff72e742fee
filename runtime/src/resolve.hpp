// runtime/src/resolve.hpp: chooses the backend of a call.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/executor.hpp>

#include <initializer_list>
#include <string>

namespace foldwise::detail {

/// The backends that a kernel was generated for.
struct backends {
    const char* kernel;  ///< The kernel's name, for messages.
    bool cpu, cuda, simulator;
    /// Whether launches without a stream use the calling thread's own default stream instead of the legacy one.
    bool is_per_thread = false;
    bool has_single_values_alone = false;  ///< Whether the call's operands are, which is not worth a launch.
};

/// Returns the backend that FOLDWISE_EXECUTOR names; automatic if it is null or empty. Throws std::invalid_argument for
/// any other text.
backend parse_executor(const char* text);

/// Returns the backend that the environment variable FOLDWISE_EXECUTOR names. It is read once.
backend environment_backend();

/// Returns the executor that a call runs on. It is never automatic, its backend was generated, and for a GPU it names
/// an existing one and a stream. `gpu` is the GPU whose memory operands are in, or no_gpu. Throws error; device_error
/// if the executor, its stream and the operands do not agree on the GPU.
executor resolve(const backends& generated, int gpu, const executor& requested);

/// Returns the executor that a call runs on if the environment names this backend.
executor resolve(const backends& generated, int gpu, const executor& requested, backend environment);

/// Returns the memory for results of this shape: where the array inputs are (a GPU takes precedence over the host) or,
/// if there are none, where the kernel will run.
result_place place_result(const backends& generated, const shape& extents, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// Throws device_error because `operand` is in GPU memory, which the chosen backend cannot access.
[[noreturn]] void refuse_gpu_memory(const char* kernel, const std::string& operand, backend chosen);

/// Throws device_error if a launch in the simulator did not return success.
void check_simulated(const char* kernel, int status);

}  // namespace foldwise::detail
