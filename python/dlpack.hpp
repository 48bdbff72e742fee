// python/dlpack.hpp: the exchange of arrays by DLPack's C functions, which a library's array type names in its
// attribute
// __dlpack_c_exchange_api__. The layout of the structs is DLPack's binary interface, version 1.
#pragma once

#include "library.hpp"

#include <cstdint>

namespace foldwise::python {

namespace dlpack {

enum device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum type_code : std::uint8_t {
    integer = 0,
    unsigned_integer = 1,
    floating = 2,
    brain_floating = 4,
    complex = 5,
    boolean = 6
};
struct device {
    std::int32_t type;
    std::int32_t number;
};
struct data_type {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct tensor {
    void* data;
    dlpack::device device;
    std::int32_t rank;
    data_type type;
    std::int64_t* extents;
    std::int64_t* strides;  ///< In elements.
    std::uint64_t byte_offset;
};
struct version {
    std::uint32_t major, minor;
};
struct managed_tensor {
    dlpack::version version;
    void* context;
    void (*destroy)(managed_tensor*);
    std::uint64_t flags;
    dlpack::tensor tensor;
};
struct exchange {
    dlpack::version version;
    const exchange* previous;
    int (*allocate)(tensor* like, managed_tensor** result, void* error,
                    void (*set_error)(void* error, const char* kind, const char* message));
    int (*from_object)(void* object, managed_tensor** result);
    int (*to_object)(managed_tensor* tensor, void** object);
    int (*view)(void* object, tensor* result);
    int (*current_stream)(std::int32_t device_type, std::int32_t number, void** stream);
};

}  // namespace dlpack

/// PyTorch, if the object is one of its tensors; otherwise null. PyTorch 2.10 or newer has such functions.
const library* exchanging_library(PyObject* candidate);

}  // namespace foldwise::python
