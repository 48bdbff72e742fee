// generator/frontend/RaceWarnings.hpp: warns of the races that were found in a kernel.
#pragma once

#include "Races.hpp"

#include <clang/AST/ASTContext.h>

#include <set>

namespace foldwise {

/// Warns of races between the tasks of a forall kernel, or between the items of a block, but for those whose place in
/// the source is in `told` already, as races of another signature are; adds the others to it.
void warnOfRaces(const std::vector<Race>& races, RaceOf which, clang::ASTContext& context,
                 std::set<clang::SourceLocation>& told);

}  // namespace foldwise
