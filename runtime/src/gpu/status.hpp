// runtime/src/gpu/status.hpp: what launches return that are refused before CUDA is asked, by CUDA's numbers.
#pragma once

namespace foldwise::detail {

inline constexpr int invalid_value = 1;          ///< cudaErrorInvalidValue
inline constexpr int invalid_configuration = 9;  ///< cudaErrorInvalidConfiguration

}  // namespace foldwise::detail
