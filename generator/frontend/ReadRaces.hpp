// generator/frontend/ReadRaces.hpp: finds elements that some tasks read and others write.
#pragma once

#include "ElementAccesses.hpp"
#include "Races.hpp"

#include <optional>

namespace foldwise {

/// A read of an element of a view that another task writes, whatever values all tasks have in common and wherever both
/// certainly get there. A task's own elements are those that it may write itself.
std::optional<Race> findReadRace(const ForallValues& values, const ElementAccesses& accesses,
                                 const clang::ParmVarDecl& view);

}  // namespace foldwise
