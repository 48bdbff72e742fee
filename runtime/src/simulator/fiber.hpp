// runtime/src/simulator/fiber.hpp: fibers, each of which has its own stack and runs until it suspends itself or ends.
#pragma once

#include "sanitizers.hpp"

#include <boost/context/fiber.hpp>

#include <cstddef>

namespace foldwise::simulation {

/// Memory for a fiber's stack, with a guard page below it. It can be reused for any number of runs.
class stack {
  public:
    stack();
    stack(const stack&) = delete;
    stack& operator=(const stack&) = delete;
    ~stack();

    void* bottom() const { return bottom_; }
    boost::context::stack_context context() const;

    // Sanitizers make frames large; only the pages that are used take memory.
    static constexpr std::size_t size = std::size_t{256} << 10;

  private:
    void* mapping_;
    void* bottom_;
};

/// A stack and the code that runs on it. Sanitizers are informed of every switch.
class fiber {
  public:
    fiber() = default;
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    /// Makes the next resume() call run(argument) on this fiber, in the given context of ThreadSanitizer. The previous
    /// run must have ended. run() must not throw.
    void start(void (*run)(void*), void* argument, tsan::context& context);
    /// Runs the fiber until it suspends itself or ends. Must not be called on a fiber.
    void resume();
    /// Called on the fiber: returns to the caller of resume().
    void suspend();

  private:
    boost::context::fiber main(boost::context::fiber&& caller);
    void leave();
    void arrive();

    stack stack_;
    void (*run_)(void*) = nullptr;
    void* argument_ = nullptr;
    boost::context::fiber self_, caller_;
    void* context_ = nullptr;  ///< ThreadSanitizer's context of this fiber.
    /// ThreadSanitizer's context of the caller of resume().
    void* caller_context_ = nullptr;
    // AddressSanitizer's state: the fiber's fake stack, kept for the next run, and the stack that resume() was called
    // on.
    void* fake_stack_ = nullptr;
    const void* caller_bottom_ = nullptr;
    std::size_t caller_size_ = 0;
};

}  // namespace foldwise::simulation
