// tests/distributed/fake/fake_cuda.cpp: streams, events and memory.
#include "fake_cuda.hpp"

#include <cstdlib>
#include <cstring>

thread_local int fake_cuda::current_ = 0;

struct fake_cuda::event {
    std::atomic<int> recorded = 0, happened = 0;
};

/// A thread that does what is queued.
class fake_cuda::stream {
  public:
    explicit stream(int device) : device(device), thread_([this] { work(); }) {}
    ~stream() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    void queue(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return queue_.empty(); });
    }

    const int device;

  private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
            if (queue_.empty()) return;
            const std::function<void()> next = queue_.front();
            lock.unlock();
            next();
            lock.lock();
            queue_.pop_front();
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    bool is_over_ = false;
    std::thread thread_;
};

fake_cuda::fake_cuda(int devices) : devices_(devices) {}
fake_cuda::~fake_cuda() = default;

std::size_t fake_cuda::allocated() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const auto& [at, one] : memory_) sum += one.bytes;
    return sum;
}

fake_cuda::stream& fake_cuda::of(CUstream_st* handle) const {
    const std::lock_guard lock(mutex_);
    if (!foldwise::detail::is_default_stream(handle)) return *streams_.at(handle);
    while (default_streams_.size() < static_cast<std::size_t>(devices_))
        default_streams_.push_back(std::make_unique<stream>(static_cast<int>(default_streams_.size())));
    return *default_streams_[static_cast<std::size_t>(current_)];
}

void fake_cuda::queue(CUstream_st* stream, std::function<void()> work) const { of(stream).queue(std::move(work)); }

int fake_cuda::current_device(int& device) const noexcept {
    device = current_;
    return 0;
}

int fake_cuda::set_device(int device) const noexcept {
    if (device < 0 || device >= devices_) return invalid;
    current_ = device;
    return 0;
}

int fake_cuda::device_of(CUstream_st* stream, int& device) const noexcept {
    device = of(stream).device;
    return 0;
}

int fake_cuda::allocate(void*& memory, std::size_t bytes, CUstream_st*, CUmemPoolHandle_st*) const noexcept {
    memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!memory) return out_of_memory;
    std::memset(memory, 0xcd, bytes);
    const std::lock_guard lock(mutex_);
    memory_[static_cast<const std::byte*>(memory)] = {bytes, current_};
    return 0;
}

int fake_cuda::free(void* memory, CUstream_st* stream) const noexcept {
    queue(stream, [this, memory] {
        {
            const std::lock_guard lock(mutex_);
            memory_.erase(static_cast<const std::byte*>(memory));
        }
        std::free(memory);
    });
    return 0;
}

int fake_cuda::allocate_zeroed(void*& memory, std::size_t bytes) const noexcept {
    const int status = allocate(memory, bytes, nullptr, nullptr);
    if (status == 0) std::memset(memory, 0, bytes);
    return status;
}

int fake_cuda::identify(CUstream_st* stream, foldwise::detail::stream_numbers& numbers) const noexcept {
    numbers = {reinterpret_cast<std::uintptr_t>(&of(stream)), 0};
    return 0;
}

int fake_cuda::clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept {
    queue(stream, [=] { std::memset(memory, 0, bytes); });
    return 0;
}

int fake_cuda::fill(void* memory, const void* element, std::size_t size, std::size_t count,
                    CUstream_st* stream) const noexcept {
    const std::vector<std::byte> value(static_cast<const std::byte*>(element),
                                       static_cast<const std::byte*>(element) + size);
    queue(stream, [=] {
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(static_cast<std::byte*>(memory) + i * size, value.data(), size);
    });
    return 0;
}

int fake_cuda::copy(void* to, const void* from, std::size_t bytes, foldwise::detail::copy_direction direction,
                    CUstream_st* stream) const noexcept {
    using foldwise::detail::copy_direction;
    if (direction != copy_direction::to_host && !is_on(to, -1)) return invalid;
    if (direction != copy_direction::to_device && !is_on(from, -1)) return invalid;
    if (direction == copy_direction::to_host) const_cast<fake_cuda*>(this)->bytes_to_host += bytes;
    queue(stream, [=] { std::memcpy(to, from, bytes); });
    return 0;
}

int fake_cuda::copy_to_peer(foldwise::detail::device_address to, foldwise::detail::device_address from,
                            std::size_t bytes, CUstream_st* stream) const noexcept {
    if (!is_on(to.data, to.device) || !is_on(from.data, from.device)) return invalid;
    queue(stream, [=] { std::memcpy(to.data, from.data, bytes); });
    return 0;
}

int fake_cuda::synchronize(CUstream_st* stream) const noexcept {
    of(stream).wait();
    return 0;
}

int fake_cuda::make_stream(CUstream_st*& handle) const noexcept {
    auto made = std::make_unique<stream>(current_);
    handle = reinterpret_cast<CUstream_st*>(made.get());
    const std::lock_guard lock(mutex_);
    streams_[handle] = std::move(made);
    return 0;
}

int fake_cuda::make_event(CUevent_st*& handle) const noexcept {
    handle = reinterpret_cast<CUevent_st*>(new event);
    return 0;
}

void fake_cuda::destroy(CUstream_st* handle) const noexcept {
    std::unique_ptr<stream> ended;  // destroyed after the lock, which what is queued may need
    const std::lock_guard lock(mutex_);
    std::swap(ended, streams_.at(handle));
    streams_.erase(handle);
}

// What is queued may still refer to it.
void fake_cuda::destroy(CUevent_st*) const noexcept {}

int fake_cuda::record(CUevent_st* handle, CUstream_st* stream) const noexcept {
    auto* const own = reinterpret_cast<event*>(handle);
    const int turn = ++own->recorded;
    queue(stream, [own, turn] { own->happened = turn; });
    return 0;
}

int fake_cuda::follow(CUstream_st* stream, CUevent_st* handle) const noexcept {
    auto* const own = reinterpret_cast<event*>(handle);
    const int turn = own->recorded;
    queue(stream, [own, turn] {
        while (own->happened < turn) std::this_thread::yield();
    });
    return 0;
}

bool fake_cuda::has_happened(CUevent_st* handle) const noexcept {
    const auto* const own = reinterpret_cast<event*>(handle);
    return own->happened >= own->recorded;
}

int fake_cuda::await(CUevent_st* handle) const noexcept {
    while (!has_happened(handle)) std::this_thread::yield();
    return 0;
}

int fake_cuda::allocate_pinned(void*& memory, std::size_t bytes) const noexcept {
    memory = std::malloc(bytes);
    return memory ? 0 : out_of_memory;
}

void fake_cuda::free_pinned(void* memory) const noexcept { std::free(memory); }

bool fake_cuda::is_on(const void* memory, int device) const {
    int found = -1;
    device_of_memory(memory, false, found);
    return found >= 0 && (device < 0 || device == found);
}

int fake_cuda::device_of_memory(const void* memory, bool, int& device) const noexcept {
    const std::lock_guard lock(mutex_);
    const auto* const address = static_cast<const std::byte*>(memory);
    const auto behind = memory_.upper_bound(address);
    device = -1;
    if (behind == memory_.begin()) return 0;
    const auto& [first, one] = *std::prev(behind);
    if (address < first + one.bytes) device = one.device;
    return 0;
}

int fake_cuda::memory_info(std::size_t& free, std::size_t& total) const noexcept {
    free = total = std::size_t{1} << 30;
    return 0;
}
