// bench/scratch.hpp: memory that peers compute with.
#pragma once

#include <cstddef>

namespace bench {

/// Temporary storage on the device, allocated before.
struct scratch {
    void* memory;
    std::size_t bytes;
};

}  // namespace bench
