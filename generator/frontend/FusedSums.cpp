// generator/frontend/FusedSums.cpp: searches bodies for sums of products that vectorisers combine.
#include "FusedSums.hpp"

#include "RunTimeVisitor.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using namespace clang;

/// Whether a type is an array, or a class with one in it.
static bool holdsArray(QualType type) {
    type = type.getCanonicalType();
    if (type->isArrayType()) return true;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition()) return false;
    return llvm::any_of(record->fields(), [](const FieldDecl* field) { return holdsArray(field->getType()); }) ||
           llvm::any_of(record->bases(), [](const CXXBaseSpecifier& base) { return holdsArray(base.getType()); });
}

/// Whether an assignment's left side is a local variable, or a member of one.
static bool isLocal(const Expr* e) {
    e = e->IgnoreParenImpCasts();
    while (const auto* member = dyn_cast<MemberExpr>(e)) {
        if (member->isArrow()) return false;
        e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* reference = dyn_cast<DeclRefExpr>(e);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType();
}

namespace {

class Walk : public RunTimeVisitor {
  public:
    explicit Walk(const ASTContext& context) : RunTimeVisitor(context) {}

    void enter(const FunctionDecl& function) {
        const FunctionDecl* definition = definitionOf(function);
        if (!definition || !entered_.insert(definition).second) return;
        ++depth_;
        visitBody(*definition);
        --depth_;
    }
    FusedSums result() const { return {multiplies_ && adds_ && subtracts_, hasArrays_, stores_ > 1}; }

    bool VisitVarDecl(VarDecl* variable) override {
        hasArrays_ |= holdsArray(variable->getType());
        return true;
    }
    bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr* e) override {
        hasArrays_ |= holdsArray(e->getType());
        return true;
    }
    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->isAssignmentOp()) store(*e->getLHS());
        BinaryOperatorKind operation = e->getOpcode();
        QualType type = e->getType();
        if (const auto* compound = dyn_cast<CompoundAssignOperator>(e)) {
            operation = BinaryOperator::getOpForCompoundAssignment(operation);
            type = compound->getComputationResultType();
        }
        if (!type->isFloatingType()) return true;  // which complex numbers are
        const bool isProductOfComplex = type->isAnyComplexType() && (operation == BO_Mul || operation == BO_Div);
        multiplies_ |= operation == BO_Mul || operation == BO_Div;  // of a constant the reciprocal may be exact
        adds_ |= operation == BO_Add || isProductOfComplex;
        subtracts_ |= operation == BO_Sub || isProductOfComplex;
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) override {
        if (e->isIncrementDecrementOp()) store(*e->getSubExpr());
        if (!e->getType()->isFloatingType()) return true;
        adds_ |= e->isIncrementOp();
        subtracts_ |= e->isDecrementOp() || e->getOpcode() == UO_Minus;  // a + -b
        return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (e->isAssignmentOp() && !isLocal(e->getArg(0))) stores_ += 2;  // of a class: its members
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        if (const FunctionDecl* callee = e->getDirectCallee()) enter(*callee);
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        enter(*e->getConstructor());
        return true;
    }

  private:
    /// A loop, or a function, may write several elements in one place.
    void store(const Expr& to) {
        if (!isLocal(&to)) stores_ += isInLoop() || depth_ > 1 ? 2 : 1;
    }

    llvm::SmallPtrSet<const FunctionDecl*, 16> entered_;
    int depth_ = 0;
    int stores_ = 0;
    bool multiplies_ = false, adds_ = false, subtracts_ = false, hasArrays_ = false;
};

}  // namespace

void FusedSums::add(const FusedSums& other) {
    addsProducts |= other.addsProducts;
    hasArrays |= other.hasArrays;
    storesNeighbours |= other.storesNeighbours;
}

FusedSums findFusedSums(const FunctionDecl& body) {
    Walk walk(body.getASTContext());
    walk.enter(body);
    return walk.result();
}

bool hasParts(const ElementType& type) {
    return type.kind == TypeKind::Complex || type.kind == TypeKind::Structure || type.kind == TypeKind::Tuple;
}

}  // namespace foldwise
