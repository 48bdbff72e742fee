// runtime/src/cuda/peer_access.hpp: copies between the memory of GPUs that do not pass through the host.
#pragma once

#include <foldwise/detail/device_api.hpp>

namespace foldwise::detail {

/// Lets the GPUs of two addresses access each other's memory, that of the pools of the addresses included. Where the
/// hardware cannot, or CUDA refuses, it does nothing: CUDA then copies through the host.
void let_peers_access(device_address one, device_address other);

}  // namespace foldwise::detail
