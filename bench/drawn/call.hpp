// bench/drawn/call.hpp: what the call of a drawn workload is written with. A workload is one function with C linkage,
// which Python and measure.cpp call with the addresses of its operands.
#pragma once

#include <foldwise/runtime.hpp>

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>

namespace drawn {

/// The operands of a call, in the order of the kernel's parameters, and where it runs.
class arguments {
  public:
    /// `pointers` has an address for each operand, which a scalar ignores; all are the host's or all GPU 0's. `stream`
    /// is a cudaStream_t of that GPU.
    arguments(void* const* pointers, bool is_on_gpu, void* stream)
        : pointers_(pointers), is_on_gpu_(is_on_gpu), stream_(static_cast<CUstream_st*>(stream)) {}

    /// A view that begins `offset` elements into operand `index`, with strides in elements.
    template <class T>
    foldwise::view<T> view(int index, std::int64_t offset, const foldwise::shape& extents,
                           std::initializer_list<std::int64_t> steps) const {
        const foldwise::view<T> strided = foldwise::host(static_cast<T*>(pointers_[index]) + offset, extents, steps);
        const foldwise::place place{is_on_gpu_ ? foldwise::memory::cuda : foldwise::memory::host, 0};
        return {strided.data(), strided.layout(), place};
    }
    foldwise::executor executor() const { return is_on_gpu_ ? foldwise::cuda(0, stream_) : foldwise::cpu(); }

  private:
    void* const* pointers_;
    bool is_on_gpu_;
    CUstream_st* stream_;
};

/// Null, or what an exception of the call said: a text that lasts until the thread's next one.
template <class Call> const char* message_of(Call call) noexcept {
    try {
        call();
        return nullptr;
    } catch (const std::exception& error) {
        thread_local std::string text;
        text = error.what();
        return text.c_str();
    }
}

/// Makes `calls` calls with the host's operands, of which there are `count` sets, beginning with those of number
/// `first`. Returns null, or the message of the first call that failed.
template <class Call>
const char* make_calls(Call call, void* const* const* sets, int count, int first, std::int64_t calls) noexcept {
    for (std::int64_t i = 0; i < calls; ++i, first = first + 1 < count ? first + 1 : 0)
        if (const char* message = message_of([&] { call({sets[first], false, nullptr}); })) return message;
    return nullptr;
}

}  // namespace drawn

/// Defines drawn_NAME(pointers, is_on_gpu, stream), which runs the statements that follow with `at`, its arguments; and
/// drawn_NAME_calls(sets, count, first, calls), which makes several such calls on the host, as make_calls() does.
#define DRAWN_CALL(name)                                                                                               \
    static void call_##name(const drawn::arguments& at);                                                               \
    extern "C" const char* drawn_##name(void* const* pointers, int is_on_gpu, void* stream) {                          \
        return drawn::message_of([&] { call_##name({pointers, is_on_gpu != 0, stream}); });                            \
    }                                                                                                                  \
    extern "C" const char* drawn_##name##_calls(void* const* const* sets, int count, int first, std::int64_t calls) {  \
        return drawn::make_calls(call_##name, sets, count, first, calls);                                              \
    }                                                                                                                  \
    static void call_##name([[maybe_unused]] const drawn::arguments& at)
