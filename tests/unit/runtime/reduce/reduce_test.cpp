// tests/unit/runtime/reduce/reduce_test.cpp: calls of reductions: the order of combining, copies between the host and
// GPUs, and errors.
#include <foldwise/detail/reduce.hpp>

#include "expect_error.hpp"
#include "fake_gpu.hpp"
#include "result_slots.hpp"

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/layout.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace foldwise;
using detail::reduce_call;
using detail::reduce_kernel;
using detail::reduce_on_cpu;
using detail::result_slot;
using log_of = std::vector<std::string>;
using ints = std::vector<std::int32_t>;

static CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x5000);

namespace {

/// The elements 10 x + y as a number's digits to the base 1009, modulo 2^64: order shows, and so does each element.
struct digits {
    std::uint64_t scale = 1, value = 0;
};
digits digit(std::int32_t x, std::int32_t y) { return {1009, static_cast<std::uint64_t>(10 * x + y)}; }
digits joined(digits a, digits b) { return {a.scale * b.scale, a.value * b.scale + b.value}; }

void fold_rows(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
               const detail::fold_position&, void* accumulators) {
    const auto* x = static_cast<const std::int32_t*>(operands[0]);
    const auto* y = static_cast<const std::int32_t*>(operands[1]);
    for (std::int64_t row = 0; row < rows; ++row, x += steps[0], y += steps[1]) {
        digits all = digit(x[0], y[0]);
        for (std::int64_t i = 1; i < count; ++i) all = joined(all, digit(x[i], y[i]));
        static_cast<digits*>(accumulators)[row] = all;
    }
}
void fold_columns(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
                  const detail::fold_position&, void* accumulators) {
    const auto* x = static_cast<const std::int32_t*>(operands[0]);
    const auto* y = static_cast<const std::int32_t*>(operands[1]);
    for (std::int64_t i = 0; i < count; ++i) {
        digits all = digit(x[i], y[i]);
        for (std::int64_t row = 1; row < rows; ++row)
            all = joined(all, digit(x[row * steps[0] + i], y[row * steps[1] + i]));
        static_cast<digits*>(accumulators)[i] = all;
    }
}
void join(void* first, const void* second, std::int64_t count) {
    auto* a = static_cast<digits*>(first);
    for (std::int64_t i = 0; i < count; ++i) a[i] = joined(a[i], static_cast<const digits*>(second)[i]);
}
void identity(void* accumulator) {
    const digits none;
    std::memcpy(accumulator, &none, sizeof none);
}
void finish(const void* accumulators, void* results, std::int64_t count, std::int64_t step) {
    for (std::int64_t i = 0; i < count; ++i)
        static_cast<std::uint64_t*>(results)[i * step] = static_cast<const digits*>(accumulators)[i].value;
}

/// An operand as its launch describes it, its elements not read yet.
struct late_operand {
    late_operand(const detail::element_range& call, int number) {
        const detail::operand_address& operand = call.operands[number];
        data = static_cast<const std::int32_t*>(operand.data);
        if (operand.is_scalar) scalar = *data;
        is_scalar = operand.is_scalar;
        if (!call.layout) return;
        extents.assign(call.layout->extents, call.layout->extents + call.layout->rank);
        strides.assign(call.layout->strides[number], call.layout->strides[number] + call.layout->rank);
    }
    std::int32_t operator[](std::int64_t i) const {
        if (is_scalar) return scalar;
        if (extents.empty()) return data[i];
        std::int64_t offset = 0;
        for (std::size_t axis = extents.size(); axis-- > 0; i /= extents[axis])
            offset += i % extents[axis] * strides[axis];
        return data[offset];
    }
    const std::int32_t* data;
    std::int32_t scalar = 0;
    bool is_scalar;
    std::vector<std::int64_t> extents, strides;
};

/// What the kernel does when it runs; `mark` is added to the result.
std::function<void()> work_of(const reduce_call& call, std::uint64_t mark) {
    const digits begin = call.initial ? *static_cast<const digits*>(call.initial) : digits{};
    return [=, x = late_operand(call.elements, 0), y = late_operand(call.elements, 1), count = call.elements.count,
            out = static_cast<std::uint64_t*>(call.elements.operands[2].data)] {
        digits all = begin;
        for (std::int64_t i = 0; i < count; ++i) all = joined(all, digit(x[i], y[i]));
        *out = all.value + mark;
    };
}

int on_cuda(const reduce_call& call, CUstream_st* stream) {
    const void* out = call.elements.operands[2].data;
    EXPECT_TRUE(fake_gpu::current().owns(out) || fake_gpu::current().is_pinned(out));
    EXPECT_TRUE(fake_gpu::current().owns(call.workspace.counters));
    EXPECT_TRUE(fake_gpu::current().owns(call.workspace.parts));
    EXPECT_TRUE(call.is_first && call.is_last);
    return fake_gpu::current().launch(work_of(call, 0), stream);
}
int on_simulator(const reduce_call& call, CUstream_st*) {
    EXPECT_GE(call.workspace.counter_bytes, detail::reduce_counter_bytes);
    EXPECT_GE(call.workspace.part_bytes, detail::reduce_part_bytes);
    EXPECT_EQ(*static_cast<std::uint64_t*>(call.workspace.counters), 0u);
    work_of(call, 1000)();  // which tells it apart
    return 0;
}
int failing(const reduce_call&, CUstream_st*) { return fake_gpu::launch_failed; }

constexpr detail::operand_info operands[] = {{"x", 4, 4}, {"y", 4, 4}, {"out", 8, 8}};
constexpr reduce_on_cpu cpu_steps{fold_rows, fold_columns, join, identity, finish, 4},
    cpu_steps_without_identity{fold_rows, fold_columns, join, nullptr, finish, 4};
constexpr reduce_kernel number{"test::number", operands,   2,       sizeof(digits), true,
                               false,          &cpu_steps, on_cuda, on_simulator};
constexpr reduce_kernel number_of_some{
    "test::number", operands, 2, sizeof(digits), false, false, &cpu_steps_without_identity, on_cuda, on_simulator};
constexpr reduce_kernel only_on_cpu{"test::number", operands,   2,       sizeof(digits), true,
                                    false,          &cpu_steps, nullptr, nullptr};
constexpr reduce_kernel broken{"test::number", operands, 2, sizeof(digits), true, false, &cpu_steps, failing, failing};

std::uint64_t value_of(operand<const std::int32_t> x, operand<const std::int32_t> y, executor on,
                       const reduce_kernel& kernel = number, const digits* initial = nullptr) {
    return detail::reduce_to_value<std::uint64_t>(kernel, {x.ref(), y.ref()}, {.initial = initial, .executor = &on});
}
void number_into(operand<const std::int32_t> x, operand<const std::int32_t> y, operand<std::uint64_t> out, executor on,
                 const reduce_kernel& kernel = number) {
    detail::reduce(kernel, {x.ref(), y.ref()}, out.ref(), {.executor = &on});
}

/// The result of folding the elements x[i] and y[i] after `all`, in order.
std::uint64_t expected(const ints& x, const ints& y, digits all = {}) {
    for (std::size_t i = 0; i < x.size(); ++i) all = joined(all, digit(x[i], y[i]));
    return all.value;
}
ints counted(std::size_t n, std::int32_t from) {
    ints all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = from + static_cast<std::int32_t>(i % 97);
    return all;
}

}  // namespace

TEST(Reduce, FoldsInOrderWhateverTheSizeAndBackend) {
    for (std::size_t n : {1u, 2u, 33u, 4096u, 4097u, 100'003u}) {
        fake_gpu gpu;
        const ints x = counted(n, 1), y = counted(n, 5);
        EXPECT_EQ(value_of(x, y, cpu()), expected(x, y));
        EXPECT_EQ(value_of(x, y, cuda(some_stream)), expected(x, y));
        EXPECT_EQ(value_of(x, y, simulator()), expected(x, y) + 1000);
        EXPECT_EQ(value_of(x, std::int32_t{5}, cpu()), expected(x, ints(n, 5)));
        EXPECT_EQ(value_of(std::int32_t{2}, y, cuda()), expected(ints(n, 2), y));
    }
}

TEST(Reduce, BroadcastsAndGoesThroughRowsInOrder) {
    fake_gpu gpu;
    const ints row{1, 2, 3, 4}, column{5, 6, 7}, flat{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4},
        stretched{5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7};
    const auto x = host(row.data(), shape{4}), y = host(column.data(), {3, 1});
    EXPECT_EQ(value_of(x, y, cpu()), expected(flat, stretched));
    EXPECT_EQ(value_of(y, x, cpu()), expected(stretched, flat));
    EXPECT_EQ(value_of(x, y, cuda(some_stream)), expected(flat, stretched));
    EXPECT_EQ(value_of(x, y, simulator()), expected(flat, stretched) + 1000);
    const auto backwards = x.slice(0, 3, -1, -1);
    EXPECT_EQ(value_of(backwards, std::int32_t{0}, cpu()), expected({4, 3, 2, 1}, ints(4)));
}

TEST(Reduce, BeginsWithTheInitialValue) {
    fake_gpu gpu;
    const ints x{1, 2, 3}, y{4, 5, 6}, none;
    const digits initial{1, 77};
    for (const executor& on : {cpu(), cuda(some_stream)}) {
        EXPECT_EQ(value_of(x, y, on, number, &initial), expected(x, y, initial));
        EXPECT_EQ(value_of(none, none, on, number, &initial), 77u);
        EXPECT_EQ(value_of(none, none, on, number_of_some, &initial), 77u);
        EXPECT_EQ(value_of(none, none, on), 0u);
    }
}

TEST(Reduce, OnTheGpuIsOneLaunchAndNothingElse) {
    fake_gpu gpu;
    const auto x = to_device(ints{1, 2, 3}, cuda(some_stream));
    array<std::uint64_t> out(shape{1}, cuda(some_stream));
    gpu.forget_log();
    number_into(x, std::int32_t{4}, out, cuda(some_stream));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "clear", "launch"})) << "the stream's first workspace";
    gpu.forget_log();
    number_into(x, x, out, cuda(some_stream));
    EXPECT_EQ(gpu.log(), log_of{"launch"});
    EXPECT_EQ(gpu.streams().back(), some_stream);
    EXPECT_GT(gpu.queued(), 0u) << "it waited";
    EXPECT_EQ(out.to_host(), std::vector<std::uint64_t>{expected({1, 2, 3}, {1, 2, 3})});
}

TEST(Reduce, WhatIsOnTheHostIsReadBehindWhatIsQueued) {
    for (const std::int64_t step : {1, 2}) {
        fake_gpu gpu;
        ints x(6, -1);
        gpu.launch([&x] { x = {1, 2, 3, 4, 5, 6}; }, some_stream);
        const ints seen = step == 1 ? ints{1, 2, 3} : ints{1, 3, 5};
        EXPECT_EQ(value_of(host(x.data(), {6}).slice(0, 0, 3 * step, step), std::int32_t{0}, cuda(some_stream)),
                  expected(seen, ints(3)));
    }
}

TEST(Reduce, WhatIsOnTheHostTravels) {
    fake_gpu gpu;
    const ints x{1, 2}, y{3, 4};
    value_of(x, y, cuda(some_stream));
    gpu.forget_log();
    EXPECT_EQ(value_of(x, y, cuda(some_stream)), expected(x, y));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "synchronize", "to_device", "allocate", "to_device", "launch",
                                 "synchronize", "free", "free"}))
        << "the kernel writes the result on the host";
    array<std::uint64_t> out(shape{1}, cuda(some_stream));
    gpu.forget_log();
    number_into(x, std::int32_t{4}, out, cuda(some_stream));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "synchronize", "to_device", "launch", "synchronize", "free"}));
    EXPECT_EQ(out.to_host(), std::vector<std::uint64_t>{expected(x, {4, 4})});
}

TEST(Reduce, ThreadsThatWaitAtOnceHaveResultsApart) {
    fake_gpu gpu;
    std::vector<std::unique_ptr<result_slot>> taken;
    std::set<void*> places;
    for (std::size_t i = 0; i < 40; ++i) {
        taken.push_back(std::make_unique<result_slot>(gpu, "test"));
        EXPECT_TRUE(gpu.is_pinned(taken.back()->data()));
        EXPECT_TRUE(places.insert(taken.back()->data()).second);
    }
    const std::size_t blocks = gpu.pinned();
    taken.clear();
    for (std::size_t i = 0; i < 40; ++i) taken.push_back(std::make_unique<result_slot>(gpu, "test"));
    EXPECT_EQ(gpu.pinned(), blocks) << "what is given back is used again";
}

TEST(Reduce, OfNothingNeedsAnIdentity) {
    fake_gpu gpu;
    const ints none;
    for (const executor& on : {cpu(), cuda(some_stream), simulator()})
        expect_error<empty_error>([&] { value_of(none, none, on, number_of_some); }, "test::number", "(0)");
    const auto empty = host(none.data(), {3, 0});
    expect_error<empty_error>([&] { value_of(empty, std::int32_t{1}, cpu(), number_of_some); }, "(3, 0)");
    EXPECT_EQ(gpu.log(), log_of{});
}

TEST(Reduce, ShapesMustFit) {
    const ints x{1, 2, 3}, y{1, 2};
    std::vector<std::uint64_t> two(2);
    expect_error<shape_error>([&] { value_of(x, y, cpu()); }, "test::number", "(3)", "(2)");
    expect_error<shape_error>([&] { number_into(x, x, two, cpu()); }, "test::number", "output out", "(2)");
}

TEST(Reduce, RefusesMoreOperandsThanThereIsRoomFor) {
    const ints x{1, 2};
    std::vector<std::uint64_t> out{7};
    const operand<const std::int32_t> in(x);
    const operand<std::uint64_t> to(out);
    const char* const message = "test::number has 65 operands, and there is room for 64";
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto same = [&](std::size_t) { return in.ref(); };
        const executor on_cpu = cpu();
        expect_error<error>([&] { detail::reduce(number, {same(I)...}, to.ref(), {.executor = &on_cpu}); }, message);
        expect_error<error>([&] { detail::place_reduction(number, {same(I)...}, axis(0), {}); }, message);
    }
    (std::make_index_sequence<detail::max_operands>());
    EXPECT_EQ(out.front(), 7u) << "something was written";
}

TEST(Reduce, OperandsOnTheGpuStayThere) {
    fake_gpu gpu;
    const ints x{1, 2};
    const auto there = to_device(x, cuda());
    array<std::uint64_t> out(shape{1}, cuda());
    gpu.forget_log();
    expect_error<device_error>([&] { value_of(x, there, cpu()); }, "test::number: operand y is in GPU memory", "cpu");
    expect_error<device_error>([&] { value_of(there, x, simulator()); }, "operand x", "simulator");
    expect_error<device_error>([&] { number_into(x, x, out, cpu()); }, "operand out");
    EXPECT_EQ(gpu.log(), log_of{});
}

TEST(Reduce, WhatFailsIsNamedAndNothingIsLost) {
    fake_gpu gpu;
    const ints x{1, 2};
    expect_error<device_error>([&] { value_of(x, x, simulator(), broken); }, "test::number", "simulator", "719");
    for (const char* operation : {"allocate_pinned", "synchronize"}) {
        gpu.fail(operation, 0, fake_gpu::launch_failed);
        expect_error<device_error>([&] { value_of(x, x, cuda()); }, "test::number: fakeError719");
    }
    expect_error<device_error>([&] { value_of(x, x, cuda(), broken); }, "test::number: fakeError719");
    expect_error<error>([&] { value_of(x, x, cuda(), only_on_cpu); }, "test::number", "cuda");
    gpu.synchronize(nullptr);
    EXPECT_EQ(gpu.live(), 1u) << "the workspace alone";
    EXPECT_EQ(value_of(x, x, cuda()), expected(x, x));
}

namespace {

/// A checked kernel whose blocks count themselves: one of them stops at a mistake, in a call that finds one.
bool finds_a_mistake = false;
int checked_on_cuda(const reduce_call& call, CUstream_st* stream) {
    auto* const counter = static_cast<unsigned int*>(call.workspace.counters);
    const auto work = [run = work_of(call, 0), counter, stops = finds_a_mistake] {
        EXPECT_EQ(*counter, 0u) << "blocks that never ran have counted themselves";
        if (stops)
            *counter = 1;
        else
            run();
    };
    if (int status = fake_gpu::current().launch(work, stream)) return status;
    fake_gpu::current().synchronize(stream);
    if (finds_a_mistake) throw detail::check_failed{};
    return 0;
}
constexpr reduce_kernel checked{"test::number", operands,        2,      sizeof(digits), true, false,
                                &cpu_steps,     checked_on_cuda, nullptr};

}  // namespace

TEST(Reduce, AfterAMistakeTheNextCallIsRight) {
    const ints x{1, 2}, y{3, 4};
    fake_gpu gpu;
    const auto there = to_device(x, cuda(some_stream)), too = to_device(y, cuda(some_stream));
    array<std::uint64_t> out(shape{1}, cuda(some_stream));
    const auto fails = [](const auto& call) {
        finds_a_mistake = true;
        expect_error<device_error>(call, "test::number");
        finds_a_mistake = false;
    };
    for (int i = 0; i < 3; ++i) {
        fails([&] { value_of(x, y, cuda(some_stream), checked); });
        EXPECT_EQ(value_of(x, y, cuda(some_stream), checked), expected(x, y)) << "host operands";
        fails([&] { number_into(there, too, out, cuda(some_stream), checked); });
        number_into(there, too, out, cuda(some_stream), checked);
        EXPECT_EQ(out.to_host(), std::vector<std::uint64_t>{expected(x, y)});
    }
    EXPECT_LE(gpu.pinned(), 1u) << "a call that fails keeps the memory of its result";
}

namespace {

/// Launches of a call that has too many elements to be folded here.
struct part {
    std::int64_t count;
    bool is_first, is_last;
    void* workspace;
};
std::vector<part> parts;
int note(const reduce_call& call, CUstream_st*) {
    parts.push_back({call.elements.count, call.is_first, call.is_last, call.workspace.parts});
    return 0;
}
constexpr reduce_kernel noted{"test::number", operands, 2, sizeof(digits), true, false, &cpu_steps, note, nullptr};

}  // namespace

TEST(Reduce, LargeStridedCallsAreLaunchedInParts) {
    fake_gpu gpu;
    constexpr std::int64_t rows = 1 << 18, columns = 3 << 13;
    const array<std::int32_t> x({rows, 1}, cuda()), y({1, columns}, cuda());
    array<std::uint64_t> out(shape{1}, cuda());
    parts.clear();
    number_into(x, y, out, cuda(), noted);
    ASSERT_GE(parts.size(), 2u);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        count += parts[i].count;
        EXPECT_LE(parts[i].count, std::int64_t{INT32_MAX});
        EXPECT_EQ(parts[i].is_first, i == 0);
        EXPECT_EQ(parts[i].is_last, i + 1 == parts.size());
        EXPECT_EQ(parts[i].workspace, parts[0].workspace) << "what is carried would be lost";
    }
    EXPECT_EQ(count, rows * columns);
}

namespace {

/// The results of each launch of a call without elements: where they begin, and how many they are.
std::vector<std::pair<std::uint64_t*, std::int64_t>> written;
int note_empty(const reduce_call& call, CUstream_st*) {
    EXPECT_EQ(call.elements.count, 0);
    EXPECT_TRUE(call.is_first && call.is_last);
    std::int64_t results = 1;
    for (int axis = 0; axis < call.kept; ++axis) results *= call.elements.layout->extents[axis];
    written.emplace_back(static_cast<std::uint64_t*>(call.elements.operands[2].data), results);
    return 0;
}
constexpr reduce_kernel empty{"test::number", operands,   2,          sizeof(digits), true,
                              false,          &cpu_steps, note_empty, note_empty};

/// Expects a reduction of rows without elements to write all results. The output is an address without memory, since
/// the fake launch only notes what it would write.
void expect_all_written(std::int64_t rows, std::int64_t columns, executor on, memory kind) {
    fake_gpu gpu;
    auto* const first = reinterpret_cast<std::uint64_t*>(std::uintptr_t{1} << 40);
    const array<std::int32_t> x({rows, columns, 0}, kind == memory::cuda ? on : cpu());
    detail::operand_ref out{};
    out.data = first;
    out.layout = detail::row_major(shape{rows, columns});
    out.place = {kind, 0};
    written.clear();
    const operand<const std::int32_t> input(x);
    detail::reduce_along(empty, {input.ref(), input.ref()}, out, axis(2), {.executor = &on});
    std::int64_t count = 0;
    for (const auto& [data, results] : written) {
        EXPECT_EQ(data, first + count);
        EXPECT_LE(results, std::int64_t{INT32_MAX}) << "kernels count them in 32 bits";
        count += results;
    }
    EXPECT_EQ(count, rows * columns);
}

}  // namespace

TEST(Reduce, AllResultsOfNothingAreWrittenHoweverMany) {
    expect_all_written(3, 5, cuda(), memory::cuda);
    EXPECT_EQ(written.size(), 1u);
    for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{3} << 20, (std::int64_t{1} << 32) + 7}) {
        expect_all_written(rows, 1 << 12, cuda(), memory::cuda);
        expect_all_written(rows, 1 << 12, simulator(), memory::host);
    }
    expect_all_written((std::int64_t{1} << 32) + 7, 1, cuda(), memory::cuda);
}
