// generator/frontend/Refusals.cpp: finds the user's line at which a refusal is reported.
#include "Refusals.hpp"

#include "DeviceLibrary.hpp"
#include "ForeignWords.hpp"

#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

/// What to write for a type of CUDA's, Thrust's or libcu++'s that kernels do not have; empty if there is nothing to
/// say.
static llvm::StringRef insteadOfForeign(llvm::StringRef name) {
    if (name == "__half") return "write foldwise::half, whose elements have the same bits";
    if (name == "__nv_bfloat16") return "write foldwise::bfloat16, whose elements have the same bits";
    if (!isOfThrustOrLibcuxx(name)) return "";
    const bool draws = name.contains("::random") || name.contains("_engine") || name.contains("_distribution") ||
                       name.contains("::minstd_rand") || name.contains("::ranlux") || name.contains("::taus88");
    if (draws) return "foldwise::random(seed, number) draws random numbers in kernels, and the number may be the index";
    if (name.contains("complex"))
        return "write std::complex, of <complex>, whose elements lie in memory in the same way";
    return "";
}

static llvm::StringRef insteadOfForeign(const Refused& why) {
    if (why.lacking == atomicsOfOtherSizes)
        return "atomic operations of GPUs are of 4 and 8 bytes: take a view of such elements, as of std::uint32_t in "
               "place of bytes";
    const llvm::StringRef own = insteadOfForeign(llvm::StringRef(why.what));
    return own.empty() ? insteadOfForeign(llvm::StringRef(why.type)) : own;
}

/// Whether a kernel was told what to write instead of a type already: what is done with values of that type follows
/// from it.
bool RefusalReporter::repeatsForeign(const Refused& why, SourceLocation kernel) {
    const llvm::StringRef instead = insteadOfForeign(why);
    return !instead.empty() && !foreign_.emplace(kernel, instead).second;
}

void RefusalReporter::report(const Refusal& refusal, SourceLocation kernel, SourceLocation place,
                             SourceLocation madeAt) {
    SourceLocation at = refusal.at;
    const Route* route = refusal.route;
    if (at.isInvalid()) {  // of an implicit conversion
        at = route ? route->at : place;
        if (route) route = route->previous;
    }
    if (includes_.isLibrarys(at)) {
        // The user cannot change the library: the user's call is what is wrong, whatever more there is behind it.
        while (route && !includes_.isUsersOwn(route->at)) route = route->previous;
        at = route ? route->at : place;
        if (route) route = route->previous;
        const SourceManager& sources = engine_.getSourceManager();
        const auto [file, offset] = sources.getDecomposedExpansionLoc(at);
        if (!linesWithLibraryCalls_.emplace(file, sources.getLineNumber(file, offset)).second) return;
    }
    if (refusal.why.message == Message::HostClass && !classes_.emplace(refusal.why.what, route, place).second) return;
    if (!reported_.insert(at).second || repeatsForeign(refusal.why, kernel)) return;
    {
        const DiagnosticBuilder told = foldwise::report(engine_, at, refusal.why.message);
        told << refusal.why.what;
        if (refusal.why.message == Message::MutableGlobal) told << (refusal.why.isConst ? 1 : 0);
        if (refusal.why.message == Message::NoDeviceFunction) {
            const llvm::StringRef known = insteadOnDevice(refusal.why.what), ofType = insteadOfForeign(refusal.why);
            const llvm::StringRef word = ofType.empty() ? insteadOf(refusal.why.what) : ofType;
            const bool hasWord = known.empty() && !word.empty();
            const bool isLibcuxx = known.empty() && llvm::StringRef(refusal.why.what).starts_with("cuda::std::");
            told << (hasWord     ? (": " + word).str()
                     : isLibcuxx ? ": namespace std itself works in kernels, and has it with the types of its own"
                                 : known.str())
                 << (refusal.why.isCudas ? 1 : 0);
        }
        if (refusal.why.message == Message::ForeignNamespace) {
            const llvm::StringRef word = insteadOfForeign(refusal.why);
            told << (word.empty() ? 0 : 1) << word;
        }
    }
    if (refusal.why.message == Message::NotInDeviceCode && refusal.why.what == thrown)
        foldwise::report(engine_, at, Message::Instead)
            << "foldwise::fail(\"...\") reports what is wrong, and ends the call in checked builds";
    if (refusal.why.what == callOfKernel)
        foldwise::report(engine_, at, Message::Instead)
            << "make a function of what both kernels compute, and call it from both";
    // What is added to a namespace is found where it is declared, which says nothing of why it is needed.
    if (at != refusal.at && refusal.at.isValid() && refusal.why.message != Message::ForeignNamespace)
        foldwise::report(engine_, refusal.at, Message::InLibrary);
    if (!refusal.why.lacking.empty() && refusal.why.lacking != atomicsOfOtherSizes)
        foldwise::report(engine_, at, Message::Lacks)
            << refusal.why.what << refusal.why.lacking << (refusal.why.lacking == comparisonOfFloats ? 1 : 0);
    for (; route; route = route->previous) foldwise::report(engine_, route->at, Message::CalledFrom);
    if (madeAt.isValid()) foldwise::report(engine_, madeAt, Message::MadeHere);
}

}  // namespace foldwise
