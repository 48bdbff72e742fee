// generator/frontend/StencilReach.hpp: finds how far the offsets of a stencil's lambda reach.
#pragma once

#include "Intervals.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// One place where a lambda looks around, along one axis.
struct Offset {
    clang::SourceLocation at;
    std::string array;  ///< The parameter's name.
    std::uint32_t axis = 0;
    std::optional<Interval> values;  ///< Nothing if they are not seen to be bounded by constants.
};

/// One place where a lambda looks around, along all axes.
struct FixedLook {
    std::string array;
    std::vector<Interval> along;
};

/// What was found in a lambda, and in the functions that it hands what is around an element on to.
struct StencilOffsets {
    std::vector<Offset> offsets;
    /// Where what is around an element is used otherwise, so that offsets may be missing; invalid if nowhere.
    clang::SourceLocation lost;
    std::string lostArray;
    std::vector<FixedLook> looks;  ///< The places all of whose offsets are fixed.
    bool areFixed = true;          ///< Whether those are all.
    std::uint64_t reads = 0;       ///< How many elements are read, at most.
};

/// Looks at all uses of a body's parameters of type foldwise::around.
StencilOffsets stencilOffsets(const clang::FunctionDecl& body);

/// Whether a parameter of this type is a foldwise::around.
bool isAround(clang::QualType type);

}  // namespace foldwise
