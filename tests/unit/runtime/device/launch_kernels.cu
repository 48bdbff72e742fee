// tests/unit/runtime/device/launch_kernels.cu: a kernel and its launch, in the namespace TEST_FILE. It is compiled for
// several architectures, with checks and without; the kernels' parameters are the same in all files.
#include <foldwise/device/launch.hpp>

namespace TEST_FILE {

__global__ void kernel(int* out) {
    foldwise::device_code::wait_for_previous_kernel();
#ifdef FOLDWISE_LOOKS
    if (*out < 0)
        foldwise::detail::stop(foldwise::detail::finding::of_text(foldwise::detail::mistake::failure, "", 0, ""));
#endif
    *out += 1;
}

const void* address() { return reinterpret_cast<const void*>(kernel); }

int launch(CUstream_st* stream) {
    int* out = nullptr;
    void* arguments[] = {&out};
    return foldwise::device_code::launch(address(), {1, 1, 1}, {32, 1, 1}, 0, stream, arguments);
}

}  // namespace TEST_FILE
