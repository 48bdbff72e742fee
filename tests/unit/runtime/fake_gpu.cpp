// tests/unit/runtime/fake_gpu.cpp: see the header.
#include "fake_gpu.hpp"

#include "result_slots.hpp"
#include "transfer_ring.hpp"
#include "workspace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

static fake_gpu* the_fake = nullptr;
thread_local int fake_gpu::inside_ = 0;

fake_gpu::fake_gpu() : before_(foldwise::detail::exchange_device(this)) { the_fake = this; }

fake_gpu::~fake_gpu() {
    foldwise::detail::all_workspaces().clear();
    foldwise::detail::clear_rings();
    foldwise::detail::clear_result_slots(*this);
    drain();
    EXPECT_EQ(live(), 0u) << "GPU memory was not freed";
    EXPECT_EQ(objects(), 0u) << "streams or events were not destroyed";
    for (auto& [data, bytes] : memory_) delete[] data;
    foldwise::detail::exchange_device(before_);
    the_fake = nullptr;
}

fake_gpu& fake_gpu::current() { return *the_fake; }

void fake_gpu::expect_current(CUstream_st* stream) const {
    const auto found = owners.find(stream);
    if (found != owners.end()) {
        EXPECT_EQ(found->second, device) << "a stream is used while another GPU is current";
    }
}

int fake_gpu::owner_of(const void* memory) const {
    for (const auto& [data, bytes] : memory_) {
        if (memory >= data && memory < data + bytes) return memory_owners_.at(data);
    }
    return -1;
}

int fake_gpu::current_at_last(const std::string& operation) const {
    for (std::size_t i = log_.size(); i-- > 0;)
        if (log_[i] == operation) return current_[i];
    return -1;
}

int fake_gpu::set_device(int number) const noexcept {
    const turn own(mutex_);
    if (int status = status_of("set_device")) return status;
    device = number;
    return 0;
}

int fake_gpu::device_of(CUstream_st* stream, int& number) const noexcept {
    const turn own(mutex_);
    if (int status = status_of("device_of")) return status;
    const auto found = owners.find(stream);
    EXPECT_TRUE(found != owners.end() || devices == 1) << "nobody said whose stream this is";
    number = found != owners.end() ? found->second : 0;
    return 0;
}

int fake_gpu::enter(const std::string& operation, CUstream_st* stream) const {
    const turn own(mutex_);
    expect_current(stream);
    log_.push_back(operation);
    streams_.push_back(stream);
    current_.push_back(device);
    return status_of(operation);
}

int fake_gpu::status_of(const std::string& operation) const {
    ++calls_[operation];
    const auto found = failures_.find(operation);
    if (found == failures_.end() || found->second.after-- > 0) return 0;
    const int status = found->second.status;
    failures_.erase(found);
    return status;
}

template <class Done> void fake_gpu::run_until(Done done) const {
    const turn own(mutex_);
    if (!random_) return drain();
    while (!done()) {
        std::vector<std::size_t> ready;  // of each stream what is next, if it may begin
        std::vector<CUstream_st*> seen;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const item& next = queue_[i];
            if (std::find(seen.begin(), seen.end(), next.stream) != seen.end()) continue;
            seen.push_back(next.stream);
            if (!next.after || events_[next.after].happened >= next.times) ready.push_back(i);
        }
        ASSERT_FALSE(ready.empty()) << "streams wait for each other";
        const auto chosen = queue_.begin() + static_cast<std::ptrdiff_t>(ready[(*random_)() % ready.size()]);
        const item next = *chosen;
        queue_.erase(chosen);
        if (next.work) next.work();
    }
}

void fake_gpu::drain() const {
    const turn own(mutex_);
    if (random_) return run_until([&] { return queue_.empty(); });
    for (const item& one : std::exchange(queue_, {}))
        if (one.work) one.work();
}

bool fake_gpu::is_idle(CUstream_st* stream) const {
    return std::none_of(queue_.begin(), queue_.end(), [&](const item& one) { return one.stream == stream; });
}

int fake_gpu::launch(std::function<void()> work, CUstream_st* stream) {
    const turn own(mutex_);
    if (int status = enter("launch", stream)) return status;
    queue(stream, std::move(work));
    return 0;
}

bool fake_gpu::owns(const void* memory) const {
    for (const auto& [data, bytes] : memory_) {
        if (memory >= data && memory < data + bytes) return true;
    }
    return false;
}

int fake_gpu::current_device(int& number) const noexcept {
    const turn own(mutex_);
    if (int status = status_of("current_device")) return status;
    number = device;
    return 0;
}

int fake_gpu::allocate(void*& memory, std::size_t bytes, CUstream_st* stream, CUmemPoolHandle_st* pool) const noexcept {
    const turn own(mutex_);
    if (int status = enter(pool ? "allocate_from_pool" : "allocate", stream)) return status;
    largest_ = std::max(largest_, bytes);
    if (bytes > capacity) return out_of_memory;
    auto* data = new std::byte[bytes];
    std::memset(data, 0xA5, bytes);
    memory_[data] = bytes;
    memory_owners_[data] = device;
    memory = data;
    return 0;
}

int fake_gpu::free(void* memory, CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    EXPECT_TRUE(owns(memory)) << "freed twice, or never allocated";
    EXPECT_EQ(owner_of(memory), device) << "freed while another GPU is current";
    enter("free", stream);
    // Stream order: what was queued before may still use it.
    auto* data = static_cast<std::byte*>(memory);
    queue(stream, [this, data] {
        memory_.erase(data);
        delete[] data;
    });
    return 0;
}

int fake_gpu::allocate_managed(void*& memory, std::size_t bytes) const noexcept {
    const turn own(mutex_);
    if (int status = enter("allocate_managed", nullptr)) return status;
    auto* data = new std::byte[bytes];
    memory_[data] = bytes;
    memory_owners_[data] = device;
    memory = data;
    return 0;
}

int fake_gpu::free_managed(void* memory) const noexcept {
    const turn own(mutex_);
    drain();
    enter("free_managed", nullptr);
    auto* data = static_cast<std::byte*>(memory);
    EXPECT_EQ(memory_.erase(data), 1u);
    delete[] data;
    return 0;
}

int fake_gpu::allocate_zeroed(void*& memory, std::size_t bytes) const noexcept {
    const turn own(mutex_);
    if (int status = enter("allocate_zeroed", nullptr)) return status;
    if (bytes > capacity) return out_of_memory;
    auto* data = new std::byte[bytes]();
    memory_[data] = bytes;
    memory_owners_[data] = device;
    memory = data;
    return 0;
}

int fake_gpu::identify(CUstream_st* stream, foldwise::detail::stream_numbers& found) const noexcept {
    const turn own(mutex_);
    if (int status = status_of("identify")) return status;
    const auto told = numbers.find(stream);
    found = told != numbers.end() ? told->second
                                  : foldwise::detail::stream_numbers{reinterpret_cast<std::uintptr_t>(stream), 0};
    return 0;
}

int fake_gpu::when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept {
    const turn own(mutex_);
    if (int status = enter("when_capture_is_gone", stream)) {
        gone(what);
        return status;
    }
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
    const turn own(mutex_);
    EXPECT_TRUE(owns(memory));
    if (int status = enter("clear", stream)) return status;
    queue(stream, [=] { std::memset(memory, 0, bytes); });
    return 0;
}

int fake_gpu::fill(void* memory, const void* element, std::size_t size, std::size_t count,
                   CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    EXPECT_TRUE(owns(memory));
    if (int status = enter("fill", stream)) return status;
    const auto* const bytes = static_cast<const std::byte*>(element);
    queue(stream, [=, value = std::vector<std::byte>(bytes, bytes + size)] {
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(static_cast<std::byte*>(memory) + i * size, value.data(), size);
    });
    return 0;
}

int fake_gpu::copy(void* to, const void* from, std::size_t bytes, foldwise::detail::copy_direction direction,
                   CUstream_st* stream) const noexcept {
    using foldwise::detail::copy_direction;
    const turn own(mutex_);
    EXPECT_EQ(owns(to), direction != copy_direction::to_host);
    EXPECT_EQ(owns(from), direction != copy_direction::to_device);
    const char* const names[] = {"to_device", "to_host", "on_device"};
    if (int status = enter(names[static_cast<int>(direction)], stream)) return status;
    if (reads_early && direction == copy_direction::to_device && !is_pinned(from)) {
        const auto* first = static_cast<const std::byte*>(from);
        queue(stream, [to, read = std::vector<std::byte>(first, first + bytes)] {
            std::copy(read.begin(), read.end(), static_cast<std::byte*>(to));
        });
        return 0;
    }
    queue(
        stream, [=] { std::memcpy(to, from, bytes); }, direction != copy_direction::on_device);
    return 0;
}

std::size_t fake_gpu::queued_on_host() const {
    const turn own(mutex_);
    return static_cast<std::size_t>(
        std::count_if(queue_.begin(), queue_.end(), [](const item& one) { return one.uses_host; }));
}

int fake_gpu::copy_to_peer(foldwise::detail::device_address to, foldwise::detail::device_address from,
                           std::size_t bytes, CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    EXPECT_EQ(owner_of(to.data), to.device);
    EXPECT_EQ(owner_of(from.data), from.device);
    if (int status = enter("to_peer", stream)) return status;
    queue(stream, [=] { std::memcpy(to.data, from.data, bytes); });
    return 0;
}

int fake_gpu::synchronize(CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    if (int status = enter("synchronize", stream)) return status;
    run_until([&] { return is_idle(stream); });
    return 0;
}

int fake_gpu::make_stream(CUstream_st*& stream) const noexcept {
    const turn own(mutex_);
    if (int status = enter("make_stream", nullptr)) return status;
    ++objects_;
    stream = reinterpret_cast<CUstream_st*>(0x100000 + 16 * ++made_);
    owners[stream] = device;
    return 0;
}

int fake_gpu::make_event(CUevent_st*& event) const noexcept {
    const turn own(mutex_);
    if (int status = enter("make_event", nullptr)) return status;
    ++objects_;
    event = reinterpret_cast<CUevent_st*>(0x100000 + 16 * ++made_);
    return 0;
}

void fake_gpu::destroy(CUstream_st*) const noexcept { --objects_; }
void fake_gpu::destroy(CUevent_st*) const noexcept { --objects_; }

int fake_gpu::record(CUevent_st* event, CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    if (int status = enter("record", stream)) return status;
    queue(stream, [this, event, times = ++events_[event].times] { events_[event].happened = times; });
    return 0;
}

int fake_gpu::follow(CUstream_st* stream, CUevent_st* event) const noexcept {
    const turn own(mutex_);
    if (int status = enter("follow", stream)) return status;
    queue_.push_back({stream, nullptr, event, events_[event].times});
    return 0;
}

bool fake_gpu::has_happened(CUevent_st* event) const noexcept {
    const std::lock_guard lock(mutex_);
    return events_[event].happened >= events_[event].times;
}

int fake_gpu::await(CUevent_st* event) const noexcept {
    const turn own(mutex_);
    if (int status = enter("await", nullptr)) return status;
    run_until([this, event, times = events_[event].times] { return events_[event].happened >= times; });
    return 0;
}

int fake_gpu::allocate_pinned(void*& memory, std::size_t bytes) const noexcept {
    const turn own(mutex_);
    if (int status = enter("allocate_pinned", nullptr)) return status;
    auto* data = new std::byte[bytes];
    pinned_[data] = bytes;
    pinned_bytes_ += bytes;
    most_pinned_ = std::max(most_pinned_, pinned_bytes_);
    memory = data;
    return 0;
}

void fake_gpu::free_pinned(void* memory) const noexcept {
    const turn own(mutex_);
    auto* data = static_cast<std::byte*>(memory);
    const auto found = pinned_.find(data);
    ASSERT_NE(found, pinned_.end());
    pinned_bytes_ -= found->second;
    pinned_.erase(found);
    delete[] data;
}

bool fake_gpu::is_pinned(const void* memory) const noexcept {
    const turn own(mutex_);
    if (status_of("is_pinned")) return false;
    for (const auto& [data, bytes] : pinned_)
        if (memory >= data && memory < data + bytes) return true;
    return false;
}

int fake_gpu::device_of_memory(const void* memory, bool, int& number) const noexcept {
    const turn own(mutex_);
    number = -1;
    if (int status = status_of("device_of_memory")) return status;
    for (const auto& [data, bytes] : memory_)
        if (memory >= data && memory < data + bytes) number = memory_owners_.at(data);
    return 0;
}

int fake_gpu::memory_info(std::size_t& free, std::size_t& total) const noexcept {
    const turn own(mutex_);
    if (int status = status_of("memory_info")) return status;
    free = 1000;
    total = capacity;
    return 0;
}
