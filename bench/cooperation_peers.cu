// bench/cooperation_peers.cu
#include "cooperation_peers.hpp"

#include "noise.hpp"
#include "timing.hpp"

#include <cstdint>

namespace bench {

namespace {

constexpr int threads = 256;

unsigned int quotient(std::int64_t n, std::int64_t part) { return static_cast<unsigned int>((n + part - 1) / part); }

// Transposes

template <int side> __global__ void transpose_kernel(const float* x, float* turned, int rows, int columns) {
    __shared__ float tile[side][side + 1];
    const int first_row = static_cast<int>(blockIdx.y) * side, first_column = static_cast<int>(blockIdx.x) * side;
    const int at_x = static_cast<int>(threadIdx.x), at_y = static_cast<int>(threadIdx.y);
#pragma unroll
    for (int i = 0; i < side; i += 8)
#pragma unroll
        for (int j = 0; j < side; j += 32) {
            const int r = first_row + at_y + i, c = first_column + at_x + j;
            if (r < rows && c < columns) tile[at_y + i][at_x + j] = x[std::int64_t{r} * columns + c];
        }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < side; i += 8)
#pragma unroll
        for (int j = 0; j < side; j += 32) {
            const int c = first_column + at_y + i, r = first_row + at_x + j;
            if (r < rows && c < columns) turned[std::int64_t{c} * rows + r] = tile[at_x + j][at_y + i];
        }
}

// Matrix products

__global__ void product_of_tiles_kernel(const float* x, const float* y, float* z, int side) {
    __shared__ float xs[32][32], ys[32][32];
    const int at_x = static_cast<int>(threadIdx.x), at_y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * 32 + at_y, column = static_cast<int>(blockIdx.x) * 32 + at_x;
    float sum = 0;
    for (int k = 0; k < side; k += 32) {
        xs[at_y][at_x] = x[row * side + k + at_x];
        ys[at_y][at_x] = y[(k + at_y) * side + column];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 32; ++j) sum += xs[at_y][j] * ys[j][at_x];
        __syncthreads();
    }
    z[row * side + column] = sum;
}

struct four {
    float of[4];
    __device__ four() {}
    __device__ four(float4 all) : of{all.x, all.y, all.z, all.w} {}
};

__global__ void __launch_bounds__(256, 2) product_kernel(const float* x, const float* y, float* z, int side) {
    __shared__ float4 xs[8][33], ys[8][32];  // xs[k][i] has column k of the rows 4i to 4i + 3
    const int item = static_cast<int>(threadIdx.x), at_x = item % 16, at_y = item / 16;
    const int first_row = static_cast<int>(blockIdx.y) * 128, first_column = static_cast<int>(blockIdx.x) * 128;
    const float* left = x + (first_row + item / 8 * 4) * side + item % 8;
    const float* right = y + item / 32 * side + first_column + item % 32 * 4;
    const auto x_at = [&](int k) {
        return make_float4(left[k], left[k + side], left[k + 2 * side], left[k + 3 * side]);
    };
    const auto y_at = [&](int k) { return *reinterpret_cast<const float4*>(right + k * side); };
    float sum[8][8] = {};
    float4 x_next = x_at(0), y_next = y_at(0);
    for (int k = 0; k < side; k += 8) {
        xs[item % 8][item / 8] = x_next;
        ys[item / 32][item % 32] = y_next;
        __syncthreads();
        if (k + 8 < side) x_next = x_at(k + 8), y_next = y_at(k + 8);
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const four a[2] = {xs[j][at_y], xs[j][16 + at_y]}, b[2] = {ys[j][at_x], ys[j][16 + at_x]};
#pragma unroll
            for (int r = 0; r < 8; ++r)
#pragma unroll
                for (int c = 0; c < 8; ++c) sum[r][c] += a[r / 4].of[r % 4] * b[c / 4].of[c % 4];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int c = 0; c < 8; c += 4) {
            const int row = first_row + r / 4 * 64 + 4 * at_y + r % 4, column = first_column + c * 16 + 4 * at_x;
            *reinterpret_cast<float4*>(z + row * side + column) =
                make_float4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);
        }
}

// Stencils

/// Four rows of two columns for each thread. A coordinate beyond an edge is the one at the edge.
__global__ void __launch_bounds__(threads) five_point_kernel(const double* x, double* out, int rows, int columns) {
    const int column = 2 * static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    const int row = 4 * static_cast<int>(blockIdx.y * 8 + threadIdx.y);
    if (row >= rows || column >= columns) return;
    const auto row_at = [&](int r) { return x + std::int64_t{min(max(r, 0), rows - 1)} * columns; };
    double2 here[6];
    double left[4], right[4];
#pragma unroll
    for (int i = 0; i < 6; ++i) here[i] = *reinterpret_cast<const double2*>(row_at(row + i - 1) + column);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        left[i] = row_at(row + i)[max(column - 1, 0)];
        right[i] = row_at(row + i)[min(column + 2, columns - 1)];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const double2 above = here[i], own = here[i + 1], below = here[i + 2];
        *reinterpret_cast<double2*>(out + std::int64_t{row + i} * columns + column) =
            make_double2(own.x + 0.2 * (above.x + below.x + left[i] + own.y - 4 * own.x),
                         own.y + 0.2 * (above.y + below.y + own.x + right[i] - 4 * own.y));
    }
}

/// Beyond an edge are zeros.
struct zeros {
    static __device__ bool is_inside(int at, int side) { return at >= 0 && at < side; }
    static __device__ int place(int at, int) { return at; }
};
/// Beyond an edge are the elements from the other one on.
struct wrapped {
    static __device__ bool is_inside(int, int) { return true; }
    static __device__ int place(int at, int side) { return at < 0 ? at + side : at >= side ? at - side : at; }
};

/// A star: four planes of four columns for each thread. `Sum` is given the element, the sum of those at a distance of 1
/// and, where the radius is 2, of those at a distance of 2.
template <int radius, class Edge, class Sum>
__global__ void __launch_bounds__(threads) star_kernel(const float* x, float* out, int side, Sum sum) {
    constexpr int planes = 4;
    const int column = 4 * static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    const int row = static_cast<int>(blockIdx.y * 8 + threadIdx.y), plane = planes * static_cast<int>(blockIdx.z);
    if (row >= side || column >= side) return;
    const auto line_at = [&](int p, int r) { return x + (Edge::place(p, side) * side + Edge::place(r, side)) * side; };
    const auto vector_at = [&](int p, int r) {
        const bool is_inside = Edge::is_inside(p, side) && Edge::is_inside(r, side);
        return four(is_inside ? *reinterpret_cast<const float4*>(line_at(p, r) + column) : make_float4(0, 0, 0, 0));
    };
    four here[planes + 2 * radius], beside[planes][2 * radius];
    float line[planes][2 * radius];  // those to the left and those to the right
#pragma unroll
    for (int i = 0; i < planes + 2 * radius; ++i) here[i] = vector_at(plane + i - radius, row);
#pragma unroll
    for (int i = 0; i < planes; ++i)
#pragma unroll
        for (int j = 0; j < radius; ++j) {
            beside[i][j] = vector_at(plane + i, row - 1 - j);
            beside[i][radius + j] = vector_at(plane + i, row + 1 + j);
            const int left = column - 1 - j, right = column + 4 + j;
            const float* own = line_at(plane + i, row);
            line[i][j] = Edge::is_inside(left, side) ? own[Edge::place(left, side)] : 0;
            line[i][radius + j] = Edge::is_inside(right, side) ? own[Edge::place(right, side)] : 0;
        }
#pragma unroll
    for (int i = 0; i < planes; ++i) {
        float results[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            float around[radius];
#pragma unroll
            for (int j = 0; j < radius; ++j) {
                const int left = c - 1 - j, right = c + 1 + j;
                around[j] = here[i + radius - 1 - j].of[c] + here[i + radius + 1 + j].of[c] + beside[i][j].of[c] +
                            beside[i][radius + j].of[c] +
                            (left < 0 ? line[i][-1 - left] : here[i + radius].of[left < 0 ? 0 : left]) +
                            (right > 3 ? line[i][radius + right - 4] : here[i + radius].of[right > 3 ? 3 : right]);
            }
            results[c] = sum(here[i + radius].of[c], around);
        }
        *reinterpret_cast<float4*>(out + ((plane + i) * side + row) * side + column) =
            make_float4(results[0], results[1], results[2], results[3]);
    }
}

template <int radius, class Edge, class Sum>
void star(const float* x, float* out, int side, Sum sum, cudaStream_t stream) {
    const dim3 blocks(quotient(side, 128), quotient(side, 8), quotient(side, 4));
    star_kernel<radius, Edge><<<blocks, dim3(32, 8), 0, stream>>>(x, out, side, sum);
    BENCH_CHECK(cudaGetLastError());
}

// Many rows and small matrices

constexpr int m = 2, n = 4, p = 5, products_of_block = 128;

__global__ void __launch_bounds__(threads) products_kernel(const double* a, const double* b, double* c, int count) {
    constexpr int a_vectors = products_of_block * m * n / 2, b_vectors = products_of_block * n * p / 2;
    constexpr int results = products_of_block * m * p;
    __shared__ double2 as[a_vectors], bs[b_vectors];
    const std::int64_t first = std::int64_t{blockIdx.x} * products_of_block;
    const int here = static_cast<int>(min(std::int64_t{products_of_block}, count - first));
    const auto* a_here = reinterpret_cast<const double2*>(a + first * m * n);
    const auto* b_here = reinterpret_cast<const double2*>(b + first * n * p);
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int i = thread; i < a_vectors; i += threads)
        if (i < here * m * n / 2) as[i] = a_here[i];
#pragma unroll
    for (int i = thread; i < b_vectors; i += threads)
        if (i < here * n * p / 2) bs[i] = b_here[i];
    __syncthreads();
#pragma unroll
    for (int i = thread; i < results; i += threads) {
        if (i >= here * m * p) break;
        const double* left = reinterpret_cast<const double*>(as) + i / p * n;
        const double* right = reinterpret_cast<const double*>(bs) + i / (m * p) * n * p + i % p;
        double sum = 0;
#pragma unroll
        for (int k = 0; k < n; ++k) sum += left[k] * right[k * p];
        c[first * m * p + i] = sum;
    }
}

__global__ void norms_kernel(const float4* x, float* norms, std::int64_t vectors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    const float4 own = i < vectors ? x[i] : make_float4(0, 0, 0, 0);
    float sum = own.x * own.x + own.y * own.y + own.z * own.z + own.w * own.w;
#pragma unroll
    for (unsigned int apart = 4; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 8 == 0 && i < vectors) norms[i / 8] = sqrtf(sum);
}

__global__ void __launch_bounds__(threads) cholesky_kernel(const float4* a, float4* l, int count) {
    const int row = static_cast<int>(threadIdx.x % 16);
    const std::int64_t matrix = std::int64_t{blockIdx.x} * (threads / 16) + threadIdx.x / 16;
    const bool is_there = matrix < count;  // all threads of a warp take part in what it exchanges
    float own[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float4 part = is_there ? a[matrix * 64 + row * 4 + i] : make_float4(0, 0, 0, 0);
        own[4 * i] = part.x, own[4 * i + 1] = part.y, own[4 * i + 2] = part.z, own[4 * i + 3] = part.w;
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        const float root = sqrtf(__shfl_sync(~0u, own[k], k, 16));
        own[k] = row == k ? root : row > k ? own[k] / root : 0;
#pragma unroll
        for (int j = k + 1; j < 16; ++j) own[j] -= own[k] * __shfl_sync(~0u, own[k], j, 16);
    }
    if (!is_there) return;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        l[matrix * 64 + row * 4 + i] = make_float4(own[4 * i], own[4 * i + 1], own[4 * i + 2], own[4 * i + 3]);
}

__global__ void fill_definite_kernel(float* a, std::int64_t all) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < all;
         i += std::int64_t{gridDim.x} * threads) {
        const std::int64_t row = i / 16 % 16, column = i % 16, matrix = i / 256;
        const std::int64_t place = matrix * 256 + (row < column ? row * 16 + column : column * 16 + row);
        const float noise = static_cast<float>(noise_at(place) >> 8) * 0x1p-24f;
        a[i] = row == column ? 16 + noise : noise;
    }
}

}  // namespace

void transpose_by_hand(const float* x, float* turned, int rows, int columns, int tile, cudaStream_t stream) {
    const dim3 blocks(quotient(columns, tile), quotient(rows, tile));
    if (tile == 64)
        transpose_kernel<64><<<blocks, dim3(32, 8), 0, stream>>>(x, turned, rows, columns);
    else
        transpose_kernel<32><<<blocks, dim3(32, 8), 0, stream>>>(x, turned, rows, columns);
    BENCH_CHECK(cudaGetLastError());
}

void product_of_tiles_by_hand(const float* x, const float* y, float* z, int side, cudaStream_t stream) {
    const unsigned int tiles = quotient(side, 32);
    product_of_tiles_kernel<<<dim3(tiles, tiles), dim3(32, 32), 0, stream>>>(x, y, z, side);
    BENCH_CHECK(cudaGetLastError());
}

void product_by_hand(const float* x, const float* y, float* z, int side, cudaStream_t stream) {
    const unsigned int tiles = quotient(side, 128);
    product_kernel<<<dim3(tiles, tiles), 256, 0, stream>>>(x, y, z, side);
    BENCH_CHECK(cudaGetLastError());
}

void five_point_by_hand(const double* x, double* out, int rows, int columns, cudaStream_t stream) {
    const dim3 blocks(quotient(columns, 64), quotient(rows, 32));
    five_point_kernel<<<blocks, dim3(32, 8), 0, stream>>>(x, out, rows, columns);
    BENCH_CHECK(cudaGetLastError());
}

void seven_point_by_hand(const float* x, float* out, int side, cudaStream_t stream) {
    star<1, zeros>(
        x, out, side, [] __device__(float own, const float* around) { return own + 0.1f * (around[0] - 6 * own); },
        stream);
}

void thirteen_point_by_hand(const float* x, float* out, int side, cudaStream_t stream) {
    star<2, wrapped>(
        x, out, side,
        [] __device__(float own, const float* around) {
            return own + 0.05f * (16 * around[0] - around[1] - 90 * own) / 12;
        },
        stream);
}

void five_point_steps_by_hand(const double* x, double* other, double* out, int rows, int columns, int steps,
                              cudaStream_t stream) {
    const double* from = x;
    for (int left = steps - 1; left >= 0; --left) {
        double* const to = left % 2 ? other : out;
        five_point_by_hand(from, to, rows, columns, stream);
        from = to;
    }
}

void products_by_hand(const double* a, const double* b, double* c, int count, cudaStream_t stream) {
    products_kernel<<<quotient(count, products_of_block), threads, 0, stream>>>(a, b, c, count);
    BENCH_CHECK(cudaGetLastError());
}

void norms_by_hand(const float* x, float* norms, int rows, cudaStream_t stream) {
    const std::int64_t vectors = std::int64_t{rows} * 8;
    norms_kernel<<<quotient(vectors, threads), threads, 0, stream>>>(reinterpret_cast<const float4*>(x), norms,
                                                                     vectors);
    BENCH_CHECK(cudaGetLastError());
}

void cholesky_by_hand(const float* a, float* l, int count, cudaStream_t stream) {
    cholesky_kernel<<<quotient(count, threads / 16), threads, 0, stream>>>(reinterpret_cast<const float4*>(a),
                                                                           reinterpret_cast<float4*>(l), count);
    BENCH_CHECK(cudaGetLastError());
}

void fill_definite(float* a, int count) {
    fill_definite_kernel<<<2048, threads>>>(a, std::int64_t{count} * 256);
    BENCH_CHECK(cudaDeviceSynchronize());
}

}  // namespace bench
