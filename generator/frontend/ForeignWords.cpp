// generator/frontend/ForeignWords.cpp: looks up words that the compiler does not know.
#include "ForeignWords.hpp"

#include "../model/KernelSpec.hpp"

#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSwitch.h>

namespace foldwise {

using namespace clang;

/// An argument of a message that is a name; empty if it is something else.
static std::string nameIn(const Diagnostic& message, unsigned argument) {
    if (message.getNumArgs() <= argument) return "";
    switch (message.getArgKind(argument)) {
    case DiagnosticsEngine::ak_declarationname:
        return DeclarationName::getFromOpaqueInteger(message.getRawArg(argument)).getAsString();
    case DiagnosticsEngine::ak_identifierinfo:
        return message.getArgIdentifier(argument)->getName().str();
    default:
        return "";
    }
}

/// The name that one of the compiler's messages misses in a namespace; empty for other messages.
static std::string missingIn(llvm::StringRef owner, const Diagnostic& message) {
    switch (message.getID()) {
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_member_template:
    case diag::err_no_member_template_suggest:
        break;
    default:
        return "";
    }
    if (message.getNumArgs() < 2 || message.getArgKind(1) != DiagnosticsEngine::ak_declcontext) return "";
    const auto* space = dyn_cast<NamespaceDecl>(reinterpret_cast<const DeclContext*>(message.getRawArg(1)));
    return space && space->getQualifiedNameAsString() == owner ? nameIn(message, 0) : "";
}

std::string missingMember(const Diagnostic& message) { return missingIn("foldwise", message); }

/// The file of an #include that a message says is not found; empty for other messages.
static llvm::StringRef missingHeader(const Diagnostic& message) {
    if (message.getID() != diag::err_pp_file_not_found || message.getNumArgs() == 0 ||
        message.getArgKind(0) != DiagnosticsEngine::ak_std_string)
        return "";
    return message.getArgStdStr(0);
}

/// Whether a message is about the first name of one of libcu++, as in `cuda::std::sqrt(x)`.
static bool isOfLibcuxx(const Diagnostic& message) {
    if (!message.hasSourceManager() || message.getLocation().isInvalid()) return false;
    const SourceManager& sources = message.getSourceManager();
    const auto [file, offset] = sources.getDecomposedSpellingLoc(message.getLocation());
    return sources.getBufferData(file).drop_front(offset).starts_with("cuda::std::");
}

llvm::StringRef insteadOf(llvm::StringRef name) {
    return llvm::StringSwitch<llvm::StringRef>(name)
#define FOLDWISE_NAME(word, text) .Case(word, text)
#define FOLDWISE_START(start, text) .StartsWith(start, text)
#include "ForeignWords.def"
        .Default("");
}

bool isOfCmath(llvm::StringRef name) {
    return llvm::StringSwitch<bool>(name)
#define FOLDWISE_STANDARD(word, header) .Case(word, llvm::StringRef(header) == "<cmath>")
#include "ForeignWords.def"
        .Default(false);
}

/// What to write instead of a name that is declared nowhere. These include names of the standard library without their
/// namespace, or with the suffix of C's functions of float.
static llvm::StringRef insteadOfUndeclared(llvm::StringRef name) {
    if (const llvm::StringRef word = insteadOf(name); !word.empty()) return word;
    return llvm::StringSwitch<llvm::StringRef>(name)
#define FOLDWISE_STANDARD(word, header) .Case(word, "it is the standard library's: std::" word ", of " header)
#include "ForeignWords.def"
#define FOLDWISE_STANDARD(word, header) .Case(word "f", "write std::" word ", of " header ", which takes float, too")
#include "ForeignWords.def"
        .Default("");
}

/// What to write for a name that both Foldwise and the C library have.
static llvm::StringRef ofCLibrary(llvm::StringRef name) {
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Case("random", "the C library has a function of this name: write foldwise::random")
        .Case("index", "the C library has a function of this name: write foldwise::index")
        .Default("");
}

/// Whether a message is about the first word behind `auto name =` in a line of its own.
static bool isAtNamespaceScope(const Diagnostic& message) {
    if (!message.hasSourceManager() || message.getLocation().isInvalid()) return false;
    const SourceManager& sources = message.getSourceManager();
    const auto [file, offset] = sources.getDecomposedSpellingLoc(message.getLocation());
    llvm::StringRef line = sources.getBufferData(file).take_front(offset);
    line = line.drop_front(line.rfind('\n') + 1).ltrim();
    line.consume_front("inline ");
    return line.starts_with("auto ") && line.rtrim().ends_with("= foldwise::");
}

/// The functions that make kernels, as a sentence.
static llvm::StringRef wordsForKernels() {
    static const std::string words = [] {
        std::string all = "kernels are made by ";
        for (const Pattern pattern : allPatterns)
            all += (llvm::Twine(pattern == std::begin(allPatterns)[0]  ? ""
                                : pattern == std::end(allPatterns)[-1] ? " and "
                                                                       : ", ") +
                    "foldwise::" + keywordOf(pattern))
                       .str();
        return all;
    }();
    return words;
}

llvm::StringRef instead(const Diagnostic& message) {
    if (const std::string member = missingIn("foldwise::edge", message); !member.empty())
        return llvm::StringSwitch<llvm::StringRef>(member)
            .Case("reflect", "NumPy's reflect is edge::mirror, and SciPy's is edge::symmetric")
            .Cases({"edge", "clamp", "replicate", "border"}, "the outermost element is repeated by edge::nearest")
            .Cases({"periodic", "circular", "repeat"}, "the array is repeated by edge::wrap")
            .Cases({"zero", "zeros"}, "zeros are edge::constant(0)")
            .Default("edges are edge::constant(value), wrap, nearest, mirror, symmetric and skip");
    if (const std::string member = missingMember(message); !member.empty()) {
        const llvm::StringRef word = llvm::StringSwitch<llvm::StringRef>(member)
#define FOLDWISE_MEMBER(word, text) .Case(word, text)
#define FOLDWISE_STANDARD(word, header) .Case(word, "it is the standard library's: std::" word ", of " header)
#include "ForeignWords.def"
                                         .Default("");
        const bool hasSuggestion =
            message.getID() == diag::err_no_member_suggest || message.getID() == diag::err_no_member_template_suggest;
        return word.empty() && !hasSuggestion && isAtNamespaceScope(message) ? wordsForKernels() : word;
    }
    if (const std::string member = missingIn("std", message); !member.empty())
        return llvm::StringSwitch<llvm::StringRef>(member)
            .Cases({"cout", "cerr", "clog"}, "kernels write to no streams: std::printf, of <cstdio>, prints from them")
#define FOLDWISE_STANDARD(word, header) .Case(word, "std::" word " is declared in " header ": add #include " header)
#include "ForeignWords.def"
            .Default("");
    const llvm::StringRef header = missingHeader(message);
    if (header.starts_with("cuda/") || header.starts_with("thrust/") || header.starts_with("cub/"))
        return "kernels need none of CUDA's headers: what the standard library's declare, such as <cmath>, works in "
               "them. "
               "Where this one is wanted, its folder is an include directory of the target: that of <cuda_runtime.h>, "
               "or "
               "cccl in it for Thrust, CUB and <cuda/std/...>";
    if (header.starts_with("foldwise/") && header != "foldwise/spec.hpp") return "a spec includes <foldwise/spec.hpp>";
    if (header.starts_with("foldwise/"))
        return "the tool finds Foldwise's headers in the prefix that it is installed to, and this one is not there: "
               "add "
               "-I<folder of foldwise/spec.hpp> behind --, or -p <folder of compile_commands.json>";
    switch (message.getID()) {
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest:
    case diag::err_undeclared_use:
    case diag::err_undeclared_use_suggest:
    case diag::err_unknown_typename:
    case diag::err_unknown_typename_suggest:
        if (isOfLibcuxx(message))
            return "namespace std itself works in kernels: write std:: for cuda::std::, with the standard library's "
                   "header";
        return insteadOfUndeclared(nameIn(message, 0));
    case diag::err_ambiguous_reference:
        return ofCLibrary(nameIn(message, 0));
    case diag::err_capture_default_non_local:
        return "a kernel has nothing to capture: what its program knows is a parameter of the lambda, and calls pass a "
               "value for it; [k = 2.5f] is a constant";
    default:
        return "";
    }
}

}  // namespace foldwise
