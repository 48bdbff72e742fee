// generator/frontend/FloatUses.cpp: compares how often a parameter is mentioned with how often it is converted.
#include "FloatUses.hpp"

#include "SystemCalls.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

static constexpr llvm::StringLiteral halfName = "foldwise::half";

bool isHalf(QualType type) {
    const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && plainName(*record) == halfName;
}

namespace {

/// Counts the mentions of a parameter, and the conversions of it that the language makes: `x.operator float()` is none.
class ParameterUses : public DynamicRecursiveASTVisitor {
  public:
    explicit ParameterUses(const ParmVarDecl& parameter) : parameter_(parameter) {}
    unsigned mentions = 0, conversions = 0;

    bool VisitDeclRefExpr(DeclRefExpr* mention) override {
        mentions += mention->getDecl() == &parameter_;
        return true;
    }
    bool VisitCastExpr(CastExpr* cast) override {
        if (cast->getCastKind() != CK_UserDefinedConversion) return true;
        const auto* call = dyn_cast<CXXMemberCallExpr>(cast->getSubExpr()->IgnoreParenImpCasts());
        if (!call || !isa_and_nonnull<CXXConversionDecl>(call->getMethodDecl())) return true;
        const auto* mention = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
        conversions += mention && mention->getDecl() == &parameter_;
        return true;
    }

  private:
    const ParmVarDecl& parameter_;
};

bool isReadAsFloat(const ParmVarDecl& parameter, const FunctionDecl& lambda) {
    ParameterUses uses(parameter);
    uses.TraverseStmt(lambda.getBody());
    return uses.mentions == uses.conversions;
}

/// What a lambda returns, without what the lambdas within it return.
class Returns : public DynamicRecursiveASTVisitor {
  public:
    std::vector<const Expr*> values;
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
    bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }
    bool VisitReturnStmt(ReturnStmt* statement) override {
        values.push_back(statement->getRetValue());
        return true;
    }
};

/// Where a type is written, if it is in one place of a file.
SourceRange rangeOf(const TypeSourceInfo* written) {
    if (!written) return {};
    TypeLoc type = written->getTypeLoc();
    while (const auto reference = type.getAs<ReferenceTypeLoc>()) type = reference.getPointeeLoc();
    const SourceRange range = type.getUnqualifiedLoc().getSourceRange();
    return range.isValid() && range.getBegin().isFileID() && range.getEnd().isFileID() ? range : SourceRange();
}

/// Whether a value of type half is made of a number; the types of the casts that make it are added to `casts`.
bool isRounding(const Expr* value, std::vector<SourceRange>& casts) {
    if (!value) return false;
    value = value->IgnoreParens();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(value)) return isRounding(cleanups->getSubExpr(), casts);
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(value))
        return isRounding(temporary->getSubExpr(), casts);
    if (const auto* choice = dyn_cast<ConditionalOperator>(value))
        return isRounding(choice->getTrueExpr(), casts) && isRounding(choice->getFalseExpr(), casts);
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(value)) {
        std::vector<SourceRange> within;
        const SourceRange type = rangeOf(cast->getTypeInfoAsWritten());
        if (type.isInvalid() || !isRounding(cast->getSubExpr(), within) || !within.empty()) return false;
        casts.push_back(type);
        return true;
    }
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) return isRounding(cast->getSubExpr(), casts);
    const auto* made = dyn_cast<CXXConstructExpr>(value);
    if (!made || made->getNumArgs() != 1 || !isHalf(made->getType())) return false;
    const Expr& from = *made->getArg(0);
    return isHalf(from.getType()) ? made->getConstructor()->isCopyOrMoveConstructor() && isRounding(&from, casts)
                                  : from.getType()->isArithmeticType();
}

/// What parameters of a lambda's text are, for an instance of it.
const FunctionDecl& writtenLambda(const FunctionDecl& call) {
    const FunctionDecl* pattern = call.getTemplateInstantiationPattern();
    return pattern ? *pattern : call;
}

/// Whether a parameter's type is `auto`, of which the lambda has no other name.
bool isAuto(const ParmVarDecl& parameter) {
    const auto* type = parameter.getType().getNonReferenceType()->getAs<TemplateTypeParmType>();
    return type && type->getDecl() && type->getDecl()->isImplicit() && !parameter.isParameterPack();
}

bool isPlainLambda(const Callable& callable) { return callable.kind == Callable::Kind::Lambda && !callable.holder; }

}  // namespace

FloatPlaces floatPlaces(const FunctionDecl& lambda) {
    FloatPlaces places;
    if (lambda.getDescribedFunctionTemplate() || !lambda.getBody()) return places;
    for (unsigned i = 0; i < lambda.getNumParams(); ++i) {
        const ParmVarDecl& parameter = *lambda.getParamDecl(i);
        const SourceRange type = rangeOf(parameter.getTypeSourceInfo());
        if (isHalf(parameter.getType()) && type.isValid() && !parameter.hasDefaultArg() &&
            isReadAsFloat(parameter, lambda))
            places.parameters.push_back({i, type});
    }
    if (!isHalf(lambda.getReturnType()) || lambda.getReturnType()->isReferenceType()) return places;
    Returns returns;
    returns.TraverseStmt(lambda.getBody());
    places.roundsResult = !returns.values.empty() && llvm::all_of(returns.values, [&](const Expr* value) {
        return isRounding(value, places.casts);
    });
    // Behind the parameters; without it, the result's type follows from what is returned.
    const FunctionTypeLoc type = lambda.getFunctionTypeLoc();
    const auto* written = lambda.getType()->getAs<FunctionProtoType>();
    if (places.roundsResult && written && written->hasTrailingReturn()) {
        const SourceRange range = type ? type.getReturnLoc().getUnqualifiedLoc().getSourceRange() : SourceRange();
        places.roundsResult = range.isValid() && range.getBegin().isFileID() && range.getEnd().isFileID();
        places.resultType = range;
    }
    if (!places.roundsResult) places.casts.clear();
    return places;
}

void findFloats(std::vector<Operand>& inputs, unsigned first, const Callable& callable, const FunctionDecl& call,
                llvm::ArrayRef<QualType> types) {
    const FunctionDecl& written = writtenLambda(call);
    if (!isPlainLambda(callable) || written.getNumParams() != call.getNumParams()) return;
    const FloatPlaces places = floatPlaces(written);
    for (unsigned i = 0; i < inputs.size(); ++i) {
        const ParmVarDecl& parameter = *call.getParamDecl(first + i);
        if (!isHalf(types[i]) || !isHalf(parameter.getType())) continue;
        inputs[i].asFloat =
            isAuto(*written.getParamDecl(first + i))
                ? isReadAsFloat(parameter, call)
                : llvm::any_of(places.parameters, [&](const auto& one) { return one.number == first + i; });
    }
}

bool isRounded(const Operand& output, const Callable& callable, const FunctionDecl& call) {
    if (output.type.name != halfName) return false;
    if (call.getReturnType().getNonReferenceType()->isArithmeticType()) return true;
    return isPlainLambda(callable) && &writtenLambda(call) == &call && floatPlaces(call).roundsResult;
}

void settleFloats(Body& body, llvm::ArrayRef<std::vector<Operand>*> inputs, unsigned first,
                  llvm::ArrayRef<Operand*> outputs) {
    const auto isHalfType = [](const Mark& mark) {
        return mark.kind == MarkKind::HalfType || mark.kind == MarkKind::HalfTypeEnd;
    };
    std::vector<unsigned> refused;
    for (const Mark& mark : body.parameterMarks)
        if (!llvm::all_of(inputs, [&](const auto* one) { return (*one)[mark.number - first].asFloat; }))
            refused.push_back(mark.number);
    llvm::erase_if(body.parameterMarks, [&](const Mark& mark) { return llvm::is_contained(refused, mark.number); });
    for (std::vector<Operand>* one : inputs)
        for (const unsigned number : refused) (*one)[number - first].asFloat = false;

    const bool hasMarks = !body.resultMarks.empty() || llvm::any_of(body.marks, isHalfType);
    if (!hasMarks || llvm::all_of(outputs, [](const Operand* one) { return one->asFloat; })) return;
    body.resultMarks.clear();
    llvm::erase_if(body.marks, isHalfType);
    for (Operand* output : outputs) output->asFloat = false;
}

}  // namespace foldwise
