// python/floating_errors.cpp: reads the processor's floating-point flags, and has NumPy turn them into warnings and
// exceptions.
#include "floating_errors.hpp"

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace foldwise::python {

namespace {

constexpr int reported = FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID;
thread_local int found = 0;  // what the loop below raises

/// The loop of a universal function that computes nothing and raises flags, for NumPy to report under its name.
void raise_found(char**, const std::intptr_t*, const std::intptr_t*, void*) { std::feraiseexcept(found); }

object make_reporter(const kernel& of) {
    static loop_function loop = raise_found;
    static void* nothing = nullptr;
    static char types[] = {12, 12};  // of doubles
    return make_simple_ufunc(&loop, &nothing, types, of.name.c_str());
}

#if defined(__SSE2__)
// Kernels compute in SSE's registers; <cfenv> goes to those of the 8087 too, which takes ten times as long.
void clear() { _mm_setcsr(_mm_getcsr() & ~static_cast<unsigned>(FE_ALL_EXCEPT)); }
int flags() { return static_cast<int>(_mm_getcsr()) & reported; }
#else
void clear() { std::feclearexcept(FE_ALL_EXCEPT); }
int flags() { return std::fetestexcept(reported); }
#endif

}  // namespace

floating_errors::floating_errors() { clear(); }

void floating_errors::report(kernel& of) const {
    const int now = flags();
    if (now == 0) return;
    of.floating_errors_made([&] { of.floating_errors = make_reporter(of); });
    found = now;
    of.floating_errors(object::take(PyFloat_FromDouble(0)));
}

}  // namespace foldwise::python
