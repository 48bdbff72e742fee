// bench/delay.hpp: time to fill a stream's queue in.
#pragma once

#include <cuda_runtime_api.h>

namespace bench {

/// Keeps the stream busy for about that long.
void delay(double microseconds, cudaStream_t stream);

}  // namespace bench
