// tests/unit/runtime/fake_gpu.cpp: see the header.
#include "fake_gpu.hpp"

#include "result_slots.hpp"
#include "transfer_ring.hpp"
#include "workspace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <thread>
#include <utility>

static fake_gpu* the_fake = nullptr;
thread_local int fake_gpu::inside_ = 0;
thread_local int fake_gpu::device = 0;

/// A stream that does what is queued on it. Its queue is guarded by the fake's mutex.
class fake_gpu::stream_thread {
  public:
    explicit stream_thread(const fake_gpu& gpu) : gpu_(gpu), thread_([this] { work(); }) {}
    ~stream_thread() {
        {
            const std::lock_guard lock(gpu_.mutex_);
            is_over_ = true;
        }
        gpu_.changed_.notify_all();
        thread_.join();
    }

    void push(std::function<void()> work) {
        queue_.push_back(std::move(work));
        gpu_.changed_.notify_all();
    }
    bool is_idle() const { return queue_.empty(); }

  private:
    void work() {
        std::unique_lock lock(gpu_.mutex_);
        for (;;) {
            gpu_.changed_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
            if (queue_.empty()) return;
            const std::function<void()> next = queue_.front();
            lock.unlock();
            next();
            lock.lock();
            queue_.pop_front();
            gpu_.changed_.notify_all();
        }
    }

    const fake_gpu& gpu_;
    std::deque<std::function<void()>> queue_;
    bool is_over_ = false;
    std::thread thread_;
};

fake_gpu::fake_gpu() : before_(foldwise::detail::exchange_device(this)) {
    the_fake = this;
    device = 0;
}

fake_gpu::~fake_gpu() {
    foldwise::detail::all_workspaces().clear();
    foldwise::detail::clear_rings();
    foldwise::detail::clear_result_slots(*this);
    drain();
    threads_.clear();
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
    EXPECT_TRUE(found != owners.end() || devices == 1 || foldwise::detail::is_default_stream(stream))
        << "nobody said whose stream this is";
    number = found != owners.end() ? found->second : device;
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

fake_gpu::stream_key fake_gpu::key_of(CUstream_st* stream) const {
    return {stream, foldwise::detail::is_default_stream(stream) ? device : 0};
}

void fake_gpu::queue(CUstream_st* stream, std::function<void()> work, bool uses_host) const {
    if (!is_threaded_) return queue_.push_back({stream, std::move(work), nullptr, 0, uses_host});
    std::unique_ptr<stream_thread>& own = threads_[key_of(stream)];
    if (!own) own = std::make_unique<stream_thread>(*this);
    own->push(std::move(work));
}

template <class Done> void fake_gpu::run_until(Done done) const {
    if (is_threaded_) {
        std::unique_lock lock(mutex_);
        return changed_.wait(lock, done);
    }
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
    if (is_threaded_)
        return run_until([&] {
            return std::all_of(threads_.begin(), threads_.end(), [](const auto& one) { return one.second->is_idle(); });
        });
    const turn own(mutex_);
    if (random_) return run_until([&] { return queue_.empty(); });
    for (const item& one : std::exchange(queue_, {}))
        if (one.work) one.work();
}

bool fake_gpu::is_idle(CUstream_st* stream) const {
    if (is_threaded_) {
        const auto found = threads_.find(key_of(stream));
        return found == threads_.end() || found->second->is_idle();
    }
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
        const std::lock_guard lock(mutex_);
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
    drain();
    const turn own(mutex_);
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
    auto* data = new std::byte[bytes];
    std::memset(data, 0, bytes);  // a value-initialisation that is not optimised is a loop over bytes
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
    if (direction == copy_direction::to_host) bytes_to_host_ += bytes;
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

std::size_t fake_gpu::bytes_to_host() const {
    const turn own(mutex_);
    return bytes_to_host_;
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

void fake_gpu::destroy(CUstream_st* stream) const noexcept {
    std::unique_ptr<stream_thread> ended;  // it does what is queued, without the lock
    const turn own(mutex_);
    --objects_;
    if (const auto found = threads_.find(key_of(stream)); found != threads_.end()) {
        ended = std::move(found->second);
        threads_.erase(found);
    }
}
void fake_gpu::destroy(CUevent_st*) const noexcept {
    const turn own(mutex_);
    --objects_;
}

int fake_gpu::record(CUevent_st* event, CUstream_st* stream) const noexcept {
    const turn own(mutex_);
    if (int status = enter("record", stream)) return status;
    queue(stream, [this, event, times = ++events_[event].times] {
        const std::lock_guard lock(mutex_);
        events_[event].happened = times;
    });
    return 0;
}

int fake_gpu::follow(CUstream_st* stream, CUevent_st* event) const noexcept {
    const turn own(mutex_);
    if (int status = enter("follow", stream)) return status;
    const int times = events_[event].times;
    if (is_threaded_)
        queue(stream, [=, this] {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return events_[event].happened >= times; });
        });
    else
        queue_.push_back({stream, nullptr, event, times});
    return 0;
}

bool fake_gpu::has_happened(CUevent_st* event) const noexcept {
    const std::lock_guard lock(mutex_);
    return events_[event].happened >= events_[event].times;
}

int fake_gpu::await(CUevent_st* event) const noexcept {
    int times = 0;
    {
        const turn own(mutex_);
        if (int status = enter("await", nullptr)) return status;
        times = events_[event].times;
    }
    run_until([this, event, times] { return events_[event].happened >= times; });
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
