// foldwise/detail/result_place.hpp: where the result of a call goes that is not given an output.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/shape.hpp>

namespace foldwise::detail {

/// The shape of a result, and the memory that its array is to be allocated from.
struct result_place {
    foldwise::shape shape;
    memory_source source;
};

}  // namespace foldwise::detail
