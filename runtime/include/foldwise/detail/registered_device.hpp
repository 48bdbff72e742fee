// foldwise/detail/registered_device.hpp: the interface to CUDA that a program has registered.
#pragma once

#include <foldwise/detail/device_api.hpp>

namespace foldwise::detail {

/// Returns what was passed to use(); null in a program without CUDA.
const device_api* registered_device() noexcept;

}  // namespace foldwise::detail
