// generator/frontend/LowerStencil.cpp: lowers a foldwise::stencil(...) to the model: its lambda, its edges, and its
// reach.
#include "ConstantCalls.hpp"
#include "ConstantText.hpp"
#include "CountOperations.hpp"
#include "FusedSums.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "OutputNames.hpp"
#include "Spelling.hpp"
#include "StencilReach.hpp"
#include "Types.hpp"
#include "Vocabulary.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

/// What is declared beside the lambda.
struct Declared {
    std::string edge;                  ///< "wrap".
    std::optional<Constant> beyond;    ///< What is beyond constant edges.
    std::vector<std::int64_t> radius;  ///< As it is written; empty if it is not said.
};

class StencilLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    std::optional<Callable> callable() const;
    std::optional<Declared> declared() const;
    std::optional<StencilSignature> lowerSignature(const FunctionDecl& body, const Callable& callable,
                                                   const Declared& declared);
    bool addAround(StencilSignature& signature, const ParmVarDecl& parameter, unsigned number,
                   const Declared& declared) const;
    bool addOutputs(StencilSignature& signature, const FunctionDecl& body) const;
    bool findReach(StencilSignature& signature, const FunctionDecl& body, const Declared& declared) const;

    std::nullopt_t refuse(SourceLocation at, const std::string& reason) const {
        complain(at, Message::NoStencil) << name() << reason;
        return std::nullopt;
    }
    /// Where the edge is written, which is the last argument.
    SourceLocation placeOfEdge() const {
        const CallExpr* made = kernelCall(variable_);
        const bool hasEdge = made && made->getNumArgs() > 1;
        return hasEdge ? made->getArg(made->getNumArgs() - 1)->getExprLoc() : variable_.getLocation();
    }
    const Expr* argument(unsigned number) const {
        const CallExpr* made = kernelCall(variable_);
        return made && number < made->getNumArgs() ? made->getArg(number) : nullptr;
    }
};

std::optional<Callable> StencilLowering::callable() const { return callableOf(argument(0)); }

/// The member of a kernel that has this name.
const APValue& memberOf(const APValue& kernel, const CXXRecordDecl& type, llvm::StringRef name) {
    const auto found = llvm::find_if(type.fields(), [&](const FieldDecl* field) { return field->getName() == name; });
    return kernel.getStructField((*found)->getFieldIndex());
}

std::optional<Declared> StencilLowering::declared() const {
    const QualType edgeType = type_.getTemplateArgs()[1].getAsType();
    const CXXRecordDecl* edge = edgeType->getAsCXXRecordDecl();
    const std::string edgeName = edge ? edge->getQualifiedNameAsString() : "";
    llvm::StringRef word = edgeName;
    if (!word.consume_front("foldwise::edge::") || !word.consume_back("_t"))
        return refuse(placeOfEdge(),
                      "'" + spelling(edgeType, context_) + "' is no edge, such as foldwise::edge::nearest");
    Declared all;
    all.edge = word.str();
    const CXXRecordDecl& radius = *type_.getTemplateArgs()[2].getAsType()->getAsCXXRecordDecl();
    const bool isRadiusSaid = radius.getName() == "radius_t";
    if (!isRadiusSaid && all.edge != "constant") return all;
    const std::optional<Constant> kernel = evaluate(*variable_.getInit(), context_);
    if (!kernel || !kernel->value.isStruct())
        return refuse(variable_.getLocation(), "its radius or the value beyond its edges is not known while compiling");
    if (all.edge == "constant") {
        const APValue& value = memberOf(memberOf(kernel->value, type_, "edge"), *edge, "value");
        all.beyond = Constant{cast<ClassTemplateSpecializationDecl>(edge)->getTemplateArgs()[0].getAsType(), value};
    }
    if (isRadiusSaid) {
        const APValue& along = memberOf(memberOf(kernel->value, type_, "radius"), radius, "along");
        for (unsigned i = 0; i < along.getArraySize(); ++i)
            all.radius.push_back(along.getArrayInitializedElt(i).getInt().getExtValue());
    }
    return all;
}

/// What is beyond constant edges as an expression of the elements' type. Nothing if it is not such a value.
std::optional<std::string> beyondText(const Constant& given, QualType elements, const std::string& type,
                                      const ASTContext& context) {
    const QualType own = elements.getNonReferenceType().getUnqualifiedType();
    if (own->isArithmeticType()) {
        const std::optional<Constant> value =
            given.type->isArithmeticType() ? keptAs(given, own, context) : std::nullopt;
        const std::optional<std::string> text = value ? constantText(value->value, own, context) : std::nullopt;
        return text ? std::optional("static_cast<" + type + ">(" + *text + ")") : std::nullopt;
    }
    const std::optional<std::string> text = constantText(given.value, given.type, context);
    if (!text) return std::nullopt;
    const bool isSame = context.hasSameUnqualifiedType(given.type, own);
    if (isSame && llvm::StringRef(*text).starts_with("{")) return type + *text;
    const CXXRecordDecl* record = own->getAsCXXRecordDecl();
    const bool takesNumbers = record && (record->isInStdNamespace() ||
                                         llvm::StringRef(record->getQualifiedNameAsString()).starts_with("foldwise::"));
    if (!isSame && !(given.type->isArithmeticType() && takesNumbers)) return std::nullopt;
    return "static_cast<" + type + ">(" + *text + ")";
}

bool StencilLowering::addAround(StencilSignature& signature, const ParmVarDecl& parameter, unsigned number,
                                const Declared& declared) const {
    QualType elements = parameter.getType().getNonReferenceType().getUnqualifiedType();
    (void)sema_.isCompleteType(parameter.getLocation(), elements);
    slicer_.followType(elements, parameter.getLocation());
    const auto& around = *cast<ClassTemplateSpecializationDecl>(elements->getAsCXXRecordDecl());
    const auto rank = static_cast<std::uint32_t>(around.getTemplateArgs()[1].getAsIntegral().getZExtValue());
    const auto* written = elements->getAsNonAliasTemplateSpecializationType();
    elements = written ? written->template_arguments()[0].getAsType() : around.getTemplateArgs()[0].getAsType();
    elements = elements.getUnqualifiedType();
    if (signature.rank > 0 && signature.rank != rank) {
        refuse(parameter.getLocation(), "it looks around along " + std::to_string(signature.rank) + " and along " +
                                            std::to_string(rank) + " axes");
        return false;
    }
    signature.rank = rank;
    std::optional<ElementType> element = lowerElement(elements, parameter.getLocation());
    if (!element) return false;
    AroundInput input{static_cast<std::uint32_t>(signature.inputs.size()), ""};
    if (declared.beyond) {
        const std::optional<std::string> text = beyondText(*declared.beyond, elements, element->text(), context_);
        if (!text) {
            complain(variable_.getLocation(), Message::EdgeValue)
                << name() << element->name << operandName(parameter, number) << print(*declared.beyond, context_);
            return false;
        }
        input.beyond = *text;
    }
    signature.inputs.push_back({operandName(parameter, number), std::move(*element), rank});
    signature.around.push_back(std::move(input));
    return true;
}

bool StencilLowering::addOutputs(StencilSignature& signature, const FunctionDecl& body) const {
    const QualType result = body.getReturnType();
    const std::vector<QualType> types = outputTypes(result);
    if (types.empty()) return addOperand(signature.outputs, "out", result, body.getLocation());
    signature.isTuple = true;
    const std::vector<std::string> names = outputNames(body, types.size());
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!addOperand(signature.outputs, names[i], types[i], body.getLocation())) return false;
    return true;
}

/// "1, 1": what a message suggests for a radius.
std::string exampleRadius(const StencilSignature& signature) {
    std::string text;
    llvm::ListSeparator comma;
    for (std::uint32_t axis = 0; axis < signature.rank; ++axis) text += (llvm::StringRef(comma) + "1").str();
    return text;
}

/// Adds what is read of windows, whose reach is known by now.
void addLooks(StencilSignature& signature, const FunctionDecl& body, const StencilOffsets& found) {
    for (const FixedLook& one : found.looks) {
        Look look;
        for (const AroundInput& around : signature.around)
            if (body.getParamDecl(around.number)->getName() == one.array) look.number = around.number;
        for (std::uint32_t axis = 0; axis < signature.rank; ++axis) {
            const Interval& values = one.along[axis];
            look.along.push_back({static_cast<std::uint32_t>(values.low + signature.reach[axis].before),
                                  static_cast<std::uint32_t>(values.high - values.low + 1)});
        }
        signature.looks.push_back(std::move(look));
    }
}

bool StencilLowering::findReach(StencilSignature& signature, const FunctionDecl& body, const Declared& declared) const {
    const StencilOffsets found = stencilOffsets(body);
    signature.reach.resize(signature.rank);
    signature.isReachSaid = !declared.radius.empty();
    if (signature.isReachSaid) {
        const bool isOne = declared.radius.size() == 1;
        for (std::uint32_t axis = 0; axis < signature.rank; ++axis) {
            if (!isOne && declared.radius.size() != signature.rank) {
                refuse(variable_.getLocation(), "its radius has " + std::to_string(declared.radius.size()) +
                                                    " numbers, and it looks around along " +
                                                    std::to_string(signature.rank) +
                                                    (signature.rank == 1 ? " axis" : " axes") +
                                                    ": one number for all axes, or one for each, to both sides");
                return false;
            }
            const std::int64_t along = declared.radius[isOne ? 0 : axis];
            if (along < 0 || along > (std::int64_t{1} << 30)) {
                refuse(variable_.getLocation(),
                       "a radius is from 0 to 1073741824, and one of its numbers is " + std::to_string(along));
                return false;
            }
            signature.reach[axis] = {static_cast<std::uint32_t>(along), static_cast<std::uint32_t>(along)};
        }
    } else if (found.lost.isValid()) {
        complain(found.lost, Message::ReachUnknown)
            << name() << "what is around '" + found.lostArray + "' is handed on here" << exampleRadius(signature);
        return false;
    }
    bool isKnown = !found.lost.isValid();
    for (const Offset& offset : found.offsets) {
        isKnown = isKnown && offset.values;
        Reach& reach = signature.reach[offset.axis];
        if (!offset.values && signature.isReachSaid) continue;
        if (!offset.values) {
            complain(offset.at, Message::ReachUnknown) << name()
                                                       << "the offset along axis " + std::to_string(offset.axis) +
                                                              " of '" + offset.array + "' is not bounded by constants"
                                                       << exampleRadius(signature);
            return false;
        }
        const std::int64_t before = std::max<std::int64_t>(-offset.values->low, 0);
        const std::int64_t behind = std::max<std::int64_t>(offset.values->high, 0);
        if (!signature.isReachSaid) {
            reach.before = std::max(reach.before, static_cast<std::uint32_t>(before));
            reach.behind = std::max(reach.behind, static_cast<std::uint32_t>(behind));
        } else if (before > reach.before || behind > reach.behind) {
            complain(offset.at, Message::BeyondRadius)
                << std::to_string(before > reach.before ? -before : behind) << offset.array
                << std::to_string(offset.axis) << std::to_string(reach.before);
            return false;
        }
    }
    if (found.areFixed) addLooks(signature, body, found);
    if (isKnown) signature.reads = static_cast<std::uint32_t>(std::min<std::uint64_t>(found.reads, UINT32_MAX));
    return true;
}

/// "float(around<const float, 2> a, double gain), edges wrap", for people.
std::string stencilText(const StencilSignature& signature) {
    std::string text, inputs;
    llvm::ListSeparator outputComma, comma;
    for (const Operand& output : signature.outputs) text += (llvm::StringRef(outputComma) + output.type.text()).str();
    if (signature.isTuple) text = "std::tuple<" + text + ">";
    for (std::size_t i = 0; i < signature.inputs.size(); ++i)
        inputs += (llvm::StringRef(comma) + typeText(signature, i) + " " + signature.inputs[i].name).str();
    return text + "(" + inputs + "), edge::" + signature.edge;
}

std::optional<StencilSignature> StencilLowering::lowerSignature(const FunctionDecl& body, const Callable& callable,
                                                                const Declared& declared) {
    for (const ParmVarDecl* parameter : body.parameters())
        if (isIndex(parameter->getType()))
            return refuse(parameter->getLocation(),
                          "it takes an index, and stencils do not know where they are: offsets count from the element, "
                          "as in a(-1, 0), and a foldwise::forall takes its task's index");
    if (body.getReturnType()->isVoidType()) {
        complain(body.getLocation(), Message::ReturnsNothing) << name() << wordFor(body) << 0 << "";
        return std::nullopt;
    }
    const std::vector<QualType> types = outputTypes(body.getReturnType());
    beginSignature(&body, outputNames(body, types.size()));
    StencilSignature signature;
    signature.edge = declared.edge;
    for (unsigned i = 0; i < body.getNumParams(); ++i) {
        const ParmVarDecl& parameter = *body.getParamDecl(i);
        const bool isWritable =
            parameter.getType()->isReferenceType() && !parameter.getType()->getPointeeType().isConstQualified();
        const bool isAdded = isAround(parameter.getType()) && !isWritable
                                 ? addAround(signature, parameter, i, declared)
                                 : addInputs(signature.inputs, body, i, parameter.getType());
        if (!isAdded) return std::nullopt;
    }
    if (signature.around.empty())
        return refuse(body.getLocation(), "nothing that it takes is a foldwise::around<const T, N>");
    if (!addOutputs(signature, body)) return std::nullopt;
    if (!checkOperandCount(QualType(), signature.inputs.size(), signature.outputs.size()) ||
        !checkOperandSizes(QualType(), signature.inputs, signature.outputs) || !findReach(signature, body, declared))
        return std::nullopt;
    signature.text = stencilText(signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    signature.mayFuse = findFusedSums(body).addsProducts;
    slicer_.follow(callable, body);
    return signature;
}

std::optional<KernelSpec> StencilLowering::lower() {
    const std::optional<Callable> called = callable();
    std::optional<KernelSpec> kernel = called ? begin() : std::nullopt;
    if (!kernel) return std::nullopt;
    const std::optional<Declared> found = declared();
    if (!found) return std::nullopt;
    const std::vector<const FunctionDecl*> bodies = typedItems(*called, "foldwise::stencil<float, double>");
    if (bodies.empty()) return std::nullopt;
    StencilSpec spec;
    std::vector<QualType> types;
    for (const FunctionDecl* body : bodies) {
        std::optional<StencilSignature> signature = lowerSignature(*body, *called, *found);
        types.push_back(body->getType());
        if (!signature || !checkClash(spec.signatures, *signature, types)) return std::nullopt;
        spec.signatures.push_back(std::move(*signature));
    }
    spec.body = lowerBody(*called);
    return finish(std::move(*kernel), std::move(spec));
}

}  // namespace

std::optional<KernelSpec> lowerStencil(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return StencilLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
