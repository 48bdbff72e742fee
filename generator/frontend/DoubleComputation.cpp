// generator/frontend/DoubleComputation.cpp: follows double values from the literals, constants and calls that
// make them to the conversions, comparisons and deduced types that they end in.
#include "DoubleComputation.hpp"

#include "ForeignWords.hpp"
#include "RunTimeVisitor.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// Whether a type is double or long double, or a reference to one.
static bool isWide(QualType type) {
    const auto* builtin = type.getNonReferenceType()->getAs<BuiltinType>();
    return builtin && (builtin->getKind() == BuiltinType::Double || builtin->getKind() == BuiltinType::LongDouble);
}

/// Whether a type is a floating-point type narrower than double.
static bool isNarrow(QualType type) { return type->isRealFloatingType() && !isWide(type); }

/// Whether a type is or contains double, as holdsDouble(type) says. Classes in `seen` have been looked into: a base may
/// have the class that is derived from it as a template argument.
static bool holdsDouble(QualType type, llvm::SmallPtrSetImpl<const CXXRecordDecl*>& seen) {
    type = type.getNonReferenceType().getCanonicalType();
    if (isWide(type)) return true;
    if (const auto* array = dyn_cast<ArrayType>(type)) return holdsDouble(array->getElementType(), seen);
    if (const auto* complex = dyn_cast<ComplexType>(type)) return holdsDouble(complex->getElementType(), seen);
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || !seen.insert(record->getCanonicalDecl()).second) return false;
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record))
        for (const TemplateArgument& argument : special->getTemplateArgs().asArray()) {
            const auto parts =
                argument.getKind() == TemplateArgument::Pack ? argument.pack_elements() : llvm::ArrayRef(argument);
            for (const TemplateArgument& part : parts)
                if (part.getKind() == TemplateArgument::Type && holdsDouble(part.getAsType(), seen)) return true;
        }
    return llvm::any_of(record->fields(), [&](const FieldDecl* one) { return holdsDouble(one->getType(), seen); }) ||
           llvm::any_of(record->bases(), [&](const CXXBaseSpecifier& one) { return holdsDouble(one.getType(), seen); });
}

bool holdsDouble(QualType type) {
    llvm::SmallPtrSet<const CXXRecordDecl*, 8> seen;
    return holdsDouble(type, seen);
}

bool statesResult(const FunctionDecl& function) { return !function.getDeclaredReturnType()->getContainedAutoType(); }

/// Whether a variable's type is deduced from its initializer or argument: `auto`, or a template parameter. The user has
/// then not asked for double.
static bool isDeduced(const VarDecl& variable) {
    const QualType type = variable.getType().getNonReferenceType();
    return type->getContainedAutoType() || type->getAs<SubstTemplateTypeParmType>();
}

namespace {

/// The origin of a double value: why it is double, and whether the user has asked for that.
struct Origin {
    llvm::SmallVector<const Expr*, 2> causes;  ///< Literals, constants and calls that are double by themselves.
    bool promotesFloat = false;  ///< Whether a narrower floating-point value was promoted to double for it.
    bool isMeant = false;        ///< Whether the user has written double, as a type or a cast.
    bool isComputed = false;     ///< Whether it is the result of an operator or a call.
    bool isExact = true;         ///< Whether all causes are constants that float can represent, too.

    /// Adds the origin of another operand of the same operation.
    void add(const Origin& other) {
        causes.append(other.causes);
        promotesFloat |= other.promotesFloat;
        isMeant |= other.isMeant;
        isComputed |= other.isComputed;
        isExact &= other.isExact;
    }
};

/// Visits a function's body, and adds a finding where an unintended double value ends.
class Doubles : public RunTimeVisitor {
  public:
    Doubles(const FunctionDecl& function, QualType asked, const std::string& signature, const ASTContext& context,
            const Includes& includes, std::vector<Finding>& findings)
        : RunTimeVisitor(context), function_(function), asked_(asked), signature_(signature), context_(context),
          includes_(includes), findings_(findings) {}

    // ---- Where double values end: in another type, a comparison, or something whose type is deduced from them. ----

    bool VisitCastExpr(CastExpr* e) override {
        const Expr& from = *e->getSubExpr();
        if (!isWide(from.getType()) || isWide(e->getType())) return true;
        const auto* implicit = dyn_cast<ImplicitCastExpr>(e);
        const bool isUnasked = implicit && !implicit->isPartOfExplicitCast() && isNarrow(e->getType());
        const Origin origin = originOf(from);
        switch (e->getCastKind()) {
        case CK_FloatingCast:
        case CK_FloatingToIntegral:
        case CK_FloatingToBoolean:
            // A constant, or a choice between constants, is converted to the float that it would be as a float.
            if (origin.isComputed) end(from, origin, isUnasked);
            return true;
        default:
            return true;
        }
    }
    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (!e->isComparisonOp() || !isWide(e->getLHS()->getType())) return true;
        Origin origin = originOf(*e->getLHS());
        origin.add(originOf(*e->getRHS()));
        // A comparison with 0.5 has the result of one with 0.5f, which compilers make of it.
        if (origin.isComputed || !origin.isExact) end(*e, origin, false);
        return true;
    }
    bool VisitCompoundAssignOperator(CompoundAssignOperator* e) override {
        if (!isNarrow(e->getType()) || !isWide(e->getComputationLHSType())) return true;
        Origin origin = originOf(*e->getRHS());
        origin.promotesFloat = true;
        end(*e, origin, true);
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) override {
        if (variable->hasInit() && isWide(variable->getType()) && isDeduced(*variable))
            end(*variable->getInit(), false);
        return true;
    }
    bool VisitReturnStmt(ReturnStmt* s) override {
        const Expr* value = s->getRetValue();
        if (value && isWide(value->getType()) && !statesResult(function_))
            end(*value, !asked_.isNull() && isNarrow(asked_));
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        const FunctionDecl* callee = e->getDirectCallee();
        if (!callee || isWide(e->getType())) return true;
        const FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
        const unsigned first = isa<CXXOperatorCallExpr>(e) && isa<CXXMethodDecl>(callee) ? 1 : 0;
        for (unsigned i = first; i < e->getNumArgs(); ++i) {
            const unsigned parameter = i - first;
            const bool takesAny = pattern && parameter < pattern->getNumParams() &&
                                  pattern->getParamDecl(parameter)->getType()->isDependentType();
            if (takesAny || isSystems(*callee)) endArgument(*e->getArg(i));
        }
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        if (!isSystems(*e->getConstructor())) return true;
        for (const Expr* argument : e->arguments()) endArgument(*argument);
        return true;
    }

  private:
    /// Whether a function is declared by the compiler or in a system header.
    bool isSystems(const FunctionDecl& function) const {
        return isCompilersOwn(function) || !includes_.isUsersCode(function.getLocation());
    }

    /// Takes an argument whose parameter may have any type.
    void endArgument(const Expr& argument) {
        if (isWide(argument.getType())) end(argument, false);
    }
    /// Takes a double value that ends here: it is converted, to float if `becomesFloat`, or its type is deduced. Adds a
    /// finding for each of its causes, unless double is intended or makes no difference.
    void end(const Expr& value, bool becomesFloat) { end(value, originOf(value), becomesFloat); }
    void end(const Expr& value, const Origin& origin, bool becomesFloat) {
        if (origin.isMeant || !(origin.promotesFloat || becomesFloat)) return;
        if (!value.isValueDependent() && value.isEvaluatable(context_)) return;
        for (const Expr* cause : origin.causes)
            findings_.push_back({Message::DoubleComputation,
                                 cause->getBeginLoc(),
                                 {nameOf(*cause), signature_},
                                 value.getSourceRange(),
                                 fixItFor(*cause)});
    }

    /// The origin of a value; of one that is not double, only whether it is narrower.
    Origin originOf(const Expr& expression) const {
        const Expr* e = expression.IgnoreParens();
        Origin origin;
        if (!isWide(e->getType())) {
            origin.promotesFloat = isNarrow(e->getType());
            return origin;
        }
        if (const auto* full = dyn_cast<FullExpr>(e)) return originOf(*full->getSubExpr());
        if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(e)) return originOf(*temporary->getSubExpr());
        if (const auto* cast = dyn_cast<ImplicitCastExpr>(e); cast && cast->getCastKind() != CK_UserDefinedConversion)
            return originOf(*cast->getSubExpr());
        if (isa<FloatingLiteral>(e)) return constant(*e);
        if (const auto* reference = dyn_cast<DeclRefExpr>(e)) return originOf(*reference);
        if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->isArithmeticOp())
            return originOf(*unary->getSubExpr());
        if (const auto* binary = dyn_cast<BinaryOperator>(e); binary && !binary->isAssignmentOp()) {
            if (binary->getOpcode() == BO_Comma) return originOf(*binary->getRHS());
            origin = originOf(*binary->getLHS());
            origin.add(originOf(*binary->getRHS()));
            origin.isComputed = true;
            return origin;
        }
        if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
            origin = originOf(*choice->getTrueExpr());
            origin.add(originOf(*choice->getFalseExpr()));
            return origin;
        }
        if (const auto* call = dyn_cast<CallExpr>(e)) return originOf(*call);
        origin.isMeant = true;  // a cast to double, a member, an element: somebody has written the word
        return origin;
    }

    /// The origin of a variable's value: constants are causes themselves; other variables' types say whether double is
    /// meant.
    Origin originOf(const DeclRefExpr& reference) const {
        Origin origin;
        const auto* variable = dyn_cast<VarDecl>(reference.getDecl());
        const bool isConstant = variable && variable->hasGlobalStorage() && !variable->isStaticLocal() &&
                                variable->isUsableInConstantExpressions(context_);
        if (isConstant && !reference.hasExplicitTemplateArgs() && !isDeduced(*variable)) return constant(reference);
        origin.isMeant = !variable || !isDeduced(*variable);
        origin.isExact = false;
        return origin;
    }

    /// The origin of a call's result. The call of a library function is a cause itself, unless an argument is double
    /// and the function has an overload for floats.
    Origin originOf(const CallExpr& call) const {
        Origin origin;
        const FunctionDecl* callee = call.getDirectCallee();
        const auto* named = dyn_cast<DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
        if (!callee || !named || named->hasExplicitTemplateArgs() || isa<CXXMethodDecl>(callee) ||
            !isSystems(*callee)) {
            origin.isMeant = true;
            return origin;
        }
        bool hasWideArgument = false, convertsFloat = false;
        for (const Expr* argument : call.arguments()) {
            const QualType given = argument->IgnoreParenImpCasts()->getType();
            hasWideArgument |= isWide(given);
            convertsFloat |= isNarrow(given) && isWide(argument->getType());
            origin.add(originOf(*argument));
        }
        if (convertsFloat) origin.causes.clear();
        if (convertsFloat || !hasWideArgument) origin.causes.push_back(&call);
        origin.isComputed = true;
        origin.isExact = false;
        return origin;
    }

    /// The origin of a literal or constant, which is a cause itself.
    Origin constant(const Expr& e) const {
        Origin origin;
        origin.causes.push_back(&e);
        llvm::APFloat value(0.0);
        bool losesDigits = true;
        if (e.EvaluateAsFloat(value, context_))
            value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesDigits);
        origin.isExact = !losesDigits;
        return origin;
    }

    std::string textOf(SourceRange range) const {
        return Lexer::getSourceText(CharSourceRange::getTokenRange(range), context_.getSourceManager(),
                                    context_.getLangOpts())
            .str();
    }

    /// How the user has written a cause: "3.3", "std::numbers::pi", "M_PI", "std::pow".
    std::string nameOf(const Expr& cause) const {
        if (cause.getBeginLoc().isMacroID())
            return Lexer::getImmediateMacroNameForDiagnostics(cause.getBeginLoc(), context_.getSourceManager(),
                                                              context_.getLangOpts())
                .str();
        const auto* call = dyn_cast<CallExpr>(&cause);
        return textOf((call ? call->getCallee() : &cause)->getSourceRange());
    }

    /// The argument 2 of std::pow(x, 2): with a float and an integer, the library computes in double. Null if there is
    /// none, if there are several, or if it is not a decimal literal of type int.
    const IntegerLiteral* integerBesideFloats(const CallExpr& call) const {
        const IntegerLiteral* found = nullptr;
        for (const Expr* argument : call.arguments()) {
            const Expr* const given = argument->IgnoreParenImpCasts();
            if (isNarrow(given->getType())) continue;
            const auto* literal = dyn_cast<IntegerLiteral>(given);
            const bool isPlain = literal && literal->getBeginLoc().isFileID() &&
                                 llvm::all_of(textOf(literal->getSourceRange()), llvm::isDigit);
            if (!isPlain || found) return nullptr;
            found = literal;
        }
        return found;
    }

    /// Whether this names one of C's functions of double, such as ::sqrt, for which <cmath> has overloads.
    static bool isOfC(const DeclRefExpr& name) {
        const auto* function = dyn_cast<FunctionDecl>(name.getDecl());
        return function && function->isExternC() && function->getIdentifier() && isOfCmath(function->getName());
    }

    /// The edit that makes a cause float: std::sqrt for sqrt, 3.3f for 3.3, std::numbers::pi_v<float> for
    /// std::numbers::pi, and 2.0f for 2 beside a float. Empty if there is none, as in templates, where a float would be
    /// one for doubles, too.
    FixItHint fixItFor(const Expr& cause) const {
        const SourceLocation begin = cause.getBeginLoc();
        if (begin.isMacroID()) return {};
        if (const auto* call = dyn_cast<CallExpr>(&cause)) {
            if (const auto* name = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreImpCasts()); name && isOfC(*name))
                return FixItHint::CreateInsertion(begin, name->hasQualifier() ? "std" : "std::");
            if (function_.isTemplateInstantiation()) return {};
            const IntegerLiteral* const integer = integerBesideFloats(*call);
            if (!integer) return {};
            return FixItHint::CreateInsertion(Lexer::getLocForEndOfToken(integer->getEndLoc(), 0,
                                                                         context_.getSourceManager(),
                                                                         context_.getLangOpts()),
                                              ".0f");
        }
        if (function_.isTemplateInstantiation()) return {};
        const SourceLocation end =
            Lexer::getLocForEndOfToken(cause.getEndLoc(), 0, context_.getSourceManager(), context_.getLangOpts());
        if (const auto* literal = dyn_cast<FloatingLiteral>(&cause)) {
            llvm::APFloat value = literal->getValue();
            bool losesDigits = false;
            value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesDigits);
            if (!value.isFinite()) return {};
            std::string text = textOf(cause.getSourceRange());
            if (!llvm::StringRef(text).ends_with_insensitive("l")) return FixItHint::CreateInsertion(end, "f");
            text.back() = 'f';
            return FixItHint::CreateReplacement(cause.getSourceRange(), text);
        }
        const auto* reference = dyn_cast<DeclRefExpr>(&cause);
        const bool isOfNumbers =
            reference &&
            llvm::StringRef(reference->getDecl()->getQualifiedNameAsString()).starts_with("std::numbers::");
        return isOfNumbers ? FixItHint::CreateInsertion(end, "_v<float>") : FixItHint();
    }

    const FunctionDecl& function_;
    QualType asked_;
    const std::string& signature_;
    const ASTContext& context_;
    const Includes& includes_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findDoubleComputations(const FunctionDecl& function, QualType asked, const std::string& signature,
                            const ASTContext& context, const Includes& includes, std::vector<Finding>& findings) {
    Doubles(function, asked, signature, context, includes, findings).visitBody(function);
}

}  // namespace foldwise
