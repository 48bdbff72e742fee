// tests/interpose/cuda_failures.hpp: calls of CUDA's runtime library that fail because a test wants them to.
//
// A call that fails returns its error, leaves it where cudaGetLastError finds it, and does nothing else. Calls can fail
// that return an error and may be refused something. So these do not:
//   - what the program's kernels are registered and launched through before there is a status (__cuda...);
//   - cudaGetLastError, cudaPeekAtLastError, cudaGetErrorName and cudaGetErrorString, which tell of errors;
//   - what gives something back (Destroy, Free, Release): if that fails nobody can give it back any more. So does
//     cudaThreadExchangeStreamCaptureMode where it brings back the mode that was there before.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace interpose {

/// Which call of CUDA's fails, and how.
struct cuda_failure {
    std::uint64_t number;           ///< The call's number among those that can fail, from 0.
    int status;                     ///< A cudaError_t.
    bool only_allocations = false;  ///< Whether only launches and calls that make something can fail.
};

/// As long as it lives, this call fails, whichever thread makes it. One at a time.
class failing_cuda {
  public:
    explicit failing_cuda(const cuda_failure& which);
    failing_cuda(const failing_cuda&) = delete;
    ~failing_cuda() { stop(); }

    /// Nothing fails any more. Returns how many calls were numbered.
    std::uint64_t stop();
    /// The function that failed; empty if none has.
    std::string failed() const;
};

/// As long as one lives, the calls of its thread are the test's own, and neither numbered nor failed.
class own_cuda_calls {
  public:
    own_cuda_calls();
    own_cuda_calls(const own_cuda_calls&) = delete;
    ~own_cuda_calls();
};

/// What was made and not given back: "streams", "events", "pinned blocks", "blocks in stream order", "other blocks".
std::map<std::string, std::int64_t> cuda_objects();

}  // namespace interpose
