// generator/frontend/Refusals.cpp: finds the line of the user's that a refusal is reported at.
#include "Refusals.hpp"

#include "DeviceLibrary.hpp"
#include "ForeignWords.hpp"

#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

bool RefusalReporter::isUsersOwn(SourceLocation location) const {
    return includes_.isUsersCode(location) && !includes_.isLibrarys(location);
}

void RefusalReporter::report(const Refusal& refusal, SourceLocation kernel, SourceLocation madeAt) {
    SourceLocation at = refusal.at;
    const Route* route = refusal.route;
    if (includes_.isLibrarys(at)) {
        // The user cannot change the library: the user's call is what is wrong, whatever more there is behind it.
        while (route && !isUsersOwn(route->at)) route = route->previous;
        at = route ? route->at : kernel;
        if (route) route = route->previous;
        const SourceManager& sources = engine_.getSourceManager();
        const auto [file, offset] = sources.getDecomposedExpansionLoc(at);
        if (!linesWithLibraryCalls_.emplace(file, sources.getLineNumber(file, offset)).second) return;
    }
    if (refusal.why.message == Message::HostClass && !classes_.emplace(refusal.why.what, route, kernel).second) return;
    if (!reported_.insert(at).second) return;
    {
        const DiagnosticBuilder told = foldwise::report(engine_, at, refusal.why.message);
        told << refusal.why.what;
        if (refusal.why.message == Message::NoDeviceFunction) {
            const llvm::StringRef known = insteadOnDevice(refusal.why.what), word = insteadOf(refusal.why.what);
            told << (known.empty() && !word.empty() ? (": " + word).str() : known.str());
        }
    }
    if (refusal.why.what == callOfKernel)
        foldwise::report(engine_, at, Message::Instead)
            << "make a function of what both kernels compute, and call it from both";
    if (at != refusal.at) foldwise::report(engine_, refusal.at, Message::InLibrary);
    if (!refusal.why.lacking.empty())
        foldwise::report(engine_, at, Message::Lacks)
            << refusal.why.what << refusal.why.lacking << (refusal.why.lacking == comparisonOfFloats ? 1 : 0);
    for (; route; route = route->previous) foldwise::report(engine_, route->at, Message::CalledFrom);
    if (madeAt.isValid()) foldwise::report(engine_, madeAt, Message::MadeHere);
}

}  // namespace foldwise
