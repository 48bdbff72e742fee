// foldwise/detail/throw_error.hpp: what specs throw where they are called on the host, without kernels.
#pragma once

// The generator reads specs and runs nothing of them, and <stdexcept> is half of what it would have to parse. What
// specs may rely on of that are function objects such as std::plus, so that it takes what other compilers take.
#ifndef FOLDWISE_GENERATOR
#include <foldwise/error.hpp>
#elif __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // libstdc++'s own
#else
#include <functional>
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
