// bench/host_peers.hpp: what a plain program in CUDA does with arrays on the host: one copy, kernel and copy after the
// other, into device memory that it keeps. Complete on return.
#pragma once

#include <cstdint>

namespace bench {

class plain_cuda {
  public:
    explicit plain_cuda(std::int64_t n);
    plain_cuda(const plain_cuda&) = delete;
    ~plain_cuda();

    void rel_diff(const float* x, const float* y, float* out);
    float sum(const float* x);
    void twice(const float* x, float* y);

    float* x() { return x_; }
    float* y() { return y_; }

  private:
    std::int64_t n_;
    float *x_, *y_;
    void* scratch_;
    std::size_t scratch_bytes_ = 0;
};

}  // namespace bench
