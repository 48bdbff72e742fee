// tests/unit/runtime/pipeline_test.cpp: calls in chunks, on a fake GPU whose streams run in any order that events
// allow.
#include "pipeline.hpp"

#include "expect_error.hpp"
#include "small_chunks.hpp"
#include "test_kernels.hpp"

#include <foldwise/array.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using vec = std::vector<float>;

static CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x4000);
static constexpr std::size_t chunk_bytes = 3072;  // 256 elements of mix

static void mix_into(operand<const float> x, operand<const float> y, operand<float> out) {
    detail::vectorize(mix, {x.ref(), y.ref()}, {out.ref()}, cuda(some_stream));
}

static vec numbers(std::size_t n, float first) {
    vec made(n);
    std::iota(made.begin(), made.end(), first);
    return made;
}

static vec mixed(const vec& x, const vec& y) {
    vec made(x.size());
    std::transform(x.begin(), x.end(), y.begin(), made.begin(), mix_value);
    return made;
}

static auto times_in_log(const fake_gpu& gpu, const std::string& name) {
    return std::count(gpu.log().begin(), gpu.log().end(), name);
}

/// No chunk, one, one and a bit, as many as there are slots, and more.
static constexpr std::size_t sizes[] = {1, 255, 256, 257, 512, 1023, 1024, 1025, 1280, 5000};

TEST(Pipeline, ChunksComeTogetherInAnyOrderOfTheStreams) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        for (const std::size_t n : sizes) {
            const small_chunks limits(chunk_bytes, 2 + static_cast<int>(seed % 4));
            fake_gpu gpu;
            gpu.shuffle(seed);
            const vec x = numbers(n, 0), y = numbers(n, 5000);
            vec out(n + 1, -1);
            // Which of the three are pinned.
            if (seed & 1) gpu.pin(x.data(), n * 4);
            if (seed & 2) gpu.pin(y.data(), n * 4);
            if (seed & 4) gpu.pin(out.data(), n * 4);
            mix_into(x, y, std::span(out).first(n));
            EXPECT_EQ(out.back(), -1);
            out.pop_back();
            ASSERT_EQ(out, mixed(x, y)) << n << " elements, seed " << seed;
            EXPECT_EQ(times_in_log(gpu, "launch"), static_cast<std::ptrdiff_t>((n + 255) / 256));
        }
    }
}

TEST(Pipeline, InPlace) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const small_chunks limits(2048, 2 + static_cast<int>(seed % 4));
        fake_gpu gpu;
        gpu.shuffle(seed);
        vec x = numbers(3000, 0);
        const vec y = numbers(3000, 7), once = mixed(x, y);
        if (seed & 1) gpu.pin(x.data(), x.size() * 4);
        mix_into(x, y, x);
        ASSERT_EQ(x, once) << seed;
        mix_into(y, x, x);
        ASSERT_EQ(x, mixed(y, once)) << seed;
        mix_into(x, x, x);
        ASSERT_EQ(x, mixed(y, once)) << seed;
    }
}

TEST(Pipeline, ScalarsAndOperandsOnTheGpuTakePart) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const small_chunks limits(chunk_bytes);
        fake_gpu gpu;
        gpu.shuffle(seed);
        const vec x = numbers(2000, 0), y = numbers(2000, 9);
        vec out(2000);
        mix_into(x, 3.0f, out);
        ASSERT_EQ(out, mixed(x, vec(2000, 3)));
        const auto device = to_device(y, cuda(some_stream));
        foldwise::array<float> result(shape{2000}, cuda(some_stream));
        mix_into(device, x, out);
        ASSERT_EQ(out, mixed(y, x));
        mix_into(x, device, result);
        ASSERT_EQ(result.to_host(), mixed(x, y));
    }
}

TEST(Pipeline, SeveralOutputsOfSeveralSizes) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const small_chunks limits(1300);
        fake_gpu gpu;
        gpu.shuffle(seed);
        std::vector<std::int32_t> v(999);
        std::iota(v.begin(), v.end(), 10);
        std::vector<std::uint8_t> rest(999), expected_rest(999);
        std::vector<double> half(999), expected_half(999);
        split_elements(v.data(), expected_rest.data(), expected_half.data(), 999);
        detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                          {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cuda());
        ASSERT_EQ(rest, expected_rest);
        ASSERT_EQ(half, expected_half);
    }
}

static int place_cuda(const element_range& call, CUstream_st* stream) {
    auto* out = static_cast<std::int64_t*>(call.operands[0].data);
    const auto work = [=, n = call.count, first = call.first] { std::iota(out, out + n, first); };
    return fake_gpu::current().launch(work, stream);
}

TEST(Pipeline, KernelsKnowWhereTheirChunkIs) {
    static constexpr operand_info infos[] = {{"out", 8, 8}};
    static constexpr vectorize_kernel place{"test::place", infos, 0, 1, nullptr, place_cuda, nullptr, 1, nullptr};
    const small_chunks limits(800);
    fake_gpu gpu;
    std::vector<std::int64_t> out(1000), expected(1000);
    std::iota(expected.begin(), expected.end(), 0);
    detail::vectorize(place, {}, {operand<std::int64_t>(out).ref()}, cuda());
    EXPECT_EQ(out, expected);
}

TEST(Pipeline, ComesBehindWhatIsQueuedOnTheStream) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const small_chunks limits(chunk_bytes);
        fake_gpu gpu;
        gpu.shuffle(seed);
        const vec y = numbers(2000, 9);
        vec x(2000), out(2000);
        if (seed & 1) gpu.pin(x.data(), x.size() * 4);
        const auto device = to_device(numbers(2000, 1), cuda(some_stream));
        gpu.copy(x.data(), device.data(), x.size() * 4, detail::copy_direction::to_host, some_stream);
        mix_into(x, y, out);
        ASSERT_EQ(out, mixed(numbers(2000, 1), y));
    }
}

TEST(Pipeline, PinnedOperandsAreNeverWaitedForBetween) {
    const small_chunks limits(chunk_bytes);
    fake_gpu gpu;
    const vec x = numbers(5000, 0);
    vec out(5000);
    gpu.pin(x.data(), x.size() * 4);
    gpu.pin(out.data(), out.size() * 4);
    mix_into(x, x, out);
    EXPECT_EQ(times_in_log(gpu, "await"), 0);
    EXPECT_EQ(times_in_log(gpu, "allocate_pinned"), 0);
    EXPECT_EQ(out, x);
}

TEST(Pipeline, AWaitThatFailsIsNoWait) {
    const vec x = numbers(2000, 0), y = numbers(2000, 9);
    for (const bool is_pinned : {false, true})
        for (const char* const operation : {"synchronize", "await"})
            for (int n = 0;; ++n) {
                SCOPED_TRACE(operation + (" " + std::to_string(n)) + (is_pinned ? ", pinned" : ""));
                const small_chunks limits(chunk_bytes, 3);
                fake_gpu gpu;
                gpu.shuffle(static_cast<std::uint32_t>(n));
                vec out(2000);
                if (is_pinned)
                    for (const vec* one : {&x, &y, static_cast<const vec*>(&out)}) gpu.pin(one->data(), 2000 * 4);
                gpu.fail(operation, n, fake_gpu::launch_failed);
                bool threw = false;
                try {
                    mix_into(x, y, out);
                } catch (const device_error&) {
                    threw = true;
                }
                // Neither the caller's memory nor the ring's is in use any more, and the next call finds both free.
                ASSERT_EQ(gpu.queued_on_host(), 0u) << "copies are in flight when the call has ended";
                ASSERT_EQ(threw, gpu.has_failed());
                if (!threw) {
                    EXPECT_EQ(n == 0, is_pinned && operation == std::string("await")) << "there was no such wait";
                    break;
                }
                mix_into(x, y, out);
                ASSERT_EQ(out, mixed(x, y));
            }
}

TEST(Pipeline, SeveralChunksAreUnderWayBeforeTheFirstIsWaitedFor) {
    const small_chunks limits(chunk_bytes, 4);
    fake_gpu gpu;
    const vec x = numbers(5000, 0);
    vec out(5000);
    mix_into(x, 1.0f, out);
    const auto begin = gpu.log().begin(), wait = std::find(begin, gpu.log().end(), "await");
    EXPECT_EQ(std::count(begin, wait, "launch"), 3);
    EXPECT_EQ(std::count(begin, wait, "to_host"), 3);
}

TEST(Pipeline, MemoryIsBoundedAndPinnedOnce) {
    const small_chunks limits(chunk_bytes);
    fake_gpu gpu;
    const vec x = numbers(100'000, 0);
    vec out(x.size());
    for (int i = 0; i < 3; ++i) mix_into(x, x, out);
    EXPECT_EQ(times_in_log(gpu, "allocate_pinned"), 1);
    EXPECT_EQ(times_in_log(gpu, "allocate"), 3);
    EXPECT_LE(gpu.largest(), 4 * (chunk_bytes + 3 * detail::part_alignment));
}

TEST(Pipeline, SmallAndCapturedCallsGoWhole) {
    const small_chunks limits(chunk_bytes, 4, 12'000);
    fake_gpu gpu;
    vec x = numbers(1000, 0), y = numbers(1000, 3), out(1000);
    mix_into(std::span(x).first(999), std::span(y).first(999), std::span(out).first(999));
    EXPECT_EQ(times_in_log(gpu, "launch"), 1);
    gpu.numbers[some_stream] = {7, 1};
    mix_into(x, y, out);
    EXPECT_EQ(times_in_log(gpu, "launch"), 2);
    EXPECT_EQ(times_in_log(gpu, "record"), 0);
    gpu.numbers[some_stream] = {7, 0};
    mix_into(x, y, out);
    EXPECT_EQ(times_in_log(gpu, "launch"), 6);
    EXPECT_EQ(out, mixed(x, y));
}

/// Every operation fails once, early and late: an error, nothing lost (the fake GPU counts), nothing in flight that
/// touches the host's memory, and the next call works.
TEST(Pipeline, EveryFailureIsReportedAndCleanedUp) {
    const small_chunks limits(chunk_bytes);
    for (const std::string operation : {"allocate", "allocate_pinned", "make_stream", "make_event", "to_device",
                                        "launch", "to_host", "record", "follow", "await", "synchronize"}) {
        for (const int n : {0, 1, 2, 7}) {
            fake_gpu gpu;
            gpu.shuffle(static_cast<std::uint32_t>(n));
            const vec x = numbers(2500, 0), y = numbers(2500, 4);
            vec out(2500);
            gpu.fail(operation, n, fake_gpu::launch_failed);
            bool failed = false;
            try {
                mix_into(x, y, out);
            } catch (const device_error& e) {
                failed = true;
                EXPECT_NE(std::string(e.what()).find("fakeError719"), std::string::npos);
            }
            EXPECT_EQ(failed, times_in_log(gpu, operation) > n) << operation << ' ' << n;
            EXPECT_LE(gpu.queued(), 1u) << operation << ' ' << n << ": more than the GPU's memory is still to be freed";
            if (failed) mix_into(x, y, out);
            EXPECT_EQ(out, mixed(x, y)) << operation << ' ' << n;
        }
    }
}

TEST(Pipeline, MemoryThatRunsOutNamesTheKernel) {
    const small_chunks limits(chunk_bytes);
    fake_gpu gpu;
    const vec x = numbers(2500, 0);
    vec out(2500);
    gpu.fail("allocate_pinned", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([&] { mix_into(x, x, out); }, "test::mix", "12288 bytes of pinned memory");
    gpu.fail("allocate", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([&] { mix_into(x, x, out); }, "test::mix", "12288 bytes of GPU memory");
    EXPECT_EQ(out, vec(2500));
}

TEST(Pipeline, ThreadsTakeTurns) {
    const small_chunks limits(chunk_bytes);
    fake_gpu gpu;
    gpu.shuffle(3);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            const vec x = numbers(3000, static_cast<float>(i)), y = numbers(3000, 8);
            vec out(3000);
            for (int k = 0; k < 5; ++k) {
                std::fill(out.begin(), out.end(), 0.0f);
                mix_into(x, y, out);
                EXPECT_EQ(out, mixed(x, y));
            }
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(Pipeline, CopiesOfPageableMemoryAreStaged) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const small_chunks limits(500, 3);
        fake_gpu gpu;
        gpu.shuffle(seed);
        const vec x = numbers(3001, 2);
        const auto device = to_device(x, cuda(some_stream));
        ASSERT_EQ(device.to_host(), x);
        EXPECT_EQ(times_in_log(gpu, "allocate_pinned"), 1);
        EXPECT_EQ(times_in_log(gpu, "allocate"), 1) << "it has its place already";
    }
}

TEST(Pipeline, CopiesOfPinnedMemoryAreMadeAtOnce) {
    const small_chunks limits(500);
    fake_gpu gpu;
    const vec x = numbers(3001, 2);
    gpu.pin(x.data(), x.size() * 4);
    const auto device = to_device(x, cuda(some_stream));
    EXPECT_EQ(times_in_log(gpu, "to_device"), 1);
    EXPECT_EQ(device.to_host(), x);
}

TEST(Pipeline, StridedCallsCopyAllAndComputeAtOnce) {
    const small_chunks limits(chunk_bytes);
    fake_gpu gpu;
    vec x = numbers(40 * 50, 0), row = numbers(50, 3), out(40 * 50), expected(40 * 50);
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = mix_value(x[i], row[i % 50]);
    mix_into(view<float>(x.data(), {40, 50}), view<float>(row.data(), {1, 50}), view<float>(out.data(), {40, 50}));
    EXPECT_EQ(out, expected);
    EXPECT_EQ(times_in_log(gpu, "launch"), 1);
}
