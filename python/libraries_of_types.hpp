// python/libraries_of_types.hpp: a cache of what is known of types, which every thread can read.
#pragma once

#include "library.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace foldwise::python {

/// The libraries of types, which are kept as long as the process. Looking one up takes no lock.
class libraries_of_types {
  public:
    /// The library of a type's objects, null for what is none's; nothing for a type that has not been added.
    std::optional<const library*> find(PyTypeObject* type) const {
        for (std::size_t i = first_place(type);; i = next(i)) {
            PyTypeObject* const own = entries_[i].type.load(std::memory_order_acquire);
            if (own == type) return entries_[i].library;
            if (!own) return std::nullopt;
        }
    }

    /// Adds a type unless it is there; too many types are not added.
    void add(PyTypeObject* type, const library* of) {
        const std::lock_guard lock(mutex_);
        if (count_ == entries_.size() / 2 || find(type)) return;
        std::size_t i = first_place(type);
        while (entries_[i].type.load(std::memory_order_relaxed)) i = next(i);
        Py_INCREF(reinterpret_cast<PyObject*>(type));
        entries_[i].library = of;
        entries_[i].type.store(type, std::memory_order_release);
        ++count_;
    }

  private:
    struct entry {
        std::atomic<PyTypeObject*> type = nullptr;  ///< Set last.
        const python::library* library = nullptr;
    };

    static std::size_t next(std::size_t i) { return (i + 1) % std::tuple_size_v<decltype(entries_)>; }
    static std::size_t first_place(PyTypeObject* type) {
        return (reinterpret_cast<std::uintptr_t>(type) >> 5) % std::tuple_size_v<decltype(entries_)>;
    }

    std::array<entry, 256> entries_;
    std::mutex mutex_;
    std::size_t count_ = 0;  ///< Under the mutex.
};

}  // namespace foldwise::python
