// tests/unit/runtime/forall/test_tasks.hpp: forall kernels such as the generator emits, written by hand.
#pragma once

#include "fake_gpu.hpp"

#include <foldwise/detail/forall.hpp>
#include <foldwise/operand.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test_tasks {

using foldwise::detail::forall_argument;
using foldwise::detail::forall_call;
using foldwise::detail::forall_kernel;
using foldwise::detail::forall_parameter;

/// A view of floats as a kernel gets it.
class floats {
  public:
    explicit floats(const forall_argument& argument) : argument_(argument) {}

    template <class... I> float& operator()(I... coordinates) const {
        std::int64_t offset = 0;
        int axis = 0;
        ((offset += static_cast<std::int64_t>(coordinates) * argument_.strides[axis++]), ...);
        return static_cast<float*>(argument_.data)[offset];
    }
    std::int64_t extent(int axis) const { return argument_.extents[axis]; }

  private:
    forall_argument argument_;
};

/// All arguments of a call. Values are there too, but have no elements to ask for.
using arguments = std::vector<floats>;
inline arguments arguments_of(const forall_call& call, int count) {
    return arguments(call.arguments, call.arguments + count);
}

/// One task: its place in the row-major order, and its coordinates along two axes if it has two.
using task = void (*)(const arguments&, std::int64_t i, std::int64_t columns);

template <task Task, int Parameters> void on_cpu(const forall_call& call, std::int64_t begin, std::int64_t end) {
    const arguments given = arguments_of(call, Parameters);
    for (std::int64_t i = begin; i < end; ++i) Task(given, i, call.tasks[1]);
}

/// Queues the tasks of a call on the fake GPU's stream.
template <task Task, int Parameters, int Rank> int on_cuda(const forall_call& call, CUstream_st* stream) {
    const std::int64_t columns = call.tasks[1], begin = call.first * (Rank == 1 ? 1 : columns);
    const auto work = [given = arguments_of(call, Parameters), begin, count = call.count, columns] {
        for (std::int64_t i = begin; i < begin + count; ++i) Task(given, i, columns);
    };
    return fake_gpu::current().launch(work, stream);
}

template <task Task, int Parameters> int on_simulator(const forall_call& call, CUstream_st*) {
    on_cpu<Task, Parameters>(call, 0, call.count);
    return 0;
}

template <task Task, int Parameters, int Rank>
constexpr forall_kernel kernel(const char* name, const forall_parameter (&parameters)[Parameters]) {
    return {name,
            parameters,
            Parameters,
            Rank,
            on_cpu<Task, Parameters>,
            on_cuda<Task, Parameters, Rank>,
            on_simulator<Task, Parameters>};
}

inline constexpr int first_axis[] = {0}, first_and_second_axis[] = {0, 1}, transposed_axes[] = {1, 0};

inline constexpr forall_parameter read_to_written[] = {{"x", 4, 4, 1, true, false, first_axis},
                                                       {"out", 4, 4, 1, false, true, first_axis}};
/// out[i] = 2 x[i]
inline void twice_task(const arguments& given, std::int64_t i, std::int64_t) { given[1](i) = 2 * given[0](i); }
inline constexpr forall_kernel twice = kernel<twice_task, 2, 1>("test::twice", read_to_written);

inline constexpr forall_parameter read_to_perhaps[] = {{"x", 4, 4, 1, true, false}, {"out", 4, 4, 1, false, true}};
/// out[i] = 2 x[i], where i is even
inline void sometimes_task(const arguments& given, std::int64_t i, std::int64_t columns) {
    if (i % 2 == 0) twice_task(given, i, columns);
}
inline constexpr forall_kernel sometimes = kernel<sometimes_task, 2, 1>("test::sometimes", read_to_perhaps);

inline constexpr forall_parameter neighbours_to_written[] = {
    {"x", 4, 4, 1, true, false, nullptr, false, first_axis, false, 1}, {"out", 4, 4, 1, false, true, first_axis}};
/// out[i] = x[i + 1], or 0 behind the last
inline void next_task(const arguments& given, std::int64_t i, std::int64_t) {
    given[1](i) = i + 1 < given[0].extent(0) ? given[0](i + 1) : 0;
}
inline constexpr forall_kernel next = kernel<next_task, 2, 1>("test::next", neighbours_to_written);

inline constexpr forall_parameter turning[] = {{"x", 4, 4, 2, true, false, first_and_second_axis},
                                               {"out", 4, 4, 2, false, true, transposed_axes}};
/// out(c, r) = x(r, c)
inline void turn_task(const arguments& given, std::int64_t i, std::int64_t columns) {
    given[1](i % columns, i / columns) = given[0](i / columns, i % columns);
}
inline constexpr forall_kernel turn = kernel<turn_task, 2, 2>("test::turn", turning);

inline constexpr forall_parameter in_place[] = {{"x", 4, 4, 2, true, true, first_and_second_axis}};
/// x(r, c) += 1
inline void bump_task(const arguments& given, std::int64_t i, std::int64_t columns) {
    given[0](i / columns, i % columns) += 1;
}
inline constexpr forall_kernel bump = kernel<bump_task, 1, 2>("test::bump", in_place);

inline constexpr forall_parameter rows_to_rows[] = {{"x", 4, 4, 2, true, false, nullptr, true},
                                                    {"scale", 4, 4, 1, true, false, nullptr, true},
                                                    {"out", 4, 4, 2, false, true, first_and_second_axis, true},
                                                    {"sums", 4, 4, 1, true, true, nullptr, true}};
/// out(r, c) = r + scale(r) * x(r, columns - 1 - c), and sums(r) counts them; each task in its own row.
inline void rows_task(const arguments& given, std::int64_t i, std::int64_t columns) {
    const std::int64_t r = i / columns, c = i % columns;
    given[2](r, c) = static_cast<float>(r) + given[1](r) * given[0](r, columns - 1 - c);
    given[3](r) += 1;
}
inline constexpr forall_kernel rows = kernel<rows_task, 4, 2>("test::rows", rows_to_rows);

inline constexpr forall_parameter asking[] = {{"like", 4, 4, 1, false, false}, {"out", 4, 4, 1, false, true}};
/// out[0] = like.extent(0)
inline void ask_task(const arguments& given, std::int64_t, std::int64_t) {
    given[1](0) = static_cast<float>(given[0].extent(0));
}
inline constexpr forall_kernel ask = kernel<ask_task, 2, 1>("test::ask", asking);

template <class R> foldwise::detail::operand_ref read(R&& range) {
    return foldwise::elements<const float>(range).ref();
}
template <class R> foldwise::detail::operand_ref written(R&& range) { return foldwise::elements<float>(range).ref(); }

/// Calls a kernel with some tasks and arguments.
template <int N>
void run(const forall_kernel& kernel, const foldwise::tasks<N>& tasks,
         std::initializer_list<foldwise::detail::operand_ref> arguments, foldwise::executor on) {
    foldwise::detail::forall(kernel, tasks, arguments, on);
}

}  // namespace test_tasks
