// A library's header, which compilers have much to say about.
#pragma once

#ifdef __clang__
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"  // of which GCC has not heard
#endif

namespace vendor {

template <class T> inline T first(T value, int unused) {
    int nothing;
    return (T)value;
}

static inline int limited(int value, unsigned limit, int unused) {
    int nothing;
    if (value > limit) return (int)limit;
    return first(value, 1);
}

}  // namespace vendor
