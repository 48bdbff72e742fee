// runtime/src/simulator/fiber.cpp: fibers of Boost.Context that AddressSanitizer and ThreadSanitizer know about.
#include "fiber.hpp"

#include <foldwise/error.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <utility>

namespace foldwise::simulation {

namespace {

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

/// Keeps the stack, which Boost would free when the code on it has ended.
struct keep_stack {
    void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

stack::stack()
    : mapping_(mmap(nullptr, page_size() + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0)) {
    if (mapping_ == MAP_FAILED) throw out_of_memory("simulator: no memory for the stack of a thread");
    mprotect(mapping_, page_size(), PROT_NONE);
    bottom_ = static_cast<char*>(mapping_) + page_size();
}

stack::~stack() { munmap(mapping_, page_size() + size); }

boost::context::stack_context stack::context() const {
    boost::context::stack_context context;
    context.size = size;
    context.sp = static_cast<char*>(bottom_) + size;
    return context;
}

void fiber::start(void (*run)(void*), void* argument, tsan::context& context) {
    run_ = run;
    argument_ = argument;
    context_ = context.get();
    const boost::context::stack_context place = stack_.context();
    self_ =
        boost::context::fiber(std::allocator_arg, boost::context::preallocated(place.sp, place.size, place),
                              keep_stack{}, [this](boost::context::fiber&& caller) { return main(std::move(caller)); });
}

boost::context::fiber fiber::main(boost::context::fiber&& caller) {
    arrive();
    caller_ = std::move(caller);
    run_(argument_);
    leave();
    return std::move(caller_);
}

void fiber::resume() {
    caller_context_ = tsan::current_fiber();
    void* fake_stack = nullptr;
    if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(&fake_stack, stack_.bottom(), stack::size);
    tsan::switch_to(context_);
    self_ = std::move(self_).resume();
    if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

void fiber::suspend() {
    leave();
    caller_ = std::move(caller_).resume();
    arrive();
}

void fiber::leave() {
    if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(&fake_stack_, caller_bottom_, caller_size_);
    tsan::switch_to(caller_context_);
}

void fiber::arrive() {
    if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(fake_stack_, &caller_bottom_, &caller_size_);
}

}  // namespace foldwise::simulation
