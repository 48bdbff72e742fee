// generator/frontend/HeaderMacros.cpp: the table of these macros, and the look-up.
#include "HeaderMacros.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>

namespace foldwise {

#include "HeaderMacros.inc"

static llvm::StringMap<HeaderMacro> tabulate() {
    llvm::StringMap<HeaderMacro> table;
    const auto add = [&](llvm::StringRef names, HeaderMacro kind) {
        llvm::SmallVector<llvm::StringRef, 0> found;
        llvm::SplitString(names, found);
        for (const llvm::StringRef name : found) table.try_emplace(name, kind);
    };
    add(objectMacros, HeaderMacro::Object);
    add(functionMacros, HeaderMacro::Function);
    return table;
}

HeaderMacro headerMacro(llvm::StringRef name) {
    static const llvm::StringMap<HeaderMacro> table = tabulate();
    return table.lookup(name);  // None if there is no such name
}

}  // namespace foldwise
