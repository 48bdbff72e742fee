// runtime/src/scatter/sort_on_host.cpp: sorts numbers by keys on the host, for the simulator.
#include <foldwise/detail/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace foldwise::detail {

int sort_on_host(key_sort& all, CUstream_st*) {
    if (!all.temporary) {
        all.temporary_bytes = 1;
        return 0;
    }
    const std::uint32_t *const keys = all.keys[all.half], *const values = all.values[all.half];
    std::vector<std::size_t> order(static_cast<std::size_t>(all.count));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    all.half = 1 - all.half;
    for (std::size_t i = 0; i < order.size(); ++i) {
        all.keys[all.half][i] = keys[order[i]];
        all.values[all.half][i] = values[order[i]];
    }
    return 0;
}

}  // namespace foldwise::detail
