// foldwise/detail/throw_error.hpp: what specs throw where they are called on the host, without kernels.
#pragma once

// The generator reads specs and runs nothing of them, and <stdexcept> is half of what it would have to parse. Of what
// that includes, specs may rely on function objects such as std::plus and on the C library, as with other compilers.
#ifndef FOLDWISE_GENERATOR
#include <foldwise/error.hpp>
#else
#include <cstdio>
#include <cstdlib>
#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // libstdc++'s own
#else
#include <functional>
#endif
#endif

namespace foldwise::detail {

#ifdef FOLDWISE_GENERATOR
[[noreturn]] void throw_shape_error(const char* message);
[[noreturn]] void throw_empty_error(const char* message);
#else
[[noreturn]] inline void throw_shape_error(const char* message) { throw shape_error(message); }
[[noreturn]] inline void throw_empty_error(const char* message) { throw empty_error(message); }
#endif

}  // namespace foldwise::detail
