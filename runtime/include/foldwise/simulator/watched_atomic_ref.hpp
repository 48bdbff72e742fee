// foldwise/simulator/watched_atomic_ref.hpp: std::atomic_ref that reports its accesses, in programs that track them
// (accesses.hpp): ThreadSanitizer's functions for atomic operations cannot be told where they were called.
#pragma once

#include <foldwise/simulator/accesses.hpp>

#include <atomic>

#ifdef FOLDWISE_WATCHES_ACCESSES

namespace std {

/// An atomic_ref that knows the line that made it. Whatever depends on the old value reads it; a store and an exchange
/// write, as atomicExch does.
template <class T> class foldwise_watched_atomic_ref : public atomic_ref<T> {
    using base = atomic_ref<T>;
    using place = foldwise::simulation::place;

    template <class U> struct change { using type = U; };
    template <class U> struct change<U*> { using type = ptrdiff_t; };
    using difference = typename change<T>::type;

  public:
    explicit foldwise_watched_atomic_ref(T& object, place where = place::current())
        : base(object), at_(&object), where_(where) {}
    foldwise_watched_atomic_ref(const foldwise_watched_atomic_ref&) = default;
    foldwise_watched_atomic_ref& operator=(const foldwise_watched_atomic_ref&) = delete;

    void store(T value, memory_order order = memory_order_seq_cst) const { written().store(value, order); }
    T exchange(T value, memory_order order = memory_order_seq_cst) const { return written().exchange(value, order); }
    T operator=(T value) const { return written() = value; }

    T load(memory_order order = memory_order_seq_cst) const { return read().load(order); }
    operator T() const { return read(); }
    template <class... Orders> bool compare_exchange_weak(T& expected, T value, Orders... orders) const {
        return read().compare_exchange_weak(expected, value, orders...);
    }
    template <class... Orders> bool compare_exchange_strong(T& expected, T value, Orders... orders) const {
        return read().compare_exchange_strong(expected, value, orders...);
    }

#define FOLDWISE_WATCHED(Change, name, operation)                                                                      \
    auto name(Change change, memory_order order = memory_order_seq_cst) const { return read().name(change, order); }   \
    auto operator operation(Change change) const { return read() operation change; }
    FOLDWISE_WATCHED(difference, fetch_add, +=)
    FOLDWISE_WATCHED(difference, fetch_sub, -=)
    FOLDWISE_WATCHED(T, fetch_and, &=)
    FOLDWISE_WATCHED(T, fetch_or, |=)
    FOLDWISE_WATCHED(T, fetch_xor, ^=)
#undef FOLDWISE_WATCHED
    auto operator++(int) const { return read()++; }
    auto operator--(int) const { return read()--; }
    auto operator++() const { return ++read(); }
    auto operator--() const { return --read(); }

  private:
    const base& read() const {
        foldwise::simulation::watch_read(at_, sizeof(T), where_);
        return *this;
    }
    const base& written() const {
        foldwise::simulation::watch_write(at_, sizeof(T));
        return *this;
    }

    const T* at_;
    place where_;
};

}  // namespace std

#define atomic_ref foldwise_watched_atomic_ref

#endif
