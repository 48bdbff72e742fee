// runtime/src/simulator/warp.cpp: computes shuffles, votes and reductions of a warp as CUDA defines them.
#include "warp.hpp"

#include <algorithm>
#include <bit>

namespace foldwise::simulation {

namespace {

template <class Visit> void each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

template <class Predicate> std::uint32_t lanes_where(std::uint32_t lanes, Predicate predicate) {
    std::uint32_t found = 0;
    each_lane(lanes, [&](unsigned lane) { found |= predicate(lane) ? 1u << lane : 0; });
    return found;
}

/// Combines two values of a 32-bit reduction. The order of the lanes does not matter.
std::uint32_t reduce(warp_operation operation, std::uint32_t a, std::uint32_t b) {
    const auto is_less = [](std::uint32_t x, std::uint32_t y) {
        return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
    };
    switch (operation) {
    case warp_operation::min_signed:
        return std::min(a, b, is_less);
    case warp_operation::min_unsigned:
        return std::min(a, b);
    case warp_operation::max_signed:
        return std::max(a, b, is_less);
    case warp_operation::max_unsigned:
        return std::max(a, b);
    case warp_operation::bit_and:
        return a & b;
    case warp_operation::bit_or:
        return a | b;
    case warp_operation::bit_xor:
        return a ^ b;
    default:
        return a + b;
    }
}

std::uint64_t reduce(warp_operation operation, std::uint32_t lanes, const per_lane<contribution>& brought) {
    const int first = std::countr_zero(lanes);
    auto result = static_cast<std::uint32_t>(brought[static_cast<unsigned>(first)].value);
    each_lane(lanes & (lanes - 1), [&](unsigned lane) {
        result = reduce(operation, result, static_cast<std::uint32_t>(brought[lane].value));
    });
    return result;
}

}  // namespace

unsigned source_lane(warp_operation shuffle, unsigned lane, std::uint32_t source, int width) {
    // As shfl.sync in the PTX ISA, whose operands have five bits.
    const auto in_group = static_cast<unsigned>(width) - 1;
    const unsigned first = lane & ~in_group, last = lane | in_group;
    source &= 31;
    switch (shuffle) {
    case warp_operation::shuffle_up:
        return source <= lane - first ? lane - source : lane;
    case warp_operation::shuffle_down:
        return source <= last - lane ? lane + source : lane;
    case warp_operation::shuffle_xor:
        return (lane ^ source) <= last ? lane ^ source : lane;
    default:
        return first | (source & in_group);
    }
}

void cooperate(warp_operation operation, std::uint32_t lanes, const per_lane<contribution>& brought,
               per_lane<std::uint64_t>& results) {
    const auto for_all = [&](std::uint64_t result) {
        each_lane(lanes, [&](unsigned lane) { results[lane] = result; });
    };
    const auto equals = [&](unsigned lane) {
        return lanes_where(lanes, [&](unsigned other) { return brought[other].value == brought[lane].value; });
    };
    switch (operation) {
    case warp_operation::sync:
        return;
    case warp_operation::shuffle:
    case warp_operation::shuffle_up:
    case warp_operation::shuffle_down:
    case warp_operation::shuffle_xor:
        return each_lane(lanes, [&](unsigned lane) {
            const unsigned from = source_lane(operation, lane, brought[lane].source, brought[lane].width);
            results[lane] = (lanes >> from & 1) != 0 ? brought[from].value : value_of_nobody;
        });
    case warp_operation::all:
    case warp_operation::any:
    case warp_operation::ballot: {
        const std::uint32_t votes = lanes_where(lanes, [&](unsigned lane) { return brought[lane].value != 0; });
        if (operation == warp_operation::ballot) return for_all(votes);
        return for_all(operation == warp_operation::all ? votes == lanes : votes != 0);
    }
    case warp_operation::match_any:
        return each_lane(lanes, [&](unsigned lane) { results[lane] = equals(lane); });
    case warp_operation::match_all: {
        const std::uint32_t same = equals(static_cast<unsigned>(std::countr_zero(lanes)));
        return for_all(same == lanes ? lanes : 0);
    }
    default:
        return for_all(reduce(operation, lanes, brought));
    }
}

const char* name(warp_operation operation) {
    switch (operation) {
    case warp_operation::sync:
        return "__syncwarp";
    case warp_operation::shuffle:
        return "__shfl_sync";
    case warp_operation::shuffle_up:
        return "__shfl_up_sync";
    case warp_operation::shuffle_down:
        return "__shfl_down_sync";
    case warp_operation::shuffle_xor:
        return "__shfl_xor_sync";
    case warp_operation::all:
        return "__all_sync";
    case warp_operation::any:
        return "__any_sync";
    case warp_operation::ballot:
        return "__ballot_sync";
    case warp_operation::match_any:
        return "__match_any_sync";
    case warp_operation::match_all:
        return "__match_all_sync";
    case warp_operation::add:
        return "__reduce_add_sync";
    case warp_operation::min_signed:
    case warp_operation::min_unsigned:
        return "__reduce_min_sync";
    case warp_operation::max_signed:
    case warp_operation::max_unsigned:
        return "__reduce_max_sync";
    case warp_operation::bit_and:
        return "__reduce_and_sync";
    case warp_operation::bit_or:
        return "__reduce_or_sync";
    default:
        return "__reduce_xor_sync";
    }
}

const char* name(block_barrier barrier) {
    switch (barrier) {
    case block_barrier::sync:
        return "__syncthreads";
    case block_barrier::count:
        return "__syncthreads_count";
    case block_barrier::all:
        return "__syncthreads_and";
    default:
        return "__syncthreads_or";
    }
}

}  // namespace foldwise::simulation
