// generator/frontend/LowerReduce.cpp: lowers a foldwise::reduce(...) to the model.
#include "FoldLowering.hpp"
#include "LowerPatterns.hpp"

namespace foldwise {

std::optional<KernelSpec> lowerReduce(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header) {
    return FoldLowering(site, sema, slicer, header).lowerFold<ReduceSpec>();
}

}  // namespace foldwise
