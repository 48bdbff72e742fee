// tests/run/vectorize_host.hpp: a user's header for both sides: a struct that kernels take, and code on the host that
// calls them, so that it includes the runtime. A spec may include it, and so do the emitted kernels then.
#pragma once

#include <foldwise/runtime.hpp>

namespace run {

struct interval {
    float low, high;
};

/// Uses the name that foldwise::device() shares with nothing.
inline foldwise::view<interval> all_of(interval* data, std::int64_t n) {
    return foldwise::device(data, foldwise::shape{n});
}

}  // namespace run
