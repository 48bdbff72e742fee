// generator/frontend/LowerVectorize.cpp: takes a vectorize kernel apart: its lambda, its signatures, its operands.
#include "LowerVectorize.hpp"

#include "CountOperations.hpp"
#include "Names.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/RawCommentList.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/TypeLoc.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

namespace {

/// What the vocabulary header's typed_call knows of one signature.
struct TypedCall {
    QualType signature;                  ///< The function type in `vectorize<...>`; null if the lambda is its own.
    const FunctionDecl* body = nullptr;  ///< The lambda's call operator with these types, or null: no such call.
    bool converts = true;                ///< Whether what it returns becomes the signature's result.
};

class VectorizeLowering {
  public:
    VectorizeLowering(const KernelSite& site, ASTContext& context, Slicer& slicer, Slicer& header)
        : variable_(*site.variable), type_(*site.type), context_(context), slicer_(slicer), header_(header) {}

    std::optional<KernelSpec> lower();

  private:
    bool checkLambda() const;
    std::vector<TypedCall> typedCalls() const;
    std::optional<Signature> lowerSignature(const TypedCall& call);
    bool addOperand(std::vector<Operand>& operands, std::string name, QualType type, SourceLocation at) const;
    bool addOutputs(Signature& signature, QualType result, SourceLocation at) const;
    Body lowerBody(const FunctionDecl& pattern) const;
    std::string comment() const;

    DiagnosticBuilder complain(SourceLocation at, Message message) const {
        return report(context_.getDiagnostics(), at, message);
    }
    std::string name() const { return variable_.getNameAsString(); }

    const VarDecl& variable_;
    const ClassTemplateSpecializationDecl& type_;
    ASTContext& context_;
    Slicer& slicer_;
    Slicer& header_;
    const CXXRecordDecl* lambda_ = nullptr;
};

bool VectorizeLowering::checkLambda() const {
    if (!lambda_ || !lambda_->isLambda()) {
        complain(variable_.getLocation(), Message::NotALambda) << name();
        return false;
    }
    if (!variable_.isFileVarDecl() || variable_.isStaticDataMember()) {
        complain(variable_.getLocation(), Message::NotAtNamespaceScope) << name();
        return false;
    }
    if (lambda_->captures_begin() != lambda_->captures_end()) {
        complain(lambda_->captures_begin()->getLocation(), Message::Captures) << name();
        return false;
    }
    return checkNames(variable_);
}

/// The call of the lambda in typed_call::instantiate, whichever way the header typed it.
class LambdaCall : public RecursiveASTVisitor<LambdaCall> {
  public:
    explicit LambdaCall(const CXXRecordDecl* lambda) : lambda_(lambda->getCanonicalDecl()) {}
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) {
        const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
        if (method && method->getParent()->getCanonicalDecl() == lambda_) callee = method;
        return true;
    }
    const FunctionDecl* callee = nullptr;

  private:
    const CXXRecordDecl* lambda_;
};

/// All bases of a class template's specialization with this name, found depth first.
static void collectBases(const CXXRecordDecl& record, llvm::StringRef name,
                         std::vector<const ClassTemplateSpecializationDecl*>& found) {
    for (const CXXBaseSpecifier& base : record.bases()) {
        const auto* type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(base.getType()->getAsCXXRecordDecl());
        if (!type) continue;
        if (type->getName() == name)
            found.push_back(type);
        else
            collectBases(*type, name, found);
    }
}

/// The value of a std::bool_constant.
static bool constantOf(QualType type) {
    const auto* constant = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    return constant && constant->getTemplateArgs()[1].getAsIntegral().getBoolValue();
}

std::vector<TypedCall> VectorizeLowering::typedCalls() const {
    std::vector<const ClassTemplateSpecializationDecl*> bases;
    collectBases(type_, "typed_call", bases);
    std::vector<TypedCall> calls;
    for (const ClassTemplateSpecializationDecl* base : bases) {
        TypedCall call{base->getTemplateArgs()[1].getAsType()};
        for (const CXXMethodDecl* method : base->methods()) {
            if (!method->getIdentifier() || method->getName() != "instantiate") continue;
            LambdaCall finder(lambda_);
            const FunctionDecl* definition = nullptr;
            if (method->isDefined(definition)) finder.TraverseDecl(const_cast<FunctionDecl*>(definition));
            call.body = finder.callee;
        }
        for (const Decl* member : base->decls())
            if (const auto* alias = dyn_cast<TypeAliasDecl>(member); alias && alias->getName() == "converts")
                call.converts = constantOf(alias->getUnderlyingType());
        calls.push_back(call);
    }
    if (calls.empty()) calls.push_back({QualType(), lambda_->getLambdaCallOperator()});
    return calls;
}

bool VectorizeLowering::addOperand(std::vector<Operand>& operands, std::string operandName, QualType type,
                                   SourceLocation at) const {
    std::string reason;
    std::optional<ElementType> element = elementType(type, context_, reason);
    if (!element) {
        complain(at, Message::UnsupportedElement) << spelling(type.getNonReferenceType(), context_) << reason;
        return false;
    }
    operands.push_back({std::move(operandName), std::move(*element)});
    if (!checkTypeName(type, variable_)) return false;
    slicer_.followType(type);
    header_.followType(type);
    return true;
}

bool VectorizeLowering::addOutputs(Signature& signature, QualType result, SourceLocation at) const {
    const std::vector<QualType> types = outputTypes(result);
    if (types.empty()) return addOperand(signature.outputs, "out", result, at);
    signature.isTuple = true;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!addOperand(signature.outputs, "out" + std::to_string(i), types[i], at)) return false;
    return true;
}

/// The axes of the foldwise::index that a lambda takes first; 0 if it takes none.
static std::uint32_t indexRank(const FunctionDecl& lambda) {
    if (lambda.getNumParams() == 0) return 0;
    const QualType type = lambda.getParamDecl(0)->getType().getNonReferenceType();
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!special || special->getQualifiedNameAsString() != "foldwise::index") return 0;
    return static_cast<std::uint32_t>(special->getTemplateArgs()[0].getAsIntegral().getZExtValue());
}

static std::string signatureText(const Signature& signature) {
    std::string text;
    llvm::ListSeparator outputComma, comma;
    for (const Operand& output : signature.outputs) text += (llvm::StringRef(outputComma) + output.type.name).str();
    if (signature.isTuple) text = "std::tuple<" + text + ">";
    text += "(";
    for (const Operand& input : signature.inputs)
        text += (llvm::StringRef(comma) + input.type.name + " " + input.name).str();
    return text + ")";
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
    for (unsigned i = 0; i < (written ? operands : body.getNumParams() - first); ++i) {
        const ParmVarDecl& parameter = *body.getParamDecl(first + i);
        const QualType type = written ? written->getParamType(i) : parameter.getType();
        std::string operandName = parameter.getNameAsString();
        if (operandName.empty()) operandName = "operand" + std::to_string(i);
        if (!addOperand(signature.inputs, std::move(operandName), type, parameter.getLocation())) return std::nullopt;
    }
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

/// Whether a lambda has parentheses: `[] { return 1; }` has none, and Clang then gives them the introducer's place.
static bool hasParameterList(const FunctionDecl& lambda) {
    const auto type = lambda.getFunctionTypeLoc();
    const SourceManager& sources = lambda.getASTContext().getSourceManager();
    return type.getLParenLoc().isValid() &&
           *sources.getCharacterData(sources.getSpellingLoc(type.getLParenLoc())) == '(';
}

Body VectorizeLowering::lowerBody(const FunctionDecl& pattern) const {
    Body body;
    SourceLocation begin = pattern.getBody()->getBeginLoc();
    if (const auto type = pattern.getFunctionTypeLoc(); type && hasParameterList(pattern)) {
        begin = type.getLParenLoc();
        body.parameters = slicer_.sliceText({begin, type.getRParenLoc()});
        const SourceRange result = type.getReturnLoc().getSourceRange();
        const SourceManager& sources = context_.getSourceManager();
        if (result.isValid() && sources.isBeforeInTranslationUnit(type.getRParenLoc(), result.getBegin()))
            body.resultType = slicer_.sliceText(result);
    } else {
        body.parameters = "()";
    }
    if (const TemplateParameterList* list = lambda_->getGenericLambdaTemplateParameterList();
        list && list->getLAngleLoc().isValid()) {
        begin = list->getLAngleLoc();
        body.templateParameters = slicer_.sliceText({begin, list->getRAngleLoc()});
    }
    Slicer::Slice block = slicer_.sliceBlock(*pattern.getBody());
    body.block = std::move(block.text);
    body.marks = std::move(block.marks);
    body.place = slicer_.placeOf(begin);
    return body;
}

std::string VectorizeLowering::comment() const {
    const SourceManager& sources = context_.getSourceManager();
    const auto [file, begin] = sources.getDecomposedExpansionLoc(variable_.getBeginLoc());
    const auto* comments = context_.Comments.getCommentsInFile(file);
    if (!comments || comments->empty() || comments->begin()->first >= begin) return "";
    const RawComment& above = *std::prev(comments->lower_bound(begin))->second;
    const llvm::StringRef text = sources.getBufferData(file);
    const unsigned starts = sources.getFileOffset(above.getBeginLoc()), ends = sources.getFileOffset(above.getEndLoc());
    const llvm::StringRef between = text.slice(ends, begin), before = text.take_front(starts);
    // It stands on lines of its own, and nothing is between it and the variable.
    const bool isDirectlyAbove = between.count('\n') <= 1 && between.find_first_of(";{}#") == llvm::StringRef::npos;
    const bool beginsLine = before.substr(before.rfind('\n') + 1).trim().empty();
    return isDirectlyAbove && beginsLine ? above.getFormattedText(sources, context_.getDiagnostics()) : "";
}

std::optional<KernelSpec> VectorizeLowering::lower() {
    lambda_ = type_.getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
    if (!checkLambda()) return std::nullopt;

    const std::vector<TypedCall> calls = typedCalls();
    if (calls.front().signature.isNull() && lambda_->isGenericLambda()) {
        complain(variable_.getLocation(), Message::GenericWithoutTypes) << name();
        return std::nullopt;
    }
    slicer_.begin();
    KernelSpec kernel;
    kernel.name = name();
    kernel.place = slicer_.placeOf(variable_.getLocation());
    kernel.comment = comment();
    kernel.namespaces = namespacesOf(variable_);

    llvm::SmallPtrSet<const Type*, 8> seen;
    for (const TypedCall& call : calls) {
        if (!call.signature.isNull() && !seen.insert(call.signature.getCanonicalType().getTypePtr()).second) {
            complain(variable_.getLocation(), Message::DuplicateSignature)
                << spelling(call.signature, context_) << kernel.name;
            return std::nullopt;
        }
        std::optional<Signature> signature = lowerSignature(call);
        if (!signature) return std::nullopt;
        kernel.signatures.push_back(std::move(*signature));
    }
    kernel.body = lowerBody(*lambda_->getLambdaCallOperator());
    kernel.carried = slicer_.carried();
    kernel.library = slicer_.library();
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerVectorize(const KernelSite& site, ASTContext& context, Slicer& slicer, Slicer& header) {
    return VectorizeLowering(site, context, slicer, header).lower();
}

}  // namespace foldwise
