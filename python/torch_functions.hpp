// python/torch_functions.hpp: makes and reads tensors by functions of PyTorch's libraries, in half the time of what
// PyTorch has for Python and of DLPack's functions.
#pragma once

#include "dlpack.hpp"
#include "library.hpp"

#include <cstddef>
#include <vector>

namespace foldwise::python {

/// A new tensor and where its elements are.
struct made_tensor {
    object tensor;
    void* data = nullptr;
};

/// PyTorch's functions for compiled code, by the names that its libraries have exported since version 2.6, and some of
/// its C++ functions, whose names tell their parameters.
class torch_functions {
  public:
    /// Null if PyTorch, which has been imported, does not have those that make tensors or if they do not do what is
    /// expected of them.
    static const torch_functions* found();

    /// Returns a tensor without values, in row-major order, from PyTorch's allocator for that place. No tensor: it
    /// takes another way. Throws python_error if there is no memory.
    made_tensor make(const shape& shape, element_type type, foldwise::place place) const;

    /// Describes an object whose class is torch.Tensor itself, and says whether PyTorch is to note what its gradient
    /// needs. False: another way has to be taken, as for tensors without memory.
    bool read(PyObject* tensor, dlpack::tensor& seen, bool& needs_gradient) const {
        return describe_ && describe(tensor, seen, needs_gradient);
    }

    /// Writes the stream on which PyTorch's calls of this thread run on a GPU. False: another way has to be taken.
    bool current_stream(int device, void*& stream) const {
        return current_stream_ && current_stream_(device, &stream) == 0;
    }

  private:
    using handle = void*;

    /// PyTorch's number of a type; null if it has none.
    const std::int32_t* number_of(element_type type) const;
    bool load();
    bool load_readers();
    bool find_implementation();
    bool is_making() const;
    bool is_reading() const;
    bool describe(PyObject* tensor, dlpack::tensor& seen, bool& needs_gradient) const;

    std::int32_t (*make_)(std::int64_t rank, const std::int64_t* extents, const std::int64_t* strides,
                          std::int32_t type, std::int32_t device_type, std::int32_t device, handle* made) = nullptr;
    std::int32_t (*destroy_)(handle tensor) = nullptr;
    std::int32_t (*address_)(handle tensor, void** address) = nullptr;
    PyObject* (*wrap_)(const void* tensor) = nullptr;
    std::int32_t host_ = 0, cuda_ = 0;
    struct number_of_type {
        element_type type;
        std::int32_t number;
    };
    std::vector<number_of_type> types_;

    std::size_t implementation_ = 0;  ///< Where in a tensor's object the address of its fields is.
    void (*describe_)(const void* tensor, dlpack::tensor* seen, bool is_read_only) = nullptr;  ///< Null: none of these.
    bool (*requires_gradient_)(const void* implementation) = nullptr;
    bool (*notes_gradients_)() = nullptr;
    std::int32_t (*current_stream_)(std::int32_t device, void** stream) = nullptr;  ///< Null where there is no CUDA.
};

}  // namespace foldwise::python
