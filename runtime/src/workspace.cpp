// runtime/src/workspace.cpp: one for each device and stream, for the whole program.
#include "workspace.hpp"

#include "device.hpp"

#include <foldwise/detail/buffer.hpp>

#include <map>
#include <mutex>
#include <utility>

namespace foldwise::detail {

namespace {

using key = std::pair<const device_api*, std::pair<int, CUstream_st*>>;

/// A zeroed counter; what follows it is written before it is read.
buffer make(const device_api& gpu, CUstream_st* stream, const char* asker) {
    static constexpr std::byte zeros[reduce_counter_bytes] = {};
    buffer memory(reduce_workspace_bytes, memory::cuda, stream);
    if (int status = gpu.copy(memory.data(), zeros, sizeof zeros, copy_direction::to_device, stream))
        throw_status(gpu, status, asker);
    return memory;
}

}  // namespace

reduce_workspace workspace_of(CUstream_st* stream, const char* asker) {
    const device_api& gpu = require_gpu(asker);
    int device = 0;
    if (int status = gpu.current_device(device)) throw_status(gpu, status, asker);

    // Never destroyed: when the program ends CUDA may be gone before they are.
    static auto& mutex = *new std::mutex;
    static auto& all = *new std::map<key, buffer>;
    const std::lock_guard lock(mutex);
    auto found = all.find({&gpu, {device, stream}});
    if (found == all.end()) found = all.emplace(key{&gpu, {device, stream}}, make(gpu, stream, asker)).first;
    return {found->second.data(), found->second.bytes()};
}

}  // namespace foldwise::detail
