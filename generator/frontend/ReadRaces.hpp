// generator/frontend/ReadRaces.hpp: finds elements that some tasks or items read or write, and others write elsewhere
// in the source.
#pragma once

#include "ElementAccesses.hpp"
#include "Races.hpp"

#include <optional>

namespace foldwise {

/// An element of a view or of shared memory that one task writes in one statement and another task in another one; else
/// a read of an element that another task writes, of which a task's own elements, those that it may write itself, are
/// not; else, of shared memory, a write of an element that another item updates by std::atomic_ref. All hold whatever
/// values all tasks have in common, and where both certainly get there.
std::optional<Race> findRaceOfTwo(const ForallValues& values, const ElementAccesses& accesses,
                                  const clang::VarDecl& view);

}  // namespace foldwise
