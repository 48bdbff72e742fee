// generator/frontend/Callable.cpp: looks through variables and copies at what is called, and at what it holds.
#include "Callable.hpp"

#include "Nesting.hpp"
#include "Types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>

namespace foldwise {

using namespace clang;

namespace {

class KernelCall : public RecursiveASTVisitor<KernelCall> {
  public:
    bool VisitCallExpr(CallExpr* e) {
        const FunctionDecl* callee = e->getDirectCallee();
        const std::string name = callee ? callee->getQualifiedNameAsString() : "";
        const bool makesKernel = llvm::StringSwitch<bool>(name)
                                     .Cases({"foldwise::vectorize", "foldwise::reduce", "foldwise::forall"}, true)
                                     .Default(false);
        if (makesKernel) call = e;
        return call == nullptr;
    }
    const CallExpr* call = nullptr;
};

/// The variables of functions that an expression or a lambda's body names and does not declare itself.
class LocalNames : public RecursiveASTVisitor<LocalNames> {
  public:
    std::vector<const VarDecl*> found() const {
        std::vector<const VarDecl*> outside;
        for (const VarDecl* variable : named_)
            if (!declared_.contains(variable)) outside.push_back(variable);
        return outside;
    }
    bool VisitVarDecl(VarDecl* variable) {
        declared_.insert(variable);
        return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* e) {
        const auto* variable = dyn_cast<VarDecl>(e->getDecl());
        if (variable && variable->isLocalVarDeclOrParm() && !llvm::is_contained(named_, variable))
            named_.push_back(variable);
        return true;
    }

  private:
    std::vector<const VarDecl*> named_;
    llvm::SmallPtrSet<const VarDecl*, 8> declared_;
};

/// An expression without copies, conversions and parentheses around it.
const Expr& bare(const Expr& expression) {
    const Expr* e = &expression;
    for (;;) {
        const Expr* inner = e->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
        if (const auto* made = dyn_cast<CXXConstructExpr>(inner);
            made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
            inner = made->getArg(0);
        if (inner == e) return *e;
        e = inner;
    }
}

/// Also of a variable that is const and has a constant for its initializer, which the language takes for no constant.
std::optional<Constant> valueOf(const Expr& expression, const ASTContext& context) {
    if (std::optional<Constant> value = evaluate(expression, context)) return value;
    const auto* reference = dyn_cast<DeclRefExpr>(&bare(expression));
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const Expr* initializer = variable ? variable->getAnyInitializer() : nullptr;
    if (!initializer || !variable->getType().isConstQualified() || isa<ParmVarDecl>(variable)) return std::nullopt;
    return valueOf(*initializer, context);
}

std::optional<APValue> valueOf(const VarDecl& variable) {
    const Expr* initializer = variable.getAnyInitializer();
    if (!initializer || isa<ParmVarDecl>(variable) || initializer->isValueDependent()) return std::nullopt;
    const bool isFixed = variable.isInitCapture() || variable.isConstexpr() || variable.getType().isConstQualified();
    if (!isFixed) return std::nullopt;
    if (const APValue* value = variable.evaluateValue(); value && value->hasValue()) return *value;
    const std::optional<Constant> value = valueOf(*initializer, variable.getASTContext());
    return value ? std::optional(value->value) : std::nullopt;
}

/// The function that an expression of pointer type names.
const FunctionDecl* functionNamed(const Expr* expression, const ASTContext& context) {
    const std::optional<Constant> found = expression ? valueOf(*expression, context) : std::nullopt;
    if (!found) return nullptr;
    // An overload that a signature has chosen lies in foldwise::detail::function_of.
    const APValue& value = found->value.isStruct() ? found->value.getStructField(0) : found->value;
    if (!value.isLValue()) return nullptr;
    return dyn_cast_or_null<FunctionDecl>(value.getLValueBase().dyn_cast<const ValueDecl*>());
}

bool hasCallOperator(const CXXRecordDecl& record) {
    const DeclarationName name = record.getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
    if (!record.lookup(name).empty()) return true;
    return llvm::any_of(record.bases(), [](const CXXBaseSpecifier& base) {
        const CXXRecordDecl* type = base.getType()->getAsCXXRecordDecl();
        return type && type->hasDefinition() && hasCallOperator(*type);
    });
}

bool isInFunction(const CXXRecordDecl& lambda) { return lambda.getParentFunctionOrMethod() != nullptr; }

class CallableFinder {
  public:
    CallableFinder(const VarDecl& kernel, SourceLocation place) : kernel_(kernel), context_(kernel.getASTContext()) {
        callable_.place = place;
    }

    std::optional<Callable> find(QualType type, const Expr* written) {
        callable_.expression = written;
        if (type->isFunctionPointerType()) return findFunction(written);
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const std::string name = record ? record->getQualifiedNameAsString() : "";
        if (name == "foldwise::detail::overloaded") {
            complain(Message::OverloadedCallable) << kernel_.getName();
            return std::nullopt;
        }
        if (!canBeCalled(type)) {
            complain(Message::NotALambda) << kernel_.getName();
            return std::nullopt;
        }
        callable_.record = record;
        return record->isLambda() ? findLambda(written) : findObject(written);
    }

  private:
    DiagnosticBuilder complain(Message message) { return report(context_.getDiagnostics(), callable_.place, message); }

    /// Whether what is called is nested no deeper than can be looked through; if it is, that is reported.
    bool checkNesting(const FunctionDecl* call) {
        Nestings nestings;
        const FunctionDecl* definition = nullptr;
        if (!call || !call->isDefined(definition)) return true;
        const Nesting& nesting = nestings.of(*definition);
        if (nesting.levels <= mostLevels) return true;
        report(context_.getDiagnostics(), nesting.deepest, Message::TooDeep)
            << std::to_string(nesting.levels) + " levels, and there is room for " + std::to_string(mostLevels);
        return false;
    }

    std::nullopt_t complainOfValue() {
        complain(Message::CallableNotConstant) << kernel_.getName();
        return std::nullopt;
    }

    std::optional<Callable> findFunction(const Expr* written) {
        const FunctionDecl* function = functionNamed(written, context_);
        if (!function) return complainOfValue();
        const auto* method = dyn_cast<CXXMethodDecl>(function);
        if (method && method->isLambdaStaticInvoker()) {  // of `+[](float x) { return x; }`
            callable_.record = method->getParent();
            const auto* plus = dyn_cast<UnaryOperator>(&bare(*written));
            return findLambda(plus ? plus->getSubExpr() : nullptr);
        }
        if (!checkNesting(function)) return std::nullopt;
        callable_.kind = Callable::Kind::Function;
        callable_.function = function;
        return callable_;
    }

    std::optional<Callable> findLambda(const Expr* written) {
        const Expr* expression = written ? &bare(*written) : nullptr;
        if (const auto* reference = dyn_cast_or_null<DeclRefExpr>(expression)) {
            if (const auto* variable = dyn_cast<VarDecl>(reference->getDecl())) {
                if (isa<VarTemplateSpecializationDecl>(variable)) return complainOfValue();
                if (heldLambda(*variable))
                    callable_.holder = variable;
                else if (const Expr* initializer = variable->getAnyInitializer();
                         initializer && isa<DeclRefExpr>(&bare(*initializer)) && variable->getType().isConstQualified())
                    return findLambda(initializer);
            }
        }
        const bool isWritten = isa_and_nonnull<LambdaExpr>(expression);
        // What a function makes is text of that function, which may be a template or lie in another namespace.
        if (expression && !isWritten && !callable_.holder && isInFunction(*callable_.record))
            return findObject(written);
        if (!checkNesting(callable_.record->getLambdaCallOperator())) return std::nullopt;
        const LambdaCapture* capture = nullptr;
        std::string reason;
        std::optional<std::vector<OuterConstant>> constants = outerConstants(*callable_.record, capture, reason);
        if (!constants) {
            report(context_.getDiagnostics(), capture ? capture->getLocation() : callable_.place, Message::Captures)
                << kernel_.getName() << reason;
            return std::nullopt;
        }
        callable_.constants = std::move(*constants);
        callable_.object = written ? valueOf(*written, context_) : std::nullopt;
        callable_.expression = nullptr;
        return callable_;
    }

    std::optional<Callable> findObject(const Expr* written) {
        if (!written) return complainOfValue();
        if (!checkNesting(callable_.onlyCall())) return std::nullopt;
        callable_.kind = Callable::Kind::Object;
        if (callable_.record->isLambda()) {
            for (const LambdaCapture& capture : callable_.record->captures()) {
                if (capture.getCaptureKind() == LCK_ByCopy) continue;
                report(context_.getDiagnostics(), capture.getLocation(), Message::Captures)
                    << kernel_.getName() << "by reference";
                return std::nullopt;
            }
        }
        LocalNames locals;
        locals.TraverseStmt(const_cast<Expr*>(written));
        callable_.object = valueOf(*written, context_);
        // An empty object has no value to know.
        if (!locals.found().empty() || (!callable_.object && !callable_.record->isEmpty())) return complainOfValue();
        return callable_;
    }

    const VarDecl& kernel_;
    ASTContext& context_;
    Callable callable_;
};

}  // namespace

const LambdaExpr* heldLambda(const VarDecl& variable) {
    const Expr* initializer = variable.getAnyInitializer();
    if (!initializer || !variable.isFileVarDecl() || variable.isStaticDataMember() ||
        isa<VarTemplateSpecializationDecl>(variable) || variable.getDescribedVarTemplate())
        return nullptr;
    const auto* lambda = dyn_cast<LambdaExpr>(&bare(*initializer));
    const bool isFixed = lambda && (lambda->capture_size() == 0 || variable.getType().isConstQualified());
    return isFixed ? lambda : nullptr;
}

std::optional<std::vector<OuterConstant>> outerConstants(const CXXRecordDecl& lambda, const LambdaCapture*& capture,
                                                         std::string& reason) {
    std::vector<OuterConstant> constants;
    for (const LambdaCapture& one : lambda.captures()) {
        capture = &one;
        reason = "by reference";
        const auto* variable = one.capturesVariable() ? dyn_cast<VarDecl>(one.getCapturedVar()) : nullptr;
        if (!variable || one.getCaptureKind() != LCK_ByCopy) return std::nullopt;
        reason = "that it changes";
        if (const CXXMethodDecl* operation = lambda.getLambdaCallOperator(); !operation->isConst()) return std::nullopt;
        reason = "whose value is not known while compiling";
        std::optional<APValue> value = one.isPackExpansion() ? std::nullopt : valueOf(*variable);
        if (!value) return std::nullopt;
        const bool keepsWords = variable->isInitCapture() && !isInFunction(lambda);
        constants.push_back({variable, keepsWords ? variable->getInit() : nullptr, std::move(*value)});
    }
    LocalNames locals;
    locals.TraverseStmt(lambda.getLambdaCallOperator()->getBody());
    for (const VarDecl* variable : locals.found()) {
        const auto isKnown = [&](const OuterConstant& one) { return one.variable == variable; };
        const DeclContext* owner = variable->getDeclContext();
        const bool isOwn = owner->Equals(lambda.getLambdaCallOperator()) || lambda.Encloses(owner) ||
                           lambda.getLambdaCallOperator()->Encloses(owner);
        if (isOwn || llvm::any_of(constants, isKnown)) continue;
        capture = nullptr;
        reason = "whose value is not known while compiling";
        std::optional<APValue> value = valueOf(*variable);
        if (!value) return std::nullopt;
        constants.push_back({variable, nullptr, std::move(*value)});
    }
    return constants;
}

const FunctionDecl* Callable::onlyCall() const {
    if (function) return function;
    if (record->isLambda()) return record->isGenericLambda() ? nullptr : record->getLambdaCallOperator();
    const DeclarationName name = record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
    for (const CXXRecordDecl* type = record; type;) {
        const auto found = type->lookup(name);
        if (!found.empty()) {
            const auto* only = found.isSingleResult() ? dyn_cast<CXXMethodDecl>(found.front()) : nullptr;
            return only && only->isConst() ? only : nullptr;
        }
        type = type->getNumBases() == 1 ? type->bases_begin()->getType()->getAsCXXRecordDecl() : nullptr;
    }
    return nullptr;
}

bool canBeCalled(QualType type) {
    if (type->isFunctionPointerType()) return true;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() && hasCallOperator(*record);
}

std::optional<Callable> findCallable(QualType type, const Expr* written, SourceLocation place, const VarDecl& kernel) {
    return CallableFinder(kernel, place).find(type, written);
}

const CallExpr* kernelCall(const VarDecl& kernel) {
    KernelCall finder;
    if (Expr* initializer = const_cast<VarDecl&>(kernel).getInit()) finder.TraverseStmt(initializer);
    return finder.call;
}

}  // namespace foldwise
