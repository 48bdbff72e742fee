// generator/frontend/CoreLayout.hpp: reads the layouts of guvectorize kernels, such as "(m,n),(n,p)->(m,p)".
#pragma once

#include "../model/GuvectorizeSpec.hpp"

#include <llvm/ADT/StringRef.h>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace foldwise {

/// What a layout says.
struct CoreLayout {
    std::vector<CoreDimension> dimensions;             ///< Each one once, in the order in which they first occur.
    std::vector<std::vector<std::uint32_t>> operands;  ///< The dimensions of each, inputs before outputs.
    std::size_t inputs = 0;                            ///< How many of the operands are inputs.
};

/// What is wrong with a layout, and before which of its characters.
struct LayoutMistake {
    std::size_t at;
    std::string text;
};

/// Reads NumPy's notation of generalised universal functions, without its optional dimensions: names, numbers from 1 on
/// and nothing between parentheses; blanks do not matter.
std::variant<CoreLayout, LayoutMistake> readLayout(llvm::StringRef text);

}  // namespace foldwise
