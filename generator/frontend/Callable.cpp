// generator/frontend/Callable.cpp: finds the lambda, function or function object that a kernel calls, through variables
// and copies, and the constants that it uses.
#include "Callable.hpp"

#include "../model/KernelSpec.hpp"
#include "Captures.hpp"
#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "HostArrays.hpp"
#include "LocalNames.hpp"
#include "Nesting.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Sema/Sema.h>

#include <utility>

namespace foldwise {

using namespace clang;

namespace {

/// Finds the calls in a kernel's initializer that make a kernel of its type, and the lambda that encloses each.
class KernelCall : public DynamicRecursiveASTVisitor {
  public:
    explicit KernelCall(const VarDecl& kernel) : kernel_(kernel) {}

    struct Found {
        const CallExpr* call = nullptr;
        const CXXRecordDecl* lambda = nullptr;  ///< Null if it is in none.
    };
    llvm::SmallVector<Found, 1> calls;

    bool VisitCallExpr(CallExpr* e) override {
        const FunctionDecl* callee = e->getDirectCallee();
        const std::string name = callee ? callee->getQualifiedNameAsString() : "";
        const bool makesKernel = llvm::any_of(
            allPatterns, [&](Pattern pattern) { return name == ("foldwise::" + keywordOf(pattern)).str(); });
        if (makesKernel && kernel_.getASTContext().hasSameUnqualifiedType(e->getType(), kernel_.getType()))
            calls.push_back({e, around_});
        return true;
    }
    bool TraverseLambdaExpr(LambdaExpr* e) override {
        const CXXRecordDecl* outer = std::exchange(around_, e->getLambdaClass());
        const bool result = DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
        around_ = outer;
        return result;
    }

  private:
    const VarDecl& kernel_;
    const CXXRecordDecl* around_ = nullptr;
};

/// The only call that makes a kernel. Nothing if there are several, one of which is selected when the initializer is
/// evaluated, or if there is none because a function makes the kernel.
KernelCall::Found callOf(const VarDecl& kernel) {
    KernelCall finder(kernel);
    if (Expr* initializer = const_cast<VarDecl&>(kernel).getInit()) finder.TraverseStmt(initializer);
    return finder.calls.size() == 1 ? finder.calls.front() : KernelCall::Found();
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

/// Whether a class has a call operator that is const or static.
bool hasConstCall(const CXXRecordDecl& record) {
    return llvm::any_of(callOperators(record),
                        [](const CXXMethodDecl* one) { return one->isConst() || one->isStatic(); });
}

bool isInFunction(const CXXRecordDecl& lambda) { return lambda.getParentFunctionOrMethod() != nullptr; }

/// Whether a type has a name that means the same everywhere: no lambda or local class is in it.
bool isNamed(QualType type);

bool isNamed(const TemplateArgument& argument) {
    switch (argument.getKind()) {
    case TemplateArgument::Type:
        return isNamed(argument.getAsType());
    case TemplateArgument::Declaration:
        return isNamed(argument.getAsDecl()->getType());
    case TemplateArgument::StructuralValue:
        return isNamed(argument.getStructuralValueType());
    case TemplateArgument::Pack:
        return llvm::all_of(argument.getPackAsArray(), [](const TemplateArgument& one) { return isNamed(one); });
    default:
        return true;
    }
}

bool isNamed(QualType type) {
    const TagDecl* tag = type.getNonReferenceType()->getBaseElementTypeUnsafe()->getAsTagDecl();
    if (!tag) return true;
    const auto* record = dyn_cast<CXXRecordDecl>(tag);
    if ((record && record->isLambda()) || tag->getParentFunctionOrMethod()) return false;
    const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(tag);
    return !special ||
           llvm::all_of(special->getTemplateArgs().asArray(), [](const TemplateArgument& one) { return isNamed(one); });
}

/// Finds what a kernel calls. Its functions return nothing, or false, where they have reported an error.
class CallableFinder {
  public:
    CallableFinder(const VarDecl& kernel, SourceLocation place) : kernel_(kernel), context_(kernel.getASTContext()) {
        callable_.place = place;
    }

    /// Finds the callable of a type that an expression makes, which is null if it is written in another function.
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

    /// Whether the error was reported at a place within the callable, and not at the kernel.
    bool isReportedInside() const { return isReportedInside_; }

  private:
    DiagnosticBuilder complain(Message message) { return report(context_.getDiagnostics(), callable_.place, message); }
    DiagnosticBuilder complainInside(SourceLocation at, Message message) {
        isReportedInside_ = true;
        return report(context_.getDiagnostics(), at, message);
    }

    /// Whether a function is nested no deeper than the tool can analyse; if it is, that is reported.
    bool checkNesting(const FunctionDecl* call) {
        Nestings nestings;
        const FunctionDecl* definition = nullptr;
        if (!call || !call->isDefined(definition)) return true;
        const Nesting& nesting = nestings.of(*definition);
        if (nesting.levels <= mostLevels) return true;
        complainInside(nesting.deepest, Message::TooDeep)
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
        else if (const FunctionDecl* call = callable_.onlyCall(); call && call->isDeleted())
            reason = "the operator() of '" + callable_.record->getQualifiedNameAsString() + "' is deleted";
        if (reason.empty()) return true;
        complain(Message::NotCallable) << kernel_.getName() << reason;
        return false;
    }

    /// Whether emitted code can name a function: all of its template arguments have names. If not, that is reported.
    bool checkArguments(const FunctionDecl& function) {
        const auto areNamed = [](const TemplateArgumentList* list) {
            return !list || llvm::all_of(list->asArray(), [](const TemplateArgument& one) { return isNamed(one); });
        };
        const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(function.getDeclContext());
        if (areNamed(function.getTemplateSpecializationArgs()) &&
            areNamed(special ? &special->getTemplateArgs() : nullptr))
            return true;
        complain(Message::NotCallable) << kernel_.getName()
                                       << "'" + function.getNameAsString() +
                                              "' has a lambda or a function's own type among its template arguments";
        return false;
    }

    /// Reports that the value of the callable is not known at compile time.
    std::nullopt_t complainOfValue(bool isWritten = true) {
        const bool isBuilt = isWritten && callable_.record && !callable_.record->isLambda() &&
                             !callable_.record->hasConstexprNonCopyMoveConstructor() &&
                             callable_.record->hasUserDeclaredConstructor();
        const bool isObject = isWritten && callable_.record && !callable_.record->isLambda();
        complain(Message::CallableNotConstant) << kernel_.getName() << (isWritten ? 0 : 1)
                                               << (isBuilt    ? 1
                                                   : isObject ? 2
                                                              : 0)
                                               << (isObject ? callable_.record->getQualifiedNameAsString() : "");
        return std::nullopt;
    }

    /// Finds a function by a pointer to it, or the lambda that has been converted to the pointer.
    std::optional<Callable> findFunction(const Expr* written) {
        const FunctionDecl* function = functionNamed(written, context_);
        if (!function) return complainOfValue();
        const auto* method = dyn_cast<CXXMethodDecl>(function);
        if (method && method->isLambdaStaticInvoker()) {  // of `+[](float x) { return x; }`
            callable_.record = method->getParent();
            const auto* plus = dyn_cast<UnaryOperator>(&bare(*written));
            return findLambda(plus ? plus->getSubExpr() : nullptr);
        }
        if (!checkNesting(function) || !checkArguments(*function)) return std::nullopt;
        callable_.kind = Callable::Kind::Function;
        const FunctionDecl* definition = nullptr;  // which is not the declaration that was found, if that came first
        callable_.function = function->isDefined(definition) ? definition : function;
        return callable_;
    }

    /// Finds a lambda. Emitted code has its text where that means the same there; otherwise an object that is made by
    /// the expression `written`.
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
        const bool isWritten = isa_and_nonnull<LambdaExpr>(expression);
        if (!isWritten && !checkScope()) return std::nullopt;
        const bool isInside = isInFunction(*callable_.record);
        const Expr* asWritten = isWritten ? expression : nullptr;
        if (isInside && needsItsCaptures(*callable_.record)) return findObject(asWritten);
        if (!checkNames()) return std::nullopt;
        if (!findConstants()) return std::nullopt;
        // Captures are made as they are written, where constants of their values cannot be.
        if (isInside && llvm::any_of(callable_.constants, isCaptureWithoutText)) return findObject(asWritten);
        callable_.object = written ? valueOf(*written, context_) : std::nullopt;
        // The captures of a lambda at namespace scope are evaluated there, so that it becomes an object.
        if (!isInside && callable_.record->capture_size() > 0) {
            if (!isWritten) return complainOfValue(/*isWritten=*/false);
            callable_.constants.clear();
            callable_.kind = Callable::Kind::Object;
            callable_.expression = expression;
        }
        return callable_;
    }

    /// Whether a constant is an init-capture whose value no literal can express.
    static bool isCaptureWithoutText(const OuterConstant& constant) {
        const VarDecl& variable = *constant.variable;
        return variable.isInitCapture() && !constantText(constant.value, variable.getType(), variable.getASTContext());
    }

    /// Collects the constants that a lambda's body uses from outside: its captures, and variables that need none.
    /// Whether all of their values are known; if not, that is reported.
    bool findConstants() {
        const CXXRecordDecl& lambda = *callable_.record;
        const CXXMethodDecl& operation = *lambda.getLambdaCallOperator();
        const std::string unknown = "whose value is not known while compiling";
        ConstantsAround constants;
        for (const LambdaCapture& one : lambda.captures()) {
            const auto* variable = dyn_cast<VarDecl>(one.getCapturedVar());
            const bool isKnown =
                !one.isPackExpansion() && variable &&
                (variable->isInitCapture() ? constants.addCapture(*variable) : constants.add(*variable));
            if (!isKnown) {
                (void)complainOf({&one, unknown});
                return false;
            }
        }
        LocalNames locals;
        locals.TraverseStmt(operation.getBody());
        for (const VarDecl* variable : locals.found()) {
            const DeclContext* owner = variable->getDeclContext();
            const bool isOwn = owner->Equals(&operation) || lambda.Encloses(owner) || operation.Encloses(owner);
            if (isOwn || constants.add(*variable)) continue;
            (void)complainOf({nullptr, unknown});
            return false;
        }
        callable_.constants = constants.take();
        return true;
    }

    /// Reports a capture, or a variable used without one, that is not a constant.
    std::nullopt_t complainOf(const Unfixed& unfixed) {
        const bool isAtCapture = unfixed.capture && !factoryOf(kernel_);
        const SourceLocation at = isAtCapture ? unfixed.capture->getLocation() : callable_.place;
        const bool isVariable = unfixed.capture && unfixed.capture->capturesVariable();
        report(context_.getDiagnostics(), at, Message::Captures)
            << kernel_.getName()
            << unfixed.reason + (isVariable ? hostMember(unfixed.capture->getCapturedVar()->getType(), context_) : "");
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
            complainInside(operation.getLocation(), Message::NotInDeviceCode)
                << "'" + named.front()->getNameAsString() +
                       "', a variable of the function around the lambda, in its parameters or result";
            return false;
        }
        locals.TraverseStmt(operation.getBody());
        const std::optional<LocalNames::Other> other = locals.other();
        if (other) complainInside(other->place, Message::NotInDeviceCode) << other->what;
        return !other;
    }

    /// Finds a function object, or a lambda that is one in emitted code, which the expression `written` makes there.
    std::optional<Callable> findObject(const Expr* written) {
        if (!written) return complainOfValue(/*isWritten=*/false);
        const bool isLambda = callable_.record->isLambda();
        if (!isLambda && !checkNesting(callable_.onlyCall())) return std::nullopt;
        if (!isLambda && !checkClass()) return std::nullopt;
        LocalNames locals(isLambda ? "the lambda" : "the kernel");
        if (const CXXRecordDecl* around = callOf(kernel_).lambda) locals.openNamespacesIn(*around);
        locals.TraverseStmt(const_cast<Expr*>(written));
        if (const std::optional<LocalNames::Other> other = locals.other()) {
            report(context_.getDiagnostics(), other->place, Message::NotInDeviceCode) << other->what;
            return std::nullopt;
        }
        ConstantsAround constants;
        for (const VarDecl* variable : locals.found())
            if (!constants.add(*variable)) return complainOfValue();
        callable_.kind = Callable::Kind::Object;
        callable_.expression = written;
        callable_.constants = constants.take();
        callable_.object = valueOf(*written, context_);
        // An empty object has no value to know.
        if (!callable_.object && !callable_.record->isEmpty()) return complainOfValue();
        return callable_;
    }

    const VarDecl& kernel_;
    ASTContext& context_;
    bool isReportedInside_ = false;
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

bool instantiateCall(QualType callable, SourceLocation place, Sema& sema) {
    const CXXRecordDecl* record = callable->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition()) return true;
    Callable object;
    object.record = record;
    const FunctionDecl* call = object.onlyCall();
    if (!call || !call->isImplicitlyInstantiable() || call->isDefined()) return true;
    const DiagnosticErrorTrap errors(sema.getDiagnostics());
    sema.InstantiateFunctionDefinition(place, const_cast<FunctionDecl*>(call), /*Recursive=*/true,
                                       /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
    return !errors.hasErrorOccurred();
}

std::optional<Callable> findCallable(QualType type, const Expr* written, SourceLocation place, const VarDecl& kernel) {
    CallableFinder finder(kernel, place);
    std::optional<Callable> callable = finder.find(type, written);
    if (callable)
        callable->isMadeElsewhere = !written && factoryOf(kernel);
    else if (!finder.isReportedInside())
        noteFactory(kernel);
    else if (factoryOf(kernel))
        report(kernel.getASTContext().getDiagnostics(), place, Message::MadeHere);
    return callable;
}

const FunctionDecl* Callable::genericCall() const {
    if (!record) return nullptr;
    if (record->isLambda()) return record->isGenericLambda() ? record->getLambdaCallOperator() : nullptr;
    const std::vector<const CXXMethodDecl*> operators = callOperators(*record);
    return operators.size() == 1 && operators.front()->getDescribedFunctionTemplate() ? operators.front() : nullptr;
}

const FunctionDecl* factoryOf(const VarDecl& kernel) {
    const Expr* initializer = kernel.getInit();
    const auto* call = initializer ? dyn_cast<CallExpr>(initializer->IgnoreUnlessSpelledInSource()) : nullptr;
    const FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
    if (!function || isa<CXXOperatorCallExpr>(call)) return nullptr;
    const NamespaceDecl* space = dyn_cast<NamespaceDecl>(function->getDeclContext());
    if (space && space->getQualifiedNameAsString() == "foldwise") return nullptr;
    const FunctionDecl* definition = nullptr;
    return function->isDefined(definition) ? definition : function;
}

void noteFactory(const VarDecl& kernel) {
    if (const FunctionDecl* factory = factoryOf(kernel))
        report(kernel.getASTContext().getDiagnostics(), factory->getLocation(), Message::MadeBy)
            << factory->getQualifiedNameAsString();
}

const CallExpr* kernelCall(const VarDecl& kernel) { return callOf(kernel).call; }

}  // namespace foldwise
