// generator/frontend/BodyChecks.cpp: walks along calls, and makes the checks that need nothing but this walk.
#include "BodyChecks.hpp"

#include "BlockPhases.hpp"
#include "DoubleComputation.hpp"
#include "IntegerDivision.hpp"
#include "LoopChecks.hpp"
#include "LostConstants.hpp"
#include "LostWrites.hpp"
#include "NarrowOwn.hpp"
#include "NegativeIndices.hpp"
#include "PrintedClasses.hpp"
#include "RepeatedDraws.hpp"
#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"
#include "Types.hpp"
#include "WidenedProducts.hpp"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// Visits one function and collects what it calls.
class BodyChecks::Body : public RunTimeVisitor {
  public:
    Body(const ASTContext& context, bool isCalledInLoop) : RunTimeVisitor(context), isCalledInLoop_(isCalledInLoop) {}

    std::vector<Call> calls;

    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        return add(dyn_cast<FunctionDecl>(e->getDecl()), e->getLocation());
    }
    bool VisitMemberExpr(MemberExpr* e) override {
        return add(dyn_cast<CXXMethodDecl>(e->getMemberDecl()), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override { return add(e->getConstructor(), e->getLocation()); }
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* e) override {
        return add(phaseOf(*e), e->getExprLoc(), /*isPhase=*/true);
    }

  private:
    bool add(const FunctionDecl* callee, SourceLocation at, bool isPhase = false) {
        if (callee) calls.push_back({callee, at, isCalledInLoop_ || isInLoop(), isPhase});
        return true;
    }

    bool isCalledInLoop_;
};

/// A type as a signature has it, such as std::int32_t for int.
static std::string wordOf(QualType type, const ASTContext& context) {
    return type->isArithmeticType() ? elementName(type.getUnqualifiedType(), context) : spelling(type, context);
}

/// "float(int, float)": what the kernel computes, as a signature would state it with these names of types.
static std::string signatureOf(const FunctionDecl& lambda, QualType result, const ASTContext& context,
                               std::string (*nameOf)(QualType, const ASTContext&)) {
    std::string text = nameOf(result, context) + "(";
    llvm::ListSeparator comma;
    for (const ParmVarDecl* parameter : lambda.parameters())
        text += (llvm::StringRef(comma) + nameOf(parameter->getType().getNonReferenceType(), context)).str();
    return text + ")";
}

void BodyChecks::check(const FunctionDecl& lambda, QualType asked, SourceLocation madeAt) {
    entered_.clear();
    asked_ = asked;
    madeAt_ = madeAt;
    const bool isResultStated = !asked.isNull() || statesResult(lambda);
    const QualType result = !asked.isNull() ? asked : lambda.getReturnType().getCanonicalType();
    const bool isOfDoubles =
        (isResultStated && holdsDouble(result)) || llvm::any_of(lambda.parameters(), [](const ParmVarDecl* parameter) {
            return holdsDouble(parameter->getType());
        });
    signature_ = signatureOf(lambda, result, context_, spelling);
    typedSignature_ = signatureOf(lambda, result, context_, wordOf);
    isOfDoubles_ = isOfDoubles;
    enter({lambda.getCanonicalDecl(), {}, nullptr, false});
}

void BodyChecks::enter(const Step& step) {
    const FunctionDecl* definition = nullptr;
    if (!step.function->isDefined(definition) || !entered_.insert({step.function, step.isInLoop}).second) return;
    const Descent descent(nestings_, *definition, depth_);
    if (!descent.hasRoom()) return;  // the slicer says so
    const bool isLambda = step.previous == nullptr;
    std::vector<Finding> findings;
    if (!isOfDoubles_)
        findDoubleComputations(*definition, isLambda ? asked_ : QualType(), signature_, context_, includes_, findings);
    findIntegerDivisions(*definition, isLambda ? asked_ : QualType(), context_, findings);
    findWidenedProducts(*definition, isLambda ? asked_ : QualType(), context_, findings);
    findNegativeIndices(*definition, context_, findings);
    findLostConstants(*definition, typedSignature_, context_, findings);
    findPrintedClasses(*definition, context_, findings);
    findNarrowOwn(*definition, context_, findings);
    findRepeatedDraws(*definition, context_, findings);
    if (isLambda) findLostWrites(*definition, context_, findings);
    findInLoops(*definition, {isLambda, step.isInLoop}, context_, findings);
    for (const Finding& finding : findings) warn(finding, step);

    Body body(context_, step.isInLoop);
    body.visitBody(*definition);
    for (const Call& call : body.calls) follow(call, step);
}

void BodyChecks::follow(const Call& call, const Step& from) {
    const FunctionDecl* callee = call.callee->getCanonicalDecl();
    if (isCompilersOwn(*callee)) return;
    if (!includes_.isUsersCode(callee->getLocation())) {
        for (const FunctionDecl* callback : systemCalls_.of(*callee).usersCode)
            follow({callback, call.at, call.isInLoop}, from);
        return;
    }
    for (const Step* step = &from; step; step = step->previous)
        if (step->function == callee) return warnOfRecursion(*step, call, from);
    enter({callee, call.at, &from, call.isInLoop, call.isPhase});
}

static std::string nameOf(const FunctionDecl& function) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda() ? "operator()" : function.getQualifiedNameAsString();
}

/// At the kernel's own line; the notes lead from there into the function, and from it back to itself.
void BodyChecks::warnOfRecursion(const Step& first, const Call& back, const Step& from) {
    std::vector<const Step*> way;
    for (const Step* step = &from; step->previous; step = step->previous) way.insert(way.begin(), step);
    const SourceLocation at = way.empty() ? back.at : way.front()->call;
    const std::string name = nameOf(*first.function);
    if (!isNew({Message::Recursion, at, {name}, {}, {}})) return;
    report(context_.getDiagnostics(), at, Message::Recursion) << name;
    for (std::size_t i = 1; i < way.size(); ++i)
        report(context_.getDiagnostics(), way[i]->call, Message::Calls)
            << nameOf(*way[i - 1]->function) << nameOf(*way[i]->function);
    report(context_.getDiagnostics(), back.at, Message::Calls) << nameOf(*from.function) << name;
    if (madeAt_.isValid()) report(context_.getDiagnostics(), madeAt_, Message::MadeHere);
}

bool BodyChecks::isNew(const Finding& finding) {
    return told_.insert({finding.message, finding.at, finding.arguments.empty() ? "" : finding.arguments.front()})
        .second;
}

void BodyChecks::warn(const Finding& finding, const Step& step) {
    if (!isNew(finding)) return;
    {
        DiagnosticBuilder message = report(context_.getDiagnostics(), finding.at, finding.message);
        for (const std::string& argument : finding.arguments) message << argument;
        if (finding.range.isValid()) message << finding.range;
        for (const unsigned choice : finding.choices) message << choice;
        if (!finding.fixIt.isNull()) message << finding.fixIt;
    }  // printed here
    if (finding.before.isValid()) report(context_.getDiagnostics(), finding.before, Message::DrawnBefore);
    for (const Step* at = &step; at->previous; at = at->previous)
        if (!at->isPhase) report(context_.getDiagnostics(), at->call, Message::CalledFrom);
    if (madeAt_.isValid()) report(context_.getDiagnostics(), madeAt_, Message::MadeHere);
}

}  // namespace foldwise
