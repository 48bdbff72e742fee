// generator/frontend/RefusedCalls.cpp: explains why a callable cannot be called with a signature's types: it compares
// the callable's parameters with the arguments of the call, one by one.
#include "RefusedCalls.hpp"

#include "Lowering.hpp"
#include "Spelling.hpp"

#include <clang/Sema/Initialization.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

const FunctionDecl* writtenCall(const Callable& callable) {
    const FunctionDecl* generic = callable.genericCall();
    return generic ? generic : callable.onlyCall();
}

std::string counted(std::size_t number, llvm::StringRef what) {
    return (number == 0 ? "no" : std::to_string(number)) + " " + what.str() + (number == 1 ? "" : "s");
}

namespace {

/// The parameters that a callable takes, without the index.
struct Taken {
    llvm::ArrayRef<ParmVarDecl*> parameters;
    std::size_t least = 0;  ///< How many have no default argument.
    bool isOpen = false;    ///< Whether a call may pass more, as to a variadic function.
    bool hasIndex = false;  ///< Whether an index comes first.
};

/// The parameters of a function.
Taken takenBy(const FunctionDecl& called) {
    Taken taken;
    taken.hasIndex = indexRank(called) > 0;
    taken.parameters = called.parameters().drop_front(taken.hasIndex ? 1 : 0);
    taken.isOpen = called.isVariadic() ||
                   llvm::any_of(taken.parameters, [](const ParmVarDecl* one) { return one->isParameterPack(); });
    taken.least = llvm::count_if(
        taken.parameters, [](const ParmVarDecl* one) { return !one->isParameterPack() && !one->hasDefaultArg(); });
    return taken;
}

/// Whether a call with so many arguments besides the index is possible.
bool fits(const Taken& taken, std::size_t arguments) {
    return taken.least <= arguments && (taken.isOpen || arguments <= taken.parameters.size());
}

/// The parameters as messages count them: "2 parameters", "an index and 1 parameter", "1 to 2 parameters".
std::string text(const Taken& taken) {
    if (taken.hasIndex && taken.parameters.empty()) return "an index alone";
    std::string text = taken.hasIndex ? "an index and " : "";
    if (taken.isOpen) return text + counted(taken.least, "parameter") + " or more";
    if (taken.least < taken.parameters.size()) text += std::to_string(taken.least) + " to ";
    return text + counted(taken.parameters.size(), "parameter");
}

/// A parameter as messages name it: "'x'", or "of number 2" if it has no name.
std::string nameOf(const ParmVarDecl& parameter) {
    return parameter.getName().empty() ? "of number " + std::to_string(parameter.getFunctionScopeIndex() + 1)
                                       : "'" + parameter.getNameAsString() + "'";
}

/// Whether a callable takes a pair or tuple of as many members as the call has arguments, as zipped elements are taken
/// elsewhere.
bool takesZipped(const Taken& taken, std::size_t arguments) {
    if (taken.parameters.size() != 1 || arguments < 2) return false;
    const CXXRecordDecl* record = taken.parameters.front()->getType().getNonReferenceType()->getAsCXXRecordDecl();
    const auto* type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
    if (!type || !(type->getName() == "pair" || type->getName() == "tuple")) return false;
    const llvm::ArrayRef<TemplateArgument> members = type->getTemplateArgs().asArray();
    const bool isPack = !members.empty() && members.front().getKind() == TemplateArgument::Pack;
    return (isPack ? members.front().pack_size() : members.size()) == arguments;
}

/// Whether a const argument converts to a parameter. It is taken to convert to a type that is deduced or dependent.
bool converts(QualType from, const ParmVarDecl& parameter, Sema& sema) {
    const QualType to = parameter.getType();
    if (to->isDependentType() || to->isUndeducedType()) return true;
    OpaqueValueExpr argument(parameter.getLocation(), from.getNonReferenceType().withConst(), VK_LValue);
    Expr* given = &argument;
    const InitializedEntity entity = InitializedEntity::InitializeParameter(sema.Context, to, /*Consumed=*/false);
    const InitializationKind kind = InitializationKind::CreateCopy(parameter.getLocation(), SourceLocation());
    return bool(InitializationSequence(sema, entity, kind, given));
}

/// Whether the user may have meant a parameter for an element's index, although its type is another.
bool couldBeIndex(const ParmVarDecl& parameter) {
    const QualType type = parameter.getType().getNonReferenceType();
    const SourceManager& sources = parameter.getASTContext().getSourceManager();
    return !sources.isInSystemHeader(parameter.getLocation()) && !parameter.isParameterPack() &&
           (type->isTemplateTypeParmType() || type->isIntegerType());
}

}  // namespace

const ParmVarDecl* writableParameter(const RefusedCall& call) {
    const FunctionDecl* called = writtenCall(call.callable);
    if (!called || differsInNumber(call)) return nullptr;
    const auto* found = llvm::find_if(takenBy(*called).parameters, [](const ParmVarDecl* one) {
        const QualType type = one->getType();
        if (!type->isReferenceType() || type->getPointeeType().isConstQualified()) return false;
        return !type->getPointeeType()->isTemplateTypeParmType();  // which is deduced as const
    });
    return found == takenBy(*called).parameters.end() ? nullptr : *found;
}

bool differsInNumber(const RefusedCall& call) {
    const FunctionDecl* called = writtenCall(call.callable);
    return called && !fits(takenBy(*called), call.arguments.size());
}

std::string whyRefused(const RefusedCall& call, Sema& sema) {
    const FunctionDecl* called = writtenCall(call.callable);
    if (!called) return "";
    const Taken taken = takenBy(*called);
    const llvm::StringRef words[] = {"the lambda", "the function", "its call operator"};
    const std::string number = counted(call.arguments.size(), call.argument);
    if (!fits(taken, call.arguments.size())) {
        const bool isZipped = takesZipped(taken, call.arguments.size());
        return (words[wordFor(*called)] + " takes " + text(taken) + ", and " + call.giver + " " + number +
                (isZipped ? ", which are parameters of their own and not zipped" : ""))
            .str();
    }
    if (const ParmVarDecl* written = writableParameter(call)) {
        const bool isVoid = called->getReturnType()->isVoidType();
        return "its parameter " + nameOf(*written) + " is '" + spelling(written->getType(), sema.Context) +
               "', a reference that could be written to; take it by value or by const reference" +
               (isVoid ? ", and return the result" : "");
    }
    for (std::size_t i = 0; i < std::min(call.arguments.size(), taken.parameters.size()); ++i) {
        const ParmVarDecl& parameter = *taken.parameters[i];
        if (parameter.isParameterPack()) break;
        if (!converts(call.arguments[i], parameter, sema))
            return "its parameter " + nameOf(parameter) + " is '" + spelling(parameter.getType(), sema.Context) +
                   "', to which '" + spelling(call.arguments[i], sema.Context) + "' does not convert";
    }
    for (const ParmVarDecl* parameter :
         taken.parameters.drop_front(std::min(call.arguments.size(), taken.parameters.size())))
        if (parameter->hasDefaultArg() && parameter->getType()->isDependentType())
            return "its parameter " + nameOf(*parameter) +
                   " is left to its default argument, from which no type is deduced";
    return (words[wordFor(*called)] + " takes " + text(taken) + ", but not of " +
            (call.arguments.size() == 1 ? "this type" : "these types"))
        .str();
}

std::string signatureFor(const RefusedCall& call, llvm::StringRef keyword, QualType result, const ASTContext& context) {
    const FunctionDecl* called = writtenCall(call.callable);
    if (!called || !differsInNumber(call)) return "";
    const Taken taken = takenBy(*called);
    if (takesZipped(taken, call.arguments.size())) return "";
    const QualType open = !call.arguments.empty() ? call.arguments.back() : result;
    std::string operands;
    llvm::ListSeparator comma;
    for (std::size_t i = 0; i < taken.parameters.size(); ++i) {
        if (taken.parameters[i]->isParameterPack()) break;
        const QualType own = taken.parameters[i]->getType().getNonReferenceType().getUnqualifiedType();
        const QualType type = i < call.arguments.size() ? call.arguments[i] : own->isDependentType() ? open : own;
        operands += (llvm::StringRef(comma) + spelling(type, context)).str();
    }
    std::string text =
        "write foldwise::" + keyword.str() + "<" + spelling(result, context) + "(" + operands + ")>(...)";
    const bool isOneMore = taken.parameters.size() == call.arguments.size() + 1;
    if (call.mayTakeIndex && !taken.hasIndex && isOneMore && couldBeIndex(*taken.parameters.front()))
        text += ", or foldwise::index<1> as the type of parameter " + nameOf(*taken.parameters.front()) +
                " if that is the element's position";
    return text;
}

}  // namespace foldwise
