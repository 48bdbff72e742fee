// tests/unit/runtime/copy_test.cpp: copies of strided views of memory on the host and on a GPU.
#include <foldwise/detail/copy.hpp>

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/array.hpp>
#include <foldwise/copy.hpp>
#include <foldwise/error.hpp>

#include <numeric>
#include <vector>

using namespace foldwise;

static std::vector<int> counted(std::size_t n) {
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    return v;
}

/// Rows 3 and 1 of a (4, 6) array, columns 5, 3 and 1.
static const std::vector<int> expected_part{23, 21, 19, 11, 9, 7};
static view<const int> part_of(const view<const int>& whole) { return whole.slice(0, 3, 0, -2).slice(1, 5, 0, -2); }

TEST(Copy, GathersStridedHostMemory) {
    const std::vector<int> data = counted(24);
    EXPECT_EQ(to_host(part_of({data.data(), {4, 6}})), expected_part);
    EXPECT_TRUE(to_host(view<const int>(data.data(), shape{24}).slice(0, 4, 4)).empty());
    // Stride zero repeats.
    EXPECT_EQ(to_host(view<const int>(data.data() + 5, {{2, 2}, {0, 1}}, {})), (std::vector<int>{5, 6, 5, 6}));
    EXPECT_EQ(to_host(view<const int>(data.data() + 5, shape{})), std::vector<int>{5});
}

TEST(Copy, GathersStridedGpuMemory) {
    fake_gpu gpu;
    const array<int> device = to_device(counted(24), cuda()).reshape({4, 6});
    EXPECT_EQ(to_host(part_of(device)), expected_part);
    const array<int> again = to_device(part_of(device), cuda());
    EXPECT_EQ(again.place().kind, memory::cuda);
    EXPECT_EQ(again.shape(), (shape{2, 3}));
    EXPECT_EQ(again.to_host(), expected_part);
}

TEST(Copy, ContiguousGpuMemoryStaysThere) {
    fake_gpu gpu;
    const array<int> device = to_device(counted(24), cuda());
    gpu.forget_log();
    const array<int> copy = to_device(device, cuda());
    EXPECT_EQ(gpu.log(), (std::vector<std::string>{"synchronize", "allocate", "on_device", "synchronize"}));
    EXPECT_EQ(copy.to_host(), counted(24));
}

TEST(Copy, ReadsHostMemoryBehindWhatIsQueued) {
    fake_gpu gpu;
    auto* const stream = reinterpret_cast<CUstream_st*>(0x1000);
    std::vector<int> data(10, 0);
    gpu.reads_early = true;
    gpu.launch([&data] { data.assign(10, 7); }, stream);
    EXPECT_EQ(to_device(data, cuda(stream)).to_host(), std::vector<int>(10, 7));
}

TEST(Copy, FailuresSayHowManyBytesAndWhichWay) {
    fake_gpu gpu;
    gpu.fail("to_device", 0, fake_gpu::launch_failed);
    expect_error<device_error>([] { return to_device(counted(10), cuda()); }, "40 bytes to the GPU", "fakeError719");
    const array<int> device = to_device(counted(10), cuda());
    gpu.fail("synchronize", 0, fake_gpu::launch_failed);
    expect_error<device_error>([&] { return device.to_host(); }, "40 bytes from the GPU", "fakeError719");
}

TEST(Copy, IntoWhatExists) {
    fake_gpu gpu;
    gpu.devices = 2;
    const std::vector<int> data = counted(6);
    array<int> device({2, 3}, cuda());
    copy(data, device);  // of one axis: the number of elements counts
    std::vector<int> back(6);
    copy(device, back);
    EXPECT_EQ(back, data);
    array<int> other({2, 3}, cuda(1));
    copy(device, other);
    EXPECT_EQ(other.to_host(), data);
    int table[2][3] = {};
    copy(other, table);
    EXPECT_EQ(table[1][2], 5);
}

TEST(Copy, IntoStridedMemory) {
    fake_gpu gpu;
    gpu.devices = 2;
    std::vector<int> table(12, -1);
    const std::vector<int> column{7, 8, 9}, expected{-1, 7, -1, -1, -1, 8, -1, -1, -1, 9, -1, -1};
    copy(column, view<int>(table.data(), {3, 4}).slice(1, 1, 2));
    EXPECT_EQ(table, expected);
    array<int> device = full({3, 4}, -1, cuda());
    copy(column, device.slice(1, 1, 2));
    EXPECT_EQ(device.to_host(), expected);
    array<int> elsewhere = full({4, 3}, 0, cuda(1));
    copy(device.transpose(), elsewhere);
    EXPECT_EQ(elsewhere.to_host(), to_host(device.transpose()));
    copy(elsewhere.transpose(), device);
    EXPECT_EQ(device.to_host(), expected);
}

TEST(Copy, OfOverlappingMemory) {
    std::vector<int> line = counted(8);
    const view<int> all(line.data(), shape{8});
    copy(all.slice(0, 0, 7), all.slice(0, 1, 8));
    EXPECT_EQ(line, (std::vector<int>{0, 0, 1, 2, 3, 4, 5, 6}));
    copy(all.slice(0, 7, -1, -1), all);  // backwards onto itself
    EXPECT_EQ(line, (std::vector<int>{6, 5, 4, 3, 2, 1, 0, 0}));
}

TEST(Copy, RefusesOtherShapes) {
    array<int> table({2, 3}, cpu());
    const std::string text = "a copy: the destination has shape (2, 3), and the source has shape ";
    expect_error<shape_error>([&] { copy(std::vector<int>(5), table); }, text + "(5)");
    expect_error<shape_error>([&] { copy(array<int>({3, 2}, cpu()), table); }, text + "(3, 2)");
}
