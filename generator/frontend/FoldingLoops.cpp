// generator/frontend/FoldingLoops.cpp: looks for loops that only fold terms into variables.
#include "FoldingLoops.hpp"

#include "Lowering.hpp"
#include "RunTimeVisitor.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

using Variables = llvm::SmallPtrSet<const VarDecl*, 8>;

/// The most bytes of a term.
constexpr std::int64_t mostTermBytes = 16;

/// The subscript of a view's element: x[i], x(i, k).
bool isElement(const Stmt& statement) {
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&statement);
    return call && (call->getOperator() == OO_Subscript || call->getOperator() == OO_Call) &&
           isFixedView(call->getArg(0)->getType());
}

/// The variable that an assignment changes, with all or a part of it; null for what is none of the function's own.
const VarDecl* ownVariable(const Expr& target) {
    const Expr* inner = target.IgnoreParens();
    while (true) {
        if (const auto* member = dyn_cast<MemberExpr>(inner); member && !member->isArrow())
            inner = member->getBase()->IgnoreParens();
        else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(inner))
            inner = subscript->getBase()->IgnoreParenImpCasts();
        else
            break;
    }
    const auto* reference = dyn_cast<DeclRefExpr>(inner);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const bool isOwn = variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                       !variable->getType()->isPointerType();
    return isOwn ? variable : nullptr;
}

/// Calls visit(statement) for a statement and all that it consists of, until that says no.
bool all(const Stmt* statement, llvm::function_ref<bool(const Stmt&)> visit) {
    if (!statement) return true;
    return visit(*statement) && llvm::all_of(statement->children(), [&](const Stmt* part) { return all(part, visit); });
}

bool mentions(const Stmt* statement, llvm::function_ref<bool(const VarDecl&)> isMeant) {
    return !all(statement, [&](const Stmt& part) {
        const auto* reference = dyn_cast<DeclRefExpr>(&part);
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        return !variable || !isMeant(*variable);
    });
}
bool mentions(const Stmt* statement, const Variables& variables) {
    return mentions(statement, [&](const VarDecl& variable) { return variables.contains(&variable); });
}

/// What code changes: its own variables, and elements.
class Effects {
  public:
    Variables changed, declared;
    bool storesElements = false;
    bool areKnown = true;  ///< Whether that is all.

    explicit Effects(const Stmt* statement, unsigned depth = 0) : depth_(depth) {
        areKnown = all(statement, [&](const Stmt& part) { return look(part); });
    }

  private:
    bool look(const Stmt& part) {
        switch (part.getStmtClass()) {
        case Stmt::GotoStmtClass:
        case Stmt::IndirectGotoStmtClass:
        case Stmt::LabelStmtClass:
        case Stmt::LambdaExprClass:
        case Stmt::StmtExprClass:
        case Stmt::GCCAsmStmtClass:
        case Stmt::CXXThrowExprClass:
        case Stmt::CXXNewExprClass:
        case Stmt::CXXDeleteExprClass:
        case Stmt::CXXTryStmtClass:
        case Stmt::AtomicExprClass:
            return false;
        default:
            break;
        }
        if (const auto* binary = dyn_cast<BinaryOperator>(&part))
            return !binary->isAssignmentOp() || change(*binary->getLHS());
        if (const auto* unary = dyn_cast<UnaryOperator>(&part))
            return unary->getOpcode() != UO_AddrOf &&
                   (!unary->isIncrementDecrementOp() || change(*unary->getSubExpr()));
        if (const auto* call = dyn_cast<CallExpr>(&part)) return lookAtCall(*call);
        if (const auto* made = dyn_cast<CXXConstructExpr>(&part)) return takesValues(*made->getConstructor());
        if (const auto* declarations = dyn_cast<DeclStmt>(&part))
            return llvm::all_of(declarations->decls(), [&](const Decl* one) { return declare(*one); });
        return true;
    }

    bool declare(const Decl& one) {
        const auto* variable = dyn_cast<VarDecl>(&one);
        if (!variable) return isa<TypedefNameDecl, StaticAssertDecl, UsingDecl, UsingDirectiveDecl>(one);
        declared.insert(variable);
        const QualType type = variable->getType();
        return variable->hasLocalStorage() && !type->isVariablyModifiedType() && isForReading(type);
    }
    /// Whether what has the type is a value, or leads to constant objects.
    static bool isForReading(QualType type) {
        if (type->isReferenceType() || type->isPointerType()) return type->getPointeeType().isConstQualified();
        return true;
    }
    static bool takesValues(const FunctionDecl& function) {
        return !function.isVariadic() && llvm::all_of(function.parameters(), [](const ParmVarDecl* parameter) {
            const QualType type = parameter->getType();
            return isForReading(type) || type->isRValueReferenceType();
        });
    }

    bool change(const Expr& target) {
        if (isElement(*target.IgnoreParens())) return storesElements = true;
        const VarDecl* variable = ownVariable(target);
        if (variable) changed.insert(variable);
        return variable && !isFixedView(variable->getType());
    }

    bool lookAtCall(const CallExpr& call) {
        const FunctionDecl* function = call.getDirectCallee();
        if (!function) return false;
        if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(&call); operation && operation->isAssignmentOp())
            return change(*call.getArg(0));
        if (isElement(call)) return true;
        const auto* method = dyn_cast<CXXMethodDecl>(function);
        const bool isOfLibrary = function->isInStdNamespace() || isFoldwises(*function);
        // at[0] and array[k], whose element is at most assigned, which is looked at there.
        if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(&call);
            operation && operation->getOperator() == OO_Subscript && isOfLibrary)
            return true;
        if (method && method->isInstance() && !method->isConst()) return false;
        if (!takesValues(*function)) return false;
        const FunctionDecl* definition = definitionOf(*function);
        return isOfLibrary || !definition || isQuiet(*definition);
    }
    /// Whether a function of the user's has known effects and stores no elements. Recursion is not followed.
    bool isQuiet(const FunctionDecl& function) const {
        constexpr unsigned deepest = 16;
        if (depth_ == deepest) return false;
        const Effects effects(function.getBody(), depth_ + 1);
        return effects.areKnown && !effects.storesElements;
    }
    static bool isFoldwises(const FunctionDecl& function) {
        for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
            if (const auto* space = dyn_cast<NamespaceDecl>(scope); space && space->getName() == "foldwise")
                return space->getDeclContext()->getRedeclContext()->isTranslationUnit();
        return false;
    }

    unsigned depth_;  // of calls
};

/// Whether a statement leaves the loop that it is in, other than at the end of its body.
bool leavesLoop(const Stmt* statement, bool isInner = false) {
    if (!statement) return false;
    if (isa<ReturnStmt>(statement)) return true;
    if (isa<BreakStmt, ContinueStmt>(statement)) return !isInner;
    const bool isLoop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
    return llvm::any_of(statement->children(), [&](const Stmt* part) { return leavesLoop(part, isInner || isLoop); });
}

bool readsElements(const Stmt* statement) {
    return !all(statement, [](const Stmt& part) { return !isElement(part); });
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
        const auto isPure = [](const Expr* e) {
            const Effects effects(e);
            return effects.areKnown && effects.changed.empty() && !effects.storesElements;
        };
        return isPure(found.begin) && isPure(found.end);
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
    return !all(outer, [&](const Stmt& part) { return &part != inner; });
}

/// What of a forall kernel's body is computed from the index of the task, as far as variables begin with it.
class OfTask {
  public:
    explicit OfTask(const FunctionDecl& body) : variables_{body.getParamDecl(0)} {
        all(body.getBody(), [&](const Stmt& part) {
            if (const auto* declarations = dyn_cast<DeclStmt>(&part))
                for (const Decl* one : declarations->decls())
                    if (const auto* variable = dyn_cast<VarDecl>(one); variable && has(variable->getInit()))
                        variables_.insert(variable);
            return true;
        });
    }

    bool has(const Stmt* statement) const {
        return !all(statement, [&](const Stmt& part) {
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
    return all(number, [&](const Stmt& part) {
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
        if (!all(statement, [](const Stmt& part) { return !isa<ReturnStmt>(part); })) return false;
    }
    return false;
}

/// Whether a loop reads elements whose places do not hang on the task.
bool readsShared(const FoldingLoop& loop, const OfTask& ofTask) {
    return !all(loop.statement->getBody(), [&](const Stmt& part) {
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
        return !all(loop.statement->getBody(), [&](const Stmt& part) {
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

std::optional<ViewAxis> endOf(const FoldingLoop& loop, const ASTContext& context) {
    Expr::EvalResult begin;
    if (loop.isInclusive || !loop.begin->EvaluateAsInt(begin, context) || begin.Val.getInt().isNegative())
        return std::nullopt;
    const auto* call = dyn_cast<CXXMemberCallExpr>(loop.end->IgnoreParenImpCasts());
    if (!call || call->getNumArgs() != 1 || !isFixedView(call->getObjectType())) return std::nullopt;
    const auto* object = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const auto* view = object ? dyn_cast<VarDecl>(object->getDecl()) : nullptr;
    const IdentifierInfo* name = call->getMethodDecl()->getIdentifier();
    Expr::EvalResult axis;
    if (!view || !name || !name->isStr("extent") || !call->getArg(0)->EvaluateAsInt(axis, context)) return std::nullopt;
    return ViewAxis{view, static_cast<unsigned>(axis.Val.getInt().getZExtValue())};
}

}  // namespace foldwise
