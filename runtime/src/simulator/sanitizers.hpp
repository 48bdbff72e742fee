// runtime/src/simulator/sanitizers.hpp: the simulator's interface to the compilers' sanitizers.
//
// This library is compiled without sanitizers and linked into programs with and without them. Therefore their functions
// are declared weak, and the wrappers do nothing without the sanitizer.
#pragma once

#include <cstddef>
#include <string>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size);
[[gnu::weak]] void __sanitizer_symbolize_pc(void* pc, const char* format, char* text, std::size_t size);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_acquire(void* at);
[[gnu::weak]] void __tsan_release(void* at);
}

namespace foldwise::simulation::tsan {

/// Returns whether the program was compiled with ThreadSanitizer.
inline bool is_there() { return __tsan_create_fiber != nullptr; }

inline void* current_fiber() { return __tsan_get_current_fiber ? __tsan_get_current_fiber() : nullptr; }

/// Tells ThreadSanitizer that the fiber runs from here on, without ordering anything.
inline void switch_to(void* fiber) {
    constexpr unsigned no_synchronisation = 1;
    if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(fiber, no_synchronisation);
}

/// A point at which one fiber or host thread publishes its writes and another acquires them.
class meeting_point {
  public:
    void release() {
        if (__tsan_release) __tsan_release(this);
    }
    void acquire() {
        if (__tsan_acquire) __tsan_acquire(this);
    }

  private:
    [[maybe_unused]] alignas(8) char address_[8] = {};
};

/// A context of ThreadSanitizer, which makes it treat a simulated thread as a thread of its own. Empty without
/// ThreadSanitizer.
class context {
  public:
    context() : fiber_(__tsan_create_fiber ? __tsan_create_fiber(0) : nullptr) {}
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    ~context() {
        if (fiber_) __tsan_destroy_fiber(fiber_);
    }

    void* get() const { return fiber_; }
    void name(const std::string& name) {
        if (fiber_) __tsan_set_fiber_name(fiber_, name.c_str());
    }

  private:
    void* fiber_;
};

}  // namespace foldwise::simulation::tsan
