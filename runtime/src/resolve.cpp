// runtime/src/resolve.cpp: chooses the backend of a call, and the place of arrays that are not the result of one.
#include "resolve.hpp"

#include "device.hpp"
#include "memory_finder.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>
#include <foldwise/view.hpp>

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace foldwise::detail {

backend parse_executor(const char* text) {
    const std::string_view name = text ? text : "";
    if (name.empty()) return backend::automatic;  // scripts often unset a variable by setting it to nothing
    if (name == "cpu") return backend::cpu;
    if (name == "cuda") return backend::cuda;
    if (name == "simulator") return backend::simulator;
    throw std::invalid_argument("FOLDWISE_EXECUTOR is \"" + std::string(name) + "\": it can be cpu, cuda or simulator");
}

backend environment_backend() {
    static const backend named = parse_executor(std::getenv("FOLDWISE_EXECUTOR"));
    return named;
}

namespace {

const char* name_of(backend which) {
    switch (which) {
    case backend::cpu:
        return "cpu";
    case backend::cuda:
        return "cuda";
    case backend::simulator:
        return "simulator";
    case backend::automatic:
        break;
    }
    return "automatic";
}

bool has(const backends& generated, backend which) {
    return which == backend::cpu ? generated.cpu : which == backend::cuda ? generated.cuda : generated.simulator;
}

/// Prefers the GPU for operands on the host, other than single values. A kernel generated only for the GPU gets the
/// error that there is none.
backend best_for_host_operands(const backends& generated) {
    if (generated.has_single_values_alone && generated.cpu) return backend::cpu;
    if (generated.cuda && gpu_present()) return backend::cuda;
    if (generated.cpu) return backend::cpu;
    if (generated.simulator) return backend::simulator;
    return backend::cuda;
}

[[noreturn]] void refuse_missing(const backends& generated, backend which) {
    std::string list;
    for (backend one : {backend::cuda, backend::cpu, backend::simulator}) {
        if (has(generated, one)) list += (list.empty() ? "" : ", ") + std::string(name_of(one));
    }
    throw error(std::string(generated.kernel) + " was generated for " + (list.empty() ? "nothing" : list) +
                " and not for " + name_of(which) + ": add it to BACKENDS");
}

}  // namespace

executor resolve(const backends& generated, int gpu, const executor& requested) {
    const bool given = requested.backend() != backend::automatic;
    return resolve(generated, gpu, requested, given ? backend::automatic : environment_backend());
}

executor resolve(const backends& generated, int gpu, const executor& requested, backend environment) {
    backend chosen = requested.backend();
    if (chosen == backend::automatic) chosen = environment;
    if (chosen == backend::automatic) chosen = gpu != no_gpu ? backend::cuda : best_for_host_operands(generated);
    if (!has(generated, chosen)) refuse_missing(generated, chosen);
    if (chosen != backend::cuda) return executor(chosen, nullptr, executor::any_device, requested.resource());
    const device_api& there = require_gpu(generated.kernel);
    CUstream_st* stream = requested.stream();
    if (!stream && generated.is_per_thread) stream = per_thread_stream();
    int device = gpu;
    if (gpu == no_gpu) {
        device = device_of(there, requested, generated.kernel);
    } else {
        if (requested.device() != executor::any_device && requested.device() != gpu)
            throw device_error(std::string(generated.kernel) + ": operands are in the memory of GPU " +
                               std::to_string(gpu) + ", and the executor names GPU " +
                               std::to_string(requested.device()));
        check_stream(there, stream, gpu, generated.kernel);
    }
    return executor(chosen, stream, device, requested.resource());
}

void refuse_gpu_memory(const char* kernel, const std::string& operand, backend chosen) {
    throw device_error(std::string(kernel) + ": " + operand + " is in GPU memory, which the executor " +
                       name_of(chosen) + " does not reach");
}

void check_simulated(const char* kernel, int status) {
    if (status != 0)
        throw device_error(std::string(kernel) + ": the simulator ended with CUDA's error " + std::to_string(status));
}

memory_source source_of(const executor& requested) {
    backend chosen = requested.backend();
    if (chosen == backend::automatic) chosen = environment_backend();
    if (chosen == backend::automatic) chosen = gpu_present() ? backend::cuda : backend::cpu;
    if (chosen != backend::cuda) return {{}, nullptr, requested.resource()};
    const char* const context = "an array on the GPU";
    const device_api& gpu = require_gpu(context);
    return {{memory::cuda, device_of(gpu, requested, context)}, requested.stream(), requested.resource()};
}

result_place place_result(const backends& generated, const shape& extents, std::initializer_list<operand_ref> inputs,
                          const executor& requested) {
    const memory_finder found(requested);
    bool has_array = false;
    place where;
    for (const operand_ref& input : inputs) {
        if (input.is_value()) continue;
        const place own = found.place_of(input);
        if (!has_array || own.kind == memory::cuda) where = own;
        has_array = true;
    }
    const bool is_on_host = has_array && where.kind == memory::host;
    if (is_on_host) return {extents, {{}, nullptr, requested.resource()}};
    const executor chosen = resolve(generated, has_array ? where.device : no_gpu, requested);
    if (!has_array && chosen.backend() != backend::cuda) return {extents, {{}, nullptr, requested.resource()}};
    return {extents, {has_array ? where : place{memory::cuda, chosen.device()}, chosen.stream(), chosen.resource()}};
}

}  // namespace foldwise::detail

namespace foldwise {

place place_of(const executor& executor) { return detail::source_of(executor).place; }

}  // namespace foldwise
