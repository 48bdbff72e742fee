// runtime/src/scratch.hpp: temporary memory of a thread for copies of elements.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace foldwise::detail {

/// Uninitialised bytes, aligned to cache lines, on the stack if they fit there.
class scratch {
  public:
    explicit scratch(std::size_t bytes) {
        if (bytes > sizeof own_) heap_.reset(new (alignment) std::byte[bytes]);
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    std::byte* data() { return heap_ ? heap_.get() : own_; }

  private:
    static constexpr std::align_val_t alignment{64};
    struct release {
        void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
    };

    std::unique_ptr<std::byte[], release> heap_;
    alignas(64) std::byte own_[24576];
};

}  // namespace foldwise::detail
