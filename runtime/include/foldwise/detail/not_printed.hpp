// foldwise/detail/not_printed.hpp: what to write instead of printing something that has no operator<<.
#pragma once

#include <iosfwd>

// `friend std::ostream& operator<<(std::ostream&, const x&) FOLDWISE_NOT_PRINTED("to_string(x)");` in the class. Of a
// deleted operator, Clang lists all others there are; GCC counts an unavailable one as possible in requirements.
#if defined(__clang__)
#define FOLDWISE_NOT_PRINTED(instead) __attribute__((unavailable("print " instead)))
#else
#define FOLDWISE_NOT_PRINTED(instead) = delete
#endif
