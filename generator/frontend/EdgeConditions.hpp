// generator/frontend/EdgeConditions.hpp: finds the conditions of tasks that hold for the first or the last few of them
// along an axis, as stencils have them. For all others their values are known.
#pragma once

#include "../model/ForallSpec.hpp"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceLocation.h>

#include <cstdint>
#include <vector>

namespace foldwise {

/// A comparison of a coordinate of the index with a small constant, or with the extent of a view: `i < 1`,
/// `j + 1 >= x.extent(1)`.
struct EdgeCondition {
    clang::SourceRange range;
    bool value;  ///< Its value away from edges.
    bool operator==(const EdgeCondition&) const = default;
};

/// Those of a body, and the tasks for which all of them have these values: from `begins` along each axis, 0 if it is
/// not there, up to all `ends`.
struct EdgeConditions {
    std::vector<EdgeCondition> conditions;
    std::vector<std::uint32_t> begins;
    std::vector<InnerEnd> ends;
};

/// Reads the body of a forall kernel. The values hold where 32 bits suffice for extents and for the number of tasks
/// along each axis. Conditions in macros and in lambdas within the body are left out.
EdgeConditions edgeConditions(const clang::FunctionDecl& body);

}  // namespace foldwise
