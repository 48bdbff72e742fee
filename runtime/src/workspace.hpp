// runtime/src/workspace.hpp: GPU memory that reductions of one stream share, one after the other.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>

namespace foldwise::detail {

/// The current GPU's for this stream: made when it is first asked for, and then kept. `asker` is for messages. Throws
/// out_of_memory or device_error.
reduce_workspace workspace_of(CUstream_st* stream, const char* asker);

}  // namespace foldwise::detail
