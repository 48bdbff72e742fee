// runtime/src/memory_finder.cpp: asks CUDA whose memory an address is in.
#include "memory_finder.hpp"

#include "device.hpp"
#include "resolve.hpp"

#include <foldwise/view.hpp>

namespace foldwise::detail {

namespace {

place find_memory(const void* data, bool managed_too) {
    const device_api& gpu = *registered_device();
    int device = -1;
    if (const int status = gpu.device_of_memory(data, managed_too, device))
        throw_status(gpu, status, "finding out whose memory an operand is in");
    return device < 0 ? place{} : place{memory::cuda, device};
}

}  // namespace

place place_of_memory(const void* data) { return data && gpu_present() ? find_memory(data, true) : place{}; }

memory_finder::memory_finder(const executor& requested) {
    backend wanted = requested.backend();
    if (wanted == backend::automatic) wanted = environment_backend();
    const bool is_for_host = wanted == backend::cpu || wanted == backend::simulator;
    asks_ = is_for_host ? gpu_used() : gpu_present();
}

place memory_finder::place_of(const operand_ref& operand) const {
    const bool is_known = !asks_ || operand.is_value() || !operand.data || operand.place.kind != memory::host;
    return is_known ? operand.place : find_memory(operand.data, false);
}

const operand_ref* memory_finder::find(const operand_ref& operand) {
    const place where = place_of(operand);
    if (where == operand.place) return &operand;
    found_.push_front(operand);
    found_.front().place = where;
    return &found_.front();
}

}  // namespace foldwise::detail
