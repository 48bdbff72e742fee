// foldwise/steps.hpp: how often a call applies a stencil kernel.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <cstdint>

namespace foldwise {

/// An option of calls of stencil kernels, behind their outputs: `heat(now, later, foldwise::steps(100))` is as a
/// hundred calls, each of which takes the results of the one before. A call throws value_error for fewer than one.
class steps {
  public:
    constexpr explicit steps(std::int64_t count) : count_(count) {}
    constexpr std::int64_t count() const { return count_; }

  private:
    std::int64_t count_;
};

}  // namespace foldwise

#endif  // C++20
