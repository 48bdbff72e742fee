// generator/frontend/LowerBody.cpp: lowers what a kernel calls: to the text of a lambda, the name of a function, or an
// object that emitted code makes.
#include "Lowering.hpp"

#include "ConstantText.hpp"
#include "Spelling.hpp"
#include "Types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// The object that a template's argument of class type is; null for other arguments.
static const TemplateParamObjectDecl* objectOf(const TemplateArgument& argument) {
    const bool isDeclaration = argument.getKind() == TemplateArgument::Declaration;
    return isDeclaration ? dyn_cast<TemplateParamObjectDecl>(argument.getAsDecl()) : nullptr;
}

/// The name by which a function, or a function object that stands for a variable's lambda, is called from anywhere.
static std::string calleeName(const NamedDecl& callee, bool isUsers, const ASTContext& context) {
    std::string scope;
    if (const auto* record = dyn_cast<CXXRecordDecl>(callee.getDeclContext())) {
        scope = spelling(context.getCanonicalTagType(record), context) + "::";
    } else {
        for (const DeclContext* outer = callee.getDeclContext(); outer; outer = outer->getParent())
            if (const auto* space = dyn_cast<NamespaceDecl>(outer);
                space && !space->isInline() && space->getIdentifier())
                scope = space->getNameAsString() + "::" + scope;
    }
    std::string name = (isUsers ? "::FOLDWISE_BACKEND::" : "::") + scope + callee.getNameAsString();
    const auto* function = dyn_cast<FunctionDecl>(&callee);
    const TemplateArgumentList* arguments = function ? function->getTemplateSpecializationArgs() : nullptr;
    if (!arguments) return name;
    llvm::ListSeparator comma;
    const auto addValue = [&](const APValue& value, QualType type) {
        type = type.getCanonicalType().getUnqualifiedType();
        name +=
            (type->isRecordType() ? elementName(type, context) : "") + constantText(value, type, context).value_or("");
    };
    const auto add = [&](const TemplateArgument& argument) {
        name += llvm::StringRef(comma);
        if (argument.getKind() == TemplateArgument::Type) {
            name += elementName(argument.getAsType(), context);
        } else if (argument.getKind() == TemplateArgument::StructuralValue) {
            addValue(argument.getAsStructuralValue(), argument.getStructuralValueType());
        } else if (const auto* object = objectOf(argument)) {
            addValue(object->getValue(), object->getType());
        } else {
            llvm::raw_string_ostream text(name);
            argument.print(context.getPrintingPolicy(), text, /*IncludeType=*/true);
        }
    };
    name += "<";
    for (const TemplateArgument& argument : arguments->asArray()) {
        if (argument.getKind() != TemplateArgument::Pack) {
            add(argument);
            continue;
        }
        for (const TemplateArgument& element : argument.getPackAsArray()) add(element);
    }
    return name + ">";
}

/// Whether other functions have a function's name, of which a call could mean one.
static bool isOverloaded(const FunctionDecl& function) {
    const Decl* own = function.getCanonicalDecl();
    if (const FunctionTemplateDecl* primary = function.getPrimaryTemplate()) own = primary->getCanonicalDecl();
    const auto isOther = [&](const NamedDecl* one) { return one->getUnderlyingDecl()->getCanonicalDecl() != own; };
    for (const DeclContext* scope = function.getDeclContext()->getRedeclContext(); scope;) {
        if (llvm::any_of(scope->lookup(function.getDeclName()), isOther)) return true;
        const auto* space = dyn_cast<NamespaceDecl>(scope);  // one in which the next also finds the name
        scope = space && (space->isInline() || space->isAnonymousNamespace()) ? space->getParent() : nullptr;
    }
    return false;
}

/// A type as a parameter has it.
static std::string parameterType(QualType type, const ASTContext& context) {
    return type->isReferenceType() ? spelling(type, context) : elementName(type, context);
}

/// Whether another overload takes the same but for references, so that no call with arguments chooses between them.
static bool hasTwin(const FunctionDecl& function, const ASTContext& context) {
    const auto isTwin = [&](const NamedDecl* one) {
        const FunctionDecl* other = one->getUnderlyingDecl()->getAsFunction();
        // A template's parameters are known where it is called.
        if (!other || other->getCanonicalDecl() == function.getCanonicalDecl()) return false;
        if (other->getDescribedFunctionTemplate())
            return other->getDescribedFunctionTemplate() != function.getPrimaryTemplate();
        if (other->getMinRequiredArguments() > function.getNumParams()) return false;
        if (other->getNumParams() < function.getNumParams()) return false;
        for (unsigned i = 0; i < function.getNumParams(); ++i)
            if (!context.hasSameUnqualifiedType(other->getParamDecl(i)->getType().getNonReferenceType(),
                                                function.getParamDecl(i)->getType().getNonReferenceType()))
                return false;
        return true;
    };
    return llvm::any_of(function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName()), isTwin);
}

/// "static_cast<float (*)(const float &)>(f)", which no other overload can be.
static std::string castToItsType(const FunctionDecl& function, const std::string& name, const ASTContext& context) {
    std::string parameters;
    llvm::ListSeparator comma;
    for (const ParmVarDecl* parameter : function.parameters())
        parameters += (llvm::StringRef(comma) + parameterType(parameter->getType(), context)).str();
    return "static_cast<" + parameterType(function.getReturnType(), context) + " (*)(" + parameters + ")>(" + name +
           ")";
}

/// A function of the parameters that a function has: what it is called with decides nothing any more.
static Body forwardingTo(const FunctionDecl& function, const std::string& name, const ASTContext& context) {
    Body body;
    std::string arguments;
    llvm::ListSeparator comma, argumentComma;
    for (const ParmVarDecl* parameter : function.parameters()) {
        const std::string argument = "operand" + std::to_string(parameter->getFunctionScopeIndex());
        const std::string text = parameterType(parameter->getType(), context);
        body.parameters += (llvm::StringRef(comma) + text + " " + argument).str();
        arguments += (llvm::StringRef(argumentComma) + argument).str();
    }
    body.parameters = "(" + body.parameters + ")";
    body.block = "{ return " + name + "(" + arguments + "); }";
    return body;
}

Body Lowering::lowerBody(const Callable& callable, Halves halves) const {
    Body body;
    switch (callable.kind) {
    case Callable::Kind::Lambda:
        if (!callable.holder) return slicer_.sliceLambda(*callable.record, callable.constants, halves);
        body.callee = calleeName(*callable.holder, /*isUsers=*/true, context_);
        body.place = slicer_.placeOf(callable.holder->getLocation());
        return body;
    case Callable::Kind::Function: {
        const bool isUsers = slicer_.isUsersCode(callable.function->getLocation());
        const std::string name = calleeName(*callable.function, isUsers, context_);
        if (!isUsers || isOverloaded(*callable.function)) {
            const bool isAmbiguous = isUsers && hasTwin(*callable.function, context_);
            const std::string chosen = isAmbiguous ? castToItsType(*callable.function, name, context_) : name;
            body = forwardingTo(*callable.function, chosen, context_);
            body.place = slicer_.placeOf(callable.place);
        } else {
            body.callee = name;
            body.place = slicer_.placeOf(callable.function->getLocation());
        }
        return body;
    }
    case Callable::Kind::Object:
        return slicer_.sliceObject(*callable.expression, callable.constants);
    }
    llvm_unreachable("every kind is handled");
}

}  // namespace foldwise
