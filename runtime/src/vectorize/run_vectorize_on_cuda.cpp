// runtime/src/vectorize/run_vectorize_on_cuda.cpp: launches a vectorize call on a GPU, and copies host operands there
// and back.
#include "device.hpp"
#include "parts.hpp"
#include "pipeline.hpp"
#include "staging.hpp"
#include "vectorize/run_vectorize.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foldwise::detail {

namespace {

void launch(const vectorize_kernel& kernel, const element_range& call, CUstream_st* stream) {
    each_part(operands_of(kernel), call, [&](const element_range& part) {
        if (int status = kernel.cuda(part, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
    });
}

/// The host arrays of a contiguous call. Operands that are the same memory are copied once.
class host_operands {
  public:
    host_operands(const vectorize_kernel& kernel, const arguments& all) : kernel_(kernel), all_(all) {
        for (int i = 0; i < operand_count(kernel); ++i) {
            numbers_[i] = none;
            if (on_host(*all.sources[i])) add(i);
        }
    }

    const std::vector<transfer>& transfers() const { return transfers_; }
    std::size_t bytes_of(const transfer& one) const { return static_cast<std::size_t>(all_.count) * one.size; }

    /// Sets the operands of a launch that starts at the call's element `begin`; those on the host are at `devices`.
    void point(operand_address* operands, std::int64_t begin, std::byte* const* devices) const {
        for (int i = 0; i < operand_count(kernel_); ++i) {
            operands[i] = all_.operands[i];
            if (numbers_[i] != none)
                operands[i].data = devices[numbers_[i]];
            else if (!operands[i].is_scalar)
                operands[i].data = static_cast<std::byte*>(operands[i].data) +
                                   static_cast<std::size_t>(begin) * kernel_.operands[i].size;
        }
    }

  private:
    static constexpr std::size_t none = max_operands;

    void add(int operand) {
        auto* const host = static_cast<std::byte*>(all_.operands[operand].data);
        const std::size_t size = kernel_.operands[operand].size;
        std::size_t& number = numbers_[operand];
        for (number = 0; number < transfers_.size(); ++number)
            if (transfers_[number].host == host && transfers_[number].size == size) break;
        if (number == transfers_.size()) transfers_.push_back({host, size, false, false});
        (operand < kernel_.inputs ? transfers_[number].goes_in : transfers_[number].comes_out) = true;
    }

    const vectorize_kernel& kernel_;
    const arguments& all_;
    std::vector<transfer> transfers_;
    std::size_t numbers_[max_operands];  ///< The index of each operand's transfer.
};

void run_whole(const vectorize_kernel& kernel, arguments& all, const host_operands& hosts, const executor& where) {
    staging temporary(kernel.name, where);
    std::vector<std::byte*> devices;
    for (const transfer& one : hosts.transfers())
        devices.push_back(static_cast<std::byte*>(temporary.stage_alone(one.host, hosts.bytes_of(one), one.goes_in)));
    hosts.point(all.operands, 0, devices.data());
    launch(kernel, all.call(operands_of(kernel)), where.stream());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const transfer& one = hosts.transfers()[i];
        if (one.comes_out) temporary.fetch(one.host, devices[i], hosts.bytes_of(one));
    }
    temporary.finish();
}

void run_staged(const vectorize_kernel& kernel, arguments& all, const executor& where) {
    const host_operands hosts(kernel, all);
    if (!goes_in_chunks(kernel.name, hosts.transfers(), all.count, where)) return run_whole(kernel, all, hosts, where);
    operand_address operands[max_operands];
    run_in_chunks(kernel.name, where, hosts.transfers(), all.count,
                  [&](std::int64_t begin, std::int64_t count, std::byte* const* devices) {
                      hosts.point(operands, begin, devices);
                      element_range chunk = all.call(operands_of(kernel));
                      chunk.count = count;
                      chunk.operands = operands;
                      chunk.first += begin;
                      launch(kernel, chunk, where.stream());
                  });
}

void run_staged_strided(const vectorize_kernel& kernel, arguments& all, const executor& where) {
    staging temporary(kernel.name, where);
    std::vector<strided_transfer> outputs;
    for (int i = 0; i < operand_count(kernel); ++i) {
        if (!on_host(*all.sources[i])) continue;
        strided_transfer one(operands_of(kernel), all, i);
        all.operands[i].data = one.send(temporary, i < kernel.inputs, all.layout, all.strides[i]);
        if (i >= kernel.inputs) outputs.push_back(one);
    }
    coalesce(operands_of(kernel), all);  // what was gathered may be contiguous now
    launch(kernel, all.call(operands_of(kernel)), where.stream());
    for (const strided_transfer& output : outputs) output.fetch(temporary);
    temporary.finish();
    for (const strided_transfer& output : outputs) output.unpack();
}

void run(const vectorize_kernel& kernel, arguments& all, const executor& where) {
    if (!all.on_host)
        launch(kernel, all.call(operands_of(kernel)), where.stream());
    else if (all.is_strided)
        run_staged_strided(kernel, all, where);
    else
        run_staged(kernel, all, where);
}

}  // namespace

void run_vectorize_on_cuda(const vectorize_kernel& kernel, arguments& all, const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    if (!all.has_host_wholes) return run(kernel, all, where);
    staging temporary(kernel.name, where);
    stage_wholes(operands_of(kernel), all, temporary);
    run(kernel, all, where);
    temporary.finish();
}

}  // namespace foldwise::detail
