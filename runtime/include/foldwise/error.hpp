// foldwise/error.hpp: the exceptions that calls throw. Each message names the kernel, the operand and the figures.
//
// They are visible in every shared library, whatever its compiler's options say: who throws and who catches may be in
// two libraries, each with a runtime of its own, and have to agree that a type is the same.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <stdexcept>
#include <string>

namespace foldwise {

/// The base class of all exceptions that Foldwise defines.
class [[gnu::visibility("default")]] error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The shapes of operands are not compatible, a slice or reshape is out of range, or a shape is impossible.
class [[gnu::visibility("default")]] shape_error : public error {
  public:
    using error::error;
};

/// A single value does not fit the type of the elements that it stands for: an integer would lose bits, a fraction
/// would be cut off, or a finite number would become infinite.
class [[gnu::visibility("default")]] value_error : public error {
  public:
    using error::error;
};

/// An output shares memory with another operand without being exactly the same elements, or a task would read what
/// other tasks write.
class [[gnu::visibility("default")]] overlap_error : public error {
  public:
    using error::error;
};

/// A reduction over no elements has no identity to return.
class [[gnu::visibility("default")]] empty_error : public error {
  public:
    using error::error;
};

/// Host or GPU memory could not be allocated for elements, results, temporary copies or a call's own bookkeeping.
/// Whatever had been allocated has been freed, nothing in flight accesses the caller's memory any more, and the next
/// call works. std::bad_alloc is thrown instead if the host has no memory left even for the message, or while a
/// foldwise::resource is constructed from a handle.
class [[gnu::visibility("default")]] out_of_memory : public error {
  public:
    using error::error;
};

/// Processes that compute together make different calls, one of them has left the group because of an error, or the
/// library that carries their messages has reported an error.
class [[gnu::visibility("default")]] communication_error : public error {
  public:
    using error::error;
};

/// A file cannot be opened, read or written, is cut short, or does not hold the elements that were asked for.
class [[gnu::visibility("default")]] file_error : public error {
  public:
    using error::error;
};

/// There is no GPU, the executor cannot access an operand's memory, CUDA reported an error (whose text the message
/// contains), or a kernel of a checked build found an error.
class [[gnu::visibility("default")]] device_error : public error {
  public:
    using error::error;
    device_error(const std::string& text, int code) : error(text), code_(code) {}

    /// Returns the cudaError_t that CUDA reported; 0 if the error is not one of CUDA's.
    int code() const noexcept { return code_; }

  private:
    int code_ = 0;
};

/// A kernel of a checked build has asked for an element that its array does not have.
class [[gnu::visibility("default")]] bounds_error : public device_error {
  public:
    using device_error::device_error;
};

}  // namespace foldwise

#endif  // C++20
