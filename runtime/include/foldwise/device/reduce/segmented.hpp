// foldwise/device/reduce/segmented.hpp: reductions of segments of any length on a GPU.
//
// The elements and the ends of segments form one sequence, in which a segment's end comes behind its last element.
// Every warp has an equal share of that sequence, so that neither long segments nor many empty ones make others wait.
//
// A warp reads its elements tile by tile: lanes load elements side by side, map them and put the accumulators into
// shared memory, and mark the elements behind which segments end. Then each lane combines neighbouring elements, and
// replaces the last element of each segment by what the segment makes. Finally lanes store the results of neighbouring
// segments side by side. A tile in which no segment ends stays in registers if elements may be combined in any order.
//
// What lies before the first end of a warp's share, and what lies behind the last one, belongs to segments that begin
// or end in other shares. The block combines these parts in order, and the last block those of all blocks. So results
// have the same bits in every run.
#pragma once

#include <foldwise/device/offsets.hpp>
#include <foldwise/device/reduce/groups.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

template <reduce_instance Instance> struct reduce_range<Instance, reducer::segmented> : detail::segmented_range {};

/// What consecutive elements make: what those behind the last end of a segment combine to, and whether there is such an
/// end.
template <class Steps> struct open_segment {
    using accumulator = typename Steps::accumulator;
    enum : unsigned int { is_some = 1, ends = 2 };

    union {
        accumulator value;
    };
    unsigned int state;  ///< Bits: whether there is a value, and whether a segment ends.

    __device__ explicit open_segment(unsigned int with = 0) : state(with) { settle_bytes(value); }

    /// Combines this with an element, or with what follows it.
    __device__ void append(const accumulator& next) {
        value = state & is_some ? Steps::combine(value, next) : next;
        state |= is_some;
    }
    __device__ void append(const open_segment& next) {
        if (next.state & ends)
            *this = next;
        else if (next.state & is_some)
            append(next.value);
    }

    __device__ partial<Steps> folded() const { return state & is_some ? partial<Steps>(value) : partial<Steps>(); }
};

/// What a warp or a block makes of its share.
template <class Steps> struct segment_share {
    open_segment<Steps> open;  ///< What lies behind the last end; everything if no segment ends.
    partial<Steps> head;       ///< What lies before the first end, if a segment ends.
    std::int64_t segment;      ///< The number of the segment that ends first.
};

/// A warp's tile in shared memory.
template <class Steps> struct segment_tile {
    using accumulator = typename Steps::accumulator;
    static constexpr int each = detail::segment_elements(sizeof(accumulator));  ///< Neighbouring elements of a lane.
    static constexpr int size = warp_size * each;
    /// Places between the elements of neighbouring lanes, which put these into different banks. Large accumulators have
    /// none, so that the tiles of 16 warps fit in shared memory.
    static constexpr int apart = sizeof(accumulator) <= 16 ? 1 : 0;

    unsigned int marks[warp_size];  ///< Behind which of its elements segments end, as bits.
    accumulator elements[size + apart * warp_size];

    /// Returns an element.
    __device__ accumulator& at(int i) { return elements[i + i / each * apart]; }
    /// Returns the calling lane's element of the k-th group of as many elements as there are lanes.
    __device__ accumulator& side_by_side(int k) {
        return at(static_cast<int>(threadIdx.x) % warp_size + k * warp_size);
    }
};

/// The segments of a launch, as a warp sees them.
template <class Steps> class segment_folder {
  public:
    using accumulator = typename Steps::accumulator;

    __device__ segment_folder(const detail::segmented_range& range, const reduce_target<Steps>& target)
        : range_(range), target_(target) {}

    __device__ segment_offsets offsets() const {
        const detail::segments_of_call& all = range_.segments;
        return {all.offsets, all.count + 1, all.size, all.is_signed};
    }

    /// Reduces the `number`-th share of the sequence, by a warp.
    template <class Elements>
    __device__ void fold(const Elements& elements, const operand_strides<Elements::operands>& strides,
                         std::int64_t number, segment_tile<Steps>& tile, segment_share<Steps>& made) const {
        const auto lane = static_cast<int>(threadIdx.x % warp_size);
        const std::int64_t ahead = offsets()[0], all = range_.elements + range_.segments.count;
        const std::int64_t from = number * range_.share < all ? number * range_.share : all;
        const std::int64_t to = from + range_.share < all ? from + range_.share : all;
        const std::int64_t ends_before = ends_among(lane < warp_size / 2 ? from : to);
        const std::int64_t first = __shfl_sync(all_lanes, ends_before, 0);
        const std::int64_t end = __shfl_sync(all_lanes, ends_before, warp_size - 1);
        const std::int64_t end_element = to - end;
        std::int64_t segment = first, element = from - first;
        if (element < ahead) element = ahead < end_element ? ahead : end_element;  // in no segment
        open_segment<Steps> open;
        tile.marks[lane] = 0;
        __syncwarp();
        FOLDWISE_NOT_UNROLLED
        while (segment < range_.segments.count && (element < end_element || segment < end)) {
            // Tiles begin at multiples of what a warp loads at once, behind a short one, unless one tile is all.
            constexpr int most = segment_tile<Steps>::size;
            const std::int64_t size = element % warp_size == 0 ? most : warp_size;
            const std::int64_t behind =
                end_element - element <= most ? end_element : (element + size) / warp_size * warp_size;
            const std::int64_t next =
                fold_tile(elements, strides, tile, open, {segment, end, element, behind, behind == end_element});
            store(tile, {segment, next, element, behind, true}, first, made);
            segment = next;
            element = behind;
        }
        if (lane != 0) return;
        if (first < segment) open.state |= open_segment<Steps>::ends;
        made.open = open;
        made.segment = first;
    }

    /// Combines `count` consecutive shares in order, by all threads of a block of at most `Threads`, and stores the
    /// result of each segment that ends first in one of them. Unless these are all shares, the first of these results
    /// may lack what lies in earlier shares, and becomes part of `made`, as what the shares make together does.
    template <int Threads>
    __device__ void link(const segment_share<Steps>* shares, unsigned int count, bool are_all,
                         segment_share<Steps>& made) const {
        constexpr unsigned int warps = Threads / warp_size;
        alignas(open_segment<Steps>) __shared__ unsigned char memory[warps * sizeof(open_segment<Steps>)];
        auto* const of_warps = reinterpret_cast<open_segment<Steps>*>(memory);
        const unsigned int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
        open_segment<Steps> before;
        FOLDWISE_NOT_UNROLLED
        for (unsigned int from = 0; from < count; from += Threads) {
            const unsigned int own = from + threadIdx.x;
            open_segment<Steps> upto;
            if (own < count) upto = shares[own].open;
            const bool ends = (upto.state & open_segment<Steps>::ends) != 0;
            const open_segment<Steps> preceding = scan(upto);
            if (lane == warp_size - 1) of_warps[warp] = upto;
            __syncthreads();
            open_segment<Steps> ahead = before;
            FOLDWISE_NOT_UNROLLED
            for (unsigned int i = 0; i < warps; ++i) {
                if (i == warp) ahead = before;
                before.append(of_warps[i]);
            }
            ahead.append(preceding);
            if (ends) {
                partial<Steps> whole = ahead.folded();
                whole.append(shares[own].head);
                if (are_all || (ahead.state & open_segment<Steps>::ends)) {
                    store(shares[own].segment, whole);
                } else {
                    made.head = whole;
                    made.segment = shares[own].segment;
                }
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) made.open = before;
    }

  private:
    static constexpr unsigned int all_lanes = 0xffffffffu;

    /// The elements [first, end) of a tile, and the segments [segment, last) of which some or all end there.
    struct part {
        std::int64_t segment, last, first, end;
        bool is_last;  ///< Whether all of these segments end there.
    };

    /// Returns how many segments end among the first `items` members of the sequence. Half a warp calls it with one
    /// number, and the other half with another.
    __device__ std::int64_t ends_among(std::int64_t items) const {
        constexpr unsigned int half = warp_size / 2;
        const unsigned int lane = threadIdx.x % half, shift = threadIdx.x % warp_size / half * half;
        std::int64_t low = items > range_.elements ? items - range_.elements : 0;
        std::int64_t high = items < range_.segments.count ? items : range_.segments.count;
        FOLDWISE_NOT_UNROLLED
        while (__any_sync(all_lanes, low < high)) {
            const std::int64_t step = high - low <= half ? 1 : (high - low + half) / (half + 1);
            const std::int64_t probe = low + (lane + 1) * step - 1;
            const bool is_before = probe < high && offsets()[probe + 1] < items - probe;
            const unsigned int votes = __ballot_sync(all_lanes, is_before) >> shift & ((1u << half) - 1);
            const auto before = static_cast<unsigned int>(__builtin_popcount(votes));
            low += before * step;
            if (before < half && low + step - 1 < high) high = low + step - 1;
        }
        return low;
    }

    /// Combines what each lane has with what the lanes before it have; returns the latter.
    __device__ static open_segment<Steps> scan(open_segment<Steps>& upto) {
        const int lane = static_cast<int>(threadIdx.x) % warp_size;
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) {
            open_segment<Steps> longer = shuffle_up(upto, distance);
            longer.append(upto);
            if (lane >= distance) upto = longer;
        }
        const open_segment<Steps> preceding = shuffle_up(upto, 1);
        return lane == 0 ? open_segment<Steps>() : preceding;
    }

    /// Reduces the elements of a tile; returns the number of the first segment that does not end in it. `open` is what
    /// the share's elements before the tile make, and afterwards includes the tile's.
    template <class Elements>
    __device__ std::int64_t fold_tile(const Elements& elements, const operand_strides<Elements::operands>& strides,
                                      segment_tile<Steps>& tile, open_segment<Steps>& open, const part& own) const {
        constexpr int each = segment_tile<Steps>::each;
        const auto count = static_cast<int>(own.end - own.first);
        loaded_ends ends;
        load_ends(own, own.segment, ends);
        if (range_.is_contiguous && count == segment_tile<Steps>::size) {
            pack<accumulator, each> mapped;  // of every lane, side by side with those of the others
            load_all(elements, own.first, mapped);
            if constexpr (Steps::commutes) {
                const bool ends_here = ends.of[0] <= own.end || (own.is_last && own.segment < own.last);
                if (!__any_sync(all_lanes, ends_here)) {
                    accumulator all = mapped[0];
                    FOLDWISE_UNROLLED
                    for (int k = 1; k < each; ++k) all = Steps::combine(all, mapped[k]);
                    fold_lanes(all, warp_size, [](accumulator& a, const accumulator& b) { a = Steps::combine(a, b); });
                    open.append(shuffle_from(all, 0));
                    return own.segment;
                }
            }
            FOLDWISE_UNROLLED
            for (int k = 0; k < each; ++k) tile.side_by_side(k) = mapped[k];
        } else {
            load_some(elements, strides, tile, own.first, count);
        }
        const std::int64_t segment = mark(tile, own, ends);
        if (count > 0) fold_neighbours(tile, open, count);
        return segment;
    }

    /// The ends of neighbouring segments, some of which a lane has loaded.
    struct loaded_ends {
        static constexpr int count = 2;
        std::int64_t of[count];
    };
    __device__ void load_ends(const part& own, std::int64_t from, loaded_ends& ends) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < loaded_ends::count; ++i) {
            const std::int64_t segment = from + i * warp_size + threadIdx.x % warp_size;
            ends.of[i] = segment < own.last ? offsets()[segment + 1] : INT64_MAX;
        }
    }

    /// Marks the elements of a tile behind which segments end, the first of which have been loaded. Returns the number
    /// of the first segment that does not end in the tile.
    __device__ std::int64_t mark(segment_tile<Steps>& tile, const part& own, loaded_ends& ends) const {
        constexpr unsigned int each = segment_tile<Steps>::each;
        std::int64_t segment = own.segment;
        FOLDWISE_NOT_UNROLLED
        for (;; load_ends(own, segment, ends)) {
            int found = 0;
            FOLDWISE_UNROLLED
            for (int i = 0; i < loaded_ends::count; ++i) {
                const std::int64_t end = ends.of[i], number = segment + i * warp_size + threadIdx.x % warp_size;
                const bool is_here = end <= own.end || (own.is_last && number < own.last);
                if (end > own.first && end <= own.end) {
                    const auto last = static_cast<unsigned int>(end - own.first - 1);
                    atomicOr(&tile.marks[last / each], 1u << last % each);
                }
                found += __builtin_popcount(__ballot_sync(all_lanes, is_here));
            }
            segment += found;
            if (found < loaded_ends::count * warp_size) break;
        }
        __syncwarp();
        return segment;
    }

    /// Combines the first `count` elements of a tile, at least one. The last of them is treated as if a segment ended
    /// behind it; unless one does, what it makes is what is open.
    __device__ static void fold_neighbours(segment_tile<Steps>& tile, open_segment<Steps>& open, int count) {
        constexpr int each = segment_tile<Steps>::each;
        const int lane = static_cast<int>(threadIdx.x % warp_size), last_lane = (count - 1) / each;
        const unsigned int lower = (1u << lane) - 1, last_mark = 1u << (count - 1) % each;
        unsigned int marks = tile.marks[lane];
        const bool ends_here = __any_sync(all_lanes, marks != 0);
        const bool ends_last = __any_sync(all_lanes, lane == last_lane && (marks & last_mark) != 0);
        tile.marks[lane] = 0;
        if (lane == last_lane) marks |= last_mark;
        // Lanes beyond the last element read what the last lane does, and what they make is not used.
        accumulator* const neighbours = &tile.at((lane < last_lane ? lane : last_lane) * each);
        pack<accumulator, each> own;
        FOLDWISE_UNROLLED
        for (int k = 0; k < each; ++k) own[k] = neighbours[k];
        __syncwarp();
        accumulator upto = own[0];
        FOLDWISE_UNROLLED
        for (int k = 0; k < each; ++k) {
            if (k > 0) upto = marks >> (k - 1) & 1 ? own[k] : Steps::combine(upto, own[k]);
            if (marks >> k & 1) neighbours[k] = upto;
        }
        // What lanes have behind their last ends is combined with what the lanes before them have, up to a lane in
        // which a segment ends, or begins with its first element. A lane may have nothing behind its last end; what it
        // then has here is not used.
        const unsigned int end = __ballot_sync(all_lanes, marks != 0),
                           end_last = __ballot_sync(all_lanes, marks >> (each - 1));
        const unsigned int begin = (end | end_last << 1 | 1) & (lower << 1 | 1);
        const int from = 31 - __builtin_clz(begin);
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) {
            const accumulator other = shuffle_up(upto, distance);
            if (lane - distance >= from) upto = Steps::combine(other, upto);
        }
        const accumulator before = shuffle_up(upto, 1);
        if (marks != 0) {
            open_segment<Steps> whole;
            if ((end & lower) == 0) whole = open;
            if (lane > 0 && !(end_last >> (lane - 1) & 1)) whole.append(before);
            accumulator& place = neighbours[__builtin_popcount((marks & (0u - marks)) - 1)];
            whole.append(place);
            place = whole.value;
        }
        __syncwarp();
        if (ends_here) open.state = open_segment<Steps>::ends;
        if (ends_last) return;
        open.value = tile.at(count - 1);
        open.state |= open_segment<Steps>::is_some;
    }

    /// Loads and maps the elements of a full tile from the one numbered `first` on. Every array is contiguous.
    template <class Elements>
    __device__ static void load_all(const Elements& elements, std::int64_t first,
                                    pack<accumulator, segment_tile<Steps>::each>& mapped) {
        using tile = typename Elements::tile;
        constexpr int each = segment_tile<Steps>::each,
                      fit = sizeof(tile) < 64 ? 64 / static_cast<int>(sizeof(tile)) : 1;
        constexpr int together = fit >= each ? each : fit >= 8 ? 8 : fit >= 4 ? 4 : fit >= 2 ? 2 : 1;
        FOLDWISE_UNROLLED
        for (int from = 0; from < each; from += together) {
            tile loaded[together];
            linear_place places[together];
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i) places[i] = {first + threadIdx.x % warp_size + (from + i) * warp_size};
            elements.load(places, loaded, together);
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i) mapped[from + i] = elements.mapped(loaded[i], places[i], 0);
        }
    }

    /// Loads and maps `count` elements from the one numbered `first` on, and puts them into a tile. Behind the last one
    /// it is repeated up to a multiple of what a lane has.
    template <class Elements>
    __device__ static void load_some(const Elements& elements, const operand_strides<Elements::operands>& strides,
                                     segment_tile<Steps>& tile, std::int64_t first, int count) {
        constexpr int together = segment_tile<Steps>::each < 4 ? segment_tile<Steps>::each : 4;
        const auto lane = static_cast<int>(threadIdx.x % warp_size);
        strided_place<Elements::operands> at{};
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < Elements::operands; ++operand)
            at.offsets[operand] = first * strides.of[operand].folded(0);
        Elements entered = elements;
        entered.enter(at);
        if constexpr (Elements::takes_index) entered.space.refer(0);
        FOLDWISE_NOT_UNROLLED
        for (int from = 0; from < count; from += together * warp_size) {
            typename Elements::tile loaded[together];
            column_place places[together];
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i) {
                const int number = from + lane + i * warp_size;
                places[i] = {static_cast<std::uint32_t>(number < count ? number : count - 1)};
            }
            entered.load(places, loaded, together);
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i)
                tile.at(from + lane + i * warp_size) = entered.mapped(loaded[i], places[i], 0);
        }
    }

    /// Stores the results of the segments that end in a tile. That of the share's first segment, number `first`,
    /// becomes the share's head.
    __device__ void store(segment_tile<Steps>& tile, const part& own, std::int64_t first,
                          segment_share<Steps>& made) const {
        FOLDWISE_NOT_UNROLLED
        for (std::int64_t i = own.segment + threadIdx.x % warp_size; i < own.last; i += warp_size) {
            const std::int64_t begin = offsets()[i], end = offsets()[i + 1];
            partial<Steps> folded;
            if (begin < end && own.first < end && end <= own.end)
                folded = partial<Steps>(tile.at(static_cast<int>(end - own.first - 1)));
            if (i == first)
                made.head = folded;
            else
                store(i, folded);
        }
        __syncwarp();
    }

    __device__ void store(std::int64_t segment, const partial<Steps>& folded) const {
#ifdef FOLDWISE_LOOKS
        if (!Steps::has_identity && !folded.is_some && !target_.place.has_initial)
            detail::stop(detail::finding::of_empty(segment));
#endif
        target_.store(segment * range_.segments.step, folded);
    }

    const detail::segmented_range& range_;
    const reduce_target<Steps>& target_;
};

/// Reduces segments by warps that have equal shares of the elements and the segments.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::segmented> __device__ inline void
fold(const Elements& elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    using share = segment_share<Steps>;
    using tile = segment_tile<Steps>;
    constexpr unsigned int warps = Threads / warp_size;
    static_assert(sizeof(share) * detail::reduce_blocks + 2 * sizeof(partial<Steps>) <= detail::reduce_part_bytes);
    static_assert(warps * (sizeof(tile) + sizeof(share) + sizeof(open_segment<Steps>)) + sizeof(share) <=
                      48 * 1024 - 64,
                  "a block's shared memory");
    alignas(tile) __shared__ unsigned char tiles[warps * sizeof(tile)];
    alignas(share) __shared__ unsigned char shares[(warps + 1) * sizeof(share)];
    wait_for_previous_kernel();
    const segment_folder<Steps> folder(range, target);
    check_offsets(folder.offsets(), range.elements);
    if (has_failed()) return;
    const unsigned int warp = threadIdx.x / warp_size;
    auto* const of_warps = reinterpret_cast<share*>(shares);
    folder.fold(elements, strides, std::int64_t{blockIdx.x} * warps + warp, reinterpret_cast<tile*>(tiles)[warp],
                of_warps[warp]);
    __syncthreads();

    // First the shares of the block's warps, then, in the last block, those of all blocks.
    const share* from = of_warps;
    unsigned int count = warps;
    auto* const of_blocks = static_cast<share*>(target.place.parts);
    FOLDWISE_NOT_UNROLLED
    for (bool are_all = gridDim.x == 1;; are_all = true) {
        folder.template link<Threads>(from, count, are_all, of_warps[warps]);
        if (are_all) return;
        __syncthreads();
        if (threadIdx.x == 0) of_blocks[blockIdx.x] = of_warps[warps];
        if (!is_last_block(target.place.counters, gridDim.x)) return;
        from = of_blocks;
        count = gridDim.x;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
