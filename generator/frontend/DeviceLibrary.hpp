// generator/frontend/DeviceLibrary.hpp: what of the standard library exists in device code.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace foldwise {

/// Whether CUDA has a function of its own for this one of the standard library, which is not constexpr there. `name` is
/// qualified: "std::sqrt", or "sqrt" of the C library.
bool isDeviceFunction(llvm::StringRef name, unsigned parameters);

}  // namespace foldwise
