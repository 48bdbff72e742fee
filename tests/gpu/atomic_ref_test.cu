// tests/gpu/atomic_ref_test.cu: std::atomic_ref on memory that all threads of the device share.
#include <foldwise/device/atomic.hpp>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

constexpr int blocks = 256, threads = 256, total = blocks * threads;

/// Runs a kernel on one array, which begins with zeros, and returns what is in it then.
template <class T> std::vector<T> run(void (*kernel)(T*), std::size_t size) {
    T* device = nullptr;
    std::vector<T> host(size);
    EXPECT_EQ(cudaMalloc(&device, size * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(device, 0, size * sizeof(T)), cudaSuccess);
    kernel<<<blocks, threads>>>(device);
    EXPECT_EQ(cudaMemcpy(host.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    return host;
}

__device__ int number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <class T> __global__ void count(T* cells) {
    const int i = number();
    std::atomic_ref(cells[i % 7]).fetch_add(T(1), std::memory_order_relaxed);
    std::atomic_ref(cells[7])++;
    std::atomic_ref(cells[8]) += T(2);
    std::atomic_ref(cells[8]).fetch_sub(T(1), std::memory_order_acq_rel);
    const std::atomic_ref most(cells[9]);
    T old = most.load(std::memory_order_relaxed);
    while (old < T(i) && !most.compare_exchange_weak(old, T(i), std::memory_order_relaxed)) {
    }
}

template <class T> class Counts : public testing::Test {};
using types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Counts, types);

TYPED_TEST(Counts, AreComplete) {
    const std::vector<TypeParam> cells = run<TypeParam>(count<TypeParam>, 10);
    for (int k = 0; k < 7; ++k) EXPECT_EQ(cells[static_cast<std::size_t>(k)], TypeParam(total / 7 + (k < total % 7)));
    EXPECT_EQ(cells[7], TypeParam(total));
    EXPECT_EQ(cells[8], TypeParam(total));
    EXPECT_EQ(cells[9], TypeParam(total - 1));
}

__global__ void set_bits(std::uint64_t* words) {
    const int i = number();
    std::atomic_ref(words[i / 64 % 8]) |= std::uint64_t{1} << i % 64;
    std::atomic_ref(words[8]).fetch_xor(1u);
    std::atomic_ref(words[9]).fetch_and(0u);
}
TEST(Bits, AreSet) {
    const std::vector<std::uint64_t> words = run<std::uint64_t>(set_bits, 10);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(words[k], ~std::uint64_t{0});
    EXPECT_EQ(words[8], 0u);
    EXPECT_EQ(words[9], 0u);
}

/// A lock of an exchange to acquire and a store to release; what it guards is not atomic.
__global__ void guarded(std::int32_t* cells) {
    if (threadIdx.x != 0) return;
    const std::atomic_ref lock(cells[0]);
    for (int k = 0; k < 20; ++k) {
        while (lock.exchange(1, std::memory_order_acquire) != 0) {
        }
        volatile std::int32_t* sum = cells + 64;
        *sum = *sum + 1;
        lock.store(0, std::memory_order_release);
    }
}
TEST(Orders, GuardWhatIsNotAtomic) { EXPECT_EQ(run<std::int32_t>(guarded, 65)[64], blocks * 20); }

__global__ void links(std::uint64_t* cells) {
    // Each thread puts itself in front of a chain of all.
    auto** head = reinterpret_cast<std::uint64_t**>(cells);
    std::uint64_t* mine = cells + 1 + number();
    *mine = reinterpret_cast<std::uint64_t>(std::atomic_ref(*head).exchange(mine, std::memory_order_relaxed));
}
TEST(Pointers, AreExchanged) {
    const std::vector<std::uint64_t> cells = run<std::uint64_t>(links, total + 1);
    std::size_t ends = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) ends += cells[i] == 0;
    EXPECT_EQ(ends, 1u);
    EXPECT_NE(cells[0], 0u);
}

/// A thread's own variables.
__global__ void own(std::int32_t* cells) {
    std::int32_t values[16];
    for (int k = 0; k < 16; ++k) values[k] = k;
    for (int k = 0; k < 100; ++k) {
        const std::atomic_ref value(values[(number() + k * 5) % 16]);
        std::int32_t expected = value.load();
        value.fetch_add(1);
        if (value.compare_exchange_strong(expected, 0)) value.store(1000);
        value ^= 0;
    }
    std::int32_t sum = 0;
    for (const std::int32_t value : values) sum += value;
    if (sum == 100 + 120) std::atomic_ref(cells[0]).fetch_add(1);
}
TEST(Own, IsAsAnyVariable) { EXPECT_EQ(run<std::int32_t>(own, 1)[0], total); }

}  // namespace
