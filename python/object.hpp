// python/object.hpp: references to Python's objects, and Python's exceptions as exceptions of C++.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace foldwise::python {

/// Thrown where Python's error indicator is set.
struct python_error {};

/// Raises an exception of Python's.
[[noreturn]] void fail(PyObject* type, const std::string& text);

/// Sets Python's error indicator to what the current exception of C++ is there. To be called in a handler.
void translate_exception() noexcept;

/// Owns a reference. The GIL is held wherever references are made and dropped.
class object {
  public:
    object() = default;
    object(object&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
    object(const object& other) noexcept : pointer_(Py_XNewRef(other.pointer_)) {}
    object& operator=(object other) noexcept {
        std::swap(pointer_, other.pointer_);
        return *this;
    }
    ~object() { Py_XDECREF(pointer_); }

    /// Takes over the reference that a function of Python's API has returned, or its exception.
    static object take(PyObject* made) {
        if (!made) throw python_error();
        return object(made);
    }
    static object share(PyObject* borrowed) { return object(Py_NewRef(borrowed)); }

    PyObject* get() const { return pointer_; }
    PyObject* release() { return std::exchange(pointer_, nullptr); }
    explicit operator bool() const { return pointer_ != nullptr; }

    object attribute(const char* name) const { return take(PyObject_GetAttrString(pointer_, name)); }
    /// Returns the attribute, or null if there is none.
    object attribute_if_any(const char* name) const;
    template <class... A> object operator()(const A&... arguments) const {
        PyObject* all[] = {nullptr, arguments.get()...};
        return take(PyObject_Vectorcall(pointer_, all + 1, sizeof...(A) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    }
    std::string text() const;  ///< str() of it.

  private:
    explicit object(PyObject* owned) : pointer_(owned) {}
    PyObject* pointer_ = nullptr;
};

/// The name of an object's class, for messages.
std::string class_of(PyObject* one);

object import_module(const char* name);

/// Whether an imported package is of a version, such as "0.5", or a later one.
bool is_at_least(const object& package, std::string_view oldest);

/// Imports a package. ImportError, which names both versions, if the one that is installed is older than `oldest`.
object import_package(const char* name, std::string_view oldest);

object make_text(const std::string& text);
/// An interned string, for names of attributes, which are then found faster.
object intern(const char* text);
object make_integer(long long value);
/// True or False.
object make_truth(bool truth);

/// Other threads run Python while one of these exists.
class without_gil {
  public:
    without_gil() : state_(PyEval_SaveThread()) {}
    without_gil(const without_gil&) = delete;
    without_gil& operator=(const without_gil&) = delete;
    ~without_gil() { PyEval_RestoreThread(state_); }

  private:
    PyThreadState* state_;
};

/// Returns what `function` returns, or null with Python's error indicator set to what it throws.
template <class Function> PyObject* guarded(const Function& function) noexcept {
    try {
        return function().release();
    } catch (...) {
        translate_exception();
        return nullptr;
    }
}

/// The pointer that `make` returned first, kept as long as the process lives. Where `make` runs Python's code, other
/// threads run meanwhile and may make one, too; the initialiser of a local static would let them wait for it with the
/// GIL that it needs.
template <class Make> auto made_once(Make make) {
    static std::atomic<decltype(make())> one = nullptr;
    decltype(make()) found = one.load(std::memory_order_acquire);
    if (found) return found;
    auto* const made = make();
    return one.compare_exchange_strong(found, made, std::memory_order_acq_rel) ? made : found;
}

/// What is done once in a process, although other threads ask for it meanwhile: they wait, and not with the GIL. The
/// thread that does it may ask again, and goes on then. What throws is tried again by the next one that asks.
class done_once {
  public:
    template <class Function> void operator()(const Function& function) {
        if (is_done_.load(std::memory_order_acquire)) return;
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) {
            const without_gil others_run;
            lock.lock();
        }
        if (std::exchange(is_begun_, true)) return;
        try {
            function();
        } catch (...) {
            is_begun_ = false;
            throw;
        }
        is_done_.store(true, std::memory_order_release);
    }

  private:
    std::recursive_mutex mutex_;
    bool is_begun_ = false;  ///< Under the mutex.
    std::atomic<bool> is_done_ = false;
};

}  // namespace foldwise::python
