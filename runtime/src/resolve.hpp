// runtime/src/resolve.hpp: which backend a call runs on.
#pragma once

#include <foldwise/executor.hpp>

namespace foldwise::detail {

/// What a kernel was generated for.
struct backends {
    const char* kernel;  ///< Its name, for messages.
    bool cpu, cuda, simulator;
};

/// The backend that FOLDWISE_EXECUTOR names; automatic for null. Anything else is std::invalid_argument.
backend parse_executor(const char* text);

/// parse_executor of the environment, read once.
backend environment_backend();

/// The executor of a call: never automatic, always generated, and if it is a GPU there is one. `on_gpu`: some operand
/// is in a GPU's memory. Throws error or device_error.
executor resolve(const backends& generated, bool on_gpu, executor requested);

/// The same with the environment's say given.
executor resolve(const backends& generated, bool on_gpu, executor requested, backend environment);

}  // namespace foldwise::detail
