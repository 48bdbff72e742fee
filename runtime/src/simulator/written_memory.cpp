// runtime/src/simulator/written_memory.cpp: keeps a bit for each byte of a block's shared memory.
#include "written_memory.hpp"

#include <foldwise/simulator/types.hpp>

#include <link.h>

#include <algorithm>

namespace foldwise::simulation {

void written_memory::watch(const void* begin, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    if (bytes != 0) stretches_.push_back({address, address + bytes, std::vector<bool>(bytes), bytes, 0});
}

void written_memory::watch_thread_local_variables() {
    // Each module of the program has a segment of thread-local variables; the dynamic loader knows the calling thread's
    // copy.
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* self) {
            for (int i = 0; i < module->dlpi_phnum; ++i) {
                if (module->dlpi_phdr[i].p_type == PT_TLS && module->dlpi_tls_data)
                    static_cast<written_memory*>(self)->watch(module->dlpi_tls_data, module->dlpi_phdr[i].p_memsz);
            }
            return 0;
        },
        this);
    has_thread_local_ = true;
    write_own_variables();
}

void written_memory::write_own_variables() {
    for (const dim3* own : {&threadIdx, &blockIdx, &blockDim, &gridDim}) write(own, sizeof *own);
    write(&has_fenced, sizeof has_fenced);
}

void written_memory::forget() {
    for (stretch& one : stretches_) {
        if (one.first_written < one.behind_written)
            std::fill(one.written.begin() + static_cast<std::ptrdiff_t>(one.first_written),
                      one.written.begin() + static_cast<std::ptrdiff_t>(one.behind_written), false);
        one.first_written = one.written.size();
        one.behind_written = 0;
    }
    if (has_thread_local_) write_own_variables();
}

const written_memory::stretch* written_memory::find(std::uintptr_t at) const {
    for (const stretch& one : stretches_) {
        if (at >= one.begin && at < one.end) return &one;
    }
    return nullptr;
}

void written_memory::write(const void* at, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    auto* const one = const_cast<stretch*>(find(address));
    if (!one) return;
    const std::size_t first = address - one->begin, behind = std::min(first + bytes, one->written.size());
    std::fill(one->written.begin() + static_cast<std::ptrdiff_t>(first),
              one->written.begin() + static_cast<std::ptrdiff_t>(behind), true);
    one->first_written = std::min(one->first_written, first);
    one->behind_written = std::max(one->behind_written, behind);
}

bool written_memory::is_written(const void* at, std::size_t bytes) const {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const stretch* const one = find(address);
    if (!one) return true;
    const std::size_t first = address - one->begin, behind = std::min(first + bytes, one->written.size());
    const auto begin = one->written.begin();
    return std::find(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(behind), false) ==
           begin + static_cast<std::ptrdiff_t>(behind);
}

}  // namespace foldwise::simulation
