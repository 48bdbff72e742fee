// python/xla_ffi.hpp: how XLA calls functions of others. The layout of the structs is the binary interface of XLA's
// FFI, version 0, as far as it has been the same since its first minor version; headers of JAX are not needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldwise::python::xla {

struct error;    ///< Made by the API, and destroyed by XLA.
struct context;  ///< What XLA passes to one execution of a handler.

/// What may be attached to a struct; XLA asks for what a handler is by one of a call's.
struct extension {
    std::size_t size;
    std::int32_t type;
    extension* next;
};
constexpr std::int32_t metadata_type = 1;

struct version {
    std::size_t size;
    extension* extensions;
    int major, minor;
};

struct metadata {
    std::size_t size;
    xla::version version;
    std::uint32_t traits;
};
struct metadata_extension {
    extension base;
    xla::metadata* metadata;
};

enum class error_code : std::int32_t { invalid_argument = 3, resource_exhausted = 8, internal = 13 };

struct error_arguments {
    std::size_t size;
    extension* extensions;
    const char* message;
    error_code code;
};
struct stream_arguments {
    std::size_t size;
    extension* extensions;
    xla::context* context;
    void* stream;  ///< Is set: a CUstream.
};

/// The functions that XLA offers, of which these are the first.
struct api {
    std::size_t size;
    extension* extensions;
    xla::version version;
    const void* internal;
    error* (*make_error)(error_arguments*);
    void* get_error_details;
    void* destroy_error;
    void* register_handler;
    error* (*get_stream)(stream_arguments*);
};

/// An array, its elements one behind the other in row-major order.
struct buffer {
    std::size_t size;
    extension* extensions;
    std::int32_t type;
    void* data;
    std::int64_t rank;
    std::int64_t* extents;
};

/// Inputs or results, all of which are buffers.
struct buffers {
    std::size_t size;
    extension* extensions;
    std::int64_t count;
    std::int32_t* types;
    buffer** all;
};

struct text {
    const char* data;
    std::size_t size;
};
constexpr std::int32_t text_attribute = 4;

/// Attributes in the order of their names. One of text_attribute's type is a text.
struct attributes {
    std::size_t size;
    extension* extensions;
    std::int64_t count;
    std::int32_t* types;
    text** names;
    void** all;
};

enum class stage : std::int32_t { instantiate, prepare, initialize, execute, record };

struct call {
    std::size_t size;
    extension* extensions;
    const xla::api* api;
    xla::context* context;
    xla::stage stage;
    buffers inputs;
    buffers results;
    xla::attributes attributes;
    void* future;
};

/// Returns null if nothing has failed.
using handler = error*(call*);

}  // namespace foldwise::python::xla
