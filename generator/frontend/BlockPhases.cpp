// generator/frontend/BlockPhases.cpp: looks at the expressions around each reference to a block, to its shared and own
// variables, to views, and to other variables.
#include "BlockPhases.hpp"

#include "Lowering.hpp"
#include "OnlyRead.hpp"
#include "Parents.hpp"
#include "Spelling.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>

#include <map>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

enum class BlockCall { None, Place, Phase, Once, Fold, Scan, Shared, Own };

BlockCall kindOf(llvm::StringRef member) {
    return llvm::StringSwitch<BlockCall>(member)
        .Cases({"at", "origin", "number", "extent"}, BlockCall::Place)
        .Case("each", BlockCall::Phase)
        .Case("once", BlockCall::Once)
        .Case("fold", BlockCall::Fold)
        .Cases({"inclusive_scan", "exclusive_scan"}, BlockCall::Scan)
        .Case("shared", BlockCall::Shared)
        .Case("own", BlockCall::Own)
        .Default(BlockCall::None);
}

/// A call of one of a block's functions, and nothing for other calls.
BlockCall blockCall(const CXXMemberCallExpr& call) {
    const CXXMethodDecl* method = call.getMethodDecl();
    if (!method || !method->getIdentifier()) return BlockCall::None;
    const QualType type = call.getObjectType();
    return isBlock(type) ? kindOf(method->getName()) : BlockCall::None;
}

/// The lambda that a phase is given where it is called; null if it is given something else.
const LambdaExpr* lambdaOf(const CXXMemberCallExpr& call) {
    return call.getNumArgs() == 1 ? dyn_cast<LambdaExpr>(call.getArg(0)->IgnoreUnlessSpelledInSource()) : nullptr;
}

class Visitor : public DynamicRecursiveASTVisitor {
  public:
    explicit Visitor(const FunctionDecl& body) : body_(body), context_(body.getASTContext()), parents_(body.getBody()) {
        found_.views.resize(body.getNumParams() - 1);
        for (const Stmt* statement : body.getBody()->children()) top_.insert(statement);
        TraverseStmt(body.getBody());
    }

    BlockPhases take() {
        llvm::stable_sort(found_.mistakes, [&](const BlockMistake& a, const BlockMistake& b) {
            return context_.getSourceManager().isBeforeInTranslationUnit(a.at, b.at);
        });
        return std::move(found_);
    }

    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
        const BlockCall kind = blockCall(*call);
        if (kind == BlockCall::None || kind == BlockCall::Place) return true;
        found_.itemCalls += concernsItems(*call) ? 1 : 0;
        const SourceLocation at = call->getExprLoc();
        const std::string name = call->getMethodDecl()->getNameAsString();
        if (phase_ || inLambda_) {
            complain(at, Message::InsidePhase, {name}, {phase_ ? 0u : 1u});
            return true;
        }
        switch (kind) {
        case BlockCall::Phase:
        case BlockCall::Once:
            ++found_.phases;
            if (const LambdaExpr* lambda = lambdaOf(*call); lambda && lambda->isGenericLambda()) {
                generic_.insert(lambda);
                complain(lambda->getCallOperator()->getParamDecl(0)->getBeginLoc(), Message::PhaseElsewhere, {name},
                         {1}, {itemText(*lambda)});
            } else if (lambda) {
                phases_[lambda] = kind;
            } else {
                complain(call->getArg(0)->getExprLoc(), Message::PhaseElsewhere, {name}, {0}, {""});
            }
            break;
        case BlockCall::Fold:
        case BlockCall::Scan:
            ++found_.phases;
            if (const ClassTemplateSpecializationDecl* own =
                    vocabularyType(call->getArg(0)->getType(), "own_variable")) {
                const QualType type = own->getTemplateArgs()[0].getAsType();
                found_.exchanged = std::max(found_.exchanged, sizeOf(type));
                found_.exchangedAlignment =
                    std::max(found_.exchangedAlignment,
                             static_cast<std::uint32_t>(context_.getTypeAlignInChars(type).getQuantity()));
            }
            break;
        case BlockCall::Shared:
            addShared(*call);
            break;
        case BlockCall::Own:
            if (const ClassTemplateSpecializationDecl* own = vocabularyType(call->getType(), "own_variable"))
                found_.owned += (sizeOf(own->getTemplateArgs()[0].getAsType()) + 3) / 4 * 4;
            break;
        default:
            break;
        }
        if ((kind == BlockCall::Own || kind == BlockCall::Scan) && !isInitializer(*call))
            complain(at, Message::NotDeclared, {name});
        return true;
    }

    /// Captures are looked at where the body uses them.
    bool TraverseLambdaExpr(LambdaExpr* lambda) override {
        if (generic_.contains(lambda)) return true;
        const auto phase = phases_.find(lambda);
        const bool isOne = phase != phases_.end();
        if (!isOne) {
            const bool before = std::exchange(inLambda_, true);
            const bool goesOn = TraverseStmt(lambda->getBody());
            inLambda_ = before;
            return goesOn;
        }
        phase_ = lambda;
        isOnce_ = phase->second == BlockCall::Once;
        const bool goesOn = TraverseStmt(lambda->getBody());
        phase_ = nullptr;
        return goesOn;
    }
    bool VisitVarDecl(VarDecl* variable) override {
        const QualType type = variable->getType();
        if (type->isVariableArrayType())
            complain(variable->getLocation(), Message::VariableArray,
                     {variable->getNameAsString(),
                      spelling(context_.getBaseElementType(type).getUnqualifiedType(), context_)});
        return true;
    }
    /// Local classes see no parameters or variables.
    bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }

    bool VisitDeclRefExpr(DeclRefExpr* mention) override {
        const auto* variable = dyn_cast<VarDecl>(mention->getDecl());
        if (!variable || !variable->hasLocalStorage()) return true;
        const QualType type = variable->getType();
        if (type->isVariableArrayType()) return true;  // its declaration is the mistake
        if (isBlock(type))
            lookAtBlock(*mention);
        else if (isSharedArray(type))
            lookAtShared(*mention);
        else if (isOwnVariable(type))
            lookAtOwn(*mention);
        else if (isFixedView(type))
            lookAtView(*mention, *variable);
        else if (phase_ && !isOfPhase(*variable) && !type.isConstQualified() && !isOnlyRead(*mention, parents_))
            complain(mention->getLocation(), Message::WritesOutside, {variable->getNameAsString()});
        return true;
    }

  private:
    void complain(SourceLocation at, Message message, std::vector<std::string> arguments,
                  std::vector<unsigned> choices = {}, std::vector<std::string> last = {}) {
        found_.mistakes.push_back({at, message, std::move(arguments), std::move(choices), std::move(last)});
    }
    /// "foldwise::index<2> t": what a phase's lambda takes.
    std::string itemText(const LambdaExpr& lambda) const {
        const std::string name = lambda.getCallOperator()->getParamDecl(0)->getNameAsString();
        return "foldwise::index<" + std::to_string(blockRank(body_)) + ">" + (name.empty() ? "" : " " + name);
    }
    std::uint32_t sizeOf(QualType type) const {
        return static_cast<std::uint32_t>(context_.getTypeSizeInChars(type).getQuantity());
    }

    /// What stands around an expression, without what only casts it or holds it for a moment.
    const Stmt* around(const Stmt& inner, const Stmt** child = nullptr) const {
        const Stmt* below = &inner;
        const Stmt* parent = parents_.of(*below);
        while (isa_and_nonnull<ImplicitCastExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(parent)) {
            below = parent;
            parent = parents_.of(*below);
        }
        if (child) *child = below;
        return parent;
    }

    /// Whether a call makes a variable: `auto x = b.own(0);`
    bool isInitializer(const CXXMemberCallExpr& call) const { return variableOf(call) != nullptr; }
    const VarDecl* variableOf(const CXXMemberCallExpr& call) const {
        const auto* statement = dyn_cast_or_null<DeclStmt>(around(call));
        if (!statement) return nullptr;
        for (const Decl* declared : statement->decls())
            if (const auto* variable = dyn_cast<VarDecl>(declared);
                variable && variable->getInit() && variable->getInit()->IgnoreUnlessSpelledInSource() == &call)
                return variable;
        return nullptr;
    }

    void addShared(const CXXMemberCallExpr& call) {
        const VarDecl* variable = variableOf(call);
        const Stmt* statement = around(call);
        if (!variable) return complain(call.getExprLoc(), Message::NotDeclared, {"shared"});
        if (!top_.contains(statement))
            return complain(call.getExprLoc(), Message::SharedPlace, {variable->getNameAsString()});
        const ClassTemplateSpecializationDecl* type = vocabularyType(call.getType(), "shared_array");
        if (!type) return;
        SharedDeclaration one{variable, type->getTemplateArgs()[0].getAsType(), {}};
        for (const TemplateArgument& extent : type->getTemplateArgs()[1].pack_elements())
            one.extents.push_back(extent.getAsIntegral().getZExtValue());
        if (one.extents.empty()) one.count = call.getArg(0);
        found_.shared.push_back(std::move(one));
    }

    bool isOfPhase(const VarDecl& variable) const {
        return !variable.isInitCapture() && declaredIn(*phase_->getCallOperator(), variable);
    }
    /// Whether a variable is a function's own, or that of a lambda in it.
    static bool declaredIn(const FunctionDecl& function, const VarDecl& variable) {
        for (const DeclContext* scope = variable.getDeclContext(); scope; scope = scope->getParent())
            if (scope == &function) return true;
        return false;
    }

    void lookAtBlock(const DeclRefExpr& mention) {
        const auto* member = dyn_cast_or_null<MemberExpr>(around(mention));
        if (member && isa_and_nonnull<CXXMemberCallExpr>(around(*member))) return;
        complain(mention.getLocation(), Message::BlockHandedOn, {mention.getDecl()->getNameAsString()});
    }

    /// Whether only extents are asked for.
    bool asksOnlyShape(const DeclRefExpr& mention) const {
        const auto* member = dyn_cast_or_null<MemberExpr>(around(mention));
        if (!member || !member->getMemberDecl()->getIdentifier()) return false;
        const llvm::StringRef name = member->getMemberDecl()->getName();
        return name == "extent" || name == "size" || name == "rank" || name == "stride" || name == "has";
    }

    void lookAtShared(const DeclRefExpr& mention) {
        if (phase_ || asksOnlyShape(mention)) return;
        complain(mention.getLocation(), Message::OutsidePhase,
                 {"'" + mention.getDecl()->getNameAsString() + "' is shared by the items"}, {0});
    }

    void lookAtOwn(const DeclRefExpr& mention) {
        const std::string name = mention.getDecl()->getNameAsString();
        const Stmt* child = nullptr;
        const Stmt* parent = around(mention, &child);
        if (!phase_) {
            const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(parent);
            const BlockCall kind = call ? blockCall(*call) : BlockCall::None;
            if (kind == BlockCall::Fold || kind == BlockCall::Scan) return;
            return complain(mention.getLocation(), Message::OutsidePhase, {"'" + name + "' is each item's own"}, {0});
        }
        const auto* subscript = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
        const bool isElement = subscript && subscript->getOperator() == OO_Subscript && subscript->getArg(0) == child;
        if (isOnce_)
            complain(mention.getLocation(), Message::OtherItem, {name, "what runs once is for no item"});
        else if (!isElement || !isItem(*subscript->getArg(1)))
            complain(isElement ? subscript->getArg(1)->getExprLoc() : mention.getLocation(), Message::OtherItem,
                     {name, "a phase asks for that of its own item, with the lambda's parameter: " + name + "[" +
                                itemName() + "]"});
    }
    std::string itemName() const {
        const CXXMethodDecl* call = phase_->getCallOperator();
        const std::string name = call->getNumParams() == 1 ? call->getParamDecl(0)->getNameAsString() : "";
        return name.empty() ? "t" : name;
    }
    /// Whether an expression is the phase's item, which nothing changes.
    bool isItem(const Expr& expression) {
        const auto* reference = dyn_cast<DeclRefExpr>(expression.IgnoreUnlessSpelledInSource());
        const CXXMethodDecl* call = phase_->getCallOperator();
        return reference && call->getNumParams() == 1 && reference->getDecl() == call->getParamDecl(0) &&
               isUnchanged(*call->getParamDecl(0));
    }
    /// Whether no code of the phase writes to its parameter.
    bool isUnchanged(const ParmVarDecl& item) {
        class Mentions : public DynamicRecursiveASTVisitor {
          public:
            std::vector<DeclRefExpr*> all;
            bool VisitDeclRefExpr(DeclRefExpr* mention) override {
                all.push_back(mention);
                return true;
            }
        };
        if (item.getType().getNonReferenceType().isConstQualified()) return true;
        const auto [known, isNew] = unchanged_.try_emplace(&item, true);
        if (!isNew) return known->second;
        Mentions mentions;
        mentions.TraverseStmt(phase_->getBody());
        for (const DeclRefExpr* mention : mentions.all)
            if (mention->getDecl() == &item && !isOnlyRead(*mention, parents_)) known->second = false;
        return known->second;
    }

    void lookAtView(const DeclRefExpr& mention, const VarDecl& variable) {
        if (asksOnlyShape(mention)) return;
        const ClassTemplateSpecializationDecl* type = vocabularyType(variable.getType(), "view");
        const bool isConst = type->getTemplateArgs()[0].getAsType().isConstQualified();
        if (!phase_ && !isConst)
            complain(mention.getLocation(), Message::OutsidePhase,
                     {"'" + variable.getNameAsString() + "' can be written to"}, {1});
        const auto* parameter = dyn_cast<ParmVarDecl>(&variable);
        if (!parameter || parameter->getDeclContext() != &body_) return;
        BlockViewUse& use = found_.views[parameter->getFunctionScopeIndex() - 1];
        const auto [reads, writes] = useOf(mention);
        use.isRead |= reads;
        use.isWritten |= writes && !isConst;
    }
    /// What is done to the element of a view or of shared memory around its mention.
    BlockViewUse useOf(const DeclRefExpr& mention) const {
        const Stmt* child = nullptr;
        const auto* element = dyn_cast_or_null<CXXOperatorCallExpr>(around(mention, &child));
        const bool isElement = element && element->getArg(0) == child &&
                               (element->getOperator() == OO_Subscript || element->getOperator() == OO_Call);
        if (!isElement) return {true, true};
        if (isOnlyRead(*element, parents_)) return {true, false};
        const Stmt* parent = parents_.of(*element);
        const auto* assignment = dyn_cast_or_null<BinaryOperator>(parent);
        if (assignment && assignment->getOpcode() == BO_Assign && assignment->getLHS()->IgnoreParens() == element)
            return {false, true};
        const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
        const auto* method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
        if (method && call->getOperator() == OO_Equal && method->isTrivial() &&
            call->getArg(0)->IgnoreParens() == element)
            return {false, true};
        return {true, true};
    }

    const FunctionDecl& body_;
    ASTContext& context_;
    Parents parents_;
    BlockPhases found_;
    llvm::SmallPtrSet<const Stmt*, 16> top_;  // the statements of the body itself
    std::map<const LambdaExpr*, BlockCall> phases_;
    llvm::SmallPtrSet<const LambdaExpr*, 4> generic_;  // phases whose body is not known before it is called
    std::map<const ParmVarDecl*, bool> unchanged_;
    const LambdaExpr* phase_ = nullptr;  // in whose body the visitor is
    bool isOnce_ = false;
    bool inLambda_ = false;  // in one that is no phase, and outside of phases
};

}  // namespace

bool concernsItems(const CXXMemberCallExpr& call) {
    switch (blockCall(call)) {
    case BlockCall::Phase:
    case BlockCall::Fold:
    case BlockCall::Scan:
    case BlockCall::Own:
        return true;
    default:
        return false;
    }
}

const FunctionDecl* calledForItems(const CXXMemberCallExpr& call) {
    const BlockCall kind = blockCall(call);
    if (kind != BlockCall::Phase && kind != BlockCall::Fold && kind != BlockCall::Scan) return nullptr;
    const Expr* last = call.getArg(call.getNumArgs() - 1)->IgnoreUnlessSpelledInSource();
    if (const auto* lambda = dyn_cast<LambdaExpr>(last)) return lambda->getCallOperator();
    const auto* named = dyn_cast<DeclRefExpr>(last);
    return named ? dyn_cast<FunctionDecl>(named->getDecl()) : nullptr;
}

BlockPhases blockPhases(const FunctionDecl& body) { return Visitor(body).take(); }

const FunctionDecl* phaseOf(const CXXMemberCallExpr& call) {
    const BlockCall kind = blockCall(call);
    const LambdaExpr* lambda = kind == BlockCall::Phase || kind == BlockCall::Once ? lambdaOf(call) : nullptr;
    return lambda && !lambda->isGenericLambda() ? lambda->getCallOperator() : nullptr;
}

std::vector<const FunctionDecl*> phasesOfItems(const FunctionDecl& body) {
    class Phases : public DynamicRecursiveASTVisitor {
      public:
        std::vector<const FunctionDecl*> found;
        bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
            const FunctionDecl* phase = phaseOf(*call);
            if (phase && phase->getNumParams() == 1) found.push_back(phase);
            return true;
        }
    };
    Phases phases;
    phases.TraverseStmt(body.getBody());
    return std::move(phases.found);
}

std::uint32_t blockRank(const FunctionDecl& lambda) {
    if (lambda.getNumParams() == 0) return 0;
    const ClassTemplateSpecializationDecl* block = vocabularyType(lambda.getParamDecl(0)->getType(), "block");
    return block ? static_cast<std::uint32_t>(block->getTemplateArgs()[0].getAsIntegral().getZExtValue()) : 0;
}

}  // namespace foldwise
