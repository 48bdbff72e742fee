// runtime/src/forall/run_forall_on_cuda.cpp: launches a forall call on a GPU, and copies host views there and back.
#include "device.hpp"
#include "forall/forall_arguments.hpp"
#include "overlap.hpp"
#include "pipeline.hpp"
#include "staging.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace foldwise::detail {

namespace {

void launch(const forall_kernel& kernel, const forall_call& call, CUstream_st* stream) {
    if (int status = kernel.cuda(call, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
}

/// A view on the host, and the bytes from its lowest element to the end of its highest.
struct window {
    int index;
    std::byte *begin, *end;
    bool overlaps_itself;  ///< Whether several indices are the same element.
};

/// Host views that share memory. They share it on the GPU, too, in one copy of everything between the lowest and the
/// highest.
struct group {
    std::vector<window> windows;
    std::byte *begin, *end;
    std::byte* device = nullptr;
};

axes_of axes(const forall_kernel& kernel, const forall_arguments& all, int index) {
    return {kernel.parameters[index].rank, all.arguments[index].extents};
}

window window_of(const forall_kernel& kernel, const forall_arguments& all, int index) {
    const forall_argument& view = all.arguments[index];
    const auto size = static_cast<std::ptrdiff_t>(kernel.parameters[index].size);
    auto* const first = static_cast<std::byte*>(view.data);
    const auto rank = static_cast<std::size_t>(kernel.parameters[index].rank);
    const footprint own{reinterpret_cast<std::uintptr_t>(first), kernel.parameters[index].size,
                        std::span(view.extents, rank), std::span(view.strides, rank)};
    window result{index, first, first + size, overlaps_itself(own)};
    for (int axis = 0; axis < kernel.parameters[index].rank; ++axis) {
        const std::ptrdiff_t far = (view.extents[axis] - 1) * view.strides[axis] * size;
        (far < 0 ? result.begin : result.end) += far;
    }
    return result;
}

bool is_empty(const forall_kernel& kernel, const forall_arguments& all, int index) {
    const std::int64_t* extents = all.arguments[index].extents;
    return std::any_of(extents, extents + kernel.parameters[index].rank,
                       [](std::int64_t extent) { return extent == 0; });
}

std::vector<group> groups_of(const forall_kernel& kernel, const forall_arguments& all) {
    std::vector<window> windows;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        if (!parameter.reads && !parameter.writes) continue;  // a value, or a view whose extents alone are used
        if (parameter.rank > 0 && on_host(*all.sources[i]) && !is_empty(kernel, all, i))
            windows.push_back(window_of(kernel, all, i));
    }
    std::sort(windows.begin(), windows.end(), [](const window& a, const window& b) { return a.begin < b.begin; });
    std::vector<group> groups;
    for (const window& one : windows) {
        if (groups.empty() || groups.back().end <= one.begin) {
            groups.push_back({{one}, one.begin, one.end});
        } else {
            groups.back().windows.push_back(one);
            groups.back().end = std::max(groups.back().end, one.end);
        }
    }
    return groups;
}

/// Returns whether the tasks certainly write every element, so that the previous contents do not matter.
bool is_covered(const forall_kernel& kernel, const forall_arguments& all, int index) {
    const forall_parameter& parameter = kernel.parameters[index];
    if (!parameter.follows || parameter.reads) return false;
    for (int axis = 0; axis < parameter.rank; ++axis) {
        if (all.arguments[index].extents[axis] != all.tasks[parameter.follows[axis]]) return false;
    }
    return true;
}

bool is_written(const forall_kernel& kernel, const window& one) { return kernel.parameters[one.index].writes; }

/// Returns whether a view can be copied without its gaps: no other view shares its memory, and no element that tasks
/// write has several indices.
bool is_alone(const forall_kernel& kernel, const group& all) {
    const window& first = all.windows.front();
    return all.windows.size() == 1 && !(is_written(kernel, first) && first.overlaps_itself);
}

/// The copies of host views to the GPU and back.
class journey {
  public:
    journey(const forall_kernel& kernel, forall_arguments& all, const executor& where)
        : kernel_(kernel), all_(all), temporary_(kernel.name, where), groups_(groups_of(kernel, all)) {
        for (group& one : groups_) {
            if (is_alone(kernel, one))
                send_alone(one.windows.front().index);
            else
                send_together(one);
        }
    }

    void finish() {
        for (const strided_transfer& written : written_) written.fetch(temporary_);
        for (const group& one : groups_) {
            if (one.device) fetch_together(one);
        }
        temporary_.finish();
        for (const strided_transfer& written : written_) written.unpack();
        for (const fetched& one : fetched_) unpack(one);
    }

  private:
    /// A host copy of a group's GPU memory, for views with gaps.
    struct fetched {
        const group* from;
        std::byte* copy;
    };

    void send_alone(int index) {
        const forall_parameter& parameter = kernel_.parameters[index];
        forall_argument& view = all_.arguments[index];
        strided_transfer one(view.data, parameter.size, axes(kernel_, all_, index), view.strides);
        view.data = one.send(temporary_, !is_covered(kernel_, all_, index), axes(kernel_, all_, index), view.strides);
        if (parameter.writes) written_.push_back(one);
    }

    void send_together(group& all) {
        std::size_t alignment = 1;
        for (const window& one : all.windows)
            alignment = std::max<std::size_t>(alignment, kernel_.parameters[one.index].alignment);
        const auto skew = reinterpret_cast<std::uintptr_t>(all.begin) % alignment;
        all.device = static_cast<std::byte*>(
            temporary_.stage_alone(all.begin, static_cast<std::size_t>(all.end - all.begin), true, skew));
        for (const window& one : all.windows) {
            void*& data = all_.arguments[one.index].data;
            data = all.device + (static_cast<std::byte*>(data) - all.begin);
        }
    }

    std::int64_t count_of(const window& one) const {
        const axes_of extents = axes(kernel_, all_, one.index);
        return std::accumulate(extents.extents, extents.extents + extents.rank, std::int64_t{1}, std::multiplies());
    }
    /// Returns whether a view has as many elements as there is room for between its lowest and highest.
    bool is_dense(const window& one) const {
        return !one.overlaps_itself &&
               count_of(one) * static_cast<std::ptrdiff_t>(kernel_.parameters[one.index].size) == one.end - one.begin;
    }

    /// Copies a group's written views to the host. The gaps between a view's elements may belong to others, who may
    /// write there at the same time.
    void fetch_together(const group& all) {
        bool has_gaps = false;
        for (const window& one : all.windows) {
            if (!is_written(kernel_, one)) continue;
            if (is_dense(one))
                temporary_.fetch(one.begin, all.device + (one.begin - all.begin),
                                 static_cast<std::size_t>(one.end - one.begin));
            else
                has_gaps = true;
        }
        if (!has_gaps) return;
        const auto bytes = static_cast<std::size_t>(all.end - all.begin);
        std::byte* const copy = temporary_.gathered(bytes);
        temporary_.fetch(copy, all.device, bytes);
        fetched_.push_back({&all, copy});
    }

    void unpack(const fetched& all) {
        for (const window& one : all.from->windows) {
            if (!is_written(kernel_, one) || is_dense(one)) continue;
            const forall_argument& view = all_.arguments[one.index];
            const std::size_t size = kernel_.parameters[one.index].size;
            const auto step = static_cast<std::ptrdiff_t>(size);
            const std::ptrdiff_t first = static_cast<std::byte*>(view.data) - all.from->device;
            cursor(axes(kernel_, all_, one.index), 0)
                .each_row(view.strides, count_of(one), [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                    const std::ptrdiff_t at = first + offset * step;
                    move_row(all.from->begin + at, stride * step, all.copy + at, stride * step, run, size);
                });
        }
    }

    const forall_kernel& kernel_;
    forall_arguments& all_;
    staging temporary_;
    std::vector<group> groups_;
    std::vector<strided_transfer> written_;
    std::vector<fetched> fetched_;
};

/// Host views that can be copied one row at a time. A row is what belongs to one step along the outermost axis of the
/// tasks.
struct travelling_rows {
    std::vector<int> parameters;
    std::vector<transfer> transfers;  ///< The elements of these transfers are rows.
};

/// Returns the rows of the call's views. Returns nothing if a task may access another task's row, if a row is not
/// contiguous, or if a written row shares memory with another view.
std::optional<travelling_rows> rows_of(const forall_kernel& kernel, const forall_arguments& all) {
    travelling_rows rows;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        const forall_argument& view = all.arguments[i];
        if (parameter.rank == 0 || !(parameter.reads || parameter.writes) || !on_host(*all.sources[i])) continue;
        if (!parameter.own_rows || is_empty(kernel, all, i) || view.extents[0] != all.tasks[0] ||
            !is_row_major(parameter, view))
            return std::nullopt;
        const std::int64_t elements =
            std::accumulate(view.extents + 1, view.extents + parameter.rank, std::int64_t{1}, std::multiplies());
        rows.parameters.push_back(i);
        rows.transfers.push_back({static_cast<std::byte*>(view.data),
                                  static_cast<std::size_t>(elements) * parameter.size, !is_covered(kernel, all, i),
                                  parameter.writes});
    }
    const auto end_of = [&](const transfer& one) {
        return one.host + static_cast<std::size_t>(all.tasks[0]) * one.size;
    };
    for (const transfer& a : rows.transfers)
        for (const transfer& b : rows.transfers)
            if (&a != &b && a.comes_out && a.host < end_of(b) && b.host < end_of(a)) return std::nullopt;
    return rows;
}

/// Runs a call in chunks of rows. Tasks keep their indices: on the GPU, a view's address lies before its rows by the
/// distance of the chunk's first row.
void run_in_rows(const forall_kernel& kernel, forall_arguments& all, const travelling_rows& rows,
                 const executor& where) {
    const std::int64_t tasks_of_row = all.count / all.tasks[0];
    std::int64_t ends[max_axes];
    std::copy_n(all.tasks, kernel.index_rank, ends);
    forall_call call = all.gpu_call(kernel);
    const std::int64_t first = call.first;
    call.tasks = ends;
    call.merged = nullptr;
    if (call.arguments != all.arguments) std::copy_n(call.arguments, kernel.parameter_count, all.arguments);
    call.arguments = all.arguments;
    run_in_chunks(kernel.name, where, rows.transfers, all.tasks[0],
                  [&](std::int64_t begin, std::int64_t count, std::byte* const* devices) {
                      for (std::size_t i = 0; i < rows.transfers.size(); ++i) {
                          const auto before = static_cast<std::uintptr_t>(first + begin) * rows.transfers[i].size;
                          all.arguments[rows.parameters[i]].data =
                              reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(devices[i]) - before);
                      }
                      call.first = first + begin;
                      ends[0] = first + begin + count;
                      call.count = count * tasks_of_row;
                      launch(kernel, call, where.stream());
                  });
}

}  // namespace

void run_forall_on_cuda(const forall_kernel& kernel, forall_arguments& all, const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    if (!all.on_host) return launch(kernel, all.gpu_call(kernel), where.stream());
    if (const std::optional<travelling_rows> rows = rows_of(kernel, all);
        rows && goes_in_chunks(kernel.name, rows->transfers, all.tasks[0], where))
        return run_in_rows(kernel, all, *rows, where);
    journey views(kernel, all, where);
    launch(kernel, all.gpu_call(kernel), where.stream());
    views.finish();
}

}  // namespace foldwise::detail
