// python/jax_handler.cpp: makes calls from XLA's buffers, and XLA's errors from exceptions.
#include "jax_handler.hpp"

#include "jax_plan.hpp"
#include "streams.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/registered_device.hpp>
#include <foldwise/error.hpp>

#include <map>
#include <new>
#include <stdexcept>
#include <string_view>

namespace foldwise::python {

namespace {

/// The functions by name, which are complete when XLA calls first.
std::map<std::string, const kernel*, std::less<>>& functions() {
    static auto* const all = new std::map<std::string, const kernel*, std::less<>>;
    return *all;
}

std::string_view attribute_of(const xla::call& call, std::string_view name) {
    for (std::int64_t i = 0; i < call.attributes.count; ++i) {
        const xla::text& own = *call.attributes.names[i];
        if (std::string_view(own.data, own.size) != name || call.attributes.types[i] != xla::text_attribute) continue;
        const auto& value = *static_cast<const xla::text*>(call.attributes.all[i]);
        return {value.data, value.size};
    }
    throw std::invalid_argument("a call of a kernel without the attribute " + std::string(name));
}

bound_array array_of(const xla::buffer& buffer) {
    return {buffer.data, {buffer.extents, static_cast<std::size_t>(buffer.rank)}};
}

/// The GPU of a call: that of its arrays or, if they have no elements, the current one, which XLA has set.
foldwise::place place_of_call(std::span<const bound_array> arrays) {
    for (const bound_array& one : arrays)
        if (one.data)
            if (const foldwise::place found = detail::place_of_memory(one.data); found.kind == memory::cuda)
                return found;
    const detail::device_api* gpu = detail::registered_device();
    int device = 0;
    if (!gpu || gpu->current_device(device) != 0)
        throw std::invalid_argument("the module has no kernels for GPUs, or finds none: BACKENDS cuda");
    return {memory::cuda, device};
}

CUstream_st* stream_of(const xla::call& call) {
    xla::stream_arguments arguments{sizeof arguments, nullptr, call.context, nullptr};
    if (call.api->get_stream(&arguments)) throw std::runtime_error("XLA names no stream for a call of a kernel");
    return arguments.stream ? static_cast<CUstream_st*>(arguments.stream) : legacy_stream();
}

void run(const xla::call& call, bool is_on_gpu) {
    const std::string_view name = attribute_of(call, "function");
    const auto found = functions().find(name);
    if (found == functions().end()) throw std::invalid_argument("the module has no function " + std::string(name));
    const plan plan = to_plan(std::string(attribute_of(call, "plan")));
    std::vector<bound_array> arrays;
    const std::int64_t begins = call.inputs.count - (plan.has_restarts ? 1 : 0);
    for (std::int64_t i = 0; i < begins; ++i) arrays.push_back(array_of(*call.inputs.all[i]));
    for (std::int64_t i = 0; i < call.results.count; ++i) arrays.push_back(array_of(*call.results.all[i]));
    for (std::int64_t i = begins; i < call.inputs.count; ++i) arrays.push_back(array_of(*call.inputs.all[i]));
    if (!is_on_gpu) return execute(plan, *found->second, arrays, {}, {});
    const foldwise::place place = place_of_call(arrays);
    execute(plan, *found->second, arrays, place, cuda(place.device, stream_of(call)));
}

xla::error* handle(xla::call* call, bool is_on_gpu) {
    if (call->extensions && call->extensions->type == xla::metadata_type) {
        // What is used of the interface has been the same in all versions. The first does not say that it is asking.
        xla::metadata& about = *reinterpret_cast<xla::metadata_extension*>(call->extensions)->metadata;
        about.version.major = call->api ? call->api->version.major : 0;
        about.version.minor = call->api ? call->api->version.minor : 1;
        about.traits = 0;
        return nullptr;
    }
    if (call->stage != xla::stage::execute) return nullptr;
    const auto failed = [&](xla::error_code code, const char* text) {
        xla::error_arguments arguments{sizeof arguments, nullptr, text, code};
        return call->api->make_error(&arguments);
    };
    try {
        run(*call, is_on_gpu);
        return nullptr;
    } catch (const std::bad_alloc& error) {
        return failed(xla::error_code::resource_exhausted, error.what());
    } catch (const out_of_memory& error) {
        return failed(xla::error_code::resource_exhausted, error.what());
    } catch (const std::invalid_argument& error) {
        return failed(xla::error_code::invalid_argument, error.what());
    } catch (const std::exception& error) {
        return failed(xla::error_code::internal, error.what());
    } catch (...) {
        return failed(xla::error_code::internal, "an unknown exception of C++");
    }
}

}  // namespace

void add_jax_function(const kernel& function) { functions()[function.name] = &function; }

xla::error* run_on_host(xla::call* call) { return handle(call, false); }
xla::error* run_on_gpu(xla::call* call) { return handle(call, true); }

}  // namespace foldwise::python
