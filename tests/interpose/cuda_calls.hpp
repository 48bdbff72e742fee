// tests/interpose/cuda_calls.hpp: how often a program has called each function of CUDA's runtime library. What it needs
// is written by cuda_calls.sh.
#pragma once

#include <cstdint>
#include <map>
#include <string>

extern "C" {
extern const std::int32_t cuda_call_kinds;
extern const char* const cuda_call_names[];
extern volatile std::uint64_t cuda_call_counts[];
}

namespace interpose {

/// Since the program began, by name; what was never called is left out.
inline std::map<std::string, std::uint64_t> cuda_calls() {
    std::map<std::string, std::uint64_t> calls;
    for (std::int32_t kind = 0; kind < cuda_call_kinds; ++kind) {
        if (cuda_call_counts[kind] > 0) calls[cuda_call_names[kind]] = cuda_call_counts[kind];
    }
    return calls;
}

}  // namespace interpose
