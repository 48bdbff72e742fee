// generator/emit/Writer.hpp: writes files atomically: either completely or not at all.
#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace foldwise {

struct OutputFile {
    std::string path;
    std::string text;
};

/// Writes all files, each under a temporary name that is renamed at the end; after an error none of them has changed.
/// A file whose text is the same already is left alone, time stamp and all, unless `touch` is given: Ninja wants it so,
/// and Makefiles run a rule for ever whose outputs stay older than its inputs.
llvm::Error writeFiles(const std::vector<OutputFile>& files, bool touch);

}  // namespace foldwise
