// tests/unit/runtime/device/fake_cuda_runtime.cpp: see the header.
#include "fake_cuda_runtime.hpp"

#include <cstring>
#include <utility>

using foldwise::detail::report;

namespace {

fake_cuda_runtime the_runtime;
thread_local cudaError_t last_error = cudaSuccess;

/// The kernels of the files that are registered when the program starts, and the variables where they report errors.
struct registered {
    std::map<const void*, void**> kernels;    ///< The file of each kernel, by the kernel's host address.
    std::map<void**, const void*> found_in;   ///< The host address of each file's variable.
    std::map<const void*, report> variables;  ///< The value of each variable, by its host address.
};
registered& all() {
    static auto& made = *new registered;
    return made;
}

cudaError_t ended(cudaError_t status) {
    if (status != cudaSuccess) last_error = status;
    return status;
}

}  // namespace

fake_cuda_runtime& new_fake_cuda_runtime() {
    last_error = cudaSuccess;
    for (auto& [symbol, found] : all().variables) found = {};
    return the_runtime = {};
}

extern "C" {

void** __cudaRegisterFatBinary(void* binary) { return static_cast<void**>(binary); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** file, const char* kernel, char*, const char*, int, void*, void*, void*, void*,
                            int*) {
    all().kernels[kernel] = file;
}
void __cudaRegisterVar(void** file, char* variable, char*, const char*, int, std::size_t bytes, int, int) {
    if (bytes != sizeof(report)) return;
    all().found_in[file] = variable;
    all().variables[variable] = {};
}
// Only <<<>>> would need these.
unsigned int __cudaPushCallConfiguration(dim3, dim3, std::size_t, void*) { return 1; }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*) { return cudaErrorNotSupported; }
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*) { return cudaErrorNotSupported; }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
    return cudaErrorNotSupported;
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
cudaError_t cudaGetDevice(int* device) {
    ++the_runtime.devices_asked;
    *device = the_runtime.device;
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    ++the_runtime.kernels_asked;
    const auto found = the_runtime.architectures.find(the_runtime.device);
    if (found == the_runtime.architectures.end()) return ended(cudaErrorNoKernelImageForDevice);
    attributes->ptxVersion = found->second;
    attributes->binaryVersion = 90;  // what the GPU is
    return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void**) {
    if (the_runtime.status_of_launch != cudaSuccess)
        return ended(std::exchange(the_runtime.status_of_launch, cudaSuccess));
    bool overlaps = false;
    for (unsigned int i = 0; i < config->numAttrs; ++i)
        overlaps = overlaps || (config->attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization &&
                                config->attrs[i].val.programmaticStreamSerializationAllowed != 0);
    the_runtime.launches.push_back({kernel, overlaps});
    const report found = std::exchange(the_runtime.finds, report{});
    if (found.kind != foldwise::detail::mistake::none)
        all().variables[all().found_in.at(all().kernels.at(kernel))] = found;
    return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t, cudaMemcpyKind,
                                      cudaStream_t) {
    std::memcpy(to, &all().variables.at(symbol), bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t,
                                    cudaMemcpyKind, cudaStream_t) {
    std::memcpy(&all().variables.at(symbol), from, bytes);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
}
