// tests/unit/runtime/buffer_test.cpp: buffers that own memory, and the errors if there is none.
#include <foldwise/detail/buffer.hpp>

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <cstring>

using namespace foldwise;
using detail::buffer;

static CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x1000);
static const detail::memory_source on_host, on_gpu{{memory::cuda, 0}, nullptr, {}};

TEST(Buffer, HostMemoryIsAlignedToCacheLines) {
    for (std::size_t bytes : {1u, 63u, 64u, 4097u}) {
        const buffer memory(bytes, on_host);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0u);
        EXPECT_EQ(memory.bytes(), bytes);
        std::memset(memory.data(), 1, bytes);
    }
    EXPECT_EQ(buffer(0, on_host).data(), nullptr);
}

TEST(Buffer, HostMemoryThatIsNotThereIsOutOfMemory) {
    expect_error<out_of_memory>([] { buffer(std::size_t{1} << 49, on_host); }, "562949953421312 bytes");
    // As many addresses as an overcommitting system gives away, and more than machines have.
    expect_error<out_of_memory>([] { buffer(std::size_t{1} << 45, on_host); }, "35184372088832 bytes");
}

TEST(Buffer, GpuMemoryIsAllocatedAndFreedOnItsStream) {
    fake_gpu gpu;
    gpu.devices = 4;
    {
        const buffer memory(100, {{memory::cuda, 3}, some_stream, {}});
        EXPECT_TRUE(gpu.owns(memory.data()));
        EXPECT_EQ(memory.place(), (place{memory::cuda, 3}));
        EXPECT_EQ(buffer(0, {{memory::cuda, 3}, some_stream, {}}).data(), nullptr);
    }
    EXPECT_EQ(gpu.log(), (std::vector<std::string>{"allocate", "free"}));
    EXPECT_EQ(gpu.streams(), (std::vector<CUstream_st*>{some_stream, some_stream}));
}

TEST(Buffer, MovesOwnMemoryOnce) {
    fake_gpu gpu;
    buffer a(100, on_gpu);
    void* first = a.data();
    buffer b(std::move(a));
    EXPECT_EQ(b.data(), first);
    b = buffer(200, on_gpu);
    EXPECT_NE(b.data(), first);
    EXPECT_EQ(gpu.log(), (std::vector<std::string>{"allocate", "allocate", "free"}));
}

TEST(Buffer, GpuMemoryThatIsNotThereNamesBytesAndWhatIsFree) {
    fake_gpu gpu;
    expect_error<out_of_memory>([] { buffer(std::size_t{1} << 40, on_gpu); }, "1099511627776 bytes",
                                "1000 of 1073741824", "fakeError2");
    gpu.fail("allocate", 0, fake_gpu::launch_failed);
    expect_error<device_error>([] { buffer(8, on_gpu); }, "8 bytes", "fakeError719");
}

TEST(Buffer, WithoutAGpuSaysWhy) {
    expect_error<device_error>([] { buffer(8, on_gpu); }, "there is no GPU", "backend cuda");
    fake_gpu gpu;
    gpu.absent = "fakeNoDevice: the slot is empty";
    expect_error<device_error>([] { buffer(8, on_gpu); }, "there is no GPU: fakeNoDevice: the slot");
}
