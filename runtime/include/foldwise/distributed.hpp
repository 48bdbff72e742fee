// foldwise/distributed.hpp: arrays whose rows are spread over the processes of a group. Kernels take them as they take
// other arrays.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/array.hpp>
#include <foldwise/communicator.hpp>
#include <foldwise/copy.hpp>
#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/view.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace foldwise {

/// An array whose rows, the elements of each index along axis 0, are spread over the processes of a group in the order
/// of ranks: as many for each process, or one more for the first ones. A result along axis 0 is replicated instead:
/// every process has all of it. Movable but not copyable, like foldwise::array.
template <class T> class distributed {
  public:
    using value_type = T;

    /// Allocates this process's rows, uninitialised, where `executor` runs. Called by all processes with the same
    /// shape, which has at least one axis. Throws shape_error, and in all processes what the allocation throws in one.
    distributed(const foldwise::shape& extents, const communicator& world, const foldwise::executor& executor = {})
        : world_(world), shape_(extents), rows_(detail::rows_of(extents, world)) {
        std::exception_ptr error;
        try {
            local_ = array<T>(detail::with_rows(extents, rows_.count()), executor);
        } catch (...) {
            error = std::current_exception();
        }
        detail::agree(world, detail::call_of_shape(extents), error);
    }

    /// For the library: takes over this process's rows, or all of them.
    distributed(const foldwise::shape& extents, const communicator& world, array<T>&& local, bool is_replicated)
        : world_(world), shape_(extents),
          rows_(is_replicated ? detail::row_range{0, extents.rank() > 0 ? extents[0] : 1}
                              : detail::rows_of(extents, world)),
          local_(std::move(local)), is_replicated_(is_replicated) {}

    /// Returns the shape of the whole array.
    const foldwise::shape& shape() const { return shape_; }
    const communicator& group() const { return world_; }
    /// Returns whether every process has all rows.
    bool is_replicated() const { return is_replicated_; }

    /// Returns the first row of this process, and the one behind its last.
    std::int64_t begin() const { return rows_.begin; }
    std::int64_t end() const { return rows_.end; }

    /// Returns the rows of this process.
    view<T> local() { return local_; }
    view<const T> local() const { return local_; }

    /// Copies this process's rows from a host range that has all elements, in row-major order. Throws shape_error for
    /// another number of elements.
    template <detail::host_elements R> void fill_from(const R& all) {
        const view<const T> whole = host(all, shape_);
        if (local_.size() > 0) copy(whole.slice(0, rows_.begin, rows_.end), local_);
    }

    /// Returns a copy of all elements, in row-major order, in every process; called by all of them. Throws
    /// out_of_memory, device_error or communication_error.
    std::vector<T> to_host() const {
        if (is_replicated_) return local_.to_host();
        std::vector<T> mine;
        std::exception_ptr error;
        try {
            mine = local_.to_host();
        } catch (...) {
            error = std::current_exception();
        }
        detail::agree(world_, detail::call_of_shape(shape_), error);
        return world_.all_gather(mine);
    }

    /// Returns a copy of which every process has all rows, where the rows of this process are; called by all of them.
    array<T> gathered() const {
        const foldwise::executor where = detail::executor_of(local_.place());
        return to_device(host(std::as_const(*std::make_unique<std::vector<T>>(to_host())), shape_), where);
    }

  private:
    communicator world_;
    foldwise::shape shape_;
    detail::row_range rows_;
    array<T> local_;
    bool is_replicated_ = false;
};

/// Returns a copy of all elements in every process, as distributed::to_host does.
template <class T> std::vector<T> to_host(const distributed<T>& source) { return source.to_host(); }

}  // namespace foldwise

#endif  // C++20
