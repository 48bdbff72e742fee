// runtime/src/device.hpp: the GPU that the program was linked with, if any.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/device_api.hpp>

#include <string>

namespace foldwise::detail {

/// What was given to use(); null in a program without CUDA.
const device_api* registered_device() noexcept;

/// Replaces it, null included, and returns what was there.
const device_api* exchange_device(const device_api* device) noexcept;

bool gpu_present() noexcept;

/// The registered GPU, or a device_error that begins with `asker` and says why there is none.
const device_api& require_gpu(const char* asker);

/// Throws out_of_memory or device_error with CUDA's own text.
[[noreturn]] void throw_status(const device_api& gpu, int status, const std::string& during);

/// Memory of the current GPU. Throws out_of_memory that begins with `asker`.
buffer gpu_memory(const char* asker, std::size_t bytes, CUstream_st* stream);

}  // namespace foldwise::detail
