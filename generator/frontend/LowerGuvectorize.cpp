// generator/frontend/LowerGuvectorize.cpp: lowers a foldwise::guvectorize(...) to the model: its layout, its lambda and
// its operands.
#include "CoreLayout.hpp"
#include "CountOperations.hpp"
#include "FusedSums.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "OverwrittenCores.hpp"
#include "ParallelCores.hpp"
#include "Spelling.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

class GuvectorizeLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    bool takesViews() const override { return true; }
    std::optional<Callable> callable() const;
    std::optional<CoreLayout> layout() const;
    bool checkBody(const FunctionDecl& body, const CoreLayout& layout) const;
    std::optional<CoreOperand> lowerOperand(const ParmVarDecl& parameter, unsigned number,
                                            const CoreLayout& layout) const;
    std::optional<GuvectorizeSignature> lowerSignature(const FunctionDecl& body, const Callable& callable,
                                                       const CoreLayout& layout);
    bool checkSizes(const GuvectorizeSignature& signature) const;

    const Expr* argument(unsigned number) const {
        const CallExpr* made = kernelCall(variable_);
        return made && made->getNumArgs() == 2 ? made->getArg(number) : nullptr;
    }
};

std::optional<Callable> GuvectorizeLowering::callable() const { return callableOf(argument(1)); }

/// The literal that a layout is written as, whatever the compiler adds to it.
const StringLiteral* literalOf(const Expr* written) {
    return written ? dyn_cast<StringLiteral>(written->IgnoreParenImpCasts()) : nullptr;
}

std::optional<CoreLayout> GuvectorizeLowering::layout() const {
    const Expr* written = argument(0);
    const StringLiteral* literal = literalOf(written);
    if (!literal || !literal->isOrdinary()) {
        complain(written ? written->getExprLoc() : variable_.getLocation(), Message::LayoutNotLiteral) << name();
        return std::nullopt;
    }
    const std::variant<CoreLayout, LayoutMistake> read = readLayout(literal->getString());
    if (const auto* found = std::get_if<CoreLayout>(&read)) return *found;
    const auto& mistake = std::get<LayoutMistake>(read);
    const SourceLocation at =
        mistake.at < literal->getLength()
            ? literal->getLocationOfByte(static_cast<unsigned>(mistake.at), context_.getSourceManager(),
                                         context_.getLangOpts(), context_.getTargetInfo())
        : mistake.at > 0 && !literal->containsNonAsciiOrNull()
            ? literal
                  ->getLocationOfByte(static_cast<unsigned>(literal->getLength() - 1), context_.getSourceManager(),
                                      context_.getLangOpts(), context_.getTargetInfo())
                  .getLocWithOffset(1)
            : literal->getBeginLoc();
    complain(at, Message::LayoutSyntax) << name() << mistake.text;
    return std::nullopt;
}

bool GuvectorizeLowering::checkBody(const FunctionDecl& body, const CoreLayout& layout) const {
    if (!body.getReturnType()->isVoidType()) {
        complain(body.getLocation(), Message::ItemReturns)
            << name() << spelling(body.getReturnType(), context_) << wordFor(body);
        return false;
    }
    if (body.getNumParams() == layout.operands.size()) return true;
    complain(body.getLocation(), Message::LayoutOperands)
        << name() << static_cast<unsigned>(layout.operands.size()) << body.getNumParams() << wordFor(body);
    return false;
}

/// "const view" and its like: what a parameter is to be, for messages.
std::string wantedType(const CoreOperand& operand, bool isView) {
    const auto rank = static_cast<std::uint32_t>(operand.dimensions.size());
    const std::string& element = operand.type.text();
    if (rank > 0) return "foldwise::" + viewText(element, rank, !operand.isOutput);
    return operand.isOutput ? element + "&" : isView ? element : "const " + element + "&";
}

std::optional<CoreOperand> GuvectorizeLowering::lowerOperand(const ParmVarDecl& parameter, unsigned number,
                                                             const CoreLayout& layout) const {
    CoreOperand operand;
    operand.name = operandName(parameter, number);
    operand.dimensions = layout.operands[number];
    operand.isOutput = number >= layout.inputs;
    const QualType type = parameter.getType();
    std::optional<ParameterType> lowered = lowerParameterType(type, parameter.getLocation());
    if (!lowered) return std::nullopt;
    operand.type = std::move(lowered->element);
    const bool isView = lowered->rank > 0;
    const bool canWrite =
        isView ? !lowered->isConst : type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
    const bool isMutableView = isView && type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
    if (lowered->rank == operand.dimensions.size() && canWrite == operand.isOutput && !isMutableView) return operand;
    complain(parameter.getLocation(), Message::LayoutParameter)
        << operand.name << name() << spelling(type, context_) << (operand.isOutput ? 1 : 0)
        << layoutText(operand, layout.dimensions) << wantedType(operand, isView);
    return std::nullopt;
}

bool GuvectorizeLowering::checkSizes(const GuvectorizeSignature& signature) const {
    if (signature.operands.size() > detail::max_operands) {
        complain(variable_.getLocation(), Message::TooManyParameters)
            << name() << "operands"
            << "they are " + std::to_string(signature.operands.size()) + ", and there is room for " +
                   std::to_string(detail::max_operands);
        return false;
    }
    std::uint64_t bytes = detail::launch_bytes;
    for (const CoreOperand& operand : signature.operands) {
        const std::uint64_t alignment = std::max<std::uint32_t>(operand.type.alignment, 8);
        const std::uint64_t own = operand.dimensions.empty() ? operand.type.size : 16 * operand.dimensions.size();
        bytes += 8 * (1 + detail::max_axes) + (own + alignment - 1) / alignment * alignment;
    }
    if (bytes <= detail::kernel_parameter_bytes) return true;
    complain(variable_.getLocation(), Message::TooManyParameters)
        << name() << "operands"
        << "they take " + std::to_string(bytes) + " bytes, and there is room for " +
               std::to_string(detail::kernel_parameter_bytes);
    return false;
}

/// "void(view<const double, 2> a, double& norm), (m,n)->()", for people.
std::string itemText(const GuvectorizeSignature& signature) {
    std::string text = "void(", layout;
    bool hasArrow = false;
    for (const CoreOperand& operand : signature.operands) {
        if (text.size() > 5) text += ", ";
        text += typeText(operand) + " " + operand.name;
        const bool isFirstOutput = operand.isOutput && !hasArrow;
        layout += (isFirstOutput ? "->" : layout.empty() ? "" : ",") + layoutText(operand, signature.dimensions);
        hasArrow |= isFirstOutput;
    }
    return text + "), " + layout;
}

std::optional<GuvectorizeSignature>
GuvectorizeLowering::lowerSignature(const FunctionDecl& body, const Callable& callable, const CoreLayout& layout) {
    if (!checkBody(body, layout)) return std::nullopt;
    beginSignature(&body);
    GuvectorizeSignature signature;
    signature.dimensions = layout.dimensions;
    for (unsigned i = 0; i < body.getNumParams(); ++i) {
        std::optional<CoreOperand> operand = lowerOperand(*body.getParamDecl(i), i, layout);
        if (!operand) return std::nullopt;
        signature.operands.push_back(std::move(*operand));
    }
    const std::vector<bool> overwritten = findOverwritten(body, layout);
    for (std::size_t i = 0; i < overwritten.size(); ++i) signature.operands[i].isOverwritten = overwritten[i];
    const std::vector<bool> parallel = findParallel(body, layout);
    for (std::size_t i = 0; i < parallel.size(); ++i) signature.dimensions[i].isParallel = parallel[i];
    if (!checkSizes(signature)) return std::nullopt;
    signature.text = itemText(signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    const FusedSums sums = findFusedSums(body);
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || sums.storesNeighbours);
    slicer_.follow(callable, body);
    return signature;
}

/// The call that a kernel would be made by with types, behind its lambda if types cannot be given to the one that is
/// written, such as one whose parameters are auto.
std::string exampleOf(const Callable& callable, const CoreLayout& layout) {
    const std::string keyword = "foldwise::guvectorize<float, double>";
    const FunctionDecl* generic = callable.genericCall();
    const FunctionTemplateDecl* written = generic ? generic->getDescribedFunctionTemplate() : nullptr;
    if (!written || generic->getNumParams() != layout.operands.size()) return keyword;
    const TemplateParameterList& parameters = *written->getTemplateParameters();
    const auto* first = dyn_cast<TemplateTypeParmDecl>(parameters.getParam(0));
    if (parameters.size() == 1 && first && !first->isImplicit()) return keyword;
    std::string text;
    llvm::ListSeparator comma;
    for (unsigned i = 0; i < layout.operands.size(); ++i) {
        const std::size_t axes = layout.operands[i].size();
        const bool isOutput = i >= layout.inputs;
        text += llvm::StringRef(comma).str();
        text += axes > 0 ? "foldwise::" + viewText("T", static_cast<unsigned>(axes), !isOutput) : isOutput ? "T&" : "T";
        text += " " + generic->getParamDecl(i)->getName().str();
    }
    return "[]<class T>(" + text + ") { ... } and " + keyword;
}

std::optional<KernelSpec> GuvectorizeLowering::lower() {
    const std::optional<Callable> called = callable();
    std::optional<KernelSpec> kernel = called ? begin() : std::nullopt;
    if (!kernel) return std::nullopt;
    const std::optional<CoreLayout> found = layout();
    if (!found) return std::nullopt;
    const std::vector<const FunctionDecl*> all = typedItems(*called, exampleOf(*called, *found));
    if (all.empty()) return std::nullopt;
    GuvectorizeSpec spec;
    std::vector<QualType> types;
    for (const FunctionDecl* body : all) {
        std::optional<GuvectorizeSignature> signature = lowerSignature(*body, *called, *found);
        types.push_back(body->getType());
        if (!signature || !checkClash(spec.signatures, *signature, types)) return std::nullopt;
        spec.signatures.push_back(std::move(*signature));
    }
    spec.body = lowerBody(*called);
    return finish(std::move(*kernel), std::move(spec));
}

}  // namespace

std::optional<KernelSpec> lowerGuvectorize(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return GuvectorizeLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
