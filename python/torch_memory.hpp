// python/torch_memory.hpp: makes tensors by PyTorch's C functions, in half the time of its functions for Python.
#pragma once

#include "library.hpp"

#include <optional>

namespace foldwise::python {

/// A new tensor and where its elements are.
struct made_tensor {
    object tensor;
    void* data = nullptr;
};

/// PyTorch's functions for compiled code, by the names that its libraries have exported since version 2.6.
class torch_memory {
  public:
    /// Null if PyTorch, which has been imported, does not have them or if they do not do what is expected of them.
    static const torch_memory* found();

    /// Returns a tensor without values, in row-major order, from PyTorch's allocator for that place. No tensor: it
    /// takes another way. Throws python_error if there is no memory.
    made_tensor make(const shape& shape, element_type type, foldwise::place place) const;

  private:
    using handle = void*;

    bool load();
    bool is_working() const;

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
};

}  // namespace foldwise::python
