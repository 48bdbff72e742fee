// generator/frontend/LowerForall.cpp: takes a forall kernel apart: its lambda, its signatures, its views and values.
#include "CountOperations.hpp"
#include "FusedSums.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "Races.hpp"
#include "Spelling.hpp"
#include "ViewUses.hpp"
#include "WarpLoops.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

namespace foldwise {

using namespace clang;

namespace {

class ForallLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    bool takesViews() const override { return true; }
    bool checkFirstParameter(const FunctionDecl& body) const override;
    bool checkBody(const FunctionDecl& body) const;
    std::optional<ForallSignature> lowerSignature(const TypedCall& call, const Callable& callable);
    std::optional<ForallParameter> lowerParameter(const ParmVarDecl& parameter, unsigned number, QualType type) const;
    void warnOfRaces(const FunctionDecl& body);
    void findWarpLoops(const FunctionDecl& body, const Callable& callable, ForallSignature& signature);
    std::string statementText(const Stmt& statement) const;
    std::optional<std::string> inOrder(const WarpLoop& loop, const std::string& indent) const;
    std::optional<Body> warpBody(const Body& body) const;
    bool checkSizes(const TypedCall& call, const std::vector<ForallParameter>& parameters) const;

    std::set<SourceLocation> races_;         // that were told, of other signatures
    std::set<SourceLocation> neverWritten_;  // likewise
    std::vector<WarpLoop> warpLoops_;        // of the only signature
};

bool ForallLowering::checkFirstParameter(const FunctionDecl& body) const {
    if (indexRank(body) > 0) return true;
    const bool hasParameters = body.getNumParams() > 0;
    complain(hasParameters ? body.getParamDecl(0)->getLocation() : body.getLocation(), Message::ForallWithoutIndex)
        << name() << detail::max_index_rank << wordFor(body);
    return false;
}

bool ForallLowering::checkBody(const FunctionDecl& body) const {
    if (!body.getReturnType()->isVoidType()) {
        complain(body.getLocation(), Message::ForallReturns)
            << name() << spelling(body.getReturnType(), context_) << wordFor(body);
        return false;
    }
    for (const ParmVarDecl* parameter : body.parameters()) {
        const QualType type = parameter->getType();
        if (!type->isReferenceType() || type->getPointeeType().isConstQualified()) continue;
        complainOfReference(*parameter);
        return false;
    }
    return true;
}

std::optional<ForallParameter> ForallLowering::lowerParameter(const ParmVarDecl& parameter, unsigned number,
                                                              QualType type) const {
    ForallParameter lowered;
    lowered.name = operandName(parameter, number);
    std::optional<ParameterType> lowerable = lowerParameterType(type, parameter.getLocation());
    if (!lowerable) return std::nullopt;
    lowered.type = std::move(lowerable->element);
    lowered.rank = lowerable->rank;
    lowered.isConst = lowerable->isConst;
    return lowered;
}

bool ForallLowering::checkSizes(const TypedCall& call, const std::vector<ForallParameter>& parameters) const {
    if (parameters.size() > detail::max_operands) {
        complain(placeOf(call.signature), Message::TooManyParameters)
            << name() << "parameters"
            << "they are " + std::to_string(parameters.size()) + ", and there is room for " +
                   std::to_string(detail::max_operands);
        return false;
    }
    std::uint64_t bytes = 0;
    for (const ForallParameter& parameter : parameters) {
        const std::uint64_t size =
            parameter.rank > 0 ? 8 + 16 * parameter.rank + (parameter.isSummed ? 8 : 0) : parameter.type.size;
        const std::uint64_t alignment = std::max<std::uint32_t>(parameter.rank > 0 ? 0 : parameter.type.alignment, 8);
        bytes = (bytes + alignment - 1) / alignment * alignment + size;
    }
    if (bytes <= mostTaskBytes) return true;
    complain(placeOf(call.signature), Message::TooManyParameters)
        << name() << "parameters"
        << "they take " + std::to_string(bytes) + " bytes, and there is room for " + std::to_string(mostTaskBytes);
    return false;
}

/// Whether the spec includes <atomic>.
bool hasAtomicRef(ASTContext& context) {
    const TranslationUnitDecl& unit = *context.getTranslationUnitDecl();
    for (const NamedDecl* space : unit.lookup(&context.Idents.get("std")))
        if (const auto* std = dyn_cast<NamespaceDecl>(space))
            if (!std->lookup(&context.Idents.get("atomic_ref")).empty()) return true;
    return false;
}

void ForallLowering::warnOfRaces(const FunctionDecl& body) {
    const std::string header = hasAtomicRef(context_) ? "" : ", with #include <atomic>";
    for (const Race& race : findRaces(body)) {
        if (!races_.insert(race.at).second) continue;
        const char* const verb = race.isUpdate ? "update" : "write";
        complain(race.at, Message::Race) << (race.isConditional ? 1 : 0) << verb << race.view
                                         << (race.atomic.empty() ? "std::atomic_ref" : race.atomic) + header
                                         << (race.atomic.empty() ? 0 : 1) << race.element;
        if (race.data.empty())
            complain(race.at, Message::TasksMeet) << race.first << race.second << verb << race.place << race.assumption;
        else
            complain(race.at, Message::DataMeets) << race.data << race.first << race.second;
    }
}

/// "void(index<1> i, view<const float, 1> x, std::int32_t n)", for people.
std::string taskText(const FunctionDecl& body, const ForallSignature& signature) {
    std::string text = "void(index<" + std::to_string(signature.indexRank) + ">";
    if (!body.getParamDecl(0)->getName().empty()) text += " " + body.getParamDecl(0)->getNameAsString();
    for (const ForallParameter& parameter : signature.parameters)
        text += ", " + typeText(parameter) + " " + parameter.name;
    return text + ")";
}

/// Finds the loops that a warp can run, in the text of a lambda whose types are written out. All lanes then write what
/// their task writes: what is written must be written alone.
void ForallLowering::findWarpLoops(const FunctionDecl& body, const Callable& callable, ForallSignature& signature) {
    const bool hasText = callable.kind == Callable::Kind::Lambda && !callable.holder && !callable.genericCall();
    const auto isSafe = [](const ForallParameter& one) { return one.rank == 0 || one.access != Access::ReadWrite; };
    if (!hasText || !llvm::all_of(signature.parameters, isSafe)) return;
    warpLoops_ = warpLoops(body);
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        signature.parameters[i].isLooped = signature.parameters[i].rank > 0 &&
                                           isLooped(body, warpLoops_, *body.getParamDecl(static_cast<unsigned>(i) + 1));
}

std::string ForallLowering::statementText(const Stmt& statement) const {
    const std::string text = slicer_.sliceText(statement.getSourceRange());
    return text + (llvm::StringRef(text).ends_with(";") || llvm::StringRef(text).ends_with("}") ? " " : "; ");
}

/// Where a part of a text is, from an offset on. Lines of the part may be indented otherwise.
static std::optional<std::pair<std::size_t, std::size_t>> placeOfPart(llvm::StringRef text, llvm::StringRef part,
                                                                      std::size_t from = 0) {
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (text[begin] != part[0]) continue;
        std::size_t at = begin, k = 0;
        while (k < part.size()) {
            if (llvm::isSpace(part[k])) {
                ++k;
            } else if (at < text.size() && llvm::isSpace(text[at])) {
                ++at;
            } else if (at < text.size() && text[at] == part[k]) {
                ++at;
                ++k;
            } else {
                break;
            }
        }
        if (k == part.size()) return std::pair(begin, at);
    }
    return std::nullopt;
}

/// What is written in a text in place of a part of it. Nothing if the part is not there once.
static std::optional<std::string> replacedOnce(std::string text, const std::string& part, llvm::StringRef by) {
    const auto place = placeOfPart(text, part);
    if (!place || placeOfPart(text, part, place->first + 1)) return std::nullopt;
    return text.replace(place->first, place->second - place->first, by.str());
}

/// The call of in_order() that stands for a loop, whose line is indented by `indent`.
std::optional<std::string> ForallLowering::inOrder(const WarpLoop& loop, const std::string& indent) const {
    std::string first, then;
    for (const Stmt* statement : loop.first) first += statementText(*statement);
    for (const Stmt* statement : loop.then) then += statementText(*statement);
    std::string term = loop.variable ? loop.variable->getNameAsString() : "foldwise_term";
    if (loop.term) {
        const std::string text = slicer_.sliceText(loop.term->getSourceRange());
        const std::optional<std::string> replaced = replacedOnce(then, text, term);
        if (!replaced) return std::nullopt;
        then = *replaced;
        first += "return " + text + "; ";
    } else {
        first += "return " + term + "; ";
    }
    const std::string type = spelling(loop.counter->getType().getCanonicalType().getUnqualifiedType(), context_);
    const std::string next = "\n" + indent + "    ";
    const std::string parameter = "[[maybe_unused]] const " + type + " " + loop.counter->getNameAsString();
    return "::foldwise::device_code::in_order<" + type + ", " + (loop.isInclusive ? "true" : "false") + ">(" + next +
           slicer_.sliceText(loop.begin->getSourceRange()) + ", " + slicer_.sliceText(loop.end->getSourceRange()) +
           "," + next + "[&](" + parameter + ") { " + first + "}," + next + "[&](" + parameter + ", const auto& " +
           term + ") { " + then + "})";
}

/// The body with its loops replaced. Nothing if it has none.
std::optional<Body> ForallLowering::warpBody(const Body& body) const {
    if (warpLoops_.empty()) return std::nullopt;
    const auto lines = [](llvm::StringRef text) { return text.count('\n'); };
    Body result = body;
    result.marks.clear();  // of divisions, which checked builds look at: these do not call it
    result.block.clear();
    std::size_t from = 0;
    for (const WarpLoop& loop : warpLoops_) {
        const auto place = placeOfPart(body.block, slicer_.sliceText(loop.statement->getSourceRange()), from);
        if (!place) return std::nullopt;
        const std::string before = body.block.substr(from, place->first - from);
        const std::string line = before.substr(before.rfind('\n') + 1);
        const std::optional<std::string> call = inOrder(loop, line.substr(0, line.find_first_not_of(' ')));
        if (!call) return std::nullopt;
        std::size_t end = place->second;
        if (body.block[end - 1] != '}' || body.block[end] == ';') ++end;  // the semicolon of a body without braces
        if (body.block[end] == '\n') ++end;
        // What follows is on its lines again.
        const std::size_t next = body.place.line + lines(body.parameters) + lines(body.resultType) +
                                 lines(llvm::StringRef(body.block).take_front(end));
        result.block += before + *call + ";\n#line " + std::to_string(next) + "\n";
        from = end;
    }
    result.block += body.block.substr(from);
    return result;
}

std::optional<ForallSignature> ForallLowering::lowerSignature(const TypedCall& call, const Callable& callable) {
    if (call.body && (!checkFirstParameter(*call.body) || !checkBody(*call.body))) return std::nullopt;
    if (!checkCall(call, callable)) return std::nullopt;
    const FunctionDecl& body = *call.body;
    if (!call.converts) {
        const QualType result = call.signature->castAs<FunctionProtoType>()->getReturnType();
        complain(variable_.getLocation(), Message::NoSuchConversion)
            << name() << quotedResult(body.getReturnType(), context_) << spelling(result, context_) << wordFor(body)
            << 1;
        return std::nullopt;
    }
    beginSignature(&body);
    ForallSignature signature;
    signature.indexRank = indexRank(body);
    slicer_.followType(body.getParamDecl(0)->getType());
    const std::vector<QualType> types = call.operands(1);
    const std::vector<ViewUse> uses = viewUses(body);
    for (unsigned i = 0; i < types.size(); ++i) {
        std::optional<ForallParameter> parameter = lowerParameter(*body.getParamDecl(i + 1), i, types[i]);
        if (!parameter) return std::nullopt;
        if (parameter->rank > 0) {
            parameter->access = parameter->isConst && uses[i].access != Access::None ? Access::Read : uses[i].access;
            parameter->follows = uses[i].follows;
            parameter->moves = uses[i].moves;
            parameter->isSummed =
                uses[i].isSummed && parameter->type.kind == TypeKind::Integer && parameter->type.size == 4;
            parameter->own = uses[i].own;
            parameter->isAssigned = uses[i].isAssigned;
            parameter->reach = uses[i].reach;
            parameter->isReadSometimes = uses[i].isReadSometimes;
            parameter->ownRows = uses[i].ownRows;
            parameter->isHandedOn = uses[i].isHandedOn;
            parameter->hasDataPlaces = uses[i].hasDataPlaces;
            parameter->isInLoops = uses[i].isInLoops;
        } else {
            parameter->access = Access::Read;
        }
        signature.parameters.push_back(std::move(*parameter));
    }
    if (!checkSizes(call, signature.parameters)) return std::nullopt;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ForallParameter& parameter = signature.parameters[i];
        const SourceLocation at = body.getParamDecl(static_cast<unsigned>(i) + 1)->getLocation();
        const bool isReadAlone = parameter.rank > 0 && !parameter.isConst && parameter.access == Access::Read;
        if (isReadAlone && neverWritten_.insert(at).second) complain(at, Message::NeverWritten) << parameter.name << 0;
    }
    warnOfRaces(body);
    signature.text = taskText(body, signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    const FusedSums sums = findFusedSums(body);
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || sums.storesNeighbours);
    findWarpLoops(body, callable, signature);
    slicer_.follow(callable, body);
    return signature;
}

std::optional<KernelSpec> ForallLowering::lower() {
    std::optional<KernelSpec> kernel = lowerCalls<ForallSpec>(
        {"foldwise::forall", "void", "float", /*takesViews=*/true},
        [&](const TypedCall& call, const Callable& callable) { return lowerSignature(call, callable); });
    if (!kernel) return std::nullopt;
    ForallSpec& spec = kernel->as<ForallSpec>();
    spec.warpBody = warpBody(spec.body);
    for (ForallSignature& signature : spec.signatures) {
        signature.hasWarpLoops = spec.warpBody.has_value();
        for (ForallParameter& parameter : signature.parameters) parameter.isLooped &= signature.hasWarpLoops;
    }
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerForall(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return ForallLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
