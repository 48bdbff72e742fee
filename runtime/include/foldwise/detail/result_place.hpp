// foldwise/detail/result_place.hpp: where a call that is given no output allocates its result.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/shape.hpp>

namespace foldwise::detail {

/// The shape of a result, and the source of the memory of its array.
struct result_place {
    foldwise::shape shape;
    memory_source source;
};

}  // namespace foldwise::detail
