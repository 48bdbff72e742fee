// generator/frontend/DeviceLibrary.hpp: the parts of the standard library that exist in device code.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace foldwise {

/// What tells overloads apart in device code.
enum class ParameterKind { Integer, Floating, LongDouble, Complex, IntegerPointer, Other };

/// Where device code gets an entity of a library from.
struct DeviceEntity {
    enum class Parameters {
        Any,
        Real,             ///< all integers, float or double
        Floating,         ///< float, double or pointers, no integer
        TwoReal,          ///< Real, and at most two
        Complex,          ///< a std::complex among them
        IntegerPointers,  ///< pointers to integers
        Constant,         ///< what is known while compiling: long double too
    };

    llvm::StringRef name;
    Parameters parameters;
    /// The header of Foldwise's that has it; empty if CUDA has it, or if it is there in every kernel.
    llvm::StringRef header;
    bool isCudas;            ///< Whether CUDA has it.
    bool isMissing = false;  ///< Device code has none, for all that another row says of its class.
};

/// The row for an entity, which holds for all its overloads with such parameters; null if there is none. `name` is
/// qualified, without template arguments and inline namespaces: "std::sqrt", or "sqrt" of the C library.
const DeviceEntity* findDeviceEntity(llvm::StringRef name, llvm::ArrayRef<ParameterKind> parameters);

/// What a kernel does in place of something that device code has not, as the rest of a message: ": std::printf, of
/// <cstdio>, prints from kernels". Empty if nothing takes its place. `name` is qualified.
llvm::StringRef insteadOnDevice(llvm::StringRef name);

/// Whether a qualified name is of Thrust or of libcu++.
inline bool isOfThrustOrLibcuxx(llvm::StringRef name) {
    return name.starts_with("thrust::") || name.starts_with("cuda::");
}

/// Whether a name is that of one of CUDA's classes of 16-bit floats.
inline bool isCudasFloat(llvm::StringRef name) { return name == "__half" || name == "__nv_bfloat16"; }

/// All rows, in the order of the table.
llvm::ArrayRef<DeviceEntity> deviceEntities();

}  // namespace foldwise
