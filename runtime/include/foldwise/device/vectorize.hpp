// foldwise/device/vectorize.hpp: the building blocks of emitted vectorize kernels.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>
#include <foldwise/device/index.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/vectorize/operands.hpp>
#include <foldwise/device/view_parameter.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The elements of a launch, as a kernel's parameter.
template <vectorize_instance> struct range;
template <> struct range<vectorize_instance::vectors> : detail::contiguous_range {};
template <> struct range<vectorize_instance::mixed> : detail::contiguous_range {};
template <> struct range<vectorize_instance::numbered> : detail::contiguous_range {};
template <> struct range<vectorize_instance::flat> : detail::flat_range {};
template <> struct range<vectorize_instance::tiled> : detail::tiled_range {};
template <> struct range<vectorize_instance::transposed> : detail::tiled_range {};
template <> struct range<vectorize_instance::strided> : detail::strided_range {};

/// The elements of one thread: `Width` neighbouring ones, or fewer at the ends of the range.
template <vectorize_instance, int Threads, int Width> struct lane {
    static constexpr int width = Width;
    /// Whether some threads have fewer elements, which are then computed one by one.
    static constexpr bool has_ends = true;
    static constexpr int block_size = Threads * Width;

    std::int64_t block;
    int begin;
    int end;

    __device__ explicit lane(const detail::contiguous_range& elements)
        : block(std::int64_t{blockIdx.x} * block_size), begin(static_cast<int>(threadIdx.x) * Width),
          end(begin + Width) {
        const std::int64_t ahead = elements.begin - block, left = elements.end - block;
        if (ahead > begin) begin = static_cast<int>(ahead);
        if (left < end) end = static_cast<int>(left);
    }

    /// Returns whether the thread has all of its elements.
    __device__ bool is_whole() const { return end - begin == Width; }
    /// Returns the position of the thread's first element.
    __device__ position first() const { return {block, begin}; }
    /// Returns the position of element i of the block.
    __device__ position element(int i) const { return {block, i}; }
};

/// The positions of a thread's vectors, each of which begins at a multiple of `Width`; blocks of threads begin at
/// multiples of `Block`, which is a power of two. Of the vectors, the first `count` have elements.
template <int Width, int Runs, int Block> struct numbered_vectors {
    position own[Runs];
    int count;
};

/// One or two vectors per thread, which are a block's threads apart. If one of them is incomplete, all elements are
/// computed one by one.
template <int Threads, int Width> struct lane<vectorize_instance::numbered, Threads, Width> {
    static constexpr int runs = runs_per_thread(Width);
    static constexpr int width = runs * Width;
    static constexpr bool has_ends = true;
    static constexpr int next = Threads * Width;
    static constexpr int block_size = runs * next;

    numbered_vectors<Width, runs, block_size> at;
    std::int64_t block;
    int begin = 0, end = 0;  ///< The thread's elements, counted from the start of its first vector.

    __device__ explicit lane(const detail::contiguous_range& elements) : block(std::int64_t{blockIdx.x} * block_size) {
        const std::int64_t left = elements.end - block;
        const int end_of_block = left < block_size ? static_cast<int>(left) : block_size;
        const int begin_of_block = blockIdx.x == 0 ? static_cast<int>(elements.begin) : 0;
        FOLDWISE_UNROLLED
        for (int i = 0; i < runs; ++i) {
            at.own[i] = {block, offset(i * Width)};
            begin += of_vector(begin_of_block - at.own[i].offset);
            end += of_vector(end_of_block - at.own[i].offset);
        }
        at.count = static_cast<int>(static_cast<unsigned int>(end) / Width);
    }

    __device__ bool is_whole() const { return begin == 0 && end > 0 && end % Width == 0; }
    __device__ const numbered_vectors<Width, runs, block_size>& first() const { return at; }
    __device__ position element(int i) const { return {block, offset(i)}; }

  private:
    __device__ static int offset(int i) { return static_cast<int>(threadIdx.x) * Width + i / Width * next + i % Width; }
    __device__ static int of_vector(int elements) { return elements < 0 ? 0 : elements < Width ? elements : Width; }
};

/// One or two vectors per thread, which are a block's threads apart, and their positions along the axes. If one of them
/// is incomplete or crosses the end of its plane, all elements are computed one by one. A vector without elements is
/// replaced by the first.
template <int Threads, int Width> struct lane<vectorize_instance::flat, Threads, Width> {
    static constexpr int runs = runs_per_thread(Width);
    static constexpr int width = runs * Width;
    static constexpr bool has_ends = true;
    static constexpr int next = flat_threads * Width;
    static constexpr int block_size = runs * next;

    const detail::flat_range* range;
    flat_vectors<Width, runs> at;
    std::int64_t block;
    int begin = 0, end = 0;  ///< The thread's elements, counted from the start of its first vector.
    bool are_whole = true;

    __device__ explicit lane(const detail::flat_range& elements)
        : range(&elements), block(std::int64_t{blockIdx.x} * block_size) {
        const int first = offset(0);
        const std::int64_t ahead = elements.elements.begin - block, left = elements.elements.end - block;
        if (ahead > first) begin = static_cast<int>(ahead) - first;
        FOLDWISE_UNROLLED
        for (int i = 0; i < runs; ++i) {
            const int own = first + i * next;
            at.own[i] = place_at(own);
            if (left >= own + Width) {
                end += Width;
                are_whole = are_whole && at.own[i].stays_in_plane(elements.axes, Width);
            } else if (left > own) {
                end += static_cast<int>(left) - own;
                are_whole = false;
            } else if (i == 0) {
                are_whole = false;
            } else {
                at.own[i] = at.own[0];
            }
        }
        are_whole = are_whole && begin == 0;
    }

    __device__ bool is_whole() const { return are_whole; }
    __device__ const flat_vectors<Width, runs>& first() const { return at; }
    __device__ flat_position element(int i) const { return place_at(offset(i)); }

  private:
    __device__ flat_position place_at(int own) const {
        return {{block, own}, range->axes, static_cast<std::uint32_t>(block + own - range->elements.begin)};
    }
    __device__ static int offset(int i) { return static_cast<int>(threadIdx.x) * Width + i / Width * next + i % Width; }
};

/// One element per thread; neighbouring threads have neighbouring elements.
template <int Threads, int Width> struct lane<vectorize_instance::strided, Threads, Width> {
    static constexpr int width = 1;
    static constexpr bool has_ends = false;

    strided_position at;
    bool is_there;

    __device__ explicit lane(const detail::strided_range& range)
        : at(range, blockIdx.x * blockDim.x + threadIdx.x), is_there(at.number < range.count) {}

    __device__ bool is_whole() const { return is_there; }
    __device__ const strided_position& first() const { return at; }
};

/// `Width` neighbours of a row, or twice as many. Missing elements are replaced by others, whose results are not
/// stored.
template <int Threads, int Width> struct lane<vectorize_instance::tiled, Threads, Width> {
    static constexpr int width = runs_per_thread(Width) * Width;
    static constexpr bool has_ends = false;

    tiled_position<Width> at;

    __device__ explicit lane(const detail::tiled_range& range) { enter_row_tile(range, at); }

    __device__ bool is_whole() const { return at.has_elements(); }
    __device__ const tiled_position<Width>& first() const { return at; }
};

/// Two vectors per thread, whose transposed inputs are exchanged through shared memory.
template <int Threads, int Width> struct lane<vectorize_instance::transposed, Threads, Width> {
    static constexpr int width = exchange_runs * Width;
    static constexpr bool has_ends = false;

    transposed_position<Threads, Width> at;

    __device__ explicit lane(const detail::tiled_range& range) { enter_transposed_tile(range, at); }

    __device__ static constexpr bool is_whole() { return true; }
    __device__ const transposed_position<Threads, Width>& first() const { return at; }
};

/// An input and the elements that were loaded from it.
template <class Input, class Elements> struct loaded {
    const Input& from;
    Elements& elements;
};
template <class Input, class Elements> loaded(const Input&, Elements&) -> loaded<Input, Elements>;

/// Stores in shared memory what a thread has read of an operand for other threads.
template <class T, int Threads, int Width>
__device__ void store_shared(const input<T, vectorize_instance::transposed>& from,
                             const thread_runs<T, Width, exchange_runs>& elements, unsigned char* memory,
                             const transposed_position<Threads, Width>& at) {
    if (from.place.reading != tile_reading::by_pieces) return;
    FOLDWISE_UNROLLED
    for (int i = 0; i < exchange_runs; ++i)
        tile_exchange<Threads, Width>::put(memory + from.place.tile, at, i, elements.runs[i]);
}

/// Loads the elements that the thread computes with from shared memory. A missing vector is replaced by the first, as
/// it is for operands without a tile.
template <class T, int Threads, int Width>
__device__ void load_shared(const input<T, vectorize_instance::transposed>& from,
                            thread_runs<T, Width, exchange_runs>& elements, const unsigned char* memory,
                            const transposed_position<Threads, Width>& at) {
    if (!has_tile(from.place.reading)) return;
    FOLDWISE_UNROLLED
    for (int i = 0; i < exchange_runs; ++i)
        elements.runs[i] =
            tile_exchange<Threads, Width>::template take<T>(memory + from.place.tile, at, i < at.count ? i : 0);
}

/// Gives each thread the elements that it did not read itself: those of transposed operands, for which all threads of a
/// block take part, and copies of repeated ones; and settles what has been loaded. Returns false for threads that have
/// no elements and store none for others.
template <vectorize_instance Instance, int Threads, int Width, class... Loaded>
__device__ bool exchange(const lane<Instance, Threads, Width>& lane, const Loaded&... all) {
    if constexpr (Instance == vectorize_instance::transposed) {
        unsigned char* const memory = dynamic_shared<unsigned char>();
        (store_shared(all.from, all.elements, memory, lane.at), ...);
        __syncthreads();
        if (!lane.at.has_elements() && lane.at.range->stage_bytes == 0) return false;
        (load_shared(all.from, all.elements, memory, lane.at), ...);
    } else if constexpr (Instance == vectorize_instance::mixed || Instance == vectorize_instance::flat ||
                         Instance == vectorize_instance::tiled) {
        (all.elements.settle(), ...);
    }
    return true;
}

/// Computes the index of rank N that a lambda takes; a kernel's parameter.
template <int N> struct index_space {
    detail::index_space<N> space;

    /// Returns the index of the k-th element from `first` on.
    __device__ index<N> at(position first, int k) const { return at_number(first.block + first.offset + k); }
    /// From this form compilers see that the numbers of a vector differ in their last bits only, and those of a block
    /// in the lower half, and compute what depends on the others once.
    template <int Width, int Runs, int Block>
    __device__ index<N> at(const numbered_vectors<Width, Runs, Block>& first, int k) const {
        const position& own = first.own[k / Width];
        const std::int64_t block = (space.origin + own.block) & -std::int64_t{Block};
        const auto offset = static_cast<std::uint32_t>((own.offset & -Width) | k % Width);
        return index_of(block | offset, space.extents);
    }
    template <int Width, int Runs> __device__ index<N> at(const flat_vectors<Width, Runs>& first, int k) const {
        return at(first.own[k / Width], k % Width);
    }
    __device__ index<N> at(const strided_position& first, int) const { return at_number(first.number); }
    template <int Width> __device__ index<N> at(const tiled_position<Width>& first, int k) const {
        const tile_run& run = first.own[k / Width];
        const std::int64_t row = std::int64_t{first.outer} * space.rows + run.row;
        return at_number(row * space.columns + run.column + run.nearest(k % Width));
    }

  private:
    __device__ index<N> at_number(std::int64_t number) const { return index_of(space.origin + number, space.extents); }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
