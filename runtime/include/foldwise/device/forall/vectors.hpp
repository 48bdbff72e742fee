// foldwise/device/forall/vectors.hpp: threads that run neighbouring tasks whose elements they access as vectors.
//
// What a view has side by side for the tasks of a thread is loaded and stored at once; other elements are loaded one by
// one, and neighbouring threads read neighbours, or share what they read in a cache. Where tasks use their index
// otherwise, what is the same for a row of them is computed once.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/forall/several.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::vector_grid;

/// One of a thread's vectors of tasks: Width that follow one another along the last axis, and from the end of one row
/// at the beginning of the next. Axes are those of the grid, in the order in which it numbers tasks.
template <int N, int Width> class task_vector {
  public:
    static constexpr int last = N - 1;

    /// The number-th vector of the thread, of `all` that it has.
    __device__ task_vector(const vector_grid<N>& grid, unsigned int number, unsigned int all) : grid_(grid) {
        const unsigned int block = blockIdx.x * all + number;
        count_ = grid.template place_vector<Width>(block * blockDim.x + threadIdx.x, first_);
        is_in_row_ = is_whole() && first_[last] + Width <= end(last);
    }

    /// Returns how many of the tasks exist: the first ones.
    __device__ int count() const { return count_; }
    /// Returns whether all exist and are in one row.
    __device__ bool is_in_row() const { return is_in_row_; }
    /// Returns whether all exist.
    __device__ bool is_whole() const { return count_ == Width; }
    __device__ std::int32_t end(int axis) const { return static_cast<std::int32_t>(grid_.extents[axis]); }
    __device__ const std::int32_t (&first() const)[N] { return first_; }

    /// Calls visit(k, coordinates) for each task that exists.
    template <class Visit> __device__ void each(const Visit& visit) const {
        std::int32_t at[N];
        for (int axis = 0; axis < N; ++axis) at[axis] = first_[axis];
        FOLDWISE_UNROLL_FULLY
        for (int k = 0; k < Width; ++k) {
            if (k < count_) visit(k, at);
            ++at[last];
            for (int axis = last; axis > 0; --axis) {
                const bool is_at_end = at[axis] == end(axis);
                if (is_at_end) at[axis] = 0;
                at[axis - 1] += is_at_end ? 1 : 0;
            }
        }
    }
    /// The same for tasks that all exist and are in one row, so that what is computed for the row is for all of them.
    template <class Visit> __device__ void each_in_row(const Visit& visit) const {
        std::int32_t at[N];
        for (int axis = 0; axis < N; ++axis) at[axis] = first_[axis];
        FOLDWISE_UNROLL_FULLY
        for (int k = 0; k < Width; ++k) {
            at[last] = first_[last] + k;
            visit(k, at);
        }
    }

  private:
    const vector_grid<N>& grid_;
    std::int32_t first_[N];
    int count_;
    bool is_in_row_;
};

/// A thread's hold on a parameter of a `vectors` kernel while it runs the tasks of one of its vectors. A value is
/// passed on as it is.
template <class Parameter, class Tasks, class Rows> struct held_vector {
    const Parameter& value;

    __device__ held_vector(const Parameter& parameter, const Tasks&) : value(parameter) {}
    __device__ void settle() {}
    __device__ const Parameter& own(int) const { return value; }
    __device__ void store(const Tasks&) const {}
};

template <class T, int N, view_layout Layout, class Tasks, class Rows>
struct held_vector<view_parameter<T, N, Layout>, Tasks, Rows> {
    const view_parameter<T, N, Layout>& parameter;

    __device__ held_vector(const view_parameter<T, N, Layout>& given, const Tasks&) : parameter(given) {}
    __device__ void settle() {}
    __device__ view<T, N> own(int) const { return parameter.view(); }
    __device__ void store(const Tasks&) const {}
};

template <class T, int N, view_layout Layout, task_access Access, int... Axes, int Rank, int Width, class Rows>
struct held_vector<task_parameter<T, N, Layout, Access, Axes...>, task_vector<Rank, Width>, Rows> {
    using parameter_type = task_parameter<T, N, Layout, Access, Axes...>;
    using tasks_type = task_vector<Rank, Width>;
    using element = std::remove_const_t<T>;
    static_assert(Access != task_access::near);
    static constexpr bool loads = Access != task_access::writes, stores = Access != task_access::reads;
    /// Whether tasks follow one another along the view's last axis, which has unit stride, or along none of its axes.
    static constexpr bool is_along = [] {
        constexpr int all[] = {Rows::place_of(Axes)...};
        return all[N - 1] == Rank - 1;
    }();
    static constexpr bool is_of_rows = !((Rows::place_of(Axes) == Rank - 1) || ...);

    __device__ held_vector(const parameter_type& given, const tasks_type& tasks) : parameter(given) {
        if constexpr (loads) {
            T* const first = place(tasks.first());
            if (are_together(tasks, first))
                loaded.load(first);
            else if (is_of_rows && tasks.is_in_row())
                loaded.repeat(*first);
            else
                tasks.each([&](int k, const std::int32_t(&at)[Rank]) { loaded.set(k, *place(at)); });
        }
    }

    /// Waits for what was loaded. Has to be called once all parameters have begun to load.
    __device__ void settle() {
        if constexpr (loads) {
            loaded.settle();
            for (int k = 0; k < Width; ++k) elements[k] = loaded[k];
        }
    }

    /// Returns the view for the k-th task; k must be a constant.
    __device__ view<T, N> own(int k) { return view_of_own<T, N>(&elements[k], parameter.view()); }

    /// Stores what the tasks have assigned.
    __device__ void store(const tasks_type& tasks) const {
        if constexpr (stores) {
            T* const first = place(tasks.first());
            if (are_together(tasks, first))
                device_code::store(first, elements);
            else
                tasks.each([&](int k, const std::int32_t(&at)[Rank]) { *place(at) = elements[k]; });
        }
    }

  private:
    __device__ T* place(const std::int32_t (&at)[Rank]) const {
        const view<T, N> whole = parameter.view();
        return &whole(static_cast<std::int64_t>(static_cast<std::uint32_t>(at[Rows::place_of(Axes)]))...);
    }

    /// Returns whether the tasks' own elements can be accessed together.
    __device__ bool are_together(const tasks_type& tasks, const T* first) const {
        constexpr int bytes = access_bytes(Width * static_cast<int>(sizeof(T)));
        if constexpr (!is_along) return false;
        const bool is_aligned =
            (static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(first)) & (bytes - 1)) == 0;
        return is_aligned && (tasks.is_in_row() || (tasks.is_whole() && is_contiguous(tasks)));
    }

    /// Returns whether the view's own elements of all tasks follow one another in the order of these.
    __device__ bool is_contiguous(const tasks_type& tasks) const {
        std::int32_t strides[Rank] = {};
        int axis = 0;
        ((strides[Rows::place_of(Axes)] = axis == N - 1 ? 1 : parameter.strides[axis], ++axis), ...);
        bool is_contiguous = true;
        std::int32_t step = 1;
        for (int along = Rank - 1; along >= 0; --along) {
            is_contiguous &= tasks.end(along) == 1 || strides[along] == step;
            step *= tasks.end(along);
        }
        return is_contiguous;
    }

    struct nothing {};
    const parameter_type& parameter;
    std::conditional_t<loads, arrival<element, Width>, nothing> loaded;
    pack<element, Width> elements;
};

/// The tasks of a thread of a `vectors` kernel.
template <int N, class Rows> class thread_tasks<N, view_layout::vectors, Rows> {
  public:
    __device__ explicit thread_tasks(const vector_grid<N>& grid) : thread_tasks(grid, numbers()) {}

    /// Calls call(index, views and values...) for each of the tasks that exist.
    template <class Call, class... Parameter> __device__ void run(const Call& call, const Parameter&... all) const {
        if (own_[0].count() > 0) run_all(call, numbers(), held_vectors<Parameter>(all, own_, numbers())...);
    }

    /// As run(): there are no loops of tasks that could be run in step.
    template <class Call, class WithLoops, class... Parameter>
    __device__ void run_loops(const Call& call, const WithLoops&, const Parameter&... all) const {
        run(call, all...);
    }

  private:
    static constexpr int vectors = detail::vectors_of_thread(Rows::width, Rows::needs_index);
    using tasks = task_vector<N, Rows::width>;
    using numbers = std::make_index_sequence<vectors>;

    /// A thread's hold on a parameter for each of its vectors.
    template <class Parameter> struct held_vectors {
        held_vector<Parameter, tasks, Rows> of[vectors];

        template <std::size_t... Number>
        __device__ held_vectors(const Parameter& parameter, const tasks (&own)[vectors], std::index_sequence<Number...>)
            : of{{parameter, own[Number]}...} {}
    };

    template <std::size_t... Number>
    __device__ thread_tasks(const vector_grid<N>& grid, std::index_sequence<Number...>)
        : own_{{grid, Number, vectors}...} {}

    template <class Call, std::size_t... Number, class... Held>
    __device__ void run_all(const Call& call, std::index_sequence<Number...>, Held... all) const {
        const auto each_vector = [](const auto& visit) { (visit(std::integral_constant<std::size_t, Number>()), ...); };
        each_vector([&](auto number) { (all.of[number].settle(), ...); });
        const auto run_one = [&](auto number) {
            return [&, number](int k, const std::int32_t(&at)[N]) { call(index_of(at), all.of[number].own(k)...); };
        };
        if (Rows::needs_index && (own_[Number].is_in_row() && ...))
            each_vector([&](auto number) { own_[number].each_in_row(run_one(number)); });
        else
            each_vector([&](auto number) { own_[number].each(run_one(number)); });
        each_vector([&](auto number) { (all.of[number].store(own_[number]), ...); });
    }

    /// Returns the index of the task at these coordinates, which are in the order of the grid.
    __device__ static index<N> index_of(const std::int32_t (&at)[N]) {
        index<N> result;
        if constexpr (Rows::needs_index) {
            const auto set = [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
                ((result[Axis] =
                      static_cast<std::uint32_t>(at[std::integral_constant<int, Rows::place_of(Axis)>::value])),
                 ...);
            };
            set(std::make_integer_sequence<int, N>());
        }
        return result;
    }

    tasks own_[vectors];
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
