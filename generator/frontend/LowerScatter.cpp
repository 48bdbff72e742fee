// generator/frontend/LowerScatter.cpp: lowers a foldwise::scatter(...) to the model.
#include "FoldLowering.hpp"
#include "LowerPatterns.hpp"

namespace foldwise {

std::optional<KernelSpec> lowerScatter(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header) {
    return FoldLowering(site, sema, slicer, header).lowerFold<ScatterSpec>();
}

}  // namespace foldwise
