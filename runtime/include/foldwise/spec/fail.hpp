// foldwise/spec/fail.hpp: `fail`, with which a kernel reports invalid input.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/host_device.hpp>

namespace foldwise {

/// In a checked build, ends the call that runs the kernel with a device_error that contains `message`, the source
/// location of this call and the task. In other builds it does nothing.
#ifndef FOLDWISE_LOOKS
FOLDWISE_HD constexpr void fail([[maybe_unused]] const char* message) {}
#else
inline namespace FOLDWISE_CHECKS_OF {
FOLDWISE_HD inline void fail(const char* message, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    detail::stop(detail::finding::of_text(detail::mistake::failure, file, line, message));
}
}  // namespace FOLDWISE_CHECKS_OF
#endif

}  // namespace foldwise
