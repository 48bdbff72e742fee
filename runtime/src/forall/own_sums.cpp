// runtime/src/forall/own_sums.cpp: takes memory for a thread's own sums, and adds them to the views.
#include "forall/own_sums.hpp"

#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <limits>
#include <type_traits>

namespace foldwise::detail {

namespace {

// The elements of views, which may be of any type of the size.
using word_sum [[gnu::may_alias]] = std::uint32_t;
using long_sum [[gnu::may_alias]] = std::uint64_t;
using float_sum [[gnu::may_alias]] = float;
using double_sum [[gnu::may_alias]] = double;

/// What can be added to any number without changing it: of floating-point numbers it is -0, for 0 would change -0 to 0.
/// Own sums begin with it, and those that still have it were not added to.
template <class T> constexpr T neutral = std::is_floating_point_v<T> ? -T(0) : T(0);

bool is_neutral(float sum) { return std::bit_cast<std::uint32_t>(sum) == std::bit_cast<std::uint32_t>(neutral<float>); }
bool is_neutral(double sum) {
    return std::bit_cast<std::uint64_t>(sum) == std::bit_cast<std::uint64_t>(neutral<double>);
}
template <class T> bool is_neutral(T sum) { return sum == 0; }

/// Adds to an element of a view atomically, as other threads may do at the same time.
template <class T> void add(T* to, T sum) { __atomic_fetch_add(to, sum, __ATOMIC_RELAXED); }
void add(float_sum* to, float sum) { std::atomic_ref(*to).fetch_add(sum, std::memory_order_relaxed); }
void add(double_sum* to, double sum) { std::atomic_ref(*to).fetch_add(sum, std::memory_order_relaxed); }

/// Returns the fewest of `count` tasks that a thread runs if each of them takes `task_ns` nanoseconds (1 or more):
/// there may be a thread for each turn of turn_ns, up to most_threads().
std::int64_t tasks_for_one(std::int64_t count, std::int64_t task_ns) {
    const std::int64_t turn = std::max<std::int64_t>(turn_ns / task_ns, 1);
    return count / std::clamp<std::int64_t>((count + turn - 1) / turn, 1, most_threads());
}

/// Adds sums, which lie in row-major order, to a view's elements. Those that no task has added to are not touched.
template <class T> void add_sums(const T* sums, const forall_parameter& parameter, const forall_argument& view) {
    const int last = parameter.rank - 1;
    const std::int64_t rows = element_count(parameter, view) / view.extents[last], row = view.extents[last];
    std::int64_t at[max_axes] = {};
    T* to = static_cast<T*>(view.data);
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t k = 0; k < row; ++k, ++sums)
            if (!is_neutral(*sums)) add(to + k * view.strides[last], *sums);
        for (int axis = last - 1; axis >= 0; --axis) {
            to += view.strides[axis];
            if (++at[axis] < view.extents[axis]) break;
            to -= at[axis] * view.strides[axis];
            at[axis] = 0;
        }
    }
}

/// Calls use(T()) with the type of a view's elements, or one that adds alike.
template <class Use> void with_type(const forall_parameter& parameter, const Use& use) {
    if (parameter.own_sums == numbers::floating) return parameter.size == 4 ? use(float_sum()) : use(double_sum());
    return parameter.size == 4 ? use(word_sum()) : use(long_sum());
}

}  // namespace

own_sums::own_sums(const forall_kernel& kernel, const forall_call& call, int copies)
    : kernel_(kernel), call_(call), copies_(copies), own_(call) {
    std::copy_n(call_.arguments, kernel_.parameter_count, arguments_);
    std::int64_t bytes = 0, offsets[max_operands];
    for (int i = 0; i < kernel_.parameter_count; ++i) {
        const forall_parameter& parameter = kernel_.parameters[i];
        if (parameter.own_sums == numbers::unknown) continue;
        offsets[i] = bytes;
        bytes += round_up(element_count(parameter, arguments_[i]) * parameter.size, cache_line);
    }
    // An odd number of cache lines: processors take addresses that are 4096 bytes apart for the same at first.
    const std::int64_t copy_bytes = bytes | cache_line;
    memory_.reset(new (std::align_val_t(cache_line), std::nothrow)
                      std::byte[static_cast<std::size_t>(copies_ * copy_bytes)]);
    if (!memory_) return;
    own_.arguments = arguments_;
    own_.has_own_sums = true;
    own_.own_copy_bytes = copies_ > 1 ? copy_bytes : 0;
    for (int i = 0; i < kernel_.parameter_count; ++i) {
        const forall_parameter& parameter = kernel_.parameters[i];
        if (parameter.own_sums == numbers::unknown) continue;
        forall_argument& own = arguments_[i];
        own.data = memory_.get() + offsets[i];
        std::int64_t count = 1;
        for (int axis = parameter.rank - 1; axis >= 0; --axis) {
            own.strides[axis] = count;
            count *= own.extents[axis];
        }
        with_type(parameter, [&](auto type) {
            using number = decltype(type);
            for (int copy = 0; copy < copies_; ++copy)
                std::fill_n(own_sums_of<number>(i, copy), count, neutral<number>);
        });
    }
}

own_sums::~own_sums() {
    if (!memory_) return;
    for (int i = 0; i < kernel_.parameter_count; ++i) {
        const forall_parameter& parameter = kernel_.parameters[i];
        if (parameter.own_sums == numbers::unknown) continue;
        with_type(parameter, [&](auto type) {
            using number = decltype(type);
            number* const sums = own_sums_of<number>(i, 0);
            const std::int64_t count = element_count(parameter, arguments_[i]);
            for (int copy = 1; copy < copies_; ++copy) {
                const number* const others = own_sums_of<number>(i, copy);
                for (std::int64_t k = 0; k < count; ++k) sums[k] += others[k];
            }
            add_sums(sums, parameter, call_.arguments[i]);
        });
    }
}

own_sums_choice::own_sums_choice(const forall_kernel& kernel, const forall_call& call)
    : kernel_(kernel), call_(call), copies_(own_copies(kernel, call, tasks_for_one(call.count, 1))) {
    const auto *const begin = kernel.parameters, *const end = begin + kernel.parameter_count;
    is_to_be_timed_ = copies_ == 0 &&
                      std::any_of(begin, end, [](const forall_parameter& one) { return one.adds_in_loops; }) &&
                      own_copies(kernel, call, std::numeric_limits<std::int64_t>::max()) > 0;
}

void own_sums_choice::thread::run(std::int64_t begin, std::int64_t end) {
    while (times_ && begin < end) {
        // Timing takes enough_ns at least, against which reading the clock is little. An addition to a view is counted
        // for each addition_ns that tasks take, as an estimate: where all that they do is to add, they do so every 3 ns
        // (docs/performance/notes/cpu.md, "Atomic sums"); where they do more, own sums gain less.
        constexpr std::int64_t enough_ns = 5000, addition_ns = 8;
        const bool has_tiles = choice_.call_.tile_rows > 0;  // whose rows stay together
        const std::int64_t until = has_tiles ? end : std::min(end, begin + std::max<std::int64_t>(tasks_, 1));
        const auto started = std::chrono::steady_clock::now();
        choice_.kernel_.cpu(choice_.call_, begin, until);
        took_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
        tasks_ += until - begin;
        begin = until;
        if (took_ < enough_ns) continue;
        times_ = false;
        const std::int64_t task_ns = std::max<std::int64_t>(took_ / tasks_, 1);
        const std::int64_t share = tasks_for_one(choice_.call_.count - tasks_, task_ns);
        choice_.copies_ = own_copies(choice_.kernel_, choice_.call_, share * task_ns / addition_ns);
        have_sums();
    }
    if (begin >= end) return;
    if (sums_)
        sums_->run(begin, end);
    else
        choice_.kernel_.cpu(choice_.call_, begin, end);
}

}  // namespace foldwise::detail
