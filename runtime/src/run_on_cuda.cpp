// runtime/src/run_on_cuda.cpp: launches on a GPU, and takes operands on the host there and back.
#include "device.hpp"
#include "run.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <string>
#include <vector>

namespace foldwise::detail {

namespace {

void launch(const elementwise_kernel& kernel, const elementwise_call& call, CUstream_st* stream) {
    if (int status = kernel.cuda(call, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
}

/// Temporary GPU memory for operands on the host. However the call ends, nothing queued touches the host's memory
/// after it, and the temporary memory is given back.
class staging {
  public:
    staging(const elementwise_kernel& kernel, CUstream_st* stream)
        : kernel_(kernel), gpu_(require_gpu(kernel.name)), stream_(stream) {}
    staging(const staging&) = delete;
    staging& operator=(const staging&) = delete;
    ~staging() {
        if (pending_) gpu_.synchronize(stream_);
    }

    /// The GPU's copy of host memory; of an output the place for one. Memory that is both has one copy.
    void* stage(void* host, std::size_t bytes, bool is_input) {
        for (const staged& one : staged_) {
            if (one.host == host && one.memory.bytes() == bytes) return one.memory.data();
        }
        staged_.push_back({host, allocate(bytes)});
        void* device = staged_.back().memory.data();
        if (is_input) copy(device, host, bytes, copy_direction::to_device);
        return device;
    }

    void fetch(void* host, const void* device, std::size_t bytes) {
        copy(host, device, bytes, copy_direction::to_host);
    }

    void finish() {
        pending_ = false;
        check(gpu_.synchronize(stream_));
    }

  private:
    struct staged {
        void* host;
        buffer memory;
    };

    buffer allocate(std::size_t bytes) const try {
        return buffer(bytes, memory::cuda, stream_);
    } catch (const out_of_memory& e) {
        throw out_of_memory(std::string(kernel_.name) + ": " + e.what());
    }

    void copy(void* to, const void* from, std::size_t bytes, copy_direction direction) {
        pending_ = true;
        check(gpu_.copy(to, from, bytes, direction, stream_));
    }

    void check(int status) const {
        if (status != 0) throw_status(gpu_, status, kernel_.name);
    }

    const elementwise_kernel& kernel_;
    const device_api& gpu_;
    CUstream_st* stream_;
    bool pending_ = false;
    std::vector<staged> staged_;
};

bool on_host(const operand_ref& operand) { return !operand.is_scalar && operand.place.kind == memory::host; }

void run_staged(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream) {
    staging temporary(kernel, stream);
    const auto bytes = [&](int i) { return static_cast<std::size_t>(all.count) * kernel.operands[i].size; };
    for (int i = 0; i < operands_of(kernel); ++i) {
        if (on_host(*all.sources[i]))
            all.operands[i].data = temporary.stage(all.sources[i]->data, bytes(i), i < kernel.inputs);
    }
    launch(kernel, all.call(), stream);
    for (int i = kernel.inputs; i < operands_of(kernel); ++i) {
        if (on_host(*all.sources[i])) temporary.fetch(all.sources[i]->data, all.operands[i].data, bytes(i));
    }
    temporary.finish();
}

}  // namespace

void run_on_cuda(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream) {
    if (all.on_host)
        run_staged(kernel, all, stream);
    else
        launch(kernel, all.call(), stream);
}

}  // namespace foldwise::detail
