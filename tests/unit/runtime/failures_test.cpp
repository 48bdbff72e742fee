// tests/unit/runtime/failures_test.cpp: every operation of a GPU fails, one after the other, and every allocation on
// the heap. Each call then throws what is documented, leaks nothing, and the next one is right.
#include "forall/test_tasks.hpp"
#include "heap.hpp"
#include "small_chunks.hpp"
#include "test_kernels.hpp"

#include <foldwise/array.hpp>
#include <foldwise/detail/reduce.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <map>
#include <new>
#include <optional>
#include <string>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using test_tasks::read;
using test_tasks::written;
using vec = std::vector<float>;

namespace {

CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x1000);
CUstream_st* const captured_stream = reinterpret_cast<CUstream_st*>(0x2000);
CUstream_st* const stream_of_1 = reinterpret_cast<CUstream_st*>(0x3000);

constexpr std::size_t count = 2000, few = 90;

/// The sum of all, or, of a call with axes, of each column.
int sum_on_cuda(const detail::reduce_call& call, CUstream_st* stream) {
    const auto* x = static_cast<const float*>(call.elements.operands[0].data);
    auto* out = static_cast<float*>(call.elements.operands[1].data);
    EXPECT_TRUE(fake_gpu::current().owns(call.workspace.counters));
    const bool has_columns = call.elements.layout && call.kept == 1;
    const std::int64_t columns = has_columns ? call.elements.layout->extents[0] : 1;
    const auto work = [=, elements = call.elements.count] {
        for (std::int64_t i = 0; i < columns; ++i) {
            out[i] = 0;
            for (std::int64_t at = i; at < elements; at += columns) out[i] += x[at];
        }
    };
    return fake_gpu::current().launch(work, stream);
}
constexpr detail::operand_info sum_operands[] = {{"x", 4, 4}, {"out", 4, 4}};
constexpr detail::reduce_kernel sum{"test::sum", sum_operands, 1,           sizeof(float), true,
                                    true,        nullptr,      sum_on_cuda, nullptr};

/// A memory resource of the user's. What it has is the fake's, which notices what is not given back.
struct users_pool {
    void* allocate(CUstream_st* stream, std::size_t bytes, std::size_t) {
        void* data = nullptr;
        if (fake_gpu::current().allocate(data, bytes, stream, pool)) throw std::bad_alloc();
        return data;
    }
    void deallocate(CUstream_st* stream, void* data, std::size_t, std::size_t) {
        fake_gpu::current().free(data, stream);
    }
    static inline auto* const pool = reinterpret_cast<CUmemPoolHandle_st*>(0x70);
};

using own_work = interpose::own_allocations;

/// Everything that is calculated.
struct results {
    vec mixed, of_chunks, strided, copied, gathered, from_pinned, columns, twice, turned, rows, sums, of_resource,
        of_default, in_graph, managed, of_peer;
    float total = 0, of_host = 0, total_of_resource = 0, total_of_default = 0, total_of_peers = 0;

    /// Room for what calls write into the host's memory.
    results() {
        const own_work mine;
        for (vec* one : {&of_chunks, &from_pinned, &rows}) one->resize(count);
        for (vec* one : {&copied, &strided, &turned}) one->resize(few);
        columns.resize(40);
        sums.assign(100, 1);
    }
    friend bool operator==(const results&, const results&) = default;
};

void mix_into(operand<const float> x, operand<const float> y, operand<float> out, const executor& on) {
    detail::vectorize(mix, {x.ref(), y.ref()}, {out.ref()}, on);
}

float total_of(operand<const float> x, const executor& on) {
    return detail::reduce_to_value<float>(sum, {x.ref()}, {.initial = nullptr, .executor = &on});
}

/// Takes the default resource's place, and gives it back however the scope ends.
class users_default {
  public:
    explicit users_default(const resource& users) : before_(set_default_resource(users)) {}
    users_default(const users_default&) = delete;
    ~users_default() { set_default_resource(before_); }

  private:
    resource before_;
};

/// Calls of every kind, on a GPU and, where `fake` stands for two, on the other one.
class scenario {
  public:
    scenario() : x_(count), y_(count), small_(few), scale_(100, 2), users_(users_pool()) {
        for (std::size_t i = 0; i < count; ++i) {
            x_[i] = static_cast<float>(i % 61);
            y_[i] = static_cast<float>(i % 17) + 1;
        }
        for (std::size_t i = 0; i < few; ++i) small_[i] = static_cast<float>(i);
    }

    results calculate(fake_gpu& fake) const {
        const small_chunks limits(8192, 3, 1000);
        results all;
        elementwise(all);
        reductions(all);
        tasks(all);
        memory_of_the_users(all);
        in_a_graph(fake, all);
        if (fake.devices > 1) on_the_other(all);
        return all;
    }

  private:
    void elementwise(results& all) const {
        const executor on = cuda(some_stream);
        const auto x = to_device(x_, on), y = to_device(y_, on), s = to_device(small_, on);
        const auto out = detail::result<float>(mix, {operand<const float>(x).ref(), operand<const float>(y).ref()}, on);
        mix_into(x, y, const_cast<array<float>&>(out), on);
        all.mixed = out.to_host();
        mix_into(x_, y_, all.of_chunks, on);
        mix_into(small_, 2.0f, all.copied, on);
        const auto wide = host(small_.data(), {few / 9, 9});
        mix_into(wide.slice(1, 8, -1, -2), 1.0f, host(all.strided.data(), {few / 9, 9}).slice(1, 0, 9, 2), on);
        all.gathered = to_host(s.reshape(shape{few / 9, 9}).transpose(), some_stream);
        array<float> pinned(shape{count}, cpu(pinned_memory()));
        std::copy(x_.begin(), x_.end(), pinned.data());
        mix_into(pinned, y_, pinned, on);
        std::copy(pinned.data(), pinned.data() + count, all.from_pinned.begin());
    }

    void reductions(results& all) const {
        const executor on = cuda(some_stream);
        const auto x = to_device(x_, on);
        array<float> out(shape{1}, on);
        detail::reduce(sum, {operand<const float>(x).ref()}, operand<float>(out).ref(), {.executor = &on});
        all.total = out.to_host()[0] + total_of(x, on);
        all.of_host = total_of(x_, on) + total_of(host(small_.data(), {few / 9, 9}).slice(1, 0, 9, 2), on);
        detail::reduce_along(sum, {operand<const float>(host(x_.data(), {count / 40, 40})).ref()},
                             operand<float>(all.columns).ref(), axis(0), {.executor = &on});
    }

    void tasks(results& all) const {
        const executor on = cuda(some_stream);
        const auto x = to_device(x_, on);
        array<float> out(shape{count}, on);
        test_tasks::run<1>(test_tasks::twice, count, {read(x), written(out)}, on);
        all.twice = out.to_host();
        test_tasks::run<1>(test_tasks::sometimes, count, {read(x_), written(all.twice)}, on);
        test_tasks::run<2>(test_tasks::turn, shape{few / 9, 9},
                           {read(host(small_.data(), {few / 9, 9})), written(host(all.turned.data(), {9, few / 9}))},
                           on);
        constexpr std::int64_t height = 100, width = 20;
        test_tasks::run<2>(test_tasks::rows, shape{height, width},
                           {read(host(x_.data(), {height, width})), read(scale_),
                            written(host(all.rows.data(), {height, width})), written(all.sums)},
                           on);
    }

    void memory_of_the_users(results& all) const {
        const executor on = cuda(some_stream, users_);
        const auto x = to_device(x_, on);
        array<float> out(shape{count}, on);
        mix_into(x, y_, out, on);
        all.of_resource = out.to_host();
        all.total_of_resource = total_of(x, on);
        const array<float> managed(shape{few}, cuda(some_stream, managed_memory()));
        mix_into(small_, small_, const_cast<array<float>&>(managed), on);
        all.managed = managed.to_host();
        const users_default now(users_);
        const auto y = to_device(y_, cuda(some_stream));
        all.of_default = y.to_host();
        all.total_of_default = total_of(y, cuda(some_stream));
    }

    void in_a_graph(fake_gpu& fake, results& all) const {
        const executor on = cuda(captured_stream);
        const auto x = to_device(x_, on);
        array<float> out(shape{1}, on);
        static std::uint64_t captures = 0;
        struct capture {
            explicit capture(fake_gpu& fake_) : fake(fake_) {
                const own_work mine;
                fake.numbers[captured_stream] = {7, ++captures};
            }
            ~capture() {
                fake.end_graph(captures);
                fake.numbers.erase(captured_stream);
            }
            fake_gpu& fake;
        } graph(fake);
        detail::reduce(sum, {operand<const float>(x).ref()}, operand<float>(out).ref(), {.executor = &on});
        all.in_graph = out.to_host();
    }

    void on_the_other(results& all) const {
        const auto x = to_device(x_, cuda(1, stream_of_1)), peer = to_device(x, cuda(some_stream));
        array<float> out(shape{count}, cuda(1, stream_of_1));
        mix_into(x, y_, out, cuda(1, stream_of_1));
        all.of_peer = out.to_host();
        all.total_of_peers = total_of(x, cuda(stream_of_1)) + total_of(peer, cuda(some_stream));
    }

    vec x_, y_, small_, scale_;
    resource users_;
};

/// A fake of so many GPUs, with its streams.
struct machine {
    explicit machine(int devices) {
        fake.devices = devices;
        fake.owners = {{some_stream, 0}, {captured_stream, 0}, {stream_of_1, 1}};
        if (devices == 1) fake.owners.erase(stream_of_1);
    }
    fake_gpu fake;
};

enum class ending { right, wrong, out_of_memory, device_error, bad_alloc, other };

struct outcome {
    ending how = ending::other;
    std::string error;
};

template <class Run> outcome ending_of(const Run& run, const results& expected) {
    try {
        return {run() == expected ? ending::right : ending::wrong, ""};
    } catch (const out_of_memory& e) {
        return {ending::out_of_memory, e.what()};
    } catch (const device_error& e) {
        return {ending::device_error, e.what()};
    } catch (const std::bad_alloc& e) {
        return {ending::bad_alloc, e.what()};
    } catch (const std::exception& e) {
        return {ending::other, e.what()};
    }
}

class Failures : public testing::TestWithParam<int> {
  protected:
    /// The memory of fakes, megabytes in each of a thousand, remains the process's: the system has to clear new pages.
    static void SetUpTestSuite() {
#ifdef __GLIBC__
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    }

    results expected() const {
        machine gpus(GetParam());
        return calls.calculate(gpus.fake);
    }

    /// What every call leaves behind that has failed.
    void expect_clean(machine& gpus, const results& expected) const {
        EXPECT_TRUE(gpus.fake.device == 0 || GetParam() > 1);
        gpus.fake.device = 0;  // should CUDA not have said which one to bring back
        EXPECT_EQ(default_resource(memory::cuda), stream_ordered_memory());
        gpus.fake.finish();
        EXPECT_EQ(gpus.fake.queued(), 0u);
        EXPECT_EQ(calls.calculate(gpus.fake), expected) << "the next calls are wrong";
    }

    const scenario calls;
};
INSTANTIATE_TEST_SUITE_P(Gpus, Failures, testing::Values(1, 2));

/// Whether a call can do without this operation: memory that is not known to be pinned is only copied more slowly. Nor
/// is anybody told of a GPU that was not made current again, nor of memory that was not given back, which a wait comes
/// before if it is managed memory.
bool is_dispensable(const std::string& operation) {
    return operation == "is_pinned" || operation == "current_device" || operation == "free" ||
           operation == "free_managed" || operation == "memory_info" || operation == "synchronize";
}

TEST_P(Failures, OfEachOperationOfTheGpu) {
    const results right = expected();
    std::map<std::string, int> calls_made;
    {
        machine gpus(GetParam());
        ASSERT_EQ(calls.calculate(gpus.fake), right);
        calls_made = gpus.fake.calls();
    }
    int points = 0;
    for (const auto& [operation, times] : calls_made) {
        if (operation == "set_device")
            continue;  // half of these bring a GPU back, and what then works on another fails
        for (const int status : {fake_gpu::out_of_memory, fake_gpu::launch_failed}) {
            for (int n = 0; n < times; ++n) {
                SCOPED_TRACE(operation + " " + std::to_string(n) + ", status " + std::to_string(status));
                machine gpus(GetParam());
                // Streams that go on by themselves, so that waiting for one of them is no wait for the others.
                if (operation == "synchronize" || operation == "await")
                    gpus.fake.shuffle(static_cast<std::uint32_t>(n));
                gpus.fake.fail(operation, n, status);
                const outcome found = ending_of([&] { return calls.calculate(gpus.fake); }, right);
                ASSERT_TRUE(gpus.fake.has_failed());
                // A wait that has failed has waited for nothing: what the host has read or freed by now was not waited
                // for.
                EXPECT_EQ(gpus.fake.queued_on_host(), 0u) << "copies still use memory that is the host's again";
                ++points;
                if (found.how == ending::right)
                    EXPECT_TRUE(is_dispensable(operation)) << "nothing was thrown";
                else if (status == fake_gpu::out_of_memory || operation == "allocate_from_pool")
                    EXPECT_EQ(found.how, ending::out_of_memory) << found.error;
                else
                    EXPECT_EQ(found.how, ending::device_error) << found.error;
                expect_clean(gpus, right);
                if (HasFailure()) return;
            }
        }
    }
    EXPECT_GT(points, 200);
    std::cout << points << " operations failed, one by one\n";
}

TEST(FailuresOfTwoGpus, WhereOneCannotBeMadeCurrent) {
    machine gpus(2);
    const vec x(few, 1);
    gpus.fake.fail("set_device", 0, fake_gpu::launch_failed);
    EXPECT_THROW(to_device(x, cuda(1, stream_of_1)), device_error);
    EXPECT_EQ(gpus.fake.device, 0);
    EXPECT_EQ(to_device(x, cuda(1, stream_of_1)).to_host(), x);
}

/// The fake's memory always suffices, and the test's.
bool is_exempt() { return fake_gpu::is_inside() || own_work::is_under_way(); }

std::uint64_t fail_each_allocation(const scenario& calls, int devices, const results& right,
                                   std::uint64_t count_failing) {
    for (std::uint64_t n = 0;; ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        const std::int64_t before = interpose::heap_blocks();
        std::uint64_t numbered = 0;
        {
            machine gpus(devices);
            std::optional<results> made;
            const outcome found = ending_of(
                [&] {
                    interpose::failing_heap failing({.first = n, .count = count_failing, .is_exempt = is_exempt});
                    try {
                        made.emplace(calls.calculate(gpus.fake));
                    } catch (...) {
                        numbered = failing.stop();
                        throw;
                    }
                    numbered = failing.stop();
                    return *made;
                },
                right);
            if (numbered <= n) {
                EXPECT_EQ(found.how, ending::right) << found.error;
                return n;
            }
            // What has no memory for its message either is the plain std::bad_alloc.
            EXPECT_TRUE(found.how == ending::out_of_memory || (count_failing > 1 && found.how == ending::bad_alloc))
                << static_cast<int>(found.how) << found.error;
            gpus.fake.device = 0;
            EXPECT_EQ(default_resource(memory::cuda), stream_ordered_memory());
            gpus.fake.synchronize(some_stream);
            EXPECT_EQ(calls.calculate(gpus.fake), right);
        }
        EXPECT_EQ(interpose::heap_blocks(), before) << "something was leaked";
        if (testing::Test::HasFailure()) return n;
    }
}

TEST_P(Failures, OfEachAllocationOnTheHeap) {
    const results right = expected();
    const std::uint64_t points = fail_each_allocation(calls, GetParam(), right, 1);
    EXPECT_GT(points, 50u);
    std::cout << points << " allocations failed, one by one\n";
    EXPECT_GT(fail_each_allocation(calls, GetParam(), right, UINT64_MAX), 50u);
}

}  // namespace
