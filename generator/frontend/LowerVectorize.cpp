// generator/frontend/LowerVectorize.cpp: takes a vectorize kernel apart: its lambda, its signatures, its operands.
#include "LowerVectorize.hpp"

#include "CountOperations.hpp"
#include "Lowering.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

namespace foldwise {

using namespace clang;

namespace {

/// What the vocabulary header's typed_call knows of one signature.
struct TypedCall {
    QualType signature;                  ///< The function type in `vectorize<...>`; null if the lambda is its own.
    const FunctionDecl* body = nullptr;  ///< The lambda's call operator with these types, or null: no such call.
    bool converts = true;                ///< Whether what it returns becomes the signature's result.
};

class VectorizeLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    std::vector<TypedCall> typedCalls() const;
    std::optional<Signature> lowerSignature(const TypedCall& call);
    bool addOutputs(Signature& signature, QualType result, SourceLocation at) const;

    const CXXRecordDecl* lambda_ = nullptr;
};

std::vector<TypedCall> VectorizeLowering::typedCalls() const {
    std::vector<TypedCall> calls;
    for (const ClassTemplateSpecializationDecl* base : basesNamed(type_, "typed_call"))
        calls.push_back(
            {base->getTemplateArgs()[1].getAsType(), calledIn(*base, *lambda_), constantIn(*base, "converts")});
    if (calls.empty()) calls.push_back({QualType(), lambda_->getLambdaCallOperator()});
    return calls;
}

bool VectorizeLowering::addOutputs(Signature& signature, QualType result, SourceLocation at) const {
    const std::vector<QualType> types = outputTypes(result);
    if (types.empty()) return addOperand(signature.outputs, "out", result, at);
    signature.isTuple = true;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!addOperand(signature.outputs, "out" + std::to_string(i), types[i], at)) return false;
    return true;
}

std::optional<Signature> VectorizeLowering::lowerSignature(const TypedCall& call) {
    const auto* written = call.signature.isNull() ? nullptr : call.signature->getAs<FunctionProtoType>();
    const unsigned operands = written ? written->getNumParams() : 0;
    const std::uint32_t axes = call.body ? indexRank(*call.body) : 0;
    const unsigned first = axes > 0 ? 1 : 0;  // signatures leave the index out
    // A parameter too many may have been taken for an index, which converts to numbers; only a default can stand for
    // it.
    if (!call.body || (written && call.body->getMinRequiredArguments() > first + operands)) {
        complain(variable_.getLocation(), Message::NoSuchCall) << name() << spelling(call.signature, context_);
        return std::nullopt;
    }
    const FunctionDecl& body = *call.body;
    const QualType returned = body.getReturnType(), result = written ? written->getReturnType() : returned;
    if (returned->isVoidType()) {
        complain(body.getLocation(), Message::ReturnsNothing) << name();
        return std::nullopt;
    }
    Signature signature;
    signature.indexRank = axes;
    if (axes > 0) slicer_.followType(body.getParamDecl(0)->getType());
    std::vector<QualType> types;
    for (unsigned i = 0; i < (written ? operands : body.getNumParams() - first); ++i)
        types.push_back(written ? written->getParamType(i) : body.getParamDecl(first + i)->getType());
    if (!addInputs(signature, body, first, types)) return std::nullopt;
    if (!call.converts) {
        complain(variable_.getLocation(), Message::NoSuchConversion)
            << name() << spelling(returned, context_) << spelling(result, context_);
        return std::nullopt;
    }
    if (!addOutputs(signature, result, written ? variable_.getLocation() : body.getLocation())) return std::nullopt;
    signature.converts = !context_.hasSameUnqualifiedType(returned.getNonReferenceType(), result.getNonReferenceType());
    signature.text = signatureText(signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    signature.operations.add(countConversions(returned, result, context_));
    slicer_.follow(body, written ? result : QualType());
    return signature;
}

std::optional<KernelSpec> VectorizeLowering::lower() {
    const QualType lambda = type_.getTemplateArgs()[0].getAsType();
    lambda_ = lambda->getAsCXXRecordDecl();
    if (!checkLambda(lambda, variable_.getLocation())) return std::nullopt;
    std::optional<KernelSpec> kernel = begin(Pattern::Vectorize);
    if (!kernel) return std::nullopt;

    const std::vector<TypedCall> calls = typedCalls();
    if (calls.front().signature.isNull() && lambda_->isGenericLambda()) {
        complain(variable_.getLocation(), Message::GenericWithoutTypes) << name();
        return std::nullopt;
    }
    llvm::SmallPtrSet<const Type*, 8> seen;
    for (const TypedCall& call : calls) {
        if (!call.signature.isNull() && !isNew(call.signature, seen)) return std::nullopt;
        std::optional<Signature> signature = lowerSignature(call);
        if (!signature) return std::nullopt;
        kernel->signatures.push_back(std::move(*signature));
    }
    kernel->body = lowerBody(*lambda_);
    kernel->carried = slicer_.carried();
    kernel->library = slicer_.library();
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerVectorize(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return VectorizeLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
