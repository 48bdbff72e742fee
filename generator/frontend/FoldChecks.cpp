// generator/frontend/FoldChecks.cpp: tries a few values with the constant evaluator, and compares types.
#include "FoldChecks.hpp"

#include "CombineOperators.hpp"
#include "ConstantCalls.hpp"
#include "Lowering.hpp"
#include "Types.hpp"

#include <clang/AST/Expr.h>

namespace foldwise {

using namespace clang;

namespace {

/// Differences of this size come from rounding; a wrong operation is wrong by far more on small numbers.
constexpr double rounding = 1e-4;

const Constant* pointer(const std::optional<Constant>& object) { return object ? &*object : nullptr; }

/// combine(a, b) as an accumulator.
std::optional<Constant> combined(const TypedFold& fold, const Constant& a, const Constant& b, ASTContext& context) {
    const std::optional<Constant> result = call(*fold.combine, {a, b}, context, pointer(fold.combineObject));
    return result ? convert(*result, fold.accumulator, context) : std::nullopt;
}

/// Values that a reduction accumulates: what map makes of a few elements, or numbers.
std::vector<Constant> sampleAccumulators(const TypedFold& fold, ASTContext& context) {
    if (!fold.map) return sampleNumbers(fold.accumulator, context);
    std::vector<std::vector<Constant>> elements;
    for (QualType element : fold.elements) elements.push_back(sampleNumbers(element.getCanonicalType(), context));
    std::vector<Constant> samples;
    for (std::size_t i = 0; llvm::all_of(elements, [&](const auto& values) { return i < values.size(); }); ++i) {
        std::vector<Constant> arguments;
        if (fold.map->getNumParams() > elements.size())
            arguments.push_back(originIndex(fold.map->getParamDecl(0)->getType().getNonReferenceType(), context));
        for (std::size_t k = 0; k < elements.size(); ++k)
            arguments.push_back(elements[k][(i + k) % elements[k].size()]);
        const std::optional<Constant> mapped = call(*fold.map, arguments, context, pointer(fold.mapObject));
        if (!mapped) return {};
        const std::optional<Constant> sample = convert(*mapped, fold.accumulator, context);
        if (!sample) return {};
        samples.push_back(*sample);
        if (elements.empty()) break;
    }
    return samples;
}

std::optional<Constant> identityOf(const FoundParts& parts, QualType accumulator, const ASTContext& context) {
    switch (parts.identityKind) {
    case IdentityKind::None:
        return std::nullopt;
    case IdentityKind::Value: {
        const std::optional<Constant> value = evaluate(*parts.identity->expression, context);
        return value ? convert(*value, accumulator, context) : std::nullopt;
    }
    case IdentityKind::Lowest:
    case IdentityKind::Highest:
        if (!accumulator->isArithmeticType()) return std::nullopt;
        return limitOf(accumulator, parts.identityKind == IdentityKind::Highest, context);
    }
    llvm_unreachable("every kind is handled");
}

/// -2 as an accumulator of negative numbers; none for other types.
std::optional<Constant> negativeNumber(QualType type, const ASTContext& context) {
    const bool isSigned = type->isRealFloatingType() || (type->isSignedIntegerType() && !type->isEnumeralType());
    if (!isSigned) return std::nullopt;
    const llvm::APSInt two = context.MakeIntValue(2, context.IntTy);
    return convert({context.IntTy, APValue(-two)}, type, context);
}

bool differ(const Constant& a, const Constant& b) { return same(a.value, b.value, rounding) == false; }

/// Two values, and what they are combined to in either order.
struct Turned {
    Constant a, b, one, other;
};

/// Two of the values that are combined to something else in the other order.
std::optional<Turned> findTurned(const TypedFold& fold, ASTContext& context, llvm::ArrayRef<Constant> values) {
    for (const Constant& a : values)
        for (const Constant& b : values) {
            const auto one = combined(fold, a, b, context), other = combined(fold, b, a, context);
            if (one && other && differ(*one, *other)) return Turned{a, b, *one, *other};
        }
    return std::nullopt;
}

/// The same for classes, whose members may depend on each other in ways that the values tried here do not. So it is
/// said only of a combine that always returns one of its arguments as it is, as that of the lowest value and its place
/// does: what it prefers among equals, such as the first, is up to it.
std::optional<Turned> keptFirst(const TypedFold& fold, ASTContext& context) {
    const std::vector<Constant> values = sampleClass(fold.accumulator, context);
    for (const Constant& a : values)
        for (const Constant& b : values) {
            const auto one = combined(fold, a, b, context);
            const bool isOne = one && (same(one->value, a.value) == true || same(one->value, b.value) == true);
            if (!isOne) return std::nullopt;
        }
    return findTurned(fold, context, values);
}

}  // namespace

void FoldChecks::check(const TypedFold& fold) {
    checkAssociative(fold);
    if (parts_.isCommutative) checkCommutative(fold);
    checkIdentity(fold);
    checkRoom(fold);
    checkPrecision(fold);
}

void FoldChecks::checkAssociative(const TypedFold& fold) {
    const std::vector<Constant> numbers = sampleNumbers(fold.accumulator, context_);
    for (std::size_t i = 0; i < numbers.size() * numbers.size() * numbers.size() && !isGrouped_; ++i) {
        const std::size_t n = numbers.size();
        const Constant &a = numbers[i / n / n], &b = numbers[i / n % n], &c = numbers[i % n];
        const auto ab = combined(fold, a, b, context_), bc = combined(fold, b, c, context_);
        if (!ab || !bc) continue;
        const auto left = combined(fold, *ab, c, context_), right = combined(fold, a, *bc, context_);
        if (!left || !right || !differ(*left, *right)) continue;
        isGrouped_ = true;
        report(context_.getDiagnostics(), parts_.combine->place, Message::NotAssociative)
            << kernel_.getName() << print(a, context_) << print(b, context_) << print(c, context_)
            << print(*left, context_) << print(*right, context_);
    }
}

void FoldChecks::checkCommutative(const TypedFold& fold) {
    if (isTurned_) return;
    const std::vector<Constant> numbers = sampleNumbers(fold.accumulator, context_);
    if (const std::optional<Turned> turned =
            numbers.empty() ? keptFirst(fold, context_) : findTurned(fold, context_, numbers)) {
        isTurned_ = true;
        report(context_.getDiagnostics(), parts_.combine->place, Message::NotCommutative)
            << kernel_.getName() << print(turned->a, context_) << print(turned->b, context_)
            << print(turned->one, context_) << print(turned->other, context_);
    }
}

void FoldChecks::checkIdentity(const TypedFold& fold) {
    if (isIdentified_) return;
    const std::optional<Constant> identity = identityOf(parts_, fold.accumulator, context_);
    if (!identity) return;
    std::vector<Constant> samples = sampleAccumulators(fold, context_);
    if (!fold.map && operatorOf(*fold.combine) == CombineOperator::Maximum)
        if (const std::optional<Constant> negative = negativeNumber(fold.accumulator, context_))
            samples.push_back(*negative);
    for (const Constant& x : samples) {
        for (bool isFirst : {true, false}) {
            const Constant &a = isFirst ? *identity : x, &b = isFirst ? x : *identity;
            const auto result = combined(fold, a, b, context_);
            if (!result || !differ(*result, x)) continue;
            isIdentified_ = true;
            report(context_.getDiagnostics(), parts_.identity->place, Message::NotAnIdentity)
                << kernel_.getName() << print(*identity, context_) << print(a, context_) << print(b, context_)
                << print(*result, context_);
            return;
        }
    }
}

void FoldChecks::checkRoom(const TypedFold& fold) {
    if (operatorOf(*fold.combine) != CombineOperator::Sum) return;
    const auto isNumber = [](QualType type) { return type->isIntegerType() && !type->isEnumeralType(); };
    const QualType mapped = fold.mapped.getCanonicalType();
    if (!isNumber(mapped) || !isNumber(fold.accumulator) || context_.getIntWidth(fold.accumulator) > 16) return;
    const Constant largest = limitOf(mapped, true, context_), room = limitOf(fold.accumulator, true, context_);
    const std::int64_t elements =
        std::max<std::int64_t>(room.value.getInt().getExtValue() / largest.value.getInt().getExtValue(), 1);
    report(context_.getDiagnostics(), parts_.combine->place, Message::NarrowSum)
        << kernel_.getName() << elementName(mapped, context_) << elementName(fold.accumulator, context_)
        << static_cast<unsigned>(elements) << print(largest, context_) << keywordOf(pattern_);
}

void FoldChecks::checkPrecision(const TypedFold& fold) {
    if (!isPrecise_) return;
    const QualType mapped = fold.mapped.getCanonicalType();
    const std::optional<Loss> loss = lossOf(mapped, fold.accumulator, context_);
    // What a map returns is its author's choice, but for a fraction, which is mostly meant to be kept.
    if (loss && (!fold.map || loss == Loss::Fraction)) {
        isPrecise_ = false;
        report(context_.getDiagnostics(), parts_.combine->place, Message::LostFraction)
            << kernel_.getName() << elementName(fold.accumulator, context_) << elementName(mapped, context_)
            << static_cast<unsigned>(*loss);
    }
    if (fold.map) {
        const unsigned first = indexRank(*fold.map) > 0 ? 1 : 0;
        for (unsigned i = 0; i < fold.elements.size(); ++i) {
            const ParmVarDecl& parameter = *fold.map->getParamDecl(first + i);
            const auto named = [&](QualType type) {
                return elementName(type.getNonReferenceType().getUnqualifiedType(), context_);
            };
            // A signature that is one type is short for this.
            const bool isShort =
                fold.elements.size() == 1 && context_.hasSameUnqualifiedType(fold.elements[i], fold.result);
            warnIfNarrow(parameter, fold.elements[i],
                         isShort ? named(fold.result) + "(" + named(parameter.getType()) + ")" : "");
        }
    }
    for (const ParmVarDecl* parameter : fold.combine->parameters())
        if (warnIfNarrow(*parameter, fold.accumulator)) break;
    if (fold.finish) warnIfNarrow(*fold.finish->getParamDecl(0), fold.accumulator);
}

bool FoldChecks::warnIfNarrow(const ParmVarDecl& parameter, QualType given, const std::string& signature) {
    const std::optional<Loss> loss = lossOf(given, parameter.getType(), context_);
    if (!loss) return false;
    isPrecise_ = false;
    // A functor of the standard library's is told where the spec has it.
    const bool isSystems = context_.getSourceManager().isInSystemHeader(parameter.getLocation());
    report(context_.getDiagnostics(), isSystems ? parts_.combine->place : parameter.getLocation(),
           Message::NarrowOperand)
        << parameter.getName() << kernel_.getName()
        << elementName(parameter.getType().getNonReferenceType().getUnqualifiedType(), context_)
        << elementName(given.getNonReferenceType().getUnqualifiedType(), context_) << static_cast<unsigned>(*loss)
        << (signature.empty() ? 0 : 1) << signature;
    return true;
}

}  // namespace foldwise
