// python/protocols.hpp: arrays by the protocols that all libraries share: DLPack and the CUDA Array Interface.
#pragma once

#include "dlpack.hpp"
#include "library.hpp"

#include <foldwise/detail/buffer.hpp>

#include <functional>

namespace foldwise::python {

/// DLPack's numbers of an element type; TypeError for what it lacks.
dlpack::data_type data_type_of(element_type type);
/// `other` for what no kernel can have.
element_type type_of_data(const dlpack::data_type& type);

/// Returns the elements of a tensor, which `owner` keeps. TypeError for memory that no kernel can reach, ValueError for
/// more axes than kernels have and for elements without an address.
array array_of(object owner, const dlpack::tensor& tensor);

/// Where an object's array is, by its method __dlpack_device__.
dlpack::device dlpack_device_of(const object& owner);

/// Returns an object's array by its method __dlpack__, which is told the stream that uses it; null if it need not be
/// ready. BufferError or whatever the object raises if there is none; ValueError if it is to be written and is
/// read-only.
array array_by_dlpack(const object& owner, CUstream_st* stream, bool is_written);

/// Returns an object's array by its attribute __cuda_array_interface__. TypeError for elements that no kernel has and
/// for masks, ValueError for what contradicts itself, RuntimeError where there is no GPU.
array array_by_cuda_interface(const object& owner, bool is_written);

/// Memory of ours as an object with __dlpack__ and, on a GPU, __cuda_array_interface__: results for libraries that take
/// arrays of others but do not let them be written. `stream` is the one on which it is written; null on the host.
object make_exported(const shape& shape, element_type type, foldwise::place place, CUstream_st* stream);
bool is_exported(PyObject* candidate);
array array_of_exported(object owner);

}  // namespace foldwise::python
