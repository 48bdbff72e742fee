// python/streams.hpp: the stream of a call on a GPU, and the arrays that it keeps alive.
#pragma once

#include "library.hpp"

#include <vector>

struct CUstream_st;

namespace foldwise::python {

/// CUDA's name of the legacy default stream, which an executor does not take for that of the kernel's file.
inline CUstream_st* legacy_stream() { return reinterpret_cast<CUstream_st*>(std::uintptr_t{1}); }

/// The stream that an argument stands for: a handle, or an object with __cuda_stream__, ptr (CuPy), cuda_stream
/// (PyTorch) or handle (Numba). TypeError for anything else.
CUstream_st* to_stream(PyObject* argument);

/// The scope of the call that this thread is in: it knows on which stream the call runs, what the stream has to wait
/// for, and what has to live until the kernel has run. Calls may be nested, since array libraries may be written in
/// Python.
class call_scope {
  public:
    /// `stream` is what the caller has passed as stream=; null or None stands for the library's current one.
    explicit call_scope(PyObject* stream);
    call_scope(const call_scope&) = delete;
    call_scope& operator=(const call_scope&) = delete;
    /// Keeps the arrays that were used until the stream has done what has been queued on it.
    ~call_scope();

    static call_scope& current();

    /// Returns the stream of the call on this GPU, which is the same for all of its arrays.
    CUstream_st* stream_on(const library& library, int device);
    /// Has the call's stream wait until an array is ready, and notes that the call uses it.
    void use(const library& library, const array& used);
    /// Has the call's stream wait for what the library has queued on its own, and the other way round.
    void enter() const;
    void leave() const;
    /// Whether the caller has passed a stream.
    bool is_given() const { return given_ != nullptr; }
    /// ValueError if the caller has passed a stream, and arrays are on the host.
    void refuse_stream() const;

  private:
    PyObject* given_;
    call_scope* outer_;
    CUstream_st* stream_ = nullptr;
    CUstream_st* own_ = nullptr;  ///< The library's stream.
    int device_ = -1;
    bool is_foreign_ = false;  ///< Whether it is another stream than the one by which the library frees memory.
    std::vector<array> used_;
};

}  // namespace foldwise::python
