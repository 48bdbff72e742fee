// generator/emit/Emit.hpp: renders the files of a unit.
#pragma once

#include "Templates.hpp"
#include "UnitKeys.hpp"
#include "Writer.hpp"

namespace foldwise {

/// All files of a unit. Paths are relative to the output folder; nothing is written. `folder` is the one that they will
/// lie in, if their own #line directives are to name it; otherwise these have the files' names alone.
llvm::Expected<std::vector<OutputFile>> emitUnit(const UnitSpec& unit, const Backends& backends,
                                                 const Templates& templates, llvm::StringRef folder = "");

}  // namespace foldwise
