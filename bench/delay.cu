// bench/delay.cu
#include "delay.hpp"

namespace bench {

namespace {
__global__ void wait_for(long long nanoseconds) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}
}  // namespace

void delay(double microseconds, cudaStream_t stream) {
    wait_for<<<1, 1, 0, stream>>>(static_cast<long long>(1000 * microseconds));
}

}  // namespace bench
