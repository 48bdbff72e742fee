// tests/interpose/cuda_failures.cpp: see the header. What cuda_calls.sh writes asks here before each call.
#include "cuda_failures.hpp"

#include "cuda_calls.hpp"

#include <driver_types.h>

#include <array>
#include <atomic>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

extern "C" {
/// Whether cuda_call_status is to be asked at all. One byte.
std::atomic<bool> cuda_calls_may_fail{false};

/// What the call is to return instead of being made; 0: it is made. `arguments` are those that came in registers.
int cuda_call_status(std::int32_t kind, const std::uint64_t* arguments);
}

static_assert(sizeof cuda_calls_may_fail == 1 && std::atomic<bool>::is_always_lock_free);

namespace {

enum class role : std::uint8_t { other, can_fail, makes_something, exchanges_mode, peeks_at_last, gets_last };

bool contains(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

role role_of(std::string_view name) {
    if (name == "cudaPeekAtLastError") return role::peeks_at_last;
    if (name == "cudaGetLastError") return role::gets_last;
    if (name == "cudaThreadExchangeStreamCaptureMode") return role::exchanges_mode;
    for (std::string_view part : {"__cuda", "cudaGetErrorName", "cudaGetErrorString", "cudaCreateChannelDesc",
                                  "Destroy", "Free", "Release", "cudaDeviceReset", "cudaThreadExit"})
        if (contains(name, part)) return role::other;
    for (std::string_view part : {"Alloc", "Malloc", "Create", "Instantiate", "Launch"})
        if (contains(name, part)) return role::makes_something;
    return role::can_fail;
}

const std::vector<role>& roles() {
    static const std::vector<role> all = [] {
        std::vector<role> found;
        for (std::int32_t kind = 0; kind < cuda_call_kinds; ++kind) found.push_back(role_of(cuda_call_names[kind]));
        return found;
    }();
    return all;
}

interpose::cuda_failure wanted{};
const role* role_of_kind = nullptr;
std::atomic<std::uint64_t> numbered{0};
std::atomic<std::int32_t> failed_kind{-1};
thread_local int own_calls = 0;
thread_local int last_error = 0;  ///< The status of a call that failed here, of which CUDA does not know.

/// How often each function was asked for and not called.
std::array<std::atomic<std::int64_t>, 1024> failures_of{};

bool fails(role kind, const std::uint64_t* arguments) {
    if (kind == role::other || own_calls > 0) return false;
    if (wanted.only_allocations && kind != role::makes_something) return false;
    if (kind == role::exchanges_mode) {
        const auto* const mode = reinterpret_cast<const cudaStreamCaptureMode*>(arguments[0]);
        if (*mode != cudaStreamCaptureModeRelaxed) return false;
    }
    return numbered.fetch_add(1) == wanted.number;
}

/// Calls of these functions that were made.
std::int64_t made(std::initializer_list<std::string_view> names) {
    std::int64_t calls = 0;
    for (std::int32_t kind = 0; kind < cuda_call_kinds; ++kind) {
        for (std::string_view name : names)
            if (name == cuda_call_names[kind])
                calls += static_cast<std::int64_t>(cuda_call_counts[kind]) - failures_of[kind].load();
    }
    return calls;
}

}  // namespace

int cuda_call_status(std::int32_t kind, const std::uint64_t* arguments) {
    const role what = role_of_kind[kind];
    if (what == role::peeks_at_last) return last_error;
    if (what == role::gets_last) return std::exchange(last_error, 0);
    if (!fails(what, arguments)) return 0;
    failed_kind = kind;
    ++failures_of[static_cast<std::size_t>(kind)];
    return last_error = wanted.status;
}

namespace interpose {

failing_cuda::failing_cuda(const cuda_failure& which) {
    role_of_kind = roles().data();
    wanted = which;
    numbered = 0;
    failed_kind = -1;
    cuda_calls_may_fail = true;
}

std::uint64_t failing_cuda::stop() {
    wanted.number = UINT64_MAX;  // but what has failed stays the last error
    return numbered;
}

std::string failing_cuda::failed() const { return failed_kind < 0 ? "" : cuda_call_names[failed_kind]; }

own_cuda_calls::own_cuda_calls() { ++own_calls; }
own_cuda_calls::~own_cuda_calls() { --own_calls; }

std::map<std::string, std::int64_t> cuda_objects() {
    return {
        {"streams", made({"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority"}) -
                        made({"cudaStreamDestroy"})},
        {"events", made({"cudaEventCreate", "cudaEventCreateWithFlags"}) - made({"cudaEventDestroy"})},
        {"pinned blocks", made({"cudaMallocHost", "cudaHostAlloc"}) - made({"cudaFreeHost"})},
        {"blocks in stream order", made({"cudaMallocAsync", "cudaMallocFromPoolAsync"}) - made({"cudaFreeAsync"})},
        {"other blocks", made({"cudaMalloc", "cudaMallocManaged"}) - made({"cudaFree"})},
    };
}

}  // namespace interpose
