// runtime/src/resolve.cpp: which backend a call runs on, and where arrays live that no call was made with yet.
#include "resolve.hpp"

#include "device.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>
#include <foldwise/view.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace foldwise::detail {

backend parse_executor(const char* text) {
    const std::string_view name = text ? text : "";
    if (name.empty()) return backend::automatic;  // a variable set to nothing is how scripts unset one
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

/// Operands on the host go to the GPU if they can; a kernel for the GPU alone gets the error that there is none.
backend best_for_host_operands(const backends& generated) {
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

executor resolve(const backends& generated, bool on_gpu, executor requested) {
    const bool given = requested.backend() != backend::automatic;
    return resolve(generated, on_gpu, requested, given ? backend::automatic : environment_backend());
}

executor resolve(const backends& generated, bool on_gpu, executor requested, backend environment) {
    backend chosen = requested.backend();
    if (chosen == backend::automatic) chosen = environment;
    if (chosen == backend::automatic) chosen = on_gpu ? backend::cuda : best_for_host_operands(generated);
    if (!has(generated, chosen)) refuse_missing(generated, chosen);
    // Operands in its memory are proof enough of a GPU, and that is the path that counts nanoseconds.
    if (chosen == backend::cuda && !on_gpu) require_gpu(generated.kernel);
    return executor(chosen, requested.stream());
}

void refuse_gpu_memory(const char* kernel, const std::string& operand, backend chosen) {
    throw device_error(std::string(kernel) + ": " + operand + " is in GPU memory, which the executor " +
                       name_of(chosen) + " does not reach");
}

void check_simulated(const char* kernel, int status) {
    if (status != 0)
        throw device_error(std::string(kernel) + ": the simulator ended with CUDA's error " + std::to_string(status));
}

memory memory_of(executor requested) {
    backend chosen = requested.backend();
    if (chosen == backend::automatic) chosen = environment_backend();
    if (chosen == backend::automatic) return gpu_present() ? memory::cuda : memory::host;
    if (chosen != backend::cuda) return memory::host;
    require_gpu("an array on the GPU");
    return memory::cuda;
}

place device_place() {
    place result{memory_of({}), 0};
    if (result.kind == memory::cuda) {
        const device_api& gpu = require_gpu("a view on GPU memory");
        if (int status = gpu.current_device(result.device)) throw_status(gpu, status, "the current GPU");
    }
    return result;
}

result_place place_result(const backends& generated, const shape& extents, std::initializer_list<operand_ref> inputs,
                          executor requested) {
    const operand_ref* array = nullptr;
    for (const operand_ref& input : inputs) {
        if (!input.is_scalar && (!array || input.place.kind == memory::cuda)) array = &input;
    }
    if (array) return {extents, array->place.kind, requested.stream()};
    const executor chosen = resolve(generated, false, requested);
    return {extents, chosen.backend() == backend::cuda ? memory::cuda : memory::host, requested.stream()};
}

}  // namespace foldwise::detail
