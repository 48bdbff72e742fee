// foldwise/spec/fail.hpp: a kernel's own way to say that its input is wrong.
#pragma once

#include <foldwise/detail/host_device.hpp>

namespace foldwise {

/// In a checked build, ends the call that runs the kernel with a device_error that holds `message`, the place of this
/// call and the task. In any other build it does nothing, and so on the host.
FOLDWISE_HD constexpr void fail([[maybe_unused]] const char* message) {}

}  // namespace foldwise
