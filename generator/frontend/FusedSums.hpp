// generator/frontend/FusedSums.hpp: finds kernels in which GCC's vectoriser would fuse multiplications with additions.
#pragma once

#include "../model/ElementType.hpp"

namespace clang {
class FunctionDecl;
}

namespace foldwise {

/// What one body, and all that it calls, has of `{a * b - c, d * e + f}` in neighbouring elements. From version 12 on
/// GCC makes one instruction of both lines (vfmaddsub), -ffp-contract=off or not.
struct FusedSums {
    bool addsProducts = false;      ///< Floats are multiplied, added and subtracted.
    bool hasArrays = false;         ///< Local variables hold arrays.
    bool storesNeighbours = false;  ///< More than one element may be written, or one in parts.

    void add(const FusedSums& other);
};
FusedSums findFusedSums(const clang::FunctionDecl& body);

/// Whether a value lies in memory as several numbers side by side.
bool hasParts(const ElementType& type);

}  // namespace foldwise
