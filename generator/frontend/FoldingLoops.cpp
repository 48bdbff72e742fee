// generator/frontend/FoldingLoops.cpp: looks for loops that only fold terms into variables.
#include "FoldingLoops.hpp"

#include "Effects.hpp"
#include "Lowering.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// The most bytes of a term.
constexpr std::int64_t mostTermBytes = 16;

/// Whether a statement leaves the loop that it is in, other than at the end of its body.
bool leavesLoop(const Stmt* statement, bool isInner = false) {
    if (!statement) return false;
    if (isa<ReturnStmt>(statement)) return true;
    if (isa<BreakStmt, ContinueStmt>(statement)) return !isInner;
    const bool isLoop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
    return llvm::any_of(statement->children(), [&](const Stmt* part) { return leavesLoop(part, isInner || isLoop); });
}

bool readsElements(const Stmt* statement) {
    return !everyPart(statement, [](const Stmt& part) { return !isElement(part); });
}

/// Finds the one expression of updates that differs from turn to turn by itself, and that they evaluate in any case: of
/// `sum += std::exp(d)` that is std::exp(d).
class TermFinder {
  public:
    const Expr* term = nullptr;
    bool isOnlyOne = true;

    TermFinder(const Variables& kept, const Variables& declared) : kept_(kept), declared_(declared) {}

    void look(const Stmt* statement, bool isCertain) {
        if (!statement || !isOnlyOne || !(readsElements(statement) || mentions(statement, declared_))) return;
        const auto* expression = dyn_cast<Expr>(statement);
        if (expression && !mentions(expression, kept_)) {
            isOnlyOne = isCertain && !term;
            term = expression;
            return;
        }
        if (const auto* choice = dyn_cast<IfStmt>(statement)) {
            isOnlyOne = !choice->getInit() && !choice->getConditionVariable();
            look(choice->getCond(), isCertain);
            look(choice->getThen(), false);
            look(choice->getElse(), false);
            return;
        }
        if (const auto* choice = dyn_cast<AbstractConditionalOperator>(statement)) {
            look(choice->getCond(), isCertain);
            look(choice->getTrueExpr(), false);
            look(choice->getFalseExpr(), false);
            return;
        }
        const auto* binary = dyn_cast<BinaryOperator>(statement);
        if (binary && binary->isLogicalOp()) {
            look(binary->getLHS(), isCertain);
            look(binary->getRHS(), false);
            return;
        }
        const bool isPlain = expression || isa<CompoundStmt>(statement);
        for (const Stmt* part : statement->children()) look(part, isCertain && isPlain);
    }

  private:
    const Variables &kept_, &declared_;
};

class Finder {
  public:
    explicit Finder(const FunctionDecl& body) : context_(body.getASTContext()) {}

    std::optional<FoldingLoop> read(const ForStmt& loop) const {
        FoldingLoop found;
        found.statement = &loop;
        if (loop.getBeginLoc().isMacroID() || loop.getEndLoc().isMacroID() || !readHead(loop, found)) return {};
        const Effects effects(loop.getBody());
        if (!effects.areKnown || effects.storesElements || effects.changed.contains(found.counter) ||
            leavesLoop(loop.getBody()))
            return {};
        Variables kept;  // what the loop takes from one turn to the next
        for (const VarDecl* variable : effects.changed)
            if (!effects.declared.contains(variable)) kept.insert(variable);
        if (kept.empty() || mentions(found.end, kept) ||
            mentions(found.end, [&](const VarDecl& variable) { return &variable == found.counter; }))
            return {};
        split(loop, kept, found);
        return findTerm(kept, effects.declared, found) ? std::optional(found) : std::nullopt;
    }

  private:
    /// `int k = begin; k < end; ++k`
    bool readHead(const ForStmt& loop, FoldingLoop& found) const {
        const auto* init = dyn_cast_or_null<DeclStmt>(loop.getInit());
        const auto* counter = init && init->isSingleDecl() ? dyn_cast<VarDecl>(init->getSingleDecl()) : nullptr;
        const auto* test = loop.getCond() ? dyn_cast<BinaryOperator>(loop.getCond()->IgnoreParens()) : nullptr;
        const auto* step = loop.getInc() ? dyn_cast<UnaryOperator>(loop.getInc()->IgnoreParens()) : nullptr;
        if (!counter || !counter->hasInit() || !test || !step || loop.getConditionVariable()) return false;
        const QualType type = counter->getType();
        const auto isCounter = [&](const Expr* e) {
            const auto* reference = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
            return reference && reference->getDecl() == counter;
        };
        if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType() ||
            context_.getTypeSize(type) < 32)
            return false;
        if (!step->isIncrementOp() || !isCounter(step->getSubExpr()) || !isCounter(test->getLHS())) return false;
        if (test->getOpcode() != BO_LT && test->getOpcode() != BO_LE) return false;
        if (!test->getRHS()->getType()->isIntegerType()) return false;
        found.counter = counter;
        found.begin = counter->getInit();
        found.end = test->getRHS();
        found.isInclusive = test->getOpcode() == BO_LE;
        return Effects(found.begin).areNone() && Effects(found.end).areNone();
    }

    static void split(const ForStmt& loop, const Variables& kept, FoldingLoop& found) {
        std::vector<const Stmt*> statements = {loop.getBody()};
        if (const auto* block = dyn_cast<CompoundStmt>(loop.getBody()))
            statements.assign(block->body_begin(), block->body_end());
        for (const Stmt* statement : statements)
            (found.then.empty() && !mentions(statement, kept) ? found.first : found.then).push_back(statement);
    }

    bool findTerm(const Variables& kept, const Variables& declared, FoldingLoop& found) const {
        TermFinder finder(kept, declared);
        Variables own;  // of `first`, which `then` mentions
        for (const Stmt* statement : found.then) {
            if (isa<DeclStmt>(statement)) return false;
            finder.look(statement, true);
            for (const VarDecl* variable : declared)
                if (mentions(statement, Variables{variable})) own.insert(variable);
        }
        const bool reads = llvm::any_of(found.then, [](const Stmt* one) { return readsElements(one); });
        if (finder.term && finder.isOnlyOne)
            found.term = finder.term->IgnoreParenImpCasts();
        else if (!reads && own.size() == 1)
            found.variable = *own.begin();
        else
            return false;
        // Loops that read nothing are not worth it.
        const bool isWorthIt = reads || llvm::any_of(found.first, [](const Stmt* one) { return readsElements(one); });
        return isWorthIt && isTerm(found.term ? found.term->getType() : found.variable->getType());
    }
    bool isTerm(QualType type) const {
        type = type.getNonReferenceType().getUnqualifiedType();
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        return !type->isArrayType() && !type->isPointerType() && type.isTriviallyCopyableType(context_) &&
               (!record || record->hasDefaultConstructor()) &&
               context_.getTypeSizeInChars(type).getQuantity() <= mostTermBytes;
    }

    const ASTContext& context_;
};

/// The outermost loops of a body, with those behind hints left out: a hint is for a loop.
void outermostLoops(const Stmt* statement, std::vector<const ForStmt*>& loops) {
    if (!statement || isa<AttributedStmt, LambdaExpr>(statement)) return;
    if (const auto* loop = dyn_cast<ForStmt>(statement)) loops.push_back(loop);
    for (const Stmt* part : statement->children()) outermostLoops(part, loops);
}

bool isWithin(const Stmt* outer, const Stmt* inner) {
    return !everyPart(outer, [&](const Stmt& part) { return &part != inner; });
}

/// What of a forall kernel's body is computed from the index of the task, as far as variables begin with it.
class OfTask {
  public:
    explicit OfTask(const FunctionDecl& body) : variables_{body.getParamDecl(0)} {
        everyPart(body.getBody(), [&](const Stmt& part) {
            if (const auto* declarations = dyn_cast<DeclStmt>(&part))
                for (const Decl* one : declarations->decls())
                    if (const auto* variable = dyn_cast<VarDecl>(one); variable && has(variable->getInit()))
                        variables_.insert(variable);
            return true;
        });
    }

    bool has(const Stmt* statement) const {
        return !everyPart(statement, [&](const Stmt& part) {
            const auto* reference = dyn_cast<DeclRefExpr>(&part);
            if (!reference) return true;
            if (const auto* binding = dyn_cast<BindingDecl>(reference->getDecl()))
                return !variables_.contains(dyn_cast_or_null<VarDecl>(binding->getDecomposedDecl()));
            return !variables_.contains(dyn_cast<VarDecl>(reference->getDecl()));
        });
    }

  private:
    Variables variables_;
};

/// Whether a number is the same for all tasks: it is computed from parameters that the body leaves alone, other than
/// the index, and from constants that are.
bool isAlike(const Expr* number, const FunctionDecl& body, const Variables& changed) {
    return everyPart(number, [&](const Stmt& part) {
        if (isElement(part)) return false;
        const auto* reference = dyn_cast<DeclRefExpr>(&part);
        if (!reference || isa<FunctionDecl, EnumConstantDecl>(reference->getDecl())) return true;
        const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
        if (!variable || changed.contains(variable)) return false;
        if (isa<ParmVarDecl>(variable)) return variable != body.getParamDecl(0);
        return variable->getType().isConstQualified() && variable->hasInit() &&
               isAlike(variable->getInit(), body, changed);
    });
}

/// Whether every task comes to a loop exactly once: it stands in the body itself, with no way out before it.
bool isCertain(const ForStmt& loop, const FunctionDecl& body) {
    const auto* block = dyn_cast<CompoundStmt>(body.getBody());
    if (!block) return false;
    for (const Stmt* statement : block->body()) {
        if (statement == &loop) return true;
        if (!everyPart(statement, [](const Stmt& part) { return !isa<ReturnStmt>(part); })) return false;
    }
    return false;
}

/// Whether a loop reads elements whose places do not hang on the task.
bool readsShared(const FoldingLoop& loop, const OfTask& ofTask) {
    return !everyPart(loop.statement->getBody(), [&](const Stmt& part) {
        if (!isElement(part)) return true;
        const auto* element = cast<CXXOperatorCallExpr>(&part);
        for (unsigned i = 1; i < element->getNumArgs(); ++i)
            if (ofTask.has(element->getArg(i))) return true;
        return false;
    });
}

}  // namespace

std::vector<FoldingLoop> foldingLoops(const FunctionDecl& body) {
    const Effects effects(body.getBody());
    if (!effects.areKnown) return {};
    std::vector<const ForStmt*> all;
    outermostLoops(body.getBody(), all);
    std::vector<FoldingLoop> found;
    const Finder finder(body);
    for (const ForStmt* loop : all) {
        if (llvm::any_of(found, [&](const FoldingLoop& outer) { return isWithin(outer.statement, loop); })) continue;
        if (std::optional<FoldingLoop> one = finder.read(*loop)) found.push_back(std::move(*one));
    }
    const OfTask ofTask(body);
    const auto inStep = llvm::find_if(found, [&](const FoldingLoop& loop) {
        return isCertain(*loop.statement, body) && isAlike(loop.begin, body, effects.changed) &&
               isAlike(loop.end, body, effects.changed) && readsShared(loop, ofTask);
    });
    if (inStep != found.end()) inStep->isInStep = true;
    return found;
}

bool isLooped(const FunctionDecl& body, const std::vector<FoldingLoop>& loops, const VarDecl& view) {
    const OfTask ofTask(body);
    return llvm::any_of(loops, [&](const FoldingLoop& loop) {
        return !everyPart(loop.statement->getBody(), [&](const Stmt& part) {
            const auto* element = dyn_cast<CXXOperatorCallExpr>(&part);
            if (!element || !isElement(part)) return true;
            const auto* of = dyn_cast<DeclRefExpr>(element->getArg(0)->IgnoreParenImpCasts());
            const Expr* last = element->getArg(element->getNumArgs() - 1);
            if (!of || of->getDecl() != &view || readsElements(last)) return true;
            const bool goesAlong = mentions(last, Variables{loop.counter});
            bool isChosen = ofTask.has(loop.begin);
            for (unsigned i = 1; i < element->getNumArgs(); ++i) isChosen |= ofTask.has(element->getArg(i));
            return !goesAlong || !isChosen;
        });
    });
}

/// The initialiser of a local constant that a number names, which other constants may precede; any other expression
/// itself.
static const Expr* origin(const Expr* number, const ASTContext& context) {
    constexpr int most = 16;  // a constant may be initialised with itself
    for (int i = 0; i < most; ++i) {
        number = number->IgnoreParenImpCasts();
        if (const auto* list = dyn_cast<InitListExpr>(number); list && list->getNumInits() == 1) {
            number = list->getInit(0);
            continue;
        }
        const auto* reference = dyn_cast<DeclRefExpr>(number);
        const auto* constant = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (!constant || !constant->hasLocalStorage() || isa<ParmVarDecl>(constant) || !constant->hasInit()) break;
        const QualType type = constant->getType();
        if (!type.isConstQualified() || !type->isIntegerType() || context.getTypeSize(type) < 32) break;
        number = constant->getInit();
    }
    return number;
}

std::optional<ViewAxis> endOf(const FoldingLoop& loop, const ASTContext& context) {
    Expr::EvalResult begin;
    if (loop.isInclusive || !loop.begin->EvaluateAsInt(begin, context) || begin.Val.getInt().isNegative())
        return std::nullopt;
    return extentOf(*origin(loop.end, context), context);
}

}  // namespace foldwise
