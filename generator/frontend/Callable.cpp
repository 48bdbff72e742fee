// generator/frontend/Callable.cpp: looks through variables and copies at what is called, and at what it holds.
#include "Callable.hpp"

#include "LocalNames.hpp"
#include "Nesting.hpp"
#include "Types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringSwitch.h>

#include <variant>

namespace foldwise {

using namespace clang;

namespace {

class KernelCall : public DynamicRecursiveASTVisitor {
  public:
    bool VisitCallExpr(CallExpr* e) override {
        const FunctionDecl* callee = e->getDirectCallee();
        const std::string name = callee ? callee->getQualifiedNameAsString() : "";
        const bool makesKernel = llvm::StringSwitch<bool>(name)
                                     .Cases({"foldwise::vectorize", "foldwise::reduce", "foldwise::forall"}, true)
                                     .Default(false);
        if (makesKernel) calls.push_back(e);
        return true;
    }
    llvm::SmallVector<const CallExpr*, 1> calls;
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

/// The call operators that a class declares or inherits, those of templates included.
std::vector<const CXXMethodDecl*> callOperators(const CXXRecordDecl& record) {
    std::vector<const CXXMethodDecl*> found;
    const DeclarationName name = record.getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
    for (const NamedDecl* one : record.lookup(name))
        if (const auto* method = dyn_cast_or_null<CXXMethodDecl>(one->getUnderlyingDecl()->getAsFunction()))
            found.push_back(method);
    if (!found.empty()) return found;
    for (const CXXBaseSpecifier& base : record.bases()) {
        const CXXRecordDecl* type = base.getType()->getAsCXXRecordDecl();
        if (type && type->hasDefinition()) llvm::append_range(found, callOperators(*type));
    }
    return found;
}

bool hasConstCall(const CXXRecordDecl& record) {
    return llvm::any_of(callOperators(record),
                        [](const CXXMethodDecl* one) { return one->isConst() || one->isStatic(); });
}

bool isInFunction(const CXXRecordDecl& lambda) { return lambda.getParentFunctionOrMethod() != nullptr; }

/// A member that const member functions change, which would be a kernel's state; null if there is none.
const FieldDecl* mutableMember(const CXXRecordDecl& record) {
    const auto inClass = [](QualType type) -> const FieldDecl* {
        const CXXRecordDecl* inner = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
        return inner && inner->hasDefinition() ? mutableMember(*inner) : nullptr;
    };
    for (const CXXBaseSpecifier& base : record.bases())
        if (const FieldDecl* found = inClass(base.getType())) return found;
    for (const FieldDecl* field : record.fields()) {
        if (field->isMutable()) return field;
        if (const FieldDecl* found = inClass(field->getType())) return found;
    }
    return nullptr;
}

/// A capture that makes a lambda more than its text and constants, and what it is.
struct Unfixed {
    const LambdaCapture* capture = nullptr;
    std::string reason;
};

std::optional<Unfixed> unfixedCapture(const CXXRecordDecl& lambda) {
    for (const LambdaCapture& one : lambda.captures()) {
        if (!one.capturesVariable() || one.getCaptureKind() != LCK_ByCopy) return Unfixed{&one, "by reference"};
        const CXXRecordDecl* type = one.getCapturedVar()->getType()->getAsCXXRecordDecl();
        const bool changes = !lambda.getLambdaCallOperator()->isConst() || (type && mutableMember(*type));
        if (changes) return Unfixed{&one, "that it changes"};
    }
    return std::nullopt;
}

/// The constants that a lambda in a function takes from around it: its captures, and what needs no capture.
std::variant<std::vector<OuterConstant>, Unfixed> outerConstants(const CXXRecordDecl& lambda) {
    std::vector<OuterConstant> constants;
    const CXXMethodDecl& operation = *lambda.getLambdaCallOperator();
    const auto add = [&](const VarDecl& variable) {
        std::optional<APValue> value = valueOf(variable);
        if (value) constants.push_back({&variable, std::move(*value)});
        return value.has_value();
    };
    const std::string unknown = "whose value is not known while compiling";
    for (const LambdaCapture& one : lambda.captures())
        if (const auto* variable = dyn_cast<VarDecl>(one.getCapturedVar());
            one.isPackExpansion() || !variable || !add(*variable))
            return Unfixed{&one, unknown};
    LocalNames locals;
    locals.TraverseStmt(operation.getBody());
    for (const VarDecl* variable : locals.found()) {
        const DeclContext* owner = variable->getDeclContext();
        const bool isOwn = owner->Equals(&operation) || lambda.Encloses(owner) || operation.Encloses(owner);
        const auto isKnown = [&](const OuterConstant& one) { return one.variable == variable; };
        if (!isOwn && !llvm::any_of(constants, isKnown) && !add(*variable)) return Unfixed{nullptr, unknown};
    }
    return constants;
}

class CallableFinder {
  public:
    CallableFinder(const VarDecl& kernel, SourceLocation place) : kernel_(kernel), context_(kernel.getASTContext()) {
        callable_.place = place;
    }

    std::optional<Callable> find(QualType type, const Expr* written) {
        if (type->isFunctionPointerType()) return findFunction(written);
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const std::string name = record ? record->getQualifiedNameAsString() : "";
        if (name == "foldwise::detail::overloaded") {
            complain(Message::OverloadedCallable) << kernel_.getName();
            return std::nullopt;
        }
        if (!canBeCalled(type)) {
            const bool isMember = name == "foldwise::detail::not_a_callable";
            const std::string what = isMember ? "a pointer to a member" : "'" + spelling(type, context_) + "'";
            complain(Message::NotCallable) << kernel_.getName() << what + " is no lambda, function or function object";
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

    /// Whether a function object's class is one of which a kernel can have an object; if not, that is reported.
    bool checkClass() {
        std::string reason;
        if (const FieldDecl* member = mutableMember(*callable_.record))
            reason =
                "'" + member->getQualifiedNameAsString() + "' is mutable, and a kernel keeps nothing between calls";
        else if (callable_.record->isPolymorphic())
            reason = "'" + callable_.record->getQualifiedNameAsString() + "' has virtual functions";
        else if (!hasConstCall(*callable_.record))
            reason = "the operator() of '" + callable_.record->getQualifiedNameAsString() + "' is not const";
        if (reason.empty()) return true;
        complain(Message::NotCallable) << kernel_.getName() << reason;
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
        if (!checkNesting(callable_.record->getLambdaCallOperator())) return std::nullopt;
        if (const std::optional<Unfixed> unfixed = unfixedCapture(*callable_.record)) return complainOf(*unfixed);
        const Expr* expression = written ? &bare(*written) : nullptr;
        const auto* reference = dyn_cast_or_null<DeclRefExpr>(expression);
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (variable && isa<VarTemplateSpecializationDecl>(variable)) return complainOfValue();
        if (const Expr* held = variable ? heldLambda(*variable) : nullptr) {
            if (isa<DeclRefExpr>(held)) return findLambda(held);
            callable_.holder = variable;
            callable_.object = valueOf(*variable->getAnyInitializer(), context_);
            return callable_;
        }
        // What a function makes is text of that function, which may be a template or lie in another namespace; what a
        // class's static member keeps is text of that class.
        const bool isElsewhere = isInFunction(*callable_.record) || callable_.record->getDeclContext()->isRecord();
        if (expression && !isa<LambdaExpr>(expression) && isElsewhere) return findObject(written);
        if (!isa_and_nonnull<LambdaExpr>(expression) && !checkScope()) return std::nullopt;
        if (!checkNames()) return std::nullopt;
        std::variant<std::vector<OuterConstant>, Unfixed> constants = outerConstants(*callable_.record);
        if (const auto* unfixed = std::get_if<Unfixed>(&constants)) return complainOf(*unfixed);
        callable_.object = written ? valueOf(*written, context_) : std::nullopt;
        if (isInFunction(*callable_.record)) {
            callable_.constants = std::move(std::get<std::vector<OuterConstant>>(constants));
        } else if (callable_.record->capture_size() > 0) {
            callable_.kind = Callable::Kind::Object;  // whose captures are made as they are written
            callable_.expression = expression;
        }
        return callable_;
    }

    std::nullopt_t complainOf(const Unfixed& unfixed) {
        const SourceLocation at = unfixed.capture ? unfixed.capture->getLocation() : callable_.place;
        report(context_.getDiagnostics(), at, Message::Captures) << kernel_.getName() << unfixed.reason;
        return std::nullopt;
    }

    /// Whether a lambda is in the kernel's namespace, where its names mean the same; if not, that is reported.
    bool checkScope() {
        const DeclContext* scope = callable_.record->getDeclContext();
        while (scope->isFunctionOrMethod() || (isa<CXXRecordDecl>(scope) && cast<CXXRecordDecl>(scope)->isLambda()))
            scope = scope->getParent();
        const bool isInClass = scope->isRecord();
        if (!isInClass && scope->getRedeclContext()->Equals(kernel_.getDeclContext()->getRedeclContext())) return true;
        complain(Message::LambdaElsewhere) << kernel_.getName() << (isInClass ? 1 : 0);
        return false;
    }

    /// Whether a lambda's text means the same outside of the function that it is in; if not, that is reported.
    bool checkNames() {
        if (!isInFunction(*callable_.record)) return true;
        LocalNames locals;
        locals.openNamespacesAround(*callable_.record);
        CXXMethodDecl& operation = *callable_.record->getLambdaCallOperator();
        if (const TypeSourceInfo* type = operation.getTypeSourceInfo()) locals.TraverseTypeLoc(type->getTypeLoc());
        // Constants are the body's own, so that what stands before it cannot name them.
        if (const std::vector<const VarDecl*> named = locals.found(); !named.empty()) {
            report(context_.getDiagnostics(), operation.getLocation(), Message::NotInDeviceCode)
                << "'" + named.front()->getNameAsString() +
                       "', a variable of the function around the lambda, in its parameters or result";
            return false;
        }
        locals.TraverseStmt(operation.getBody());
        const std::optional<LocalNames::Other> other = locals.other();
        if (other) report(context_.getDiagnostics(), other->place, Message::NotInDeviceCode) << other->what;
        return !other;
    }

    std::optional<Callable> findObject(const Expr* written) {
        if (!written) return complainOfValue();
        if (!checkNesting(callable_.onlyCall())) return std::nullopt;
        if (!callable_.record->isLambda() && !checkClass()) return std::nullopt;
        callable_.kind = Callable::Kind::Object;
        callable_.expression = written;
        LocalNames locals;
        locals.TraverseStmt(const_cast<Expr*>(written));
        callable_.object = valueOf(*written, context_);
        // An empty object has no value to know.
        const bool isKnown = callable_.object || callable_.record->isEmpty();
        if (!locals.found().empty() || locals.other() || !isKnown) return complainOfValue();
        return callable_;
    }

    const VarDecl& kernel_;
    ASTContext& context_;
    Callable callable_;
};

}  // namespace

unsigned wordFor(const FunctionDecl& body) {
    const auto* method = dyn_cast<CXXMethodDecl>(&body);
    if (!method || method->isStatic()) return 1;
    return method->getParent()->isLambda() ? 0 : 2;
}

const Expr* heldLambda(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    const Expr* initializer = variable.getAnyInitializer();
    if (!record || !record->isLambda() || !initializer || initializer->isValueDependent()) return nullptr;
    if (!variable.isFileVarDecl() || variable.isStaticDataMember() || isa<VarTemplateSpecializationDecl>(variable) ||
        variable.getDescribedVarTemplate() || unfixedCapture(*record))
        return nullptr;
    // Nothing can be assigned to a lambda with captures, so that it stays what it was made.
    const bool isFixed = record->capture_size() == 0 || evaluate(*initializer, variable.getASTContext());
    return isFixed ? &bare(*initializer) : nullptr;
}

const FunctionDecl* Callable::onlyCall() const {
    if (function) return function;
    if (record->isLambda()) return record->isGenericLambda() ? nullptr : record->getLambdaCallOperator();
    const std::vector<const CXXMethodDecl*> operators = callOperators(*record);
    const bool isOne = operators.size() == 1 && !operators.front()->getDescribedFunctionTemplate();
    return isOne && operators.front()->isConst() ? operators.front() : nullptr;
}

bool canBeCalled(QualType type) {
    if (type->isFunctionPointerType()) return true;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() && !callOperators(*record).empty();
}

std::optional<Callable> findCallable(QualType type, const Expr* written, SourceLocation place, const VarDecl& kernel) {
    return CallableFinder(kernel, place).find(type, written);
}

const CallExpr* kernelCall(const VarDecl& kernel) {
    KernelCall finder;
    if (Expr* initializer = const_cast<VarDecl&>(kernel).getInit()) finder.TraverseStmt(initializer);
    return finder.calls.size() == 1 ? finder.calls.front() : nullptr;  // else the value has chosen one of them
}

}  // namespace foldwise
