// tests/unit/runtime/fake_gpu.cpp: see the header.
#include "fake_gpu.hpp"

#include "workspace.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

static fake_gpu* the_fake = nullptr;

fake_gpu::fake_gpu() : before_(foldwise::detail::exchange_device(this)) { the_fake = this; }

fake_gpu::~fake_gpu() {
    foldwise::detail::all_workspaces().clear();
    drain();
    EXPECT_EQ(live(), 0u) << "GPU memory was not freed";
    for (auto& [data, bytes] : memory_) delete[] data;
    foldwise::detail::exchange_device(before_);
    the_fake = nullptr;
}

fake_gpu& fake_gpu::current() { return *the_fake; }

int fake_gpu::record(const std::string& operation, CUstream_st* stream) const {
    const std::lock_guard lock(mutex_);
    log_.push_back(operation);
    streams_.push_back(stream);
    const auto found = failures_.find(operation);
    if (found == failures_.end() || found->second.after-- > 0) return 0;
    const int status = found->second.status;
    failures_.erase(found);
    return status;
}

void fake_gpu::drain() const {
    const std::lock_guard lock(mutex_);
    for (const auto& work : std::exchange(queue_, {})) work();
}

int fake_gpu::launch(std::function<void()> work, CUstream_st* stream) {
    const std::lock_guard lock(mutex_);
    if (int status = record("launch", stream)) return status;
    queue_.push_back(std::move(work));
    return 0;
}

bool fake_gpu::owns(const void* memory) const {
    for (const auto& [data, bytes] : memory_) {
        if (memory >= data && memory < data + bytes) return true;
    }
    return false;
}

int fake_gpu::current_device(int& number) const noexcept {
    number = device;
    return 0;
}

int fake_gpu::allocate(void*& memory, std::size_t bytes, CUstream_st* stream) const noexcept {
    const std::lock_guard lock(mutex_);
    if (int status = record("allocate", stream)) return status;
    if (bytes > capacity) return out_of_memory;
    auto* data = new std::byte[bytes];
    std::memset(data, 0xA5, bytes);
    memory_[data] = bytes;
    memory = data;
    return 0;
}

int fake_gpu::free(void* memory, CUstream_st* stream) const noexcept {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(owns(memory)) << "freed twice, or never allocated";
    record("free", stream);
    // Stream order: what was queued before may still use it.
    auto* data = static_cast<std::byte*>(memory);
    queue_.push_back([this, data] {
        memory_.erase(data);
        delete[] data;
    });
    return 0;
}

int fake_gpu::allocate_zeroed(void*& memory, std::size_t bytes) const noexcept {
    const std::lock_guard lock(mutex_);
    if (int status = record("allocate_zeroed", nullptr)) return status;
    if (bytes > capacity) return out_of_memory;
    auto* data = new std::byte[bytes]();
    memory_[data] = bytes;
    memory = data;
    return 0;
}

int fake_gpu::identify(CUstream_st* stream, foldwise::detail::stream_numbers& found) const noexcept {
    const auto told = numbers.find(stream);
    found = told != numbers.end() ? told->second
                                  : foldwise::detail::stream_numbers{reinterpret_cast<std::uintptr_t>(stream), 0};
    return 0;
}

int fake_gpu::when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept {
    const std::lock_guard lock(mutex_);
    if (int status = record("when_capture_is_gone", stream)) return status;
    goodbyes_.push_back({numbers.at(stream).capture, gone, what});
    return 0;
}

void fake_gpu::end_graph(std::uint64_t capture) {
    std::erase_if(goodbyes_, [&](const goodbye& one) {
        if (one.capture != capture) return false;
        one.gone(one.what);
        return true;
    });
}

int fake_gpu::clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(owns(memory));
    if (int status = record("clear", stream)) return status;
    queue_.push_back([=] { std::memset(memory, 0, bytes); });
    return 0;
}

int fake_gpu::copy(void* to, const void* from, std::size_t bytes, foldwise::detail::copy_direction direction,
                   CUstream_st* stream) const noexcept {
    using foldwise::detail::copy_direction;
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(owns(to), direction != copy_direction::to_host);
    EXPECT_EQ(owns(from), direction != copy_direction::to_device);
    const char* const names[] = {"to_device", "to_host", "on_device"};
    if (int status = record(names[static_cast<int>(direction)], stream)) return status;
    queue_.push_back([=] { std::memcpy(to, from, bytes); });
    return 0;
}

int fake_gpu::synchronize(CUstream_st* stream) const noexcept {
    const int status = record("synchronize", stream);
    drain();
    return status;
}

int fake_gpu::memory_info(std::size_t& free, std::size_t& total) const noexcept {
    free = 1000;
    total = capacity;
    return 0;
}
