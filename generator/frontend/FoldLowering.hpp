// generator/frontend/FoldLowering.hpp: what the lowerings of all patterns that combine elements have in common.
#pragma once

#include "FindParts.hpp"
#include "FloatUses.hpp"
#include "FoldChecks.hpp"
#include "Lowering.hpp"

#include <llvm/ADT/SmallPtrSet.h>

#include <optional>
#include <utility>
#include <vector>

namespace foldwise {

/// Lowers a kernel that is made of a fold's parts.
class FoldLowering : public Lowering {
  public:
    FoldLowering(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header)
        : Lowering(site, sema, slicer, header), site_(site) {}

    /// Lowers a kernel whose pattern has `parts` and `signatures`, which derive from FoldSignature. Nothing if it is
    /// wrong; that has been reported.
    template <class Spec> std::optional<KernelSpec> lowerFold();

  private:
    std::optional<KernelSpec> beginFold();
    std::vector<const clang::ClassTemplateSpecializationDecl*> typedFolds() const;
    bool checkParts() const;
    std::optional<FoldSignature> lowerSignature(const clang::ClassTemplateSpecializationDecl& typed,
                                                clang::QualType written);
    TypedFold typedFold(const clang::ClassTemplateSpecializationDecl& typed, clang::QualType signature = {}) const;
    bool checkCalls(const TypedFold& fold, const clang::ClassTemplateSpecializationDecl& typed) const;
    bool checkConversion(bool converts, const char* what, clang::QualType from, const char* to, clang::QualType target,
                         clang::SourceLocation at) const;
    bool checkMapped(const clang::ClassTemplateSpecializationDecl& typed) const;
    bool checkPlaces(const TypedFold& fold, const clang::ClassTemplateSpecializationDecl& typed) const;
    bool checkIdentityFits(const TypedFold& fold) const;
    bool checkIdentity(const TypedFold& fold, const clang::ClassTemplateSpecializationDecl& typed) const;
    std::optional<ElementType> lowerAccumulator(clang::QualType type) const;
    bool addInputs(FoldSignature& signature, const TypedFold& fold) const;
    FoldParts lowerParts() const;
    Body lowerIdentity() const;

    const KernelSite& site_;
    FoundParts parts_;
    bool scatters_ = false;  // whether the map says where values go
    Halves halves_ = Halves::AsTheyAre;
};

template <class Spec> std::optional<KernelSpec> FoldLowering::lowerFold() {
    if constexpr (requires { Spec::scatters; }) scatters_ = Spec::scatters;
    if constexpr (requires { Spec::convertsHalves; }) halves_ = Halves::AsFloats;
    std::optional<KernelSpec> kernel = beginFold();
    if (!kernel) return std::nullopt;
    const auto typed = typedFolds();
    if (typed.empty()) return std::nullopt;
    FoldChecks checks(site_, parts_, context_);
    Spec spec;
    std::vector<clang::QualType> types;
    llvm::SmallPtrSet<const clang::Type*, 8> seen;
    for (const clang::ClassTemplateSpecializationDecl* one : typed) {
        types.push_back(one->getTemplateArgs()[1].getAsType());
        if (!isNew(types.back(), seen)) return std::nullopt;
        std::optional<FoldSignature> signature = lowerSignature(*one, writtenSignature(spec.signatures.size()));
        if (!signature) return std::nullopt;
        spec.signatures.push_back({std::move(*signature)});
        const std::vector before(spec.signatures.begin(), spec.signatures.end() - 1);
        if (!checkClash(before, spec.signatures.back(), types)) return std::nullopt;
        checks.check(typedFold(*one));
    }
    spec.parts = lowerParts();
    if (spec.parts.map && halves_ == Halves::AsFloats) {
        std::vector<std::vector<Operand>*> inputs;
        for (auto& signature : spec.signatures) inputs.push_back(&signature.inputs);
        Operand mapped;  // an accumulator is what the map gives it
        settleFloats(*spec.parts.map, inputs, spec.signatures.front().indexRank > 0 ? 1 : 0, &mapped);
    }
    return finish(std::move(*kernel), std::move(spec));
}

}  // namespace foldwise
