// generator/frontend/UnwrittenShared.cpp: looks for arrays in shared memory to which nothing writes before they are
// read.
#include "UnwrittenShared.hpp"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <set>

namespace foldwise {

using namespace clang;

namespace {

using UseKind = SharedUse::Kind;

class UnwrittenFinder {
  public:
    UnwrittenFinder(llvm::ArrayRef<std::uint64_t> extents, llvm::ArrayRef<SharedDeclaration> shared,
                    const SharedUses& all)
        : extents_(extents), shared_(shared), all_(all) {}

    std::vector<UnwrittenShared> find() {
        for (const SharedUse& use : all_.uses)
            if (isOld(use) && !hasWriteBefore(use) && told_.insert(&use.array()).second) add(use);
        return std::move(found_);
    }

  private:
    /// Whether a use depends on what an element had before.
    static bool isOld(const SharedUse& use) { return use.kind == UseKind::Read || use.kind == UseKind::Update; }
    bool hasWriteBefore(const SharedUse& use) const {
        return llvm::any_of(all_.uses, [&](const SharedUse& other) {
            return &other.array() == &use.array() && (other.kind == UseKind::Store || other.kind == UseKind::Other) &&
                   all_.mayPrecede(other, use);
        });
    }

    void add(const SharedUse& use) {
        const VarDecl& array = use.array();
        UnwrittenShared one;
        one.at = use.element->getBeginLoc();
        one.element = use.element->getSourceRange();
        one.array = &array;
        one.isUpdate = use.kind == UseKind::Update;
        if (one.isUpdate) one.clearing = clearing(array);
        found_.push_back(std::move(one));
    }

    /// A phase that clears an array with an element for each item, or with one axis.
    std::string clearing(const VarDecl& array) const {
        const auto* declared = llvm::find_if(shared_, [&](const auto& one) { return one.variable == &array; });
        if (declared == shared_.end()) return "";
        const std::string name = array.getNameAsString();
        const std::string zero = declared->element->isArithmeticType() ? " = 0" : " = {}";
        if (declared->extents.size() == 1 && declared->extents[0] == 1)
            return "b.once([&] { " + name + "[0]" + zero + "; })";
        std::string statement;
        if (llvm::equal(declared->extents, extents_))
            statement = name + "[t]" + zero;
        else if (extents_.size() == 1 && declared->extents.size() <= 1)
            statement = "for (std::int64_t k = t; k < " + name + ".extent(0); k += " + std::to_string(extents_[0]) +
                        ") " + name + "[k]" + zero;
        else
            return "";
        return "b.each([&](foldwise::index<" + std::to_string(extents_.size()) + "> t) { " + statement + "; })";
    }

    const llvm::ArrayRef<std::uint64_t> extents_;
    const llvm::ArrayRef<SharedDeclaration> shared_;
    const SharedUses& all_;
    std::set<const VarDecl*> told_;
    std::vector<UnwrittenShared> found_;
};

}  // namespace

std::vector<UnwrittenShared> findUnwrittenShared(llvm::ArrayRef<std::uint64_t> extents,
                                                 llvm::ArrayRef<SharedDeclaration> shared, const SharedUses& all) {
    return UnwrittenFinder(extents, shared, all).find();
}

}  // namespace foldwise
