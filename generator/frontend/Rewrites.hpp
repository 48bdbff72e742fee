// generator/frontend/Rewrites.hpp: where emitted code is not the user's text, so that compilers make better code of it.
#pragma once

#include "BoolConversions.hpp"
#include "EdgeConditions.hpp"
#include "ShortCircuits.hpp"

namespace foldwise {

/// The places in a declaration or body that are written in another way, with the same meaning.
struct Rewrites {
    std::vector<clang::SourceRange> bools;    ///< Of which numbers are made; as integers on the CPU.
    std::vector<ShortCircuit> shortCircuits;  ///< `||` and `&&` that are `|` and `&` on a GPU.
    std::vector<EdgeCondition> edges{};       ///< That have known values for tasks away from edges.

    template <class Written> static Rewrites of(const Written& written, const clang::ASTContext& context) {
        return {boolConversions(written), needlessShortCircuits(written, context)};
    }
    /// Those in a function's body, which may be a template's.
    static Rewrites inBody(const clang::FunctionDecl& function) {
        return {boolConversionsInBody(function), needlessShortCircuitsInBody(function)};
    }
};

}  // namespace foldwise
