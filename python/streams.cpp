// python/streams.cpp: orders a call's stream and those of its arrays, and keeps arrays alive until the call has run.
#include "streams.hpp"

#include "arguments.hpp"

#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/registered_device.hpp>

#include <atomic>
#include <list>
#include <memory>
#include <mutex>

namespace foldwise::python {

namespace {

thread_local call_scope* innermost = nullptr;

/// Arrays that a stream uses, whose library does not know of that.
struct kept {
    std::vector<array> arrays;
    CUevent_st* done = nullptr;                       ///< Null if the stream was being captured.
    std::unique_ptr<std::atomic<bool>> is_gone = {};  ///< Whether what was captured will not run again.
};

struct keeper {
    std::mutex mutex;
    std::list<kept> all;
};

keeper& all_kept() {
    static auto* const one = new keeper;  // never destroyed: the interpreter may be gone by then
    return *one;
}

/// Makes a GPU current while it exists.
class on_device {
  public:
    on_device(const detail::device_api& gpu, int device) : gpu_(gpu) {
        if (gpu.current_device(before_) != 0 || before_ == device || gpu.set_device(device) != 0) before_ = -1;
    }
    on_device(const on_device&) = delete;
    on_device& operator=(const on_device&) = delete;
    ~on_device() {
        if (before_ >= 0) gpu_.set_device(before_);
    }

  private:
    const detail::device_api& gpu_;
    int before_ = -1;
};

/// Lets go of what is no longer used.
void sweep(const detail::device_api& gpu) {
    std::list<kept> done;  // destroyed when the mutex is free again: arrays may run Python
    const std::lock_guard lock(all_kept().mutex);
    auto& all = all_kept().all;
    for (auto one = all.begin(); one != all.end();) {
        const auto next = std::next(one);
        if (one->done ? gpu.has_happened(one->done) : one->is_gone->load()) {
            if (one->done) gpu.destroy(one->done);
            done.splice(done.end(), all, one);
        }
        one = next;
    }
}

/// Keeps arrays until a stream has done what has been queued on it so far. If CUDA fails to tell, it waits for that.
void keep(std::vector<array> arrays, CUstream_st* stream, int device) {
    const detail::device_api* gpu = detail::registered_device();
    if (!gpu) return;
    const on_device current(*gpu, device);
    kept one{std::move(arrays)};
    detail::stream_numbers numbers = {};
    if (gpu->identify(stream, numbers) == 0 && numbers.capture != 0) {
        one.is_gone = std::make_unique<std::atomic<bool>>(false);
        const auto gone = [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); };
        std::atomic<bool>* flag = one.is_gone.get();
        const std::lock_guard lock(all_kept().mutex);
        all_kept().all.push_back(std::move(one));
        if (gpu->when_capture_is_gone(stream, gone, flag) != 0) flag->store(false);
        return;
    }
    if (gpu->make_event(one.done) != 0 || gpu->record(one.done, stream) != 0) {
        const without_gil others_run;
        gpu->synchronize(stream);
        return;
    }
    const std::lock_guard lock(all_kept().mutex);
    all_kept().all.push_back(std::move(one));
}

CUstream_st* to_handle(const object& number) {
    const std::int64_t handle = PyLong_AsLongLong(number.get());
    if (handle == -1 && PyErr_Occurred()) throw python_error();
    if (handle < 0) fail(PyExc_ValueError, "a stream cannot be " + std::to_string(handle));
    return handle == 0 ? legacy_stream()
                       : reinterpret_cast<CUstream_st*>(static_cast<std::uintptr_t>(handle));  // NOLINT
}

}  // namespace

CUstream_st* to_stream(PyObject* argument) {
    object given = object::share(argument);
    if (PyLong_Check(argument)) return to_handle(given);
    if (const object protocol = given.attribute_if_any("__cuda_stream__")) {
        const object pair = PyCallable_Check(protocol.get()) ? protocol() : protocol;
        return to_handle(object::take(PySequence_GetItem(pair.get(), 1)));  // after the protocol's version
    }
    for (const char* name : {"ptr", "cuda_stream", "handle"}) {
        object handle = given.attribute_if_any(name);
        if (!handle) continue;
        if (const object value = PyLong_Check(handle.get()) ? object() : handle.attribute_if_any("value"))
            handle = value.get() == Py_None ? make_integer(0) : value;  // a pointer of ctypes
        return to_handle(object::take(PyNumber_Long(handle.get())));
    }
    fail(PyExc_TypeError, "stream must be an integer or a stream of CUDA's, not " + class_of(argument));
}

call_scope::call_scope(PyObject* stream) : given_(is_none(stream) ? nullptr : stream), outer_(innermost) {
    if (given_) stream_ = to_stream(given_);
    innermost = this;
}

call_scope::~call_scope() {
    innermost = outer_;
    if (used_.empty() || !is_foreign_) return;
    if (const detail::device_api* gpu = detail::registered_device()) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        keep(std::move(used_), stream_, device_);
        sweep(*gpu);
        PyErr_Restore(type, value, trace);
    }
}

call_scope& call_scope::current() { return *innermost; }

CUstream_st* call_scope::stream_on(const library& library, int device) {
    if (device_ >= 0) return stream_;
    CUstream_st* own = library.current_stream(device);
    if (!own) own = legacy_stream();
    is_foreign_ = !library.frees_in_order() || (given_ && stream_ != own);
    if (!given_) stream_ = own;
    own_ = own;
    device_ = device;
    return stream_;
}

void call_scope::use(const library& library, const array& used) {
    const foldwise::place place = used.ref.place;
    if (place.kind == memory::host) return;
    CUstream_st* stream = stream_on(library, place.device);
    if (device_ != place.device) return;  // the call will be refused
    enter();
    if (used.ready_on) detail::order_after(place, stream, *used.ready_on);
    if (is_foreign_) used_.push_back(used);
}

void call_scope::enter() const {
    if (device_ >= 0) detail::order_after({memory::cuda, device_}, stream_, own_);
}

void call_scope::leave() const {
    if (device_ >= 0) detail::order_after({memory::cuda, device_}, own_, stream_);
}

void call_scope::refuse_stream() const {
    if (given_) fail(PyExc_ValueError, "stream= is for arrays on a GPU, and these are on the CPU");
}

}  // namespace foldwise::python
