// runtime/src/result_slots.cpp: allocates result slots in blocks and keeps the free ones.
#include "result_slots.hpp"

#include "device.hpp"

#include <mutex>
#include <vector>

namespace foldwise::detail {

namespace {

struct slots {
    std::mutex mutex;
    std::vector<void*> blocks;
    std::vector<void*> free;  ///< Has capacity for all slots, so that returning one cannot fail.
};

/// Returns the slots of the program. They are never destroyed, because CUDA may be gone first when the program ends.
slots& all_slots() {
    static auto& all = *new slots;
    return all;
}

constexpr std::size_t slots_of_block = 16;

}  // namespace

result_slot::result_slot(const device_api& gpu, const char* context) {
    slots& all = all_slots();
    const std::lock_guard lock(all.mutex);
    if (all.free.empty()) {
        all.free.reserve((all.blocks.size() + 1) * slots_of_block);
        all.blocks.reserve(all.blocks.size() + 1);
        void* block = nullptr;
        if (int status = gpu.allocate_pinned(block, slots_of_block * bytes)) throw_status(gpu, status, context);
        all.blocks.push_back(block);
        for (std::size_t i = slots_of_block; i-- > 0;) all.free.push_back(static_cast<std::byte*>(block) + i * bytes);
    }
    memory_ = all.free.back();
    all.free.pop_back();
}

result_slot::~result_slot() {
    slots& all = all_slots();
    const std::lock_guard lock(all.mutex);
    all.free.push_back(memory_);
}

void clear_result_slots(const device_api& gpu) {
    slots& all = all_slots();
    const std::lock_guard lock(all.mutex);
    for (void* block : all.blocks) gpu.free_pinned(block);
    all.blocks.clear();
    all.free.clear();
}

}  // namespace foldwise::detail
