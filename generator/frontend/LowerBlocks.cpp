// generator/frontend/LowerBlocks.cpp: lowers a foldwise::blocks(...) to the model: its lambda, its parameters, and what
// its items share.
#include "AtomicCalls.hpp"
#include "BlockPhases.hpp"
#include "BlockStores.hpp"
#include "CountOperations.hpp"
#include "FusedSums.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "RaceWarnings.hpp"
#include "SharedBounds.hpp"
#include "SharedSizes.hpp"
#include "Spelling.hpp"
#include "UnwrittenElements.hpp"
#include "UnwrittenShared.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/Sema/Sema.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

namespace foldwise {

using namespace clang;

namespace {

class BlocksLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    bool takesViews() const override { return true; }
    bool readExtents();
    bool checkFirstParameter(const FunctionDecl& body) const override;
    bool checkBody(const FunctionDecl& body) const;
    bool tellMistakes(const BlockPhases& phases, const FunctionDecl& body) const;
    std::string insteadForAll(const BlockStore& store, const std::string& block) const;
    void warnOfStores(const std::vector<BlockStore>& stores, const FunctionDecl& body) const;
    std::vector<Race> racesBeside(const std::vector<BlockStore>& stores, const FunctionDecl& body) const;
    void warnOfReads(const std::vector<BlockRead>& reads, const FunctionDecl& body);
    void warnOfBounds(const std::vector<BeyondShared>& beyond, const std::vector<Race>& races);
    void warnOfUnwritten(const BlockPhases& phases, const std::vector<BlockStore>& stores,
                         const std::vector<BeyondShared>& beyond, const FunctionDecl& body);
    std::optional<SharedArray> lowerShared(const SharedDeclaration& declared, const FunctionDecl& body) const;
    bool checkShared(const BlocksSignature& signature) const;
    bool checkAlignment(std::uint32_t alignment, SourceLocation at, const std::string& what) const;
    bool checkSizes(const std::vector<BlocksParameter>& parameters) const;
    std::optional<BlocksSignature> lowerSignature(const TypedCall& call, const Callable& callable);

    bool spreadItems(BlocksSpec& spec);

    std::vector<std::uint64_t> extents_;
    std::set<SourceLocation> races_, beyond_, reads_, unwritten_;  // that were told, of other signatures
    std::uint32_t itemCalls_ = 0;                                  // of the block's functions
};

/// "32 by 0 items"
std::string extentsText(llvm::ArrayRef<TemplateArgument> extents) {
    std::string text;
    llvm::ListSeparator by(" by ");
    for (const TemplateArgument& extent : extents)
        text += (llvm::StringRef(by) + llvm::toString(extent.getAsIntegral(), 10)).str();
    return text + " items";
}

bool BlocksLowering::readExtents() {
    const llvm::ArrayRef<TemplateArgument> given = type_.getTemplateArgs()[1].pack_elements();
    const auto refuse = [&](const std::string& reason) {
        complain(variable_.getLocation(), Message::BlockExtents)
            << name() << extentsText(given) << reason << (given.empty() ? 1 : 0);
        return false;
    };
    if (given.empty() || given.size() > static_cast<std::size_t>(detail::max_block_rank))
        return refuse("they have 1 to " + std::to_string(detail::max_block_rank) +
                      " axes, as in foldwise::blocks<16, 16>(...)");
    std::uint64_t items = 1;
    constexpr auto most = static_cast<std::uint64_t>(detail::max_block_items);
    for (const TemplateArgument& extent : given) {
        if (!extent.getAsIntegral().isStrictlyPositive()) return refuse("each axis has at least one item");
        extents_.push_back(extent.getAsIntegral().getLimitedValue(most + 1));
        items = std::min(items * extents_.back(), most + 1);
    }
    return items <= most || refuse("a block has at most " + std::to_string(most) + " of them");
}

bool BlocksLowering::checkFirstParameter(const FunctionDecl& body) const {
    if (blockRank(body) == extents_.size()) return true;
    const bool hasParameters = body.getNumParams() > 0;
    complain(hasParameters ? body.getParamDecl(0)->getLocation() : body.getLocation(), Message::WithoutBlock)
        << name() << static_cast<unsigned>(extents_.size()) << wordFor(body);
    return false;
}

bool BlocksLowering::checkBody(const FunctionDecl& body) const {
    if (!body.getReturnType()->isVoidType()) {
        complain(body.getLocation(), Message::ForallReturns)
            << name() << spelling(body.getReturnType(), context_) << wordFor(body);
        return false;
    }
    return checkParameters(body);
}

bool BlocksLowering::tellMistakes(const BlockPhases& phases, const FunctionDecl& body) const {
    for (const BlockMistake& mistake : phases.mistakes) {
        const DiagnosticBuilder told = complain(mistake.at, mistake.message);
        for (const std::string& argument : mistake.arguments) told << argument;
        for (const unsigned choice : mistake.choices) told << choice;
        for (const std::string& argument : mistake.last) told << argument;
        if (mistake.message == Message::BlockHandedOn) told << wordFor(body);
    }
    return phases.mistakes.empty();
}

/// What to write where all blocks are to have an element in common, behind a semicolon; empty if that is not known.
std::string BlocksLowering::insteadForAll(const BlockStore& store, const std::string& block) const {
    const std::string call = store.atomic.empty() ? "" : store.atomic + headerOfAtomics(context_);
    if (store.isUpdate) return call.empty() ? "" : "; to update what all blocks have in common, write " + call;
    if (!store.item.empty()) return "";
    return "; where calls have one block, write if (" + block + ".number(0) == 0)" +
           (call.empty() ? "" : ", and otherwise, to add up what blocks have, " + call);
}

void BlocksLowering::warnOfStores(const std::vector<BlockStore>& stores, const FunctionDecl& body) const {
    const std::string written = body.getParamDecl(0)->getNameAsString(), block = written.empty() ? "b" : written;
    const bool isOneItem = llvm::all_of(extents_, [](std::uint64_t extent) { return extent == 1; });
    for (const BlockStore& store : stores) {
        if (store.isShared && isOneItem) continue;
        constexpr unsigned ofBlocks = 2, ofItems = 3;  // among the choices of the message
        const std::string instead =
            store.isShared ? block + ".once() runs once, and " + block + ".fold() combines what items have"
                           : (store.item.empty()
                                  ? block + ".number(0) is the block's own number"
                                  : block + ".at(" + store.item + ") is the item's index among those of all blocks") +
                                 insteadForAll(store, block);
        complain(store.at, Message::Race) << 0 << (store.isUpdate ? "update" : "write") << store.array << instead << 0
                                          << (store.isShared ? ofItems : ofBlocks) << store.element;
    }
}

/// As all blocks are to read elements of their own.
void BlocksLowering::warnOfReads(const std::vector<BlockRead>& reads, const FunctionDecl& body) {
    const std::string block = body.getParamDecl(0)->getNameAsString();
    for (const BlockRead& read : reads)
        if (reads_.insert(read.at).second)
            complain(read.at, Message::SameInBlocks)
                << read.text << read.view << (block + ".at(" + read.item + ")") << read.element;
}

/// The races of items but for those of elements that all items write.
std::vector<Race> BlocksLowering::racesBeside(const std::vector<BlockStore>& stores, const FunctionDecl& body) const {
    std::vector<Race> races = findPhaseRaces(body, extents_);
    llvm::erase_if(races, [&](const Race& race) {
        return llvm::any_of(stores, [&](const BlockStore& store) {
            return store.isShared && store.element.getBegin() == race.element.getBegin();
        });
    });
    return races;
}

/// Warns of elements that shared memory does not have, but for those of which a race is told.
void BlocksLowering::warnOfBounds(const std::vector<BeyondShared>& beyond, const std::vector<Race>& races) {
    for (const BeyondShared& mistake : beyond) {
        const bool isTold = llvm::any_of(
            races, [&](const Race& race) { return race.element.getBegin() == mistake.element.getBegin(); });
        if (!isTold && beyond_.insert(mistake.at).second)
            complain(mistake.at, Message::SharedBounds)
                << mistake.text << mistake.whose << mistake.where << mistake.instead << mistake.element;
    }
}

/// Warns of shared memory that is read before anything is written there, but for what all items update, where a fold is
/// told, and for elements of arrays that items leave.
void BlocksLowering::warnOfUnwritten(const BlockPhases& phases, const std::vector<BlockStore>& stores,
                                     const std::vector<BeyondShared>& beyond, const FunctionDecl& body) {
    const auto isTold = [&](const UnwrittenShared& access) {
        return llvm::any_of(stores, [&](const BlockStore& store) {
            return store.isShared && store.element.getBegin() == access.element.getBegin();
        });
    };
    if (phases.shared.empty()) return;
    const SharedUses uses = sharedUses(body);
    llvm::SmallPtrSet<const VarDecl*, 4> wrong;
    for (const BeyondShared& mistake : beyond) wrong.insert(mistake.array);
    for (const UnwrittenShared& access : findUnwrittenShared(extents_, phases.shared, uses)) {
        wrong.insert(access.array);
        if (!isTold(access) && unwritten_.insert(access.at).second)
            complain(access.at, Message::UnwrittenShared)
                << access.array->getNameAsString() << (access.isUpdate ? 1 : 0) << (access.clearing.empty() ? 0 : 1)
                << access.clearing << access.element;
    }
    for (const UnwrittenElement& read : findUnwrittenElements(body, extents_, phases.shared, uses))
        if (!wrong.contains(read.array) && unwritten_.insert(read.at).second)
            complain(read.at, Message::UnwrittenElement)
                << read.item << read.place << read.array->getNameAsString() << (read.leaving.empty() ? 0 : 1)
                << read.leaving << (read.instead.empty() ? 0 : 1) << read.instead << read.element;
}

std::optional<SharedArray> BlocksLowering::lowerShared(const SharedDeclaration& declared,
                                                       const FunctionDecl& body) const {
    const SourceLocation at = declared.variable->getLocation();
    std::string reason;
    std::optional<ElementType> element = valueType(declared.element, at, reason, Tuples::AreOperands);
    if (!element) {
        complain(at, Message::UnsupportedElement) << spelling(declared.element, context_) << reason << 0;
        return std::nullopt;
    }
    if (!checkAlignment(element->alignment, at, "'" + element->text() + "'")) return std::nullopt;
    SharedArray array{declared.variable->getNameAsString(), std::move(*element), declared.extents, "",
                      slicer_.placeOf(at)};
    if (!declared.count) {
        llvm::ListSeparator times(" * ");
        for (const std::uint64_t extent : declared.extents)
            array.count += (llvm::StringRef(times) + std::to_string(extent)).str();
        return array;
    }
    std::optional<std::string> count = countAtCall(*declared.count, body, extents_);
    if (!count) {
        complain(declared.count->getExprLoc(), Message::SharedSize)
            << name()
            << "how much it is has to be known before the launch, from values, extents, constants and arithmetic "
               "with them";
        return std::nullopt;
    }
    array.count = std::move(*count);
    return array;
}

/// Where shared memory begins is a multiple of 16 bytes.
bool BlocksLowering::checkAlignment(std::uint32_t alignment, SourceLocation at, const std::string& what) const {
    constexpr std::uint32_t most = 16;
    if (alignment <= most) return true;
    complain(at, Message::SharedSize) << name()
                                      << what + " is aligned to " + std::to_string(alignment) +
                                             " bytes, and shared memory to " + std::to_string(most);
    return false;
}

bool BlocksLowering::checkShared(const BlocksSignature& signature) const {
    const std::optional<std::uint64_t> bytes = sharedBytes(signature);
    if (!bytes || *bytes <= static_cast<std::uint64_t>(detail::max_shared_bytes)) return true;
    complain(variable_.getLocation(), Message::SharedSize)
        << name()
        << "the items of a block share " + std::to_string(*bytes) + " bytes, and a GPU's blocks have at most " +
               std::to_string(detail::max_shared_bytes);
    return false;
}

bool BlocksLowering::checkSizes(const std::vector<BlocksParameter>& parameters) const {
    const auto refuse = [&](const std::string& reason) {
        complain(variable_.getLocation(), Message::TooManyParameters) << name() << "parameters" << reason;
        return false;
    };
    if (parameters.size() > detail::max_operands)
        return refuse("they are " + std::to_string(parameters.size()) + ", and there is room for " +
                      std::to_string(detail::max_operands));
    std::uint64_t bytes = 0;
    for (const BlocksParameter& parameter : parameters) {
        const std::uint64_t size = parameter.rank > 0 ? 8 + 16 * parameter.rank : parameter.type.size;
        const std::uint64_t alignment = std::max<std::uint32_t>(parameter.rank > 0 ? 0 : parameter.type.alignment, 8);
        bytes = (bytes + alignment - 1) / alignment * alignment + size;
    }
    return bytes <= mostTaskBytes || refuse("they take " + std::to_string(bytes) + " bytes, and there is room for " +
                                            std::to_string(mostTaskBytes));
}

/// "void(block<2> b, view<const float, 2> x, std::int32_t n)", for people.
std::string blockText(const FunctionDecl& body, const BlocksSignature& signature) {
    std::string text = "void(block<" + std::to_string(signature.indexRank) + ">";
    if (!body.getParamDecl(0)->getName().empty()) text += " " + body.getParamDecl(0)->getNameAsString();
    for (const BlocksParameter& parameter : signature.parameters)
        text += ", " + typeText(parameter) + " " + parameter.name;
    return text + ")";
}

std::optional<BlocksSignature> BlocksLowering::lowerSignature(const TypedCall& call, const Callable& callable) {
    const FunctionDecl& body = *call.body;
    if (!body.getBody()) {
        complain(callable.place, Message::FunctionWithoutBody) << body.getQualifiedNameAsString();
        return std::nullopt;
    }
    if (!checkBody(body)) return std::nullopt;
    beginSignature(&body);
    BlocksSignature signature;
    signature.indexRank = static_cast<std::uint32_t>(extents_.size());
    signature.extents = extents_;
    slicer_.followType(body.getParamDecl(0)->getType());
    const BlockPhases phases = blockPhases(body);
    const BlockAccesses accesses = blockAccesses(body);
    const std::vector<QualType> types = call.operands(1);
    for (unsigned i = 0; i < types.size(); ++i) {
        const ParmVarDecl& declared = *body.getParamDecl(i + 1);
        std::optional<ParameterType> type = lowerParameterType(types[i], declared.getLocation());
        if (!type) return std::nullopt;
        signature.parameters.push_back({operandName(declared, i), std::move(type->element), type->rank, type->isConst,
                                        phases.views[i].isRead, phases.views[i].isWritten,
                                        type->rank == extents_.size() && accesses.areOfAllItems[i]});
    }
    if (!tellMistakes(phases, body) || !checkSizes(signature.parameters)) return std::nullopt;
    warnOfStores(accesses.stores, body);
    warnOfReads(accesses.reads, body);
    const std::vector<Race> races = racesBeside(accesses.stores, body);
    warnOfRaces(races, RaceOf::Items, context_, races_);
    const std::vector<BeyondShared> beyond = findBeyondShared(body, extents_, phases.shared);
    warnOfBounds(beyond, races);
    for (unsigned i = 0; i < types.size(); ++i) {
        const BlocksParameter& parameter = signature.parameters[i];
        if (parameter.rank > 0 && !parameter.isConst && parameter.isRead && !parameter.isWritten)
            complain(body.getParamDecl(i + 1)->getLocation(), Message::NeverWritten) << parameter.name << 1;
    }
    for (const SharedDeclaration& declared : phases.shared) {
        std::optional<SharedArray> array = lowerShared(declared, body);
        if (!array) return std::nullopt;
        signature.shared.push_back(std::move(*array));
    }
    if (!checkAlignment(phases.exchangedAlignment, variable_.getLocation(), "what a fold or scan exchanges"))
        return std::nullopt;
    signature.exchanged = phases.exchanged;
    signature.owned = phases.owned;
    signature.phases = phases.phases;
    itemCalls_ = phases.itemCalls;
    if (!checkShared(signature)) return std::nullopt;
    warnOfUnwritten(phases, accesses.stores, beyond, body);
    signature.text = blockText(body, signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    const FusedSums sums = findFusedSums(body);
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || sums.storesNeighbours);
    slicer_.follow(callable, body);
    return signature;
}

/// Has the body say how many items a thread has, wherever that matters. In the body of a function that has a name, each
/// thread has one.
bool BlocksLowering::spreadItems(BlocksSpec& spec) {
    const auto isCall = [](const Mark& mark) { return mark.kind == MarkKind::BlockCall; };
    const bool saysAll = llvm::count_if(spec.body.marks, isCall) == itemCalls_;
    for (BlocksSignature& signature : spec.signatures) {
        signature.threads = saysAll ? threadsOf(itemsOf(signature)) : threadsOfSingleItems(itemsOf(signature));
        if (itemsOf(signature) > signature.threads && !saysAll) {
            complain(variable_.getLocation(), Message::BlockExtents)
                << name() << extentsText(type_.getTemplateArgs()[1].pack_elements())
                << "more than " + std::to_string(detail::max_block_threads) +
                       " take a lambda that is written here, without macros around the block's functions"
                << 0;
            return false;
        }
        for (Mark& mark : spec.body.marks)
            if (isCall(mark)) mark.number = itemsOfThread(signature);
    }
    return true;
}

std::optional<KernelSpec> BlocksLowering::lower() {
    if (!readExtents()) return std::nullopt;
    std::optional<KernelSpec> kernel = lowerCalls<BlocksSpec>(
        {"foldwise::blocks", "void", "float", /*takesViews=*/true, /*takesSignatures=*/false},
        [&](const TypedCall& call, const Callable& callable) { return lowerSignature(call, callable); });
    if (!kernel || !spreadItems(kernel->as<BlocksSpec>())) return std::nullopt;
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerBlocks(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return BlocksLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
