// foldwise/detail/throw_error.hpp: what specs throw where they are called on the host, without kernels.
#pragma once

// The generator reads specs and runs nothing of them; <stdexcept> is half of what it would have to parse.
#ifndef FOLDWISE_GENERATOR
#include <foldwise/error.hpp>
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
