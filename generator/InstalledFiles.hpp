// generator/InstalledFiles.hpp: finds the files that are installed with the tool, from the executable's folder.
#pragma once

#include <string>

namespace foldwise {

/// The page that explains the messages. `tool` is the name that the tool is called by. Empty if it is not installed.
std::string diagnosticsPage(const char* tool);

/// The folder of Foldwise's headers, which is to be searched for `#include <foldwise/spec.hpp>`. Empty if the tool is
/// not installed.
std::string headersFolder(const char* tool);

/// The folder with the headers that belong to Clang itself, in its subfolder include. They are installed with a tool
/// that Clang is linked into; for any other it is empty.
std::string clangFolder(const char* tool);

}  // namespace foldwise
