// generator/frontend/FindParts.cpp: identifies each part by its type, and its text by the initializer.
#include "FindParts.hpp"

#include "ConstantValues.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

namespace foldwise {

using namespace clang;

namespace {

/// The argument of a call such as foldwise::identity(0), through what the compiler adds to both.
const Expr* givenTo(const Expr* part) {
    const auto* call = part ? dyn_cast<CallExpr>(part->IgnoreUnlessSpelledInSource()) : nullptr;
    return call && call->getNumArgs() == 1 ? call->getArg(0) : nullptr;
}

class PartFinder {
  public:
    PartFinder(const KernelSite& site, bool scatters, DiagnosticsEngine& diagnostics)
        : site_(site), scatters_(scatters), diagnostics_(diagnostics) {}

    std::optional<FoundParts> find() {
        const CallExpr* call = kernelCall(*site_.variable);
        const llvm::ArrayRef<TemplateArgument> types = site_.type->getTemplateArgs()[1].getPackAsArray();
        for (unsigned i = 0; i < types.size(); ++i) {
            const Expr* written = call && i < call->getNumArgs() ? partIn(call->getArg(i)) : nullptr;
            if (!add(types[i].getAsType(), written)) return std::nullopt;
        }
        // First, because what is given alone is mostly meant to say where values go, too.
        if (scatters_ && !parts_.map)
            return lacks(Message::ScatterParts, "has no map, which says where each value goes: add foldwise::map(...), "
                                                "which returns foldwise::at(place, value)");
        if (!parts_.combine)
            return lacks(Message::WrongParts, "has no combine: give it a lambda or function of two accumulators");
        if (hasIdentity_) return parts_;
        if (scatters_)
            return lacks(Message::ScatterParts, "has no identity, which new places hold that no element goes to: add "
                                                "foldwise::identity(value), lowest or highest");
        report(diagnostics_, site_.variable->getLocation(), Message::NoIdentity) << site_.variable->getName();
        noteFactory(*site_.variable);
        return std::nullopt;
    }

  private:
    std::optional<FoundParts> lacks(Message message, const char* what) {
        report(diagnostics_, site_.variable->getLocation(), message) << site_.variable->getName() << what;
        noteFactory(*site_.variable);
        return std::nullopt;
    }

    DiagnosticBuilder complain(SourceLocation at) {
        DiagnosticBuilder message = report(diagnostics_, at, Message::WrongParts);
        message << site_.variable->getName();
        return message;
    }

    /// What a part is made by, if a constant of the reduction's namespace has it: names mean the same there.
    const Expr* partIn(const Expr* argument) const {
        const auto* reference = dyn_cast<DeclRefExpr>(&bare(*argument));
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        const bool isPart = variable && variable->isFileVarDecl() && !variable->isStaticDataMember() &&
                            variable->getType().isConstQualified() && kindOf(variable->getType()) != "";
        const Expr* initializer = isPart ? variable->getAnyInitializer() : nullptr;
        const bool isHere = initializer && variable->getDeclContext()->getRedeclContext()->Equals(
                                               site_.variable->getDeclContext()->getRedeclContext());
        return isHere ? initializer : argument;
    }

    /// "map_part" and so on; empty for what is none of Foldwise's own types.
    static llvm::StringRef kindOf(QualType type) {
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const auto* space = record ? dyn_cast<NamespaceDecl>(record->getDeclContext()) : nullptr;
        return space && space->getQualifiedNameAsString() == "foldwise::detail" ? record->getName() : "";
    }

    bool add(QualType type, const Expr* written) {
        const auto* part = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
        const llvm::StringRef kind = kindOf(type);
        const bool isOurs = !kind.empty();
        const SourceLocation place = written ? written->getExprLoc() : site_.variable->getLocation();
        const QualType content = isOurs && part ? part->getTemplateArgs()[0].getAsType() : type;
        const FoundPart found{place, content, isOurs ? givenTo(written) : written, {}};
        if (kind == "map_part") return addCalled(parts_.map, found, "map");
        if (kind == "combine_part" || (!isOurs && canBeCalled(type)))
            return addCalled(parts_.combine, found, "combine");
        if (kind == "finish_part") return addCalled(parts_.finish, found, "finish");
        if (kind == "identity_part") return addIdentity(IdentityKind::Value, found);
        if (kind == "lowest_part") return addIdentity(IdentityKind::Lowest, found);
        if (kind == "highest_part") return addIdentity(IdentityKind::Highest, found);
        if (kind == "no_identity_part") return addIdentity(IdentityKind::None, found);
        if (kind == "commutative_part") return parts_.isCommutative = true;
        complain(place) << notAPart(type, written);
        return false;
    }

    /// What is said of an argument that is none of the parts. A value alone is mostly meant to be the identity.
    std::string notAPart(QualType type, const Expr* written) const {
        const ASTContext& context = site_.variable->getASTContext();
        const SourceManager& sources = context.getSourceManager();
        const std::string text = written ? Lexer::getSourceText(sources.getExpansionRange(written->getSourceRange()),
                                                                sources, context.getLangOpts())
                                               .str()
                                         : "";
        const bool isValue = !type->isPointerType() && !type->isNullPtrType() && type.isTriviallyCopyableType(context);
        if (!isValue || text.empty() || text.size() > 40)
            return "is given '" + spelling(type, context) +
                   "', which is none of map, combine, identity, lowest, highest, no_identity, finish and commutative";
        const bool isSecond =
            llvm::any_of(site_.type->getTemplateArgs()[1].getPackAsArray(),
                         [](const TemplateArgument& one) { return kindOf(one.getAsType()) == "identity_part"; });
        return "is given '" + text + "', which is no part: " +
               (isSecond ? "calls begin with another value than the identity by foldwise::initial(" + text + ")"
                         : "write foldwise::identity(" + text + ")");
    }

    bool addCalled(std::optional<FoundPart>& to, FoundPart found, llvm::StringRef name) {
        if (to) {
            const bool lacksMap = name == "combine" && !parts_.map;
            complain(found.place) << ("is given two parts for " + name +
                                      (lacksMap ? ": what is computed of each element goes into foldwise::map(...)"
                                                : ""))
                                         .str();
            return false;
        }
        std::optional<Callable> callable = findCallable(found.content, found.expression, found.place, *site_.variable);
        if (!callable) return false;
        found.callable = std::move(*callable);
        to = std::move(found);
        return true;
    }

    bool addIdentity(IdentityKind kind, const FoundPart& found) {
        if (hasIdentity_) {
            complain(found.place) << "has two identities";
            return false;
        }
        hasIdentity_ = true;
        parts_.identityKind = kind;
        if (kind != IdentityKind::None) parts_.identity = found;
        if (kind != IdentityKind::Value || found.expression) return true;
        complain(found.place) << "has an identity that is not written as foldwise::identity(value) among its parts";
        return false;
    }

    const KernelSite& site_;
    const bool scatters_;
    DiagnosticsEngine& diagnostics_;
    FoundParts parts_;
    bool hasIdentity_ = false;
};

}  // namespace

std::optional<FoundParts> findParts(const KernelSite& site, bool scatters, DiagnosticsEngine& diagnostics) {
    return PartFinder(site, scatters, diagnostics).find();
}

}  // namespace foldwise
