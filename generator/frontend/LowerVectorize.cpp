// generator/frontend/LowerVectorize.cpp: lowers a foldwise::vectorize(...) to the model: its lambda, its
// signatures and its operands.
#include "CountOperations.hpp"
#include "FloatUses.hpp"
#include "FusedSums.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "OutputNames.hpp"
#include "RandomDraws.hpp"
#include "Spelling.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <utility>

namespace foldwise {

using namespace clang;

namespace {

/// Lowers one vectorize kernel. Its functions return nothing where they have reported an error.
class VectorizeLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    std::optional<VectorizeSignature> lowerSignature(const TypedCall& call, const Callable& callable);
    bool addOutputs(VectorizeSignature& signature, QualType result, const std::vector<std::string>& names,
                    SourceLocation at) const;
};

/// What to write instead of a function that returns nothing: the choice in the message, and the parameter that it
/// names. Parameters that are references and can change are outputs if nothing but assignments mentions them, and
/// pointers to what can change always. Views to what can change are what a forall has.
std::pair<int, llvm::StringRef> adviceWithoutResult(const FunctionDecl& body) {
    enum Advice { several, inPlace, assigned, pointed, anywhere };
    const ParmVarDecl* changed = nullptr;
    for (const ParmVarDecl* parameter : body.parameters()) {
        const QualType type = parameter->getType();
        if (isMutableView(type)) return {anywhere, parameter->getName()};
        if (type->isPointerType() && !type->getPointeeType().isConstQualified()) return {pointed, parameter->getName()};
        if (!type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) continue;
        if (changed || parameter->getName().empty()) return {several, ""};
        changed = parameter;
    }
    if (!changed) return {several, ""};

    // Counts the references to a parameter, and those that assign to it.
    class Mentions : public DynamicRecursiveASTVisitor {
      public:
        explicit Mentions(const ParmVarDecl& parameter) : parameter_(parameter) {}
        int all = 0, assigned = 0;
        bool VisitDeclRefExpr(DeclRefExpr* mention) override {
            all += mention->getDecl() == &parameter_;
            return true;
        }
        bool VisitBinaryOperator(BinaryOperator* operation) override {
            if (operation->getOpcode() == BO_Assign) count(*operation->getLHS());
            return true;
        }
        bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
            if (call->getOperator() == OO_Equal) count(*call->getArg(0));
            return true;
        }

      private:
        void count(const Expr& target) {
            const auto* mention = dyn_cast<DeclRefExpr>(target.IgnoreParenImpCasts());
            assigned += mention && mention->getDecl() == &parameter_;
        }
        const ParmVarDecl& parameter_;
    };
    Mentions mentions(*changed);
    mentions.TraverseStmt(body.getBody());
    const bool isOutput = mentions.all > 0 && mentions.assigned == mentions.all;
    return {isOutput ? assigned : inPlace, changed->getName()};
}

bool VectorizeLowering::addOutputs(VectorizeSignature& signature, QualType result,
                                   const std::vector<std::string>& names, SourceLocation at) const {
    const std::vector<QualType> types = outputTypes(result);
    if (types.empty()) return addOperand(signature.outputs, "out", result, at);
    signature.isTuple = true;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!addOperand(signature.outputs, names[i], types[i], at)) return false;
    return true;
}

std::optional<VectorizeSignature> VectorizeLowering::lowerSignature(const TypedCall& call, const Callable& callable) {
    if (!checkCall(call, callable)) return std::nullopt;
    const FunctionDecl& body = *call.body;
    const bool isWritten = !call.signature.isNull();
    const QualType returned = body.getReturnType();
    const QualType named = call.written.isNull() ? call.signature : call.written;
    const QualType result = isWritten ? named->castAs<FunctionProtoType>()->getReturnType() : returned;
    if (returned->isVoidType()) {
        const auto [advice, changed] = adviceWithoutResult(body);
        complain(body.getLocation(), Message::ReturnsNothing) << name() << wordFor(body) << advice << changed;
        return std::nullopt;
    }
    const std::vector<std::string> names = outputNames(body, outputTypes(result).size());
    beginSignature(&body, names);
    VectorizeSignature signature;
    signature.indexRank = indexRank(body);
    const std::vector<QualType> operands = call.operands(signature.indexRank > 0 ? 1 : 0);
    const std::size_t outputs = std::max<std::size_t>(outputTypes(result).size(), 1);
    if (!checkOperandCount(call.signature, operands.size(), outputs)) return std::nullopt;
    if (signature.indexRank > 0) slicer_.followType(body.getParamDecl(0)->getType());
    const unsigned first = signature.indexRank > 0 ? 1 : 0;  // signatures leave the index out
    if (!addInputs(signature.inputs, body, first, operands)) return std::nullopt;
    if (!call.converts) {
        complain(variable_.getLocation(), Message::NoSuchConversion)
            << name() << quotedResult(returned, context_) << spelling(result, context_) << wordFor(body) << 0;
        return std::nullopt;
    }
    if (!addOutputs(signature, result, names, isWritten ? variable_.getLocation() : body.getLocation()))
        return std::nullopt;
    findFloats(signature.inputs, first, callable, body, operands);
    if (!signature.isTuple) signature.outputs.front().asFloat = isRounded(signature.outputs.front(), callable, body);
    if (!checkOperandSizes(call.signature, signature.inputs, signature.outputs)) return std::nullopt;
    signature.converts = !context_.hasSameUnqualifiedType(returned.getNonReferenceType(), result.getNonReferenceType());
    signature.text = signatureText(signature.inputs, signature.outputs, signature.isTuple);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    signature.operations.add(countConversions(returned, result, context_));
    signature.drawsByNumber = signature.indexRank == 1 && drawsByNumber(body);
    const FusedSums sums = findFusedSums(body);
    const auto writesParts = [](const Operand& output) { return hasParts(output.type); };
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || llvm::any_of(signature.outputs, writesParts));
    slicer_.follow(callable, body, isWritten ? result : QualType());
    return signature;
}

std::optional<KernelSpec> VectorizeLowering::lower() {
    std::optional<KernelSpec> kernel = lowerCalls<VectorizeSpec>(
        {"foldwise::vectorize", "float", "float"},
        [&](const TypedCall& call, const Callable& callable) { return lowerSignature(call, callable); },
        Halves::AsFloats);
    if (!kernel) return std::nullopt;
    auto& spec = kernel->as<VectorizeSpec>();
    std::vector<std::vector<Operand>*> inputs;
    std::vector<Operand*> outputs;
    for (VectorizeSignature& signature : spec.signatures) {
        inputs.push_back(&signature.inputs);
        for (Operand& output : signature.outputs) outputs.push_back(&output);
    }
    settleFloats(spec.body, inputs, spec.signatures.front().indexRank > 0 ? 1 : 0, outputs);
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerVectorize(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return VectorizeLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
