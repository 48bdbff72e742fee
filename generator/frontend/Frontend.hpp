// generator/frontend/Frontend.hpp: the frontend's interface: makes the model from spec files. It includes none of
// Clang's headers.
#pragma once

#include "../model/KernelSpec.hpp"
#include "Warnings.hpp"

#include <set>
#include <string>
#include <vector>

namespace foldwise {

struct FrontendOptions {
    std::vector<std::string> sources;         ///< Spec files, as named on the command line.
    std::string root;                         ///< Folder that places are relative to; empty: each source's own folder.
    std::string buildFolder;                  ///< With a compile_commands.json; empty: none.
    std::vector<std::string> clangArguments;  ///< What followed `--`.
    WarningOptions warnings = {};             ///< For Foldwise's own; Clang's are among its arguments.
    bool absolutePaths = false;      ///< Whether places and __FILE__ have absolute paths, whatever the root is.
    std::string headersFolder = {};  ///< Searched for Foldwise's headers behind all others; empty: none.
    std::string clangFolder =
        {};  ///< The folder of Clang's headers; empty: that of the Clang that this was built with.
};

struct FrontendResult {
    std::vector<UnitSpec> units;            ///< In the order of the sources; only meaningful if `ok`.
    std::vector<std::string> dependencies;  ///< Every file that was read, absolute, sorted, once each.
    std::set<std::string> numbers;          ///< Of the messages that were printed: "FW012" and so on.
    bool ok = false;                        ///< False after any error; it has been printed.
};

/// Parses and understands the specs. Clang's diagnostics engine prints every error and warning to stderr.
FrontendResult parseSpecs(const FrontendOptions& options);

}  // namespace foldwise
