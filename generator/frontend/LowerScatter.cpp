// generator/frontend/LowerScatter.cpp: turns a foldwise::scatter(...) into the model's kernel.
#include "FoldLowering.hpp"
#include "LowerPatterns.hpp"

namespace foldwise {

std::optional<KernelSpec> lowerScatter(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header) {
    return FoldLowering(site, sema, slicer, header).lowerFold<ScatterSpec>();
}

}  // namespace foldwise
