// generator/model/Signature.hpp: what the signatures of all patterns have in common.
#pragma once

#include "Operations.hpp"

#include <cstdint>
#include <string>

namespace foldwise {

/// One set of types that a kernel is generated for. Each pattern derives its own signature, with its operands.
struct Signature {
    std::string text;             ///< The signature for people: "float(float x, float y)".
    std::uint32_t indexRank = 0;  ///< Axes of the foldwise::index that a lambda takes first; 0 if it takes none.
    Operations operations;        ///< What one element or task computes, calls included.
    bool mayFuse = false;         ///< Whether GCC may fuse multiplications with additions, told not to or not.
    bool operator==(const Signature&) const = default;
};

}  // namespace foldwise
