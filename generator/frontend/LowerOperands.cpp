// generator/frontend/LowerOperands.cpp: lowers a body's parameters and results to the model: elements, values and
// views.
#include "Lowering.hpp"

#include "HostArrays.hpp"
#include "Names.hpp"
#include "Spelling.hpp"
#include "Types.hpp"
#include "Vocabulary.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

/// Why nothing can be assigned to values of a class, or nothing.
static std::string whyNotAssigned(CXXRecordDecl& record, Sema& sema) {
    const CXXMethodDecl* assignment = sema.LookupCopyingAssignment(&record, Qualifiers::Const, /*RValueThis=*/false, 0);
    if (assignment && !assignment->isDeleted()) return "";
    for (const FieldDecl* member : record.fields())
        if (member->getType().isConstQualified() || member->getType()->isReferenceType())
            return "its member '" + member->getNameAsString() + "' is " +
                   (member->getType()->isReferenceType() ? "a reference" : "const") +
                   ", and elements and accumulators are assigned to";
    return "it has no copy assignment, and elements and accumulators are assigned to";
}

std::optional<ElementType> Lowering::valueType(QualType type, SourceLocation at, std::string& reason,
                                               Tuples tuples) const {
    // No call of a lambda that takes a reference has to know the class, so that a template's may be no class yet.
    (void)sema_.isCompleteType(at, type.getNonReferenceType());
    std::optional<ElementType> value = elementType(type, context_, reason, tuples);
    CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    if (!value || !record) return value;
    reason = whyNotAssigned(*record, sema_);
    return reason.empty() ? value : std::nullopt;
}

std::optional<ElementType> Lowering::lowerElement(QualType type, SourceLocation at, Tuples tuples,
                                                  llvm::StringRef instead) const {
    std::string reason;
    std::optional<ElementType> element = valueType(type, at, reason, tuples);
    if (!element) {
        complain(at, Message::UnsupportedElement)
            << spelling(type.getNonReferenceType(), context_) << reason + instead.str() << 0;
        return std::nullopt;
    }
    if (!checkTypeName(type, variable_)) return std::nullopt;
    if (holdsPointer(type) && pointersTold_.insert(at).second)
        complain(at, Message::HostPointer) << spelling(type.getNonReferenceType(), context_)
                                           << (!instead.empty() ? 2
                                               : takesViews()   ? 1
                                                                : 0)
                                           << instead;
    slicer_.followType(type, at);
    header_.followType(type);
    addAlias(*element, type);
    if (!nameApart(*element, type)) return std::nullopt;
    return element;
}

/// The template arguments of a foldwise::view of fixed rank, or null for other types.
static const TemplateArgumentList* viewArguments(QualType type) {
    const auto* view = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    const bool isView = view && view->getQualifiedNameAsString() == "foldwise::view";
    return isView && view->getTemplateArgs()[1].getAsIntegral().isStrictlyPositive() ? &view->getTemplateArgs()
                                                                                     : nullptr;
}

bool isFixedView(QualType type) { return viewArguments(type.getNonReferenceType()) != nullptr; }

bool isMutableView(QualType type) {
    const TemplateArgumentList* view = viewArguments(type.getNonReferenceType());
    return view && !view->get(0).getAsType().isConstQualified();
}

std::optional<Lowering::ParameterType> Lowering::lowerParameterType(QualType type, SourceLocation at) const {
    ParameterType lowered;
    QualType elements = type.getNonReferenceType().getUnqualifiedType();
    (void)sema_.isCompleteType(at, elements);
    if (const TemplateArgumentList* view = viewArguments(elements)) {
        slicer_.followType(elements, at);
        lowered.rank = static_cast<std::uint32_t>(view->get(1).getAsIntegral().getZExtValue());
        lowered.isConst = view->get(0).getAsType().isConstQualified();
        const auto* written = elements->getAsNonAliasTemplateSpecializationType();
        elements = written ? written->template_arguments()[0].getAsType() : view->get(0).getAsType();
        if (elements.isVolatileQualified()) {
            complain(at, Message::UnsupportedElement)
                << "volatile " + spelling(elements, context_)
                << "views have plain elements, which tasks share through std::atomic_ref, of <atomic>" << 0;
            return std::nullopt;
        }
        elements = elements.getUnqualifiedType();
    }
    const std::string instead = insteadOfHostArray(type, takesViews(), context_);
    std::string reason;
    if (takesViews() && !instead.empty() && hostArrayOf(type) && !elementType(elements, context_, reason)) {
        complain(at, Message::UnsupportedElement)
            << spelling(type.getNonReferenceType(), context_) << "the arrays of a kernel are views" + instead << 1;
        return std::nullopt;
    }
    std::optional<ElementType> element = lowerElement(elements, at, Tuples::AreOperands, instead);
    if (!element) return std::nullopt;
    lowered.element = std::move(*element);
    return lowered;
}

std::string Lowering::operandName(const ParmVarDecl& parameter, unsigned number) const {
    return parameter.getName().empty() ? "operand" + std::to_string(number) : parameter.getNameAsString();
}

void Lowering::complainOfReference(const ParmVarDecl& parameter) const {
    if (complainOfHostArray(parameter)) return;
    complain(parameter.getLocation(), Message::MutableReference)
        << operandName(parameter, parameter.getFunctionScopeIndex()) << name() << (takesViews() ? 0 : 1);
}

bool Lowering::checkParameters(const FunctionDecl& body) const {
    bool areAll = true;
    for (const ParmVarDecl* parameter : body.parameters()) {
        const QualType type = parameter->getType();
        const bool isWritten = type->isReferenceType() && !type->getPointeeType().isConstQualified();
        if (isWritten) complainOfReference(*parameter);
        if (isWritten || complainOfHostArray(*parameter)) areAll = false;
    }
    return areAll;
}

bool Lowering::complainOfHostArray(const ParmVarDecl& parameter) const {
    return hostArrayOf(parameter.getType()) && !lowerParameterType(parameter.getType(), parameter.getLocation());
}

bool Lowering::addOperand(std::vector<Operand>& operands, std::string name, QualType type, SourceLocation at,
                          Tuples tuples) const {
    std::optional<ElementType> element = lowerElement(type, at, tuples);
    if (element) operands.push_back({std::move(name), std::move(*element)});
    return element.has_value();
}

bool Lowering::addInputs(std::vector<Operand>& inputs, const FunctionDecl& body, unsigned first,
                         llvm::ArrayRef<QualType> types) const {
    bool areAll = true;
    for (unsigned i = 0; i < types.size(); ++i) {
        const ParmVarDecl& parameter = *body.getParamDecl(first + i);
        const QualType type = parameter.getType();
        if (type->isReferenceType() && !type->getPointeeType().isConstQualified()) {
            complainOfReference(parameter);
            areAll = false;
            continue;
        }
        if (first == 0 && isIndex(types[i])) {
            complain(parameter.getLocation(), Message::UnsupportedElement)
                << spelling(types[i], context_)
                << "it is the place of an element, and a kernel takes it as its first parameter" << 0;
            return false;
        }
        std::optional<ParameterType> lowered = lowerParameterType(types[i], parameter.getLocation());
        if (!lowered) {
            areAll = false;
            continue;  // to tell of the others, too
        }
        if (lowered->rank > 0 && !lowered->isConst) {
            complain(parameter.getLocation(), Message::ViewOfElements)
                << operandName(parameter, i) << name() << wordFor(body)
                << "foldwise::" + viewText(lowered->element.text(), lowered->rank);
            return false;
        }
        inputs.push_back({operandName(parameter, i), std::move(lowered->element), lowered->rank});
    }
    return areAll;
}

bool Lowering::checkOperandCount(QualType signature, std::size_t inputs, std::size_t outputs) const {
    if (inputs + outputs <= detail::max_operands) return true;
    const auto counted = [](std::size_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    complain(placeOf(signature), Message::TooManyParameters)
        << name() << "operands"
        << counted(inputs, "input") + " and " + counted(outputs, "output") + ", and there is room for " +
               std::to_string(detail::max_operands) + " together";
    return false;
}

bool Lowering::checkOperandSizes(QualType type, const std::vector<Operand>& inputs,
                                 const std::vector<Operand>& outputs) const {
    constexpr std::uint64_t most = detail::kernel_parameter_bytes - detail::launch_bytes;
    const std::uint64_t places = detail::operand_bytes * (inputs.size() + outputs.size());
    const auto fits = [&](const std::vector<Operand>& operands, std::uint64_t bytes, const char* what) {
        for (const Operand& operand : operands) {
            if (operand.isWhole()) continue;
            const std::uint64_t alignment = std::max<std::uint32_t>(operand.type.alignment, 8);
            bytes += (operand.type.size + alignment - 1) / alignment * alignment;
        }
        if (bytes <= most) return true;
        complain(placeOf(type), Message::TooManyParameters)
            << name() << "operands"
            << std::string(what) + " take " + std::to_string(bytes) + " bytes, and there is room for " +
                   std::to_string(most);
        return false;
    };
    return fits(inputs, places, "its inputs") && fits(outputs, 0, "the elements of its outputs");
}

/// "float", or "view<const float, 1>" as forall's signatures write it.
static std::string inputText(const Operand& input) {
    return input.isWhole() ? viewText(input.type.text(), input.rank) : input.type.text();
}

std::string signatureText(const std::vector<Operand>& inputs, const std::vector<Operand>& outputs, bool isTuple) {
    std::string text;
    llvm::ListSeparator outputComma, comma;
    for (const Operand& output : outputs) text += (llvm::StringRef(outputComma) + output.type.text()).str();
    if (isTuple) text = "std::tuple<" + text + ">";
    text += "(";
    for (const Operand& input : inputs) text += (llvm::StringRef(comma) + inputText(input) + " " + input.name).str();
    return text + ")";
}

}  // namespace foldwise
