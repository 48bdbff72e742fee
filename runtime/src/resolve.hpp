// runtime/src/resolve.hpp: which backend a call runs on.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/executor.hpp>

#include <initializer_list>
#include <string>

namespace foldwise::detail {

/// What a kernel was generated for.
struct backends {
    const char* kernel;  ///< Its name, for messages.
    bool cpu, cuda, simulator;
    /// Where no stream is given, its launches go to threads' own default streams, not to the legacy one.
    bool is_per_thread = false;
};

/// The backend that FOLDWISE_EXECUTOR names; automatic for null. Anything else is std::invalid_argument.
backend parse_executor(const char* text);

/// parse_executor of the environment, read once.
backend environment_backend();

/// The executor of a call: never automatic, always generated, and if it is a GPU it names one that there is, and a
/// stream. `gpu` is the one whose memory operands are in, or no_gpu. Throws error; device_error if the executor, its
/// stream and the operands do not mean the same GPU.
executor resolve(const backends& generated, int gpu, const executor& requested);

/// The same with the environment's say given.
executor resolve(const backends& generated, int gpu, const executor& requested, backend environment);

/// Memory for results of this shape: where the array inputs are, one on a GPU before those on the host; without any,
/// where the kernel will run.
result_place place_result(const backends& generated, const shape& extents, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// Refuses a call because `operand` is in GPU memory, which the chosen backend does not reach: a device_error.
[[noreturn]] void refuse_gpu_memory(const char* kernel, const std::string& operand, backend chosen);

/// Throws device_error if a launch in the simulator returned another cudaError_t than success.
void check_simulated(const char* kernel, int status);

}  // namespace foldwise::detail
