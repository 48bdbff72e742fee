// python/quick.cpp: the shortest way from a call to a kernel: nothing is allocated but the results, and no attribute is
// looked up. Unusual calls are left to the other ways, which report errors.
#include "quick.hpp"

#include "floating_errors.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <new>

namespace foldwise::python {

using kinds = element_type::kinds;

namespace {

constexpr std::size_t most_inputs = 7, most_outputs = 3;

/// Read without a lock: an entry has its type last, and keeps it.
struct quick_library {
    std::atomic<PyTypeObject*> type = nullptr;
    const python::library* library = nullptr;
};
quick_library libraries[4];
std::mutex adding;

const library* find_library(PyTypeObject* type) {
    for (const quick_library& one : libraries)
        if (one.type.load(std::memory_order_acquire) == type) return one.library;
    return nullptr;
}

/// Below so many elements a kernel on the CPU takes less time than to let other threads run Python.
constexpr std::int64_t most_with_gil = 2000;

/// Runs a kernel, other threads running Python if it takes long or may wait for a GPU.
void run_kernel(const signature& signature, const operand_ref* operands, const executor& executor, bool is_short) {
    if (is_short) {
        signature.vectorize(operands, executor);
        return;
    }
    const without_gil others_run;
    signature.vectorize(operands, executor);
}

/// Whether a signature takes nothing but elements that are numbers.
bool is_plain(const signature& one) {
    return one.index_rank == 0 && one.inputs > 0 && std::ranges::all_of(one.operands, [](const operand_type& operand) {
               return operand.axes == 0 && operand.type.kind != kinds::record && operand.type.kind != kinds::other;
           });
}

/// The arguments of a call, as far as it is a quick one.
class quick_call {
  public:
    quick_call(kernel& kernel, const call& call) : kernel_(kernel), call_(call) {}
    ~quick_call() {}

    bool read_inputs() {
        const std::size_t count = kernel_.inputs();
        if (count > most_inputs || kernel_.outputs() > most_outputs) return false;
        if (call_.positional < static_cast<Py_ssize_t>(count) ||
            call_.positional > static_cast<Py_ssize_t>(count + kernel_.outputs()))
            return false;
        for (std::size_t i = 0; i < count; ++i)
            if (!read_input(i)) return false;
        return library_ != nullptr;
    }

    /// Finds the signature, which the kernel remembers for the next call.
    bool choose_signature() {
        const std::uint64_t last = kernel_.last_choice.load(std::memory_order_relaxed);
        std::uint64_t number = last & 0xff;
        if (last >> 8 != key_ || last == 0) {
            const std::size_t count = kernel_.inputs();
            const signature* found = choose(kernel_.ordered, std::span(types_).first(count), {});
            number = 0xff;
            for (std::size_t i = 0; found && i < std::min<std::size_t>(kernel_.ordered.size(), 0xff); ++i)
                if (kernel_.ordered[i] == found) number = i;
            if (found && !is_plain(*found)) number = 0xff;
            for (std::size_t i = 0; number != 0xff && i < count; ++i)
                if (!types_[i].is_weak && types_[i].type != found->operands[i].type) number = 0xff;
            kernel_.last_choice.store(key_ << 8 | number, std::memory_order_relaxed);
        }
        if (number == 0xff) return false;
        signature_ = kernel_.ordered[number];
        return true;
    }

    bool broadcast_inputs() {
        const std::size_t count = kernel_.inputs();
        const operand_ref* longest = nullptr;
        for (std::size_t i = 0; i < count; ++i) {
            if (types_[i].is_weak) continue;
            if (!longest || operands_[i].layout.shape.rank() > longest->layout.shape.rank()) longest = &operands_[i];
            if (!(operands_[i].place == place_)) return false;
        }
        const shape& extents = longest->layout.shape;
        for (std::size_t i = 0; i < count; ++i) {
            if (types_[i].is_weak) continue;
            const shape& own = operands_[i].layout.shape;
            const int missing = extents.rank() - own.rank();
            // One array has the shape of the result: others are broadcast to it, and its order is that of the result.
            for (int axis = 0; axis < own.rank(); ++axis)
                if (own[axis] != extents[axis + missing] && own[axis] != 1) return false;
        }
        extents_ = &extents;
        return true;
    }

    /// A number that does not fit may do so in the types that other keywords choose.
    bool read_numbers() {
        try {
            for (std::size_t i = 0; i < kernel_.inputs(); ++i) {
                if (!types_[i].is_weak) continue;
                values_[i] = to_value(call_.arguments[i], signature_->operands[i].type);
                std::construct_at(&operands_[i], values_[i].ref());
            }
        } catch (const python_error&) {
            PyErr_Clear();
            return false;
        }
        return true;
    }

    bool read_outputs() {
        PyObject* out = nullptr;
        const Py_ssize_t keywords = call_.keyword_count();
        if (keywords > 1) return false;
        if (keywords == 1) {
            static PyObject* const name = intern("out").release();  // the very string of most callers
            PyObject* const keyword = call_.keyword(0);
            if (keyword != name && PyUnicode_CompareWithASCIIString(keyword, "out") != 0) return false;
            out = call_.value(0);
            if (call_.positional != static_cast<Py_ssize_t>(kernel_.inputs())) return false;
            if (PyTuple_Check(out) && PyTuple_Size(out) != static_cast<Py_ssize_t>(kernel_.outputs())) return false;
            if (!PyTuple_Check(out) && kernel_.outputs() != 1) return false;
        }
        for (std::size_t i = 0; i < kernel_.outputs(); ++i) {
            const std::size_t place = kernel_.inputs() + i;
            PyObject* given = place < static_cast<std::size_t>(call_.positional) ? call_.arguments[place]
                              : out && PyTuple_Check(out) ? PyTuple_GetItem(out, static_cast<Py_ssize_t>(i))
                                                          : out;
            if (!is_none(given) ? !read_output(i, given) : !make_output(i)) return false;
        }
        return true;
    }

    /// Runs the kernel; false if it writes what it reads, so that nothing has been done.
    bool run() {
        executor executor;
        if (place_.kind == memory::cuda) {
            CUstream_st* stream = library_->current_stream(place_.device);
            executor = cuda(place_.device, stream ? stream : reinterpret_cast<CUstream_st*>(std::uintptr_t{1}));
        }
        const bool is_short = place_.kind == memory::host && extents_->size() <= most_with_gil;
        try {
            if (library_->reports_floating_errors()) {
                floating_errors errors;
                run_kernel(*signature_, operands_, executor, is_short);
                errors.report(kernel_);
            } else {
                run_kernel(*signature_, operands_, executor, is_short);
            }
        } catch (const overlap_error&) {
            return false;
        }
        return true;
    }

    object results() {
        const auto result = [&](std::size_t i) {
            return is_given_[i] ? std::move(outputs_[i]) : library_->finished(std::move(outputs_[i]));
        };
        if (kernel_.outputs() == 1) return result(0);
        object all = object::take(PyTuple_New(static_cast<Py_ssize_t>(kernel_.outputs())));
        for (std::size_t i = 0; i < kernel_.outputs(); ++i)
            if (PyTuple_SetItem(all.get(), static_cast<Py_ssize_t>(i), result(i).release()) < 0) throw python_error();
        return all;
    }

  private:
    operand_ref& make_operand(std::size_t i) { return *new (&operands_[i]) operand_ref; }

    bool read_input(std::size_t i) {
        PyObject* given = call_.arguments[i];
        argument_type& type = *new (&types_[i]) argument_type;
        if (const library* own = find_library(Py_TYPE(given))) {
            if (library_ && own != library_) return false;
            if (!own->glance(given, make_operand(i), type.type, false)) return false;
            if (!library_) place_ = operands_[i].place;
            library_ = own;
        } else if (PyFloat_CheckExact(given)) {
            type = {{kinds::floating, 8}, true};
        } else if (PyLong_CheckExact(given)) {
            type = {{kinds::integer, 8}, true};
        } else {
            return false;
        }
        const auto size = static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(type.type.size)));
        const std::uint64_t code = static_cast<std::uint64_t>(type.type.kind) << 4 | size << 1 | (type.is_weak ? 1 : 0);
        key_ |= code << (8 * i);
        return true;
    }

    bool read_output(std::size_t i, PyObject* given) {
        if (find_library(Py_TYPE(given)) != library_) return false;
        operand_ref& operand = make_operand(kernel_.inputs() + i);
        element_type type;
        if (!library_->glance(given, operand, type, true)) return false;
        if (type != signature_->operands[kernel_.inputs() + i].type || operand.layout.shape != *extents_ ||
            !(operand.place == place_))
            return false;
        outputs_[i] = object::share(given);
        is_given_[i] = true;
        return true;
    }

    bool make_output(std::size_t i) {
        const element_type type = signature_->operands[kernel_.inputs() + i].type;
        outputs_[i] = library_->make_quickly(*extents_, type, place_, make_operand(kernel_.inputs() + i));
        return static_cast<bool>(outputs_[i]);
    }

    kernel& kernel_;
    const call& call_;
    const library* library_ = nullptr;
    const signature* signature_ = nullptr;
    const shape* extents_ = nullptr;
    foldwise::place place_;
    std::uint64_t key_ = 0;
    /// Those of the call alone are made: to clear all of them would take as long as to read an array.
    union {
        operand_ref operands_[most_inputs + most_outputs];
    };
    union {
        argument_type types_[most_inputs];
    };
    value values_[most_inputs];
    object outputs_[most_outputs];
    bool is_given_[most_outputs] = {};
};

}  // namespace

void add_quick_library(PyTypeObject* type, const library& library) {
    const std::lock_guard lock(adding);
    for (quick_library& one : libraries) {
        PyTypeObject* const own = one.type.load(std::memory_order_relaxed);
        if (own == type) return;
        if (own) continue;
        one.library = &library;
        one.type.store(type, std::memory_order_release);
        return;
    }
}

object call_quickly(kernel& kernel, const call& call) {
    quick_call quick(kernel, call);
    const bool is_quick = quick.read_inputs() && quick.choose_signature() && quick.broadcast_inputs() &&
                          quick.read_numbers() && quick.read_outputs() && quick.run();
    return is_quick ? quick.results() : object();
}

}  // namespace foldwise::python
