// generator/frontend/FoldLowering.cpp: lowers the parts of a fold, its signatures, and the type of its accumulators.
#include "FoldLowering.hpp"

#include "CombineOperators.hpp"
#include "CountOperations.hpp"
#include "FusedSums.hpp"
#include "Intervals.hpp"
#include "Names.hpp"
#include "RefusedCalls.hpp"
#include "Spelling.hpp"
#include "Types.hpp"
#include "Vocabulary.hpp"

#include <foldwise/detail/limits.hpp>

#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// An accumulator of more numbers than this is kept as a whole: a chain's vectors would not fit the registers.
static constexpr std::size_t most_members = 16;

bool FoldLowering::checkParts() const {
    for (const std::optional<FoundPart>* part : {&parts_.map, &parts_.combine, &parts_.finish})
        if (*part && !checkIndexRank((*part)->callable)) return false;
    const Callable& callable = parts_.combine->callable;
    const FunctionDecl* written =
        callable.kind == Callable::Kind::Lambda ? callable.record->getLambdaCallOperator() : callable.onlyCall();
    if (!written) return true;
    const FunctionDecl& combine = *written;
    const bool takesAny = llvm::any_of(combine.parameters(), [](const ParmVarDecl* p) { return p->isParameterPack(); });
    if (combine.getNumParams() == 2 || takesAny) return true;
    complain(callable.kind == Callable::Kind::Lambda ? combine.getLocation() : callable.place,
             Message::CombineNotBinary)
        << name() << combine.getNumParams();
    return false;
}

/// `signature` is as the user has written it, if that is known: `Acc(Elem...)`, or `T` for `T(T)`.
TypedFold FoldLowering::typedFold(const ClassTemplateSpecializationDecl& typed, QualType signature) const {
    TypedFold fold;
    if (signature.isNull()) signature = typed.getTemplateArgs()[1].getAsType();
    if (const auto* written = signature->getAs<FunctionProtoType>()) {
        fold.elements.assign(written->param_type_begin(), written->param_type_end());
        fold.result = written->getReturnType();
    } else {
        fold.elements = {signature};
        fold.result = signature;
    }
    fold.mapped = aliasIn(typed, "mapped");
    fold.accumulator = aliasIn(typed, "accumulator").getCanonicalType();
    // The order of the parameters of typed_fold::instantiate.
    if (parts_.map) {
        fold.map = calledIn(typed, 0, parts_.map->callable);
        fold.mapObject = parts_.map->callable.object;
    }
    fold.combine = calledIn(typed, 1, parts_.combine->callable);
    fold.combineObject = parts_.combine->callable.object;
    if (parts_.finish) fold.finish = calledIn(typed, 2, parts_.finish->callable);
    return fold;
}

/// "'float' and 'float'"
static std::string listed(llvm::ArrayRef<QualType> types, const ASTContext& context) {
    std::string text;
    llvm::ListSeparator separator(" and ");
    for (QualType type : types) text += (llvm::StringRef(separator) + "'" + spelling(type, context) + "'").str();
    return text.empty() ? "nothing" : text;
}

bool FoldLowering::checkConversion(bool converts, const char* what, QualType from, const char* to, QualType target,
                                   SourceLocation at) const {
    if (converts) return true;
    const llvm::StringRef subject = what;
    const std::string accumulator = spelling(target, context_);
    unsigned form = 0;
    if (subject == "an element")
        form = 1;
    else if (subject == "the identity")
        form = target->isRecordType() ? 3 : 0;
    else if (from->isVoidType())
        form = 2;
    else
        form = subject == "map" && !parts_.finish ? 5 : 4;
    complain(at, Message::PartNotConvertible) << subject << name() << spelling(from.getCanonicalType(), context_) << to
                                              << accumulator << form << accumulator + "{}";
    return false;
}

/// Whether the map says where values go, for a scatter, and only then.
bool FoldLowering::checkMapped(const ClassTemplateSpecializationDecl& typed) const {
    if (scatters_ == (numberIn(typed, "places") > 0)) return true;
    complain(parts_.map ? parts_.map->place : variable_.getLocation(), Message::PlacesOfMap)
        << name() << quotedResult(aliasIn(typed, "returned").getCanonicalType(), context_) << (scatters_ ? 0 : 1);
    return false;
}

/// Each part takes what the one before it makes.
bool FoldLowering::checkCalls(const TypedFold& fold, const ClassTemplateSpecializationDecl& typed) const {
    const auto notCallable = [&](const FoundPart& part, const char* what, llvm::ArrayRef<QualType> arguments) {
        const bool isMap = what == llvm::StringRef("map");
        const FunctionDecl* written = isMap ? writtenCall(part.callable) : nullptr;
        if (written &&
            llvm::any_of(written->parameters(), [&](const ParmVarDecl* one) { return complainOfHostArray(*one); }))
            return false;
        const RefusedCall refused{part.callable, arguments, isMap ? "element" : "accumulator",
                                  isMap ? "the signature has" : std::string(what) + " is given", isMap};
        std::string reason = whyRefused(refused, sema_);
        if (isMap && llvm::any_of(fold.elements, isIndex))
            reason = "the index is no element, and signatures leave it out";
        else if (written && indexRank(*written) == 0 &&
                 llvm::any_of(written->parameters(), [](const ParmVarDecl* one) { return isIndex(one->getType()); }))
            reason = "an index is the first parameter";
        else if (const std::string other =
                     isMap ? signatureFor(refused, keywordOf(site_.pattern), fold.result, context_) : "";
                 !other.empty())
            reason += "; " + other;
        complain(part.place, Message::PartNotCallable) << what << name() << listed(arguments, context_)
                                                       << (reason.empty() ? "no call operator takes them" : reason);
        return false;
    };
    const bool takesIndex = fold.map && indexRank(*fold.map) > 0;
    if (llvm::all_of(fold.elements, isFixedView) && !takesIndex) {
        complain(variable_.getLocation(), Message::WrongParts)
            << name() << "has a signature without elements, and no map that takes an index";
        return false;
    }
    if (parts_.map) {
        const unsigned first = takesIndex ? 1 : 0;
        // A parameter too many may have been taken for an index, which converts to numbers, and an index for an
        // element.
        const std::size_t given = first + fold.elements.size();
        if (!fold.map || fold.map->getMinRequiredArguments() > given || fold.map->getNumParams() < given)
            return notCallable(*parts_.map, "map", fold.elements);
    } else if (fold.elements.size() != 1) {
        complain(variable_.getLocation(), Message::WrongParts)
            << name() << "has several inputs and no map: add foldwise::map(...), which makes an accumulator of them";
        return false;
    }
    if (!checkMapped(typed)) return false;
    const SourceLocation mapped = parts_.map ? parts_.map->place : variable_.getLocation();
    if (!checkConversion(constantIn(typed, "accumulates"), parts_.map ? "map" : "an element", fold.mapped,
                         "accumulator", fold.accumulator, mapped))
        return false;
    if (!fold.combine) return notCallable(*parts_.combine, "combine", {fold.accumulator, fold.accumulator});
    if (!checkConversion(constantIn(typed, "combines"), "combine", aliasIn(typed, "combined"), "accumulator",
                         fold.accumulator, parts_.combine->place))
        return false;
    if (parts_.finish && !fold.finish) return notCallable(*parts_.finish, "finish", {fold.accumulator});
    return checkConversion(constantIn(typed, "finishes"), "finish", aliasIn(typed, "finished"), "result", fold.result,
                           parts_.finish ? parts_.finish->place : variable_.getLocation());
}

bool FoldLowering::checkPlaces(const TypedFold& fold, const ClassTemplateSpecializationDecl& typed) const {
    const std::uint32_t axes = numberIn(typed, "places");
    if (!scatters_) return true;
    const auto refuse = [&](SourceLocation at, const std::string& why) {
        complain(at, Message::ScatterParts) << name() << why;
        return false;
    };
    if (parts_.finish) return refuse(parts_.finish->place, "has a finish, and places hold accumulators");
    if (parts_.identityKind == IdentityKind::None)
        return refuse(variable_.getLocation(), "has no identity, which new places hold that no element goes to: add "
                                               "foldwise::identity(value), lowest or highest");
    if (llvm::all_of(fold.elements, isFixedView))
        return refuse(variable_.getLocation(), "has no elements: give it an input that is not a whole array");
    if (axes > detail::max_index_rank)
        return refuse(parts_.map->place, "has places of " + std::to_string(axes) + " axes, and there is room for " +
                                             std::to_string(detail::max_index_rank));
    if (numberIn(typed, "place_count") > detail::max_places)
        return refuse(parts_.map->place, "has " + std::to_string(numberIn(typed, "place_count")) +
                                             " places for each element, and there is room for " +
                                             std::to_string(detail::max_places));
    return true;
}

/// An identity of another type is converted, which is to leave the number that is written.
bool FoldLowering::checkIdentityFits(const TypedFold& fold) const {
    if (parts_.identityKind != IdentityKind::Value || !fold.accumulator->isArithmeticType()) return true;
    const std::optional<Constant> written = evaluate(*parts_.identity->expression, context_);
    if (!written || !written->type->isArithmeticType() || keptAs(*written, fold.accumulator, context_)) return true;
    complain(parts_.identity->place, Message::PartNotConvertible)
        << "the identity" << name() << print(*written, context_) << "accumulator"
        << elementName(fold.accumulator, context_) << 6 << "";
    return false;
}

bool FoldLowering::checkIdentity(const TypedFold& fold, const ClassTemplateSpecializationDecl& typed) const {
    if (constantIn(typed, "identifies")) return checkIdentityFits(fold);
    if (parts_.identityKind == IdentityKind::Value)
        return checkConversion(false, "the identity", parts_.identity->content, "accumulator", fold.accumulator,
                               parts_.identity->place);
    complain(parts_.identity->place, Message::WrongParts)
        << name()
        << "has for an identity the " +
               std::string(parts_.identityKind == IdentityKind::Lowest ? "lowest" : "highest") +
               " value of its accumulator '" + spelling(fold.accumulator, context_) +
               "', which is no number: write one, as in foldwise::identity(" + spelling(fold.accumulator, context_) +
               "{...})";
    return false;
}

std::optional<ElementType> FoldLowering::lowerAccumulator(QualType type) const {
    std::string reason;
    std::optional<ElementType> accumulator = valueType(type, parts_.combine->place, reason, Tuples::AreValues);
    if (accumulator && accumulator->size > detail::largest_accumulator) {
        reason = "it has " + std::to_string(accumulator->size) + " bytes, and a thread keeps up to " +
                 std::to_string(detail::largest_accumulator) + " in registers";
        accumulator.reset();
    }
    if (!accumulator) {
        complain(parts_.combine->place, Message::UnsupportedAccumulator) << spelling(type, context_) << reason;
        return std::nullopt;
    }
    slicer_.followType(type, parts_.combine->place);
    if (!checkTypeName(type, variable_)) return std::nullopt;
    header_.followType(type);  // for initial(v)
    if (!nameApart(*accumulator, type)) return std::nullopt;
    return accumulator;
}

bool FoldLowering::addInputs(FoldSignature& signature, const TypedFold& fold) const {
    if (!fold.map) return addOperand(signature.inputs, "x", fold.elements.front(), variable_.getLocation());
    const std::uint32_t axes = indexRank(*fold.map);
    signature.indexRank = axes;
    if (axes > 0) slicer_.followType(fold.map->getParamDecl(0)->getType());
    return Lowering::addInputs(signature.inputs, *fold.map, axes > 0 ? 1 : 0, fold.elements);
}

/// Sums and products of integers that are combined in another order than a loop's must not overflow where that does
/// not. Nothing is changed where combine cuts off bits on its way, other than those of the accumulator.
static std::string typeToWrapIn(const FunctionDecl& combine, QualType accumulator, CombineOperator operation,
                                const ASTContext& context) {
    if (operation != CombineOperator::Sum && operation != CombineOperator::Product) return "";
    const QualType first = combine.getParamDecl(0)->getType().getNonReferenceType().getUnqualifiedType();
    const QualType second = combine.getParamDecl(1)->getType().getNonReferenceType();
    const bool isInteger = accumulator->isIntegerType() && !accumulator->isBooleanType();
    if (!isInteger || !first->isIntegerType() || first->isEnumeralType() || first->isBooleanType()) return "";
    if (!context.hasSameUnqualifiedType(first, second)) return "";
    const QualType computed = context.isPromotableIntegerType(first) ? context.getPromotedIntegerType(first) : first;
    const QualType returned = combine.getReturnType().getNonReferenceType();
    const auto isOneOf = [&](QualType type, QualType a, QualType b) {
        return context.hasSameUnqualifiedType(type, a) || context.hasSameUnqualifiedType(type, b);
    };
    if (!isOneOf(first, accumulator, computed) || !isOneOf(returned, accumulator, computed)) return "";
    const bool canOverflow =
        computed->isSignedIntegerType() && (context.getTypeSize(first) == context.getTypeSize(computed) ||
                                            (operation == CombineOperator::Product && first->isUnsignedIntegerType()));
    return canOverflow ? elementName(first.getCanonicalType(), context) : "";
}

/// Whether parts of a sum may be added up in 32 bits: as many as detail::narrow_terms of what map returns, or of the
/// elements if there is none, cannot leave them, while the accumulator has 64.
static bool sumsAreNarrow(const TypedFold& fold, CombineOperator operation, const ASTContext& context) {
    const QualType accumulator = fold.accumulator;
    if (operation != CombineOperator::Sum || !accumulator->isIntegerType() || context.getTypeSize(accumulator) != 64)
        return false;
    const auto isAccumulator = [&](QualType type) {
        return context.hasSameUnqualifiedType(type.getNonReferenceType(), accumulator);
    };
    if (!isAccumulator(fold.combine->getParamDecl(0)->getType()) ||
        !isAccumulator(fold.combine->getParamDecl(1)->getType()) || !isAccumulator(fold.combine->getReturnType()))
        return false;
    const std::optional<Interval> values =
        fold.map ? intervalOfResults(*fold.map) : Intervals::of(fold.elements.front(), context);
    constexpr std::int64_t most = (std::int64_t{1} << 31) / detail::narrow_terms;
    return values && values->low >= -most && values->high < most;
}

std::optional<FoldSignature> FoldLowering::lowerSignature(const ClassTemplateSpecializationDecl& typed,
                                                          QualType written) {
    const TypedFold fold = typedFold(typed, written);
    if (!checkOperandCount(typed.getTemplateArgs()[1].getAsType(), fold.elements.size(), 1)) return std::nullopt;
    if (!checkCalls(fold, typed) || !checkPlaces(fold, typed) || !checkIdentity(fold, typed)) return std::nullopt;
    beginSignature(fold.map);
    FoldSignature signature;
    if (!addInputs(signature, fold)) return std::nullopt;
    std::vector<Operand> outputs;
    if (!addOperand(outputs, "out", fold.result, variable_.getLocation(), Tuples::AreValues)) return std::nullopt;
    if (!checkOperandSizes(typed.getTemplateArgs()[1].getAsType(), signature.inputs, outputs)) return std::nullopt;
    signature.output = outputs.front();
    std::optional<ElementType> accumulator = lowerAccumulator(fold.accumulator);
    if (!accumulator) return std::nullopt;
    const ElementType& result = signature.output.type;
    if (accumulator->name == result.name && accumulator->alias.empty()) accumulator->alias = result.alias;
    const CombineOperator operation = operatorOf(*fold.combine);
    const auto becomes = [&](QualType from, QualType to) {
        return !context_.hasSameUnqualifiedType(from.getNonReferenceType(), to.getNonReferenceType());
    };
    signature.fold = {.accumulator = std::move(*accumulator),
                      .members = membersOf(fold.accumulator, most_members),
                      .operation = operation,
                      .commutes = parts_.isCommutative || commutes(operation),
                      .hasIdentity = parts_.identityKind != IdentityKind::None,
                      .wrapsIn = typeToWrapIn(*fold.combine, fold.accumulator, operation, context_),
                      .sumsAreNarrow = sumsAreNarrow(fold, operation, context_),
                      .mapConverts = becomes(fold.mapped, fold.accumulator),
                      .combineConverts = becomes(fold.combine->getReturnType(), fold.accumulator),
                      .finishConverts = fold.finish && becomes(fold.finish->getReturnType(), fold.result)};
    if (halves_ == Halves::AsFloats && fold.map)
        findFloats(signature.inputs, signature.indexRank > 0 ? 1 : 0, parts_.map->callable, *fold.map, fold.elements);
    else if (halves_ == Halves::AsFloats && fold.accumulator->isArithmeticType())
        signature.inputs.front().asFloat = isHalf(fold.elements.front());
    signature.placeAxes = numberIn(typed, "places");
    signature.placeCount = numberIn(typed, "place_count");
    signature.text = signatureText(signature.inputs, outputs, /*isTuple=*/false);
    FusedSums sums;
    const auto add = [&](const FunctionDecl& part) {
        sums.add(findFusedSums(part));
        signature.operations.add(countOperations(part, [&](SourceLocation at) { return slicer_.placeOf(at); }));
    };
    if (fold.map) {
        add(*fold.map);
        slicer_.follow(parts_.map->callable, *fold.map, fold.accumulator);
    }
    add(*fold.combine);
    slicer_.follow(parts_.combine->callable, *fold.combine, fold.accumulator);
    // It is called once for a result, not for each element, so its operations do not count.
    if (fold.finish) {
        sums.add(findFusedSums(*fold.finish));
        slicer_.follow(parts_.finish->callable, *fold.finish, fold.result);
    }
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || hasParts(signature.fold.accumulator));
    signature.operations.add(countConversions(fold.mapped, fold.accumulator, context_));
    signature.operations.add(countConversions(fold.combine->getReturnType(), fold.accumulator, context_));
    return signature;
}

/// The identity's value, as the body of a function without parameters.
Body FoldLowering::lowerIdentity() const {
    Body body;
    body.parameters = "()";
    body.block = "{ return " + slicer_.sliceText(parts_.identity->expression->getSourceRange()) + "; }";
    body.place = slicer_.placeOf(parts_.identity->expression->getBeginLoc());
    slicer_.followExpression(*parts_.identity->expression);
    return body;
}

std::optional<KernelSpec> FoldLowering::beginFold() {
    std::optional<KernelSpec> kernel = begin();
    std::optional<FoundParts> parts = kernel ? findParts(site_, scatters_, context_.getDiagnostics()) : std::nullopt;
    if (!parts) return std::nullopt;
    parts_ = std::move(*parts);
    if (!checkParts()) return std::nullopt;
    return kernel;
}

std::vector<const ClassTemplateSpecializationDecl*> FoldLowering::typedFolds() const {
    std::vector<const ClassTemplateSpecializationDecl*> typed = basesNamed(type_, "typed_fold");
    if (typed.empty())
        complain(variable_.getLocation(), Message::WrongParts)
            << name()
            << ("has no signature: write its elements' type, as in foldwise::" + keywordOf(site_.pattern) +
                "<float>(...)")
                   .str();
    return typed;
}

FoldParts FoldLowering::lowerParts() const {
    FoldParts parts;
    parts.combine = lowerBody(parts_.combine->callable);
    if (parts_.map) parts.map = lowerBody(parts_.map->callable, halves_);
    if (parts_.finish) parts.finish = lowerBody(parts_.finish->callable);
    parts.identity = parts_.identityKind;
    if (parts_.identityKind == IdentityKind::Value) parts.identityValue = lowerIdentity();
    return parts;
}

}  // namespace foldwise
