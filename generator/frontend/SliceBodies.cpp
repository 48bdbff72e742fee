// generator/frontend/SliceBodies.cpp: writes what kernels call: lambdas, objects, and the lambdas of variables.
#include "SliceWriter.hpp"

#include "Captures.hpp"
#include "ConstantText.hpp"
#include "FloatUses.hpp"
#include "Spelling.hpp"
#include "WrittenDeclarations.hpp"

#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// Whether a block itself, not one within, declares a variable of this name.
static bool declares(const Stmt& block, llvm::StringRef name) {
    return llvm::any_of(block.children(), [&](const Stmt* statement) {
        const auto* declaration = dyn_cast_or_null<DeclStmt>(statement);
        return declaration && llvm::any_of(declaration->decls(), [&](const Decl* one) {
                   const auto* named = dyn_cast<NamedDecl>(one);
                   return named && named->getIdentifier() && named->getName() == name;
               });
    });
}

/// Whether a lambda has parentheses: `[] { return 1; }` has none, and Clang then gives them the introducer's place.
static bool hasParameterList(const FunctionDecl& lambda) {
    const auto type = lambda.getFunctionTypeLoc();
    const SourceManager& sources = lambda.getASTContext().getSourceManager();
    return type && type.getLParenLoc().isValid() &&
           *sources.getCharacterData(sources.getSpellingLoc(type.getLParenLoc())) == '(';
}

/// Puts marks of a text where that text begins at an offset.
static void addMarks(llvm::ArrayRef<Mark> marks, std::size_t offset, std::vector<Mark>& to) {
    for (const Mark& mark : marks)
        to.push_back({mark.offset + static_cast<std::uint32_t>(offset), mark.kind, mark.number});
}

/// Puts declarations in front of a block's own, or around it where it declares one of these names again.
static void prepend(const std::string& declarations, llvm::ArrayRef<Mark> declarationMarks, bool isNested,
                    std::string& block, std::vector<Mark>& marks) {
    const std::string text = isNested ? "{ " + declarations + " " : " " + declarations;
    const std::size_t at = isNested ? 0 : 1;
    std::vector<Mark> all;
    addMarks(declarationMarks, at + (isNested ? 2 : 1), all);
    for (const Mark& mark : marks) addMarks(mark, mark.offset >= at ? text.size() : 0, all);
    marks = std::move(all);
    block.insert(at, text);
    if (isNested) block += " }";
}

SliceWriter::Slice SliceWriter::sliceConstants(llvm::ArrayRef<OuterConstant> constants) {
    Slice result;
    for (const OuterConstant& constant : constants) {
        const VarDecl& variable = *constant.variable;
        const std::string name = variable.getNameAsString();
        if (!result.text.empty()) result.text += " ";
        if (constant.lambda) {
            const Slice lambda = sliceStatement(*constant.lambda, Rewrites::of(*constant.lambda, context_));
            result.text += (variable.isConstexpr() ? "constexpr auto " : "const auto ") + name + " = ";
            addMarks(lambda.marks, result.text.size(), result.marks);
            result.text += lambda.text + ";";
            continue;
        }
        const bool isConstexpr = variable.isUsableInConstantExpressions(context_);
        const std::optional<std::string> known =
            constantDeclaration(name, constant.value, variable.getType(), context_, isConstexpr);
        if (known)
            result.text += *known;
        else
            report(context_.getDiagnostics(), variable.getLocation(), Message::NotInDeviceCode)
                << "'" + name + "', a constant of type '" + spelling(variable.getType(), context_) +
                       "' of the function around the kernel,";
    }
    return result;
}

/// "const ", where it is written before a type or what it refers to: it is not in the type's range.
static std::string qualifiersOf(TypeLoc type) {
    while (const auto reference = type.getAs<ReferenceTypeLoc>()) type = reference.getPointeeLoc();
    std::string text;
    if (type.getType().isLocalConstQualified()) text += "const ";
    if (type.getType().isLocalVolatileQualified()) text += "volatile ";
    return text;
}

void SliceWriter::sliceResultType(TypeLoc type, SourceRange half, Body& body) {
    const std::string qualifiers = qualifiersOf(type);
    const Slice slice =
        sliceHalves(type.getSourceRange(), half.isValid() ? std::vector{half} : std::vector<SourceRange>());
    body.resultType = qualifiers + slice.text;
    addMarks(slice.marks, qualifiers.size(), body.resultMarks);
    // What stands behind the type is not in its text, and there the mark of its end would be.
    if (half.isValid())
        body.resultMarks.push_back({static_cast<std::uint32_t>(body.resultType.size()), MarkKind::HalfTypeEnd});
}

Body SliceWriter::sliceLambda(const CXXRecordDecl& lambda, llvm::ArrayRef<OuterConstant> constants, Halves halves,
                              llvm::ArrayRef<SourceRange> sums, llvm::ArrayRef<EdgeCondition> edges) {
    const FunctionDecl& pattern = *lambda.getLambdaCallOperator();
    const FloatPlaces floats = halves == Halves::AsFloats ? floatPlaces(pattern) : FloatPlaces();
    Body body;
    SourceLocation begin = pattern.getBody()->getBeginLoc();
    if (hasParameterList(pattern)) {
        const auto type = pattern.getFunctionTypeLoc();
        begin = type.getLParenLoc();
        std::vector<SourceRange> types;
        for (const FloatPlaces::Parameter& one : floats.parameters) types.push_back(one.type);
        Slice parameters = sliceHalves({begin, type.getRParenLoc()}, types);
        for (std::size_t i = 0; i < parameters.marks.size(); ++i)
            parameters.marks[i].number = floats.parameters[i / 2].number;
        body.parameters = std::move(parameters.text);
        body.parameterMarks = std::move(parameters.marks);
        const SourceRange result = type.getReturnLoc().getSourceRange();
        const SourceManager& sources = context_.getSourceManager();
        if (result.isValid() && sources.isBeforeInTranslationUnit(type.getRParenLoc(), result.getBegin()))
            sliceResultType(type.getReturnLoc(), floats.resultType, body);
    } else {
        body.parameters = "()";
    }
    if (const TemplateParameterList* list = lambda.getGenericLambdaTemplateParameterList();
        list && list->getLAngleLoc().isValid()) {
        begin = list->getLAngleLoc();
        body.templateParameters = sliceText({begin, list->getRAngleLoc()});
    }
    Rewrites rewrites = Rewrites::inBody(pattern);
    rewrites.edges = edges.vec();
    Slice block = sliceStatement(*pattern.getBody(), rewrites, floats.casts, sums);
    body.block = std::move(block.text);
    body.marks = std::move(block.marks);
    body.pragmas = std::move(block.pragmas);
    body.place = places_.of(begin);

    const Slice outer = sliceConstants(constants);
    const bool isNested = llvm::any_of(constants, [&](const OuterConstant& constant) {
        return declares(*pattern.getBody(), constant.variable->getName());
    });
    if (!outer.text.empty()) prepend(outer.text, outer.marks, isNested, body.block, body.marks);
    return body;
}

Body SliceWriter::sliceObject(const Expr& object, llvm::ArrayRef<OuterConstant> constants) {
    const Slice outer = sliceConstants(constants), slice = sliceStatement(object, Rewrites::of(object, context_));
    Body body;
    body.parameters = "()";
    body.block = "{ ";
    addMarks(outer.marks, body.block.size(), body.marks);
    body.block += outer.text + (outer.text.empty() ? "return " : " return ");
    addMarks(slice.marks, body.block.size(), body.marks);
    body.block += slice.text + "; }";
    body.pragmas = slice.pragmas;
    body.place = places_.of(object.getBeginLoc());
    body.makesObject = true;
    return body;
}

MarkKind SliceWriter::markOf(const VarDecl& holder) const {
    const CXXMethodDecl& call = *holder.getType()->getAsCXXRecordDecl()->getLambdaCallOperator();
    if (!reachability_.reached().hostFunctions.contains(call.getCanonicalDecl())) return MarkKind::Declaration;
    const bool isTemplate = call.getDescribedFunctionTemplate() || forwardsAny(holder);
    return isTemplate ? MarkKind::CallbackTemplate : MarkKind::Callback;
}

/// The beginning of a function object.
static Declaration beginObject(const VarDecl& holder) {
    Declaration result;
    result.namespaces = namespacesOf(holder);
    result.name = holder.getNameAsString();
    result.marks.push_back({0, MarkKind::Declaration});
    result.text = "constexpr struct { ";
    return result;
}

/// The function object that a variable with a lambda becomes, since nvcc takes no lambda there: names are looked up as
/// for the lambda, which are not those of a function. Captures become constants.
Declaration SliceWriter::writeObject(const VarDecl& holder) {
    const auto* written = dyn_cast<LambdaExpr>(heldLambda(holder));
    const std::optional<std::vector<OuterConstant>> captures =
        written ? capturesAsConstants(*written->getLambdaClass()) : std::nullopt;
    if (!captures) return writeForwarder(holder);
    const Body body = sliceLambda(*written->getLambdaClass(), *captures);
    Declaration result = beginObject(holder);
    result.place = body.place;
    result.pragmas = body.pragmas;
    if (!body.templateParameters.empty()) result.text += "template " + body.templateParameters + " ";
    beginCall(holder, result);
    result.text += "auto operator()" + body.parameters + " const " + exceptionsOf(*written->getCallOperator());
    if (!body.resultType.empty()) result.text += "-> " + body.resultType + " ";
    result.text += constraintOf(*written->getCallOperator());
    addMarks(body.marks, result.text.size(), result.marks);
    result.text += body.block + " } " + result.name + "{};";
    return result;
}

void SliceWriter::beginCall(const VarDecl& holder, Declaration& object) const {
    object.marks.push_back({static_cast<std::uint32_t>(object.text.size()), markOf(holder)});
    // As a lambda is by itself, wherever that is needed; GCC asks more of what says so.
    if (reachability_.reached().lambdas.isCalledInConstants(holder)) object.text += "constexpr ";
}

Declaration SliceWriter::writeForwarder(const VarDecl& holder) {
    const Expr& held = *heldLambda(holder);
    const CXXMethodDecl& call = *holder.getType()->getAsCXXRecordDecl()->getLambdaCallOperator();
    const std::optional<std::vector<std::string>> types = parameterTypes(call, context_);
    const Slice slice = sliceStatement(held, Rewrites::of(held, context_));
    Declaration result = beginObject(holder);
    result.place = places_.of(held.getBeginLoc());
    result.pragmas = slice.pragmas;
    std::string parameters, arguments;
    if (types) {
        llvm::ListSeparator comma, argumentComma;
        for (unsigned i = 0; i < types->size(); ++i) {
            const std::string name = "operand" + std::to_string(i), &type = (*types)[i];
            const bool isReference = call.getParamDecl(i)->getType()->isReferenceType();
            parameters += (llvm::StringRef(comma) + type + " " + name).str();
            if (const ParmVarDecl& parameter = *call.getParamDecl(i); parameter.hasDefaultArg())
                parameters += " = " + sliceText(parameter.getDefaultArgRange());
            arguments +=
                (llvm::StringRef(argumentComma) + "static_cast<" + type + (isReference ? ">(" : "&&>(") + name + ")")
                    .str();
        }
    } else {
        result.text += "template <class... Operands> ";
        parameters = "Operands&&... operands";
        arguments = "static_cast<Operands&&>(operands)...";
    }
    beginCall(holder, result);
    result.text += "decltype(auto) operator()(" + parameters + ") const ";
    const auto* type = call.getType()->castAs<FunctionProtoType>();
    if (!type->isDependentType() && type->isNothrow()) result.text += "noexcept ";
    result.text += "{ return ";
    addMarks(slice.marks, result.text.size(), result.marks);
    result.text += slice.text + "(" + arguments + "); } } " + result.name + "{};";
    return result;
}

/// "noexcept(...) ", if it is written.
std::string SliceWriter::exceptionsOf(const FunctionDecl& lambda) {
    const FunctionTypeLoc type = lambda.getFunctionTypeLoc();
    const auto prototype = type ? type.getAs<FunctionProtoTypeLoc>() : FunctionProtoTypeLoc();
    const SourceRange range = prototype ? prototype.getExceptionSpecRange() : SourceRange();
    return range.isValid() ? sliceText(range) + " " : "";
}

/// "requires ... ", if it is written behind the parameters.
std::string SliceWriter::constraintOf(const FunctionDecl& lambda) {
    const Expr* constraint = lambda.getTrailingRequiresClause().ConstraintExpr;
    return constraint ? "requires " + sliceText(constraint->getSourceRange()) + " " : "";
}

}  // namespace foldwise
