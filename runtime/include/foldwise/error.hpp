// foldwise/error.hpp: what a call throws. Each message names the kernel, the operand and the figures.
#pragma once

#include <stdexcept>

namespace foldwise {

/// The base of all of them.
class error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Operands whose shapes do not fit each other, a slice or reshape out of range, a shape that cannot be.
class shape_error : public error {
  public:
    using error::error;
};

/// An output that shares memory with another operand, other than exactly.
class overlap_error : public error {
  public:
    using error::error;
};

/// A reduction over nothing that has no identity.
class empty_error : public error {
  public:
    using error::error;
};

/// Memory of the host or of a GPU that could not be allocated: for elements, results and temporary copies, and for a
/// call's own bookkeeping. What was allocated by then is given back, nothing that is in flight touches the caller's
/// memory any more, and the next call works. Where the host has no memory left even for the message, and where a
/// foldwise::resource is made of a handle, it is std::bad_alloc instead.
class out_of_memory : public error {
  public:
    using error::error;
};

/// There is no GPU, memory that the executor does not reach, or CUDA's own errors with their text.
class device_error : public error {
  public:
    using error::error;
};

}  // namespace foldwise
