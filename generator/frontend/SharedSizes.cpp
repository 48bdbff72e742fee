// generator/frontend/SharedSizes.cpp: writes integer expressions with a call's arguments in place of parameters.
#include "SharedSizes.hpp"

#include "Lowering.hpp"
#include "Spelling.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

using Text = std::optional<std::string>;

class Writer {
  public:
    Writer(const FunctionDecl& body, const std::vector<std::uint64_t>& extents)
        : body_(body), context_(body.getASTContext()), extents_(extents) {}

    Text of(const Expr& expression) {
        const Expr& inner = *expression.IgnoreParens();
        if (!inner.isValueDependent() && inner.getType()->isIntegralOrEnumerationType()) {
            Expr::EvalResult result;
            if (inner.EvaluateAsInt(result, context_, Expr::SE_NoSideEffects)) return number(result.Val.getInt());
        }
        if (const auto* cleanups = dyn_cast<ExprWithCleanups>(&inner)) return of(*cleanups->getSubExpr());
        if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(&inner)) return of(*temporary->getSubExpr());
        if (const auto* list = dyn_cast<InitListExpr>(&inner); list && list->getNumInits() == 1)
            return of(*list->getInit(0));
        if (const auto* cast = dyn_cast<CastExpr>(&inner)) return ofCast(*cast);
        if (const auto* reference = dyn_cast<DeclRefExpr>(&inner)) return ofVariable(*reference->getDecl());
        if (const auto* member = dyn_cast<CXXMemberCallExpr>(&inner)) return ofMember(*member);
        if (const auto* member = dyn_cast<MemberExpr>(&inner)) return ofField(*member);
        if (const auto* unary = dyn_cast<UnaryOperator>(&inner)) return ofUnary(*unary);
        if (const auto* binary = dyn_cast<BinaryOperator>(&inner)) return ofBinary(*binary);
        if (const auto* choice = dyn_cast<ConditionalOperator>(&inner)) return ofChoice(*choice);
        if (const auto* call = dyn_cast<CallExpr>(&inner)) return ofCall(*call);
        return std::nullopt;
    }

  private:
    std::string typeText(QualType type) const {
        type = type.getNonReferenceType().getUnqualifiedType().getCanonicalType();
        return (type->isRecordType() ? "::" : "") + spelling(type, context_);
    }
    static Text number(const llvm::APSInt& value) {
        llvm::SmallString<32> text;
        value.toString(text, 10);
        return text.str().str();
    }

    Text ofCast(const CastExpr& cast) {
        switch (cast.getCastKind()) {
        case CK_LValueToRValue:
        case CK_NoOp:
            return of(*cast.getSubExpr());
        case CK_IntegralCast:
        case CK_IntegralToBoolean: {
            const Text inner = of(*cast.getSubExpr());
            return inner ? Text("static_cast<" + typeText(cast.getType()) + ">(" + *inner + ")") : std::nullopt;
        }
        default:
            return std::nullopt;
        }
    }

    /// A parameter's value, or what a constant is made of.
    Text ofVariable(const ValueDecl& declared) {
        const auto* variable = dyn_cast<VarDecl>(&declared);
        const QualType type = declared.getType().getNonReferenceType();
        if (!variable || !type->isIntegerType()) return std::nullopt;
        if (const auto* parameter = dyn_cast<ParmVarDecl>(variable)) return ofParameter(*parameter);
        if (!type.isConstQualified() || !variable->getInit()) return std::nullopt;
        return of(*variable->getInit());
    }

    Text ofParameter(const ParmVarDecl& parameter) const {
        if (parameter.getDeclContext() != &body_ || parameter.getFunctionScopeIndex() == 0) return std::nullopt;
        return "foldwise::detail::value_of<" + typeText(parameter.getType()) + ">(call, " +
               std::to_string(parameter.getFunctionScopeIndex() - 1) + ")";
    }
    /// A member of a parameter that is a struct.
    Text ofField(const MemberExpr& member) const {
        const auto* object = dyn_cast<DeclRefExpr>(member.getBase()->IgnoreParenImpCasts());
        const auto* parameter = object ? dyn_cast<ParmVarDecl>(object->getDecl()) : nullptr;
        const auto* field = dyn_cast<FieldDecl>(member.getMemberDecl());
        if (!parameter || !field || member.isArrow() || !field->getType()->isIntegerType()) return std::nullopt;
        const Text value = ofParameter(*parameter);
        return value ? Text(*value + "." + field->getNameAsString()) : std::nullopt;
    }

    /// `x.extent(0)`, `x.size()` and `b.extent(0)`.
    Text ofMember(const CXXMemberCallExpr& call) {
        const auto* object = dyn_cast<DeclRefExpr>(call.getImplicitObjectArgument()->IgnoreParenImpCasts());
        const auto* parameter = object ? dyn_cast<ParmVarDecl>(object->getDecl()) : nullptr;
        const CXXMethodDecl* method = call.getMethodDecl();
        if (!parameter || parameter->getDeclContext() != &body_ || !method->getIdentifier()) return std::nullopt;
        const std::string extents =
            "call.arguments[" + std::to_string(static_cast<int>(parameter->getFunctionScopeIndex()) - 1) + "].extents[";
        if (method->getName() == "extent" && call.getNumArgs() == 1) {
            Expr::EvalResult axis;
            if (!call.getArg(0)->EvaluateAsInt(axis, context_) || axis.Val.getInt().isNegative()) return std::nullopt;
            const std::uint64_t number = axis.Val.getInt().getZExtValue();
            if (isFixedView(parameter->getType())) return extents + std::to_string(number) + "]";
            if (parameter->getFunctionScopeIndex() == 0 && number < extents_.size())
                return std::to_string(extents_[number]);
        }
        if (method->getName() == "size" && isFixedView(parameter->getType())) {
            const auto* view =
                cast<ClassTemplateSpecializationDecl>(parameter->getType().getNonReferenceType()->getAsCXXRecordDecl());
            std::string product;
            for (std::uint64_t axis = 0; axis < view->getTemplateArgs()[1].getAsIntegral().getZExtValue(); ++axis)
                product += (axis > 0 ? " * " : "") + extents + std::to_string(axis) + "]";
            return "(" + product + ")";
        }
        return std::nullopt;
    }

    Text ofUnary(const UnaryOperator& unary) {
        if (unary.isIncrementDecrementOp() || !unary.isArithmeticOp()) return std::nullopt;
        const Text inner = of(*unary.getSubExpr());
        return inner ? Text(UnaryOperator::getOpcodeStr(unary.getOpcode()).str() + "(" + *inner + ")") : std::nullopt;
    }
    Text ofBinary(const BinaryOperator& binary) {
        if (binary.isAssignmentOp() || binary.isPtrMemOp() || binary.isCommaOp()) return std::nullopt;
        const Text left = of(*binary.getLHS()), right = of(*binary.getRHS());
        if (!left || !right) return std::nullopt;
        return "(" + *left + " " + binary.getOpcodeStr().str() + " " + *right + ")";
    }
    Text ofChoice(const ConditionalOperator& choice) {
        const Text condition = of(*choice.getCond()), yes = of(*choice.getTrueExpr()), no = of(*choice.getFalseExpr());
        if (!condition || !yes || !no) return std::nullopt;
        return "(" + *condition + " ? " + *yes + " : " + *no + ")";
    }
    /// std::min and std::max.
    Text ofCall(const CallExpr& call) {
        const FunctionDecl* callee = call.getDirectCallee();
        if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || call.getNumArgs() != 2)
            return std::nullopt;
        const bool isLeast = callee->getName() == "min";
        if (!isLeast && callee->getName() != "max") return std::nullopt;
        const Text a = of(*call.getArg(0)), b = of(*call.getArg(1));
        if (!a || !b) return std::nullopt;
        return "(" + *b + (isLeast ? " < " : " > ") + *a + " ? " + *b + " : " + *a + ")";
    }

    const FunctionDecl& body_;
    ASTContext& context_;
    const std::vector<std::uint64_t>& extents_;
};

}  // namespace

std::optional<std::string> countAtCall(const Expr& count, const FunctionDecl& body,
                                       const std::vector<std::uint64_t>& extents) {
    return Writer(body, extents).of(count);
}

}  // namespace foldwise
