// generator/frontend/CompilerOptions.hpp: translates the options of the program's compiler for Clang and nvcc.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace foldwise {

/// The options in a build system's file, one on each line. A line that begins with `SHELL:`, as in CMake, has several,
/// quoted as in a shell; an empty line has none. A line `DEFINE:X=1` is a macro: consecutive ones become -D options in
/// the order in which CMake hands them to a compiler, which is that of their bytes. Fails if the file cannot be read.
llvm::Expected<std::vector<std::string>> readCompilerOptions(const std::string& file);

/// Those of GCC's or Clang's options that decide what a spec means: macros, include folders, forced includes, the
/// language, the layout of types, the target machine. Warnings, outputs, sanitizers, profiling, OpenMP and whatever
/// Clang does not know are left out. Fails at an option that changes what a spec means and that Clang does not have.
llvm::Expected<std::vector<std::string>> meaningfulOptions(llvm::ArrayRef<std::string> options);

/// The text of a file for nvcc's --options-file: the macros, include folders and forced includes among the options.
/// Fails at an option that gives types another layout or signedness, because nvcc's front end cannot follow it.
llvm::Expected<std::string> nvccOptions(llvm::ArrayRef<std::string> options);

}  // namespace foldwise
