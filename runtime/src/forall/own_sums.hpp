// runtime/src/forall/own_sums.hpp: sums that a thread of the CPU forms in memory of its own.
#pragma once

#include "forall/forall_arguments.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace foldwise::detail {

/// Runs tasks of a call on one thread, which add to memory of the thread's own in place of the views with `own_sums`.
/// What they have added there is added to the views when this ends, atomically: other threads do the same, and so may
/// other calls.
class own_sums {
  public:
    /// Takes memory for so many copies, 1 or most_own_copies.
    own_sums(const forall_kernel& kernel, const forall_call& call, int copies);
    own_sums(const own_sums&) = delete;
    ~own_sums();

    /// Runs the tasks [begin, end). If there was no memory, they add to the views themselves.
    void run(std::int64_t begin, std::int64_t end) { kernel_.cpu(memory_ ? own_ : call_, begin, end); }

  private:
    static constexpr std::int64_t cache_line = 64;  ///< Its bytes.
    struct release {
        void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(cache_line)); }
    };

    /// Returns where a copy of the sums of a view begins.
    template <class T> T* own_sums_of(int parameter, int copy) const {
        return reinterpret_cast<T*>(static_cast<std::byte*>(arguments_[parameter].data) + copy * own_.own_copy_bytes);
    }

    const forall_kernel& kernel_;
    const forall_call& call_;
    const int copies_;
    forall_call own_;  ///< The call with the thread's own memory.
    forall_argument arguments_[max_operands];
    std::unique_ptr<std::byte[], release> memory_;
};

/// Whether the threads that run a call's tasks have own sums. If that depends on how long tasks take, the calling
/// thread finds out, in its first ones.
class own_sums_choice {
  public:
    own_sums_choice(const forall_kernel& kernel, const forall_call& call);

    /// Returns whether threads have own sums, or may have some yet.
    bool is_open() const { return copies_ != 0 || is_to_be_timed_; }

    /// What runs tasks on one thread; begins on it and ends on it. The first one is the calling thread's.
    class thread {
      public:
        explicit thread(own_sums_choice& choice)
            : choice_(choice), times_(std::exchange(choice.is_to_be_timed_, false)) {
            have_sums();
        }
        /// Runs the tasks [begin, end).
        void run(std::int64_t begin, std::int64_t end);

      private:
        void have_sums() {
            if (const int copies = choice_.copies_; copies > 0) sums_.emplace(choice_.kernel_, choice_.call_, copies);
        }

        own_sums_choice& choice_;
        bool times_;                         ///< Whether this thread times its tasks.
        std::int64_t tasks_ = 0, took_ = 0;  ///< How many it has timed, and how many nanoseconds they took.
        std::optional<own_sums> sums_;
    };

  private:
    const forall_kernel& kernel_;
    const forall_call& call_;
    std::atomic<int> copies_;      ///< As own_copies() has it.
    bool is_to_be_timed_ = false;  ///< Until the calling thread's begins.
};

}  // namespace foldwise::detail
