// bench/forall_peers.cu: the other sides of forall.cpp.
#include "forall_peers.hpp"

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

namespace bench {

namespace {

constexpr double scale = 1000;
constexpr int threads = 256;

unsigned int blocks_for(std::int64_t n, std::int64_t side) { return static_cast<unsigned int>((n + side - 1) / side); }

// ---- By hand: pointers, 32-bit numbers, blocks of 256 or of 32 x 8
// ---------------------------------------------------

__global__ void round_kernel(const double* in, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = rint(in[i] * scale) / scale;
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

__global__ void relax_kernel(const double* in, double* out, int rows, int columns) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns) return;
    const int i = r * columns + c;
    const bool edge = r == 0 || c == 0 || r + 1 == rows || c + 1 == columns;
    out[i] = edge ? in[i] : 0.25 * (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1]);
}

__global__ void histogram_kernel(const std::uint8_t* pixels, unsigned int* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[pixels[i]], 1u);
}

__global__ void gather_kernel(const float* source, const std::int32_t* at, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = source[at[i]];
}

__global__ void shared_histogram_kernel(const std::uint8_t* pixels, unsigned int* bins, std::int64_t n) {
    __shared__ unsigned int own[256];
    for (int bin = threadIdx.x; bin < 256; bin += threads) own[bin] = 0;
    __syncthreads();
    const std::int64_t words = n / 16, step = std::int64_t{gridDim.x} * threads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < words; i += step) {
        const uint4 word = reinterpret_cast<const uint4*>(pixels)[i];
        for (unsigned int part : {word.x, word.y, word.z, word.w})
            for (int shift = 0; shift < 32; shift += 8) atomicAdd(&own[part >> shift & 255], 1u);
    }
    if (blockIdx.x == 0)
        for (std::int64_t i = words * 16 + threadIdx.x; i < n; i += threads) atomicAdd(&own[pixels[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += threads) atomicAdd(&bins[bin], own[bin]);
}

// ---- forall of an extended lambda
// ------------------------------------------------------------------------------------

template <class Body> __global__ void forall_kernel(std::int64_t n, Body body) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) body(i);
}
template <class Body> void forall(std::int64_t n, cudaStream_t stream, Body body) {
    forall_kernel<<<blocks_for(n, threads), threads, 0, stream>>>(n, body);
}

template <class Body> __global__ void forall_2d_kernel(std::int64_t rows, std::int64_t columns, Body body) {
    const std::int64_t c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t r = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
    if (r < rows && c < columns) body(r, c);
}
template <class Body> void forall(std::int64_t rows, std::int64_t columns, cudaStream_t stream, Body body) {
    forall_2d_kernel<<<dim3(blocks_for(columns, 32), blocks_for(rows, 8)), dim3(32, 8), 0, stream>>>(rows, columns,
                                                                                                     body);
}

}  // namespace

void run_by_hand(forall_case what, const forall_operands& on, cudaStream_t stream) {
    const int rows = static_cast<int>(on.rows), columns = static_cast<int>(on.columns);
    const dim3 tiles(blocks_for(columns, 32), blocks_for(rows, 8)), tile(32, 8);
    const unsigned int blocks = blocks_for(columns, threads);
    switch (what) {
    case forall_case::round:
        round_kernel<<<blocks, threads, 0, stream>>>(static_cast<const double*>(on.in), static_cast<double*>(on.out),
                                                     columns);
        break;
    case forall_case::transpose:
        transpose_kernel<<<tiles, tile, 0, stream>>>(static_cast<const float*>(on.in), static_cast<float*>(on.out),
                                                     rows, columns);
        break;
    case forall_case::relax:
        relax_kernel<<<tiles, tile, 0, stream>>>(static_cast<const double*>(on.in), static_cast<double*>(on.out), rows,
                                                 columns);
        break;
    case forall_case::histogram:
        histogram_kernel<<<blocks, threads, 0, stream>>>(static_cast<const std::uint8_t*>(on.in),
                                                         static_cast<unsigned int*>(on.out), columns);
        break;
    case forall_case::gather:
        gather_kernel<<<blocks, threads, 0, stream>>>(static_cast<const float*>(on.in), on.at,
                                                      static_cast<float*>(on.out), columns);
        break;
    }
}

void run_by_lambda(forall_case what, const forall_operands& on, cudaStream_t stream) {
    const std::int64_t rows = on.rows, columns = on.columns;
    const auto* doubles = static_cast<const double*>(on.in);
    const auto* floats = static_cast<const float*>(on.in);
    const auto* bytes = static_cast<const std::uint8_t*>(on.in);
    const std::int32_t* at = on.at;
    auto* out_doubles = static_cast<double*>(on.out);
    auto* out_floats = static_cast<float*>(on.out);
    auto* out_words = static_cast<unsigned int*>(on.out);
    switch (what) {
    case forall_case::round:
        forall(columns, stream, [=] __device__(std::int64_t i) { out_doubles[i] = rint(doubles[i] * scale) / scale; });
        break;
    case forall_case::transpose:
        forall(rows, columns, stream,
               [=] __device__(std::int64_t r, std::int64_t c) { out_floats[c * rows + r] = floats[r * columns + c]; });
        break;
    case forall_case::relax:
        forall(rows, columns, stream, [=] __device__(std::int64_t r, std::int64_t c) {
            const std::int64_t i = r * columns + c;
            const bool edge = r == 0 || c == 0 || r + 1 == rows || c + 1 == columns;
            out_doubles[i] =
                edge ? doubles[i]
                     : 0.25 * (doubles[i - columns] + doubles[i + columns] + doubles[i - 1] + doubles[i + 1]);
        });
        break;
    case forall_case::histogram:
        forall(columns, stream, [=] __device__(std::int64_t i) { atomicAdd(&out_words[bytes[i]], 1u); });
        break;
    case forall_case::gather:
        forall(columns, stream, [=] __device__(std::int64_t i) { out_floats[i] = floats[at[i]]; });
        break;
    }
}

void histogram_in_shared_memory(const forall_operands& on, cudaStream_t stream) {
    shared_histogram_kernel<<<132 * 8, threads, 0, stream>>>(static_cast<const std::uint8_t*>(on.in),
                                                             static_cast<unsigned int*>(on.out), on.columns);
}

static __global__ void places_kernel(std::int32_t* at, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long x = static_cast<unsigned long long>(i) + 0x9e3779b97f4a7c15;  // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    at[i] = static_cast<std::int32_t>((x ^ x >> 31) % static_cast<unsigned long long>(n));
}

void random_places(std::int32_t* at, std::int64_t n) { places_kernel<<<blocks_for(n, 256), 256>>>(at, n); }

bool equal_bytes(const void* a, const void* b, std::int64_t bytes) {
    const auto* first = static_cast<const std::uint8_t*>(a);
    return thrust::equal(thrust::device, first, first + bytes, static_cast<const std::uint8_t*>(b));
}

}  // namespace bench
