// generator/frontend/OutputNames.hpp: finds the names of a kernel's outputs in its own code.
#pragma once

#include <clang/AST/Decl.h>

#include <cstddef>
#include <string>
#include <vector>

namespace foldwise {

/// The names of the `count` outputs of a function that returns a tuple or pair: of the local variables and data members
/// that every return statement makes it of, as in `return std::tuple{radius, p.angle}`. An output without such a name,
/// or with one that a parameter or another output has, is out0, out1 and so on, by its position.
std::vector<std::string> outputNames(const clang::FunctionDecl& body, std::size_t count);

}  // namespace foldwise
