// generator/frontend/LowerScan.cpp: turns a foldwise::scan(...) into the model's kernel.
#include "FoldLowering.hpp"
#include "LowerPatterns.hpp"

namespace foldwise {

std::optional<KernelSpec> lowerScan(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header) {
    return FoldLowering(site, sema, slicer, header).lowerFold<ScanSpec>();
}

}  // namespace foldwise
