// runtime/src/simulator/fiber.hpp: a stack that code runs on until it waits or is done.
#pragma once

#include "sanitizers.hpp"

#include <boost/context/fiber.hpp>

#include <cstddef>

namespace foldwise::simulation {

/// Memory for a stack, with a page below it that traps whoever runs over its end. Kept for as many runs as one likes.
class stack {
  public:
    stack();
    stack(const stack&) = delete;
    stack& operator=(const stack&) = delete;
    ~stack();

    void* bottom() const { return bottom_; }
    boost::context::stack_context context() const;

    static constexpr std::size_t size = std::size_t{256} << 10;  // sanitizers make frames large; only pages used count

  private:
    void* mapping_;
    void* bottom_;
};

/// A stack and what runs on it. Sanitizers know of every switch.
class fiber {
  public:
    fiber() = default;
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    /// Has the next resume() begin run(argument) on this fiber, for ThreadSanitizer in the context given. Only when
    /// what ran before is done. Nothing may be thrown out of run().
    void start(void (*run)(void*), void* argument, tsan::context& context);
    /// Runs it until it suspends itself or is done. Called from outside of any fiber.
    void resume();
    /// Called on the fiber: back to where it was resumed.
    void suspend();

  private:
    boost::context::fiber main(boost::context::fiber&& caller);
    void leave();
    void arrive();

    stack stack_;
    void (*run_)(void*) = nullptr;
    void* argument_ = nullptr;
    boost::context::fiber self_, caller_;
    void* context_ = nullptr;  ///< ThreadSanitizer's, as is the next.
    void* caller_context_ = nullptr;
    // AddressSanitizer's: this fiber's heap of frames, kept for what runs next, and the stack resume() was called on.
    void* fake_stack_ = nullptr;
    const void* caller_bottom_ = nullptr;
    std::size_t caller_size_ = 0;
};

}  // namespace foldwise::simulation
