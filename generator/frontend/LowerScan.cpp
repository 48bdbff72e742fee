// generator/frontend/LowerScan.cpp: lowers a foldwise::scan(...) to the model.
#include "FoldLowering.hpp"
#include "LowerPatterns.hpp"

namespace foldwise {

std::optional<KernelSpec> lowerScan(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header) {
    return FoldLowering(site, sema, slicer, header).lowerFold<ScanSpec>();
}

}  // namespace foldwise
